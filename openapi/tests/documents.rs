//! What holds for every document: the rules, the released form.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dropforge::check::{compatibility, decisions, lint, prose, published};
use dropforge::document::Document;
use proc_macro2::TokenStream;
use quote::ToTokens;

fn openapi() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi")
}

/// The file of an area's document.
pub fn path(area: &str) -> PathBuf {
    openapi().join(area).with_extension("yaml")
}

/// A document with the files that it refers to.
pub fn load(path: &Path) -> Document {
    Document::load_file(path).unwrap_or_else(|refused| panic!("{refused}"))
}

/// The documents that the crate publishes, as they stand in the repository.
fn documents() -> impl Iterator<Item = (&'static str, Document)> {
    accord::DOCUMENTS
        .iter()
        .map(|document| (document.area, load(&path(document.area))))
}

#[test]
fn every_shared_component_is_used() {
    let documents: Vec<_> = documents().map(|(_, document)| document).collect();
    for (source, findings) in lint::unused_in_shared_files(&documents) {
        assert!(findings.is_empty(), "\n{}", findings.render(&source));
    }
}

#[test]
fn every_pointer_of_a_decision_leads_to_a_place() {
    let mut named: Vec<_> = documents()
        .map(|(area, document)| (format!("{area}.yaml"), document))
        .collect();
    named.push(("common.yaml".to_owned(), load(&path("common"))));
    let named: Vec<_> = named.iter().map(|(name, of)| (name.as_str(), of)).collect();
    let decisions = load(&path("decisions"));
    let findings = decisions::check(&decisions, &named);
    assert!(
        findings.is_empty(),
        "\n{}",
        findings.render(&decisions.source)
    );
}

#[test]
fn no_rule_has_anything_to_say() {
    for (_, document) in documents() {
        let mut findings = lint::lint(&document);
        findings.extend(prose::check(&document));
        assert!(
            findings.is_empty(),
            "\n{}",
            findings.render(&document.source)
        );
    }
}

#[test]
fn the_crate_publishes_the_documents_of_the_repository_without_keys_of_the_generator() {
    for ((area, document), published) in documents().zip(&accord::DOCUMENTS) {
        assert_eq!(area, published.area);
        let json: serde_json::Value = serde_json::from_str(published.json).unwrap();
        assert_eq!(json, published::json(&document), "{area}");
        for key in ["x-dropforge-", "x-decision", ".yaml#"] {
            assert!(!published.json.contains(key), "{area}: {key}");
        }
        let [from_json, from_yaml] = [(".json", published.json), (".yaml", published.yaml)]
            .map(|(name, text)| Document::load(name, text).unwrap().to_json());
        assert_eq!(from_json, from_yaml, "{area}");
    }
}

/// The released form is what clients rely on. Whoever changes a document sees
/// here what the change means for them, before it is released with
/// `cargo xtask regenerate`.
#[test]
fn every_change_since_the_release_has_been_released() {
    for (area, document) in documents() {
        let path = openapi()
            .join("published")
            .join(area)
            .with_extension("json");
        let released = load(&path);
        if released.source.text == published::canonical(&document) {
            continue;
        }
        let changes = compatibility::compare(&released, &published::publish(&document));
        let told: Vec<_> = changes
            .iter()
            .map(|change| {
                format!(
                    "  {}: {} (#{})",
                    change.class, change.message, change.pointer
                )
            })
            .collect();
        panic!(
            "{} is not what is released; run `cargo xtask regenerate`\n{}",
            document.source.name,
            told.join("\n")
        );
    }
}

/// What the keys of the generator add concerns operations: bodies that pass as bytes, lenient
/// bodies, framed streams, headers that the runtime fills in, limits of bodies, and the
/// responses to unknown paths and methods. The types are the same without them, except that a
/// server also reads an integer where the document says so of a string.
#[test]
fn the_published_form_generates_the_same_types() {
    for ((area, document), published) in documents().zip(&accord::DOCUMENTS) {
        let name = format!("{area}.json");
        let published = Document::load(&name, published.json).expect("a document");
        let server = |document: &Document| {
            let generated = dropforge::generate_server(document, area);
            let tokens =
                generated.unwrap_or_else(|wrong| panic!("{}", wrong.render(&document.source)));
            types(tokens.tokens)
        };
        let client = |document: &Document| {
            let generated = dropforge::emit::client::generate(document);
            let tokens =
                generated.unwrap_or_else(|wrong| panic!("{}", wrong.render(&document.source)));
            types(tokens.tokens)
        };
        let mut json = document.to_json();
        remove(&mut json, "x-dropforge-or-integer");
        let strict = Document::load(&name, &json.to_string()).expect("a document");
        assert!(server(&strict).len() > 10, "{area}");
        assert_eq!(server(&strict), server(&published), "{area}");
        assert!(client(&document).len() > 10, "{area}");
        assert_eq!(client(&document), client(&published), "{area}");
    }
}

/// Removes a key wherever it is.
fn remove(json: &mut serde_json::Value, key: &str) {
    if let Some(object) = json.as_object_mut() {
        object.shift_remove(key);
        object.values_mut().for_each(|value| remove(value, key));
    }
    if let Some(array) = json.as_array_mut() {
        array.iter_mut().for_each(|value| remove(value, key));
    }
}

/// The structs and enums of the module `types`, each with its fields or variants.
fn types(tokens: TokenStream) -> BTreeMap<String, Vec<String>> {
    let file: syn::File = syn::parse2(tokens).expect("Rust");
    let is_types = |item: syn::Item| match item {
        syn::Item::Mod(item) if item.ident == "types" => item.content,
        _ => None,
    };
    let content = file.items.into_iter().find_map(is_types);
    let (_, items) = content.expect("a module of types");
    let named = items.into_iter().filter_map(|item| match item {
        syn::Item::Struct(item) => {
            let fields = item.fields.iter();
            let fields = fields.map(|field| {
                let name = field.ident.as_ref().map(ToString::to_string);
                format!(
                    "{}: {}",
                    name.unwrap_or_default(),
                    field.ty.to_token_stream()
                )
            });
            Some((item.ident.to_string(), fields.collect()))
        }
        syn::Item::Enum(item) => {
            let variants = item.variants.iter();
            let variants =
                variants.map(|one| format!("{}{}", one.ident, one.fields.to_token_stream()));
            Some((item.ident.to_string(), variants.collect()))
        }
        _ => None,
    });
    named.collect()
}

#[test]
fn clients_leave_out_what_their_reports_say_and_no_more() {
    for (area, document) in documents() {
        let client = match dropforge::emit::client::generate(&document) {
            Ok(client) => client,
            Err(diagnostics) => panic!("{}", diagnostics.render(&document.source)),
        };
        let path = openapi().join("published").join(format!("{area}.loss.md"));
        let pinned = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            client.report.to_markdown() == pinned,
            "the report of {area} is another; run `cargo xtask regenerate` and read what it changes"
        );
    }
}
