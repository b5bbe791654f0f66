//! Proves that an additive change of a document is an additive change of its client. Each edit is made at every place of
//! a document at once.

use dropforge::document::Document;
use serde_json::{Map, Value, json};

use super::api::Api;
use super::areas::{self, AREAS};
use crate::repository;

type Object = Map<String, Value>;

/// Adds something to an object of the document. The key is that under which the object is found.
type Edit = fn(&str, &mut Object) -> bool;

fn optional_property(_: &str, schema: &mut Object) -> bool {
    if schema.get("type").is_none_or(|kind| kind != "object") {
        return false;
    }
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    properties.is_some_and(|all| {
        all.insert("addedLater".to_owned(), json!({"type": "string"}))
            .is_none()
    })
}

fn enum_value(_: &str, schema: &mut Object) -> bool {
    let values = schema.get_mut("enum").and_then(Value::as_array_mut);
    // A union is distinguished by an enumeration with one value.
    let values = values.filter(|values| values.len() > 1 && values.iter().all(Value::is_string));
    values
        .map(|values| values.push("ADDED_LATER".into()))
        .is_some()
}

/// A union of named schemas, such as events, which are distinguished by their `type`.
fn member(key: &str, object: &mut Object) -> bool {
    // Variants lack the prefix that the names of all members have. A name without it would rename them, which
    // `--compare` lists.
    const NAME: &str = "ResponseAddedLater";
    // The components of the document are visited after everything in them.
    if key == "schemas" {
        let properties = json!({"type": {"type": "string", "enum": ["added.later"]}});
        let added = json!({"type": "object", "required": ["type"], "properties": properties});
        object.insert(NAME.to_owned(), added);
    }
    let members = object.get_mut("oneOf").and_then(Value::as_array_mut);
    let is_named = |one: &Value| one.get("$ref").is_some();
    let members = members.filter(|members| members.iter().all(is_named));
    let added = json!({"$ref": format!("#/components/schemas/{NAME}")});
    members.map(|members| members.push(added)).is_some()
}

fn status(_: &str, operation: &mut Object) -> bool {
    let responses = match operation.contains_key("operationId") {
        true => operation
            .get_mut("responses")
            .and_then(Value::as_object_mut),
        false => None,
    };
    responses.is_some_and(|all| {
        all.insert("423".to_owned(), json!({"description": "Added."}))
            .is_none()
    })
}

fn parameter(_: &str, operation: &mut Object) -> bool {
    if !operation.contains_key("operationId") {
        return false;
    }
    let added = json!({"name": "addedLater", "in": "query", "schema": {"type": "string"}});
    let all = operation.entry("parameters").or_insert_with(|| json!([]));
    all.as_array_mut().map(|all| all.push(added)).is_some()
}

fn header(key: &str, response: &mut Object) -> bool {
    if key.len() != 3 || key.parse::<u16>().is_err() || response.contains_key("$ref") {
        return false;
    }
    let added = json!({"description": "Added.", "schema": {"type": "string"}});
    let all = response.entry("headers").or_insert_with(|| json!({}));
    all.as_object_mut()
        .is_some_and(|all| all.insert("added-later".to_owned(), added).is_none())
}

fn operation(key: &str, path: &mut Object) -> bool {
    if !key.starts_with('/') || path.contains_key("head") {
        return false;
    }
    let methods = ["get", "put", "post", "delete", "patch"];
    let Some(sibling) = methods.iter().find_map(|method| path.get(*method)).cloned() else {
        return false;
    };
    let id = sibling["operationId"].as_str().unwrap_or_default();
    let added = json!({
        "operationId": format!("addedBeside{id}"),
        "summary": "Added",
        "tags": sibling["tags"],
        "parameters": path_parameters(&sibling["parameters"]),
        "responses": {"204": {"description": "Added."}},
    });
    path.insert("head".to_owned(), added);
    true
}

/// The parameters of the path, which every operation has to declare.
fn path_parameters(all: &Value) -> Value {
    let all = all.as_array().into_iter().flatten();
    // References may be of any kind; only those of the path are required.
    all.filter(|one| one["in"] == "path" || one["$ref"].is_string())
        .cloned()
        .collect()
}

const EDITS: [(&str, Edit); 7] = [
    ("an optional property", optional_property),
    ("a value of an enumeration", enum_value),
    ("a member of a union", member),
    ("a status", status),
    ("an optional parameter", parameter),
    ("a response header", header),
    ("an operation", operation),
];

/// Makes an edit at every place, and returns their number.
fn everywhere(key: &str, value: &mut Value, edit: Edit) -> usize {
    match value {
        Value::Object(object) => {
            let mut places = 0;
            for (key, inner) in object.iter_mut().filter(|(key, _)| !is_data(key)) {
                places += everywhere(key, inner, edit);
            }
            places + usize::from(edit(key, object))
        }
        Value::Array(all) => all
            .iter_mut()
            .map(|inner| everywhere("", inner, edit))
            .sum(),
        _ => 0,
    }
}

/// Whether the value of a key is an example, and not part of a schema.
fn is_data(key: &str) -> bool {
    matches!(key, "example" | "examples" | "default")
}

fn api(document: &Document) -> Api {
    let client = dropforge::emit::client::generate(document)
        .unwrap_or_else(|findings| panic!("{}", findings.render(&document.source)));
    Api::of_code("client", &syn::parse2(client.tokens).expect("valid code"))
}

#[test]
fn an_additive_change_of_a_document_is_one_of_its_client() {
    let mut breaks = Vec::new();
    for area in AREAS {
        let document = areas::document(&repository::root(), area).expect("a document");
        let before = api(&document);
        let mut whole = 0;
        for (name, edit) in EDITS {
            let mut json = document.to_json();
            let places = everywhere("", &mut json, edit);
            whole += places;
            let edited = Document::read(&format!("{area}.json"), &json.to_string());
            let edited = edited.unwrap_or_else(|findings| panic!("{area}, {name}: {findings:?}"));
            let after = api(&edited);
            assert!(
                places == 0 || name.contains("header") || after != before,
                "{area}, {name}"
            );
            for one in after.breaks(&before) {
                breaks.push(format!("{area}, {name}: {one}"));
            }
        }
        assert!(whole > 20, "{area}: {whole} places");
    }
    assert!(
        breaks.is_empty(),
        "{} breaks:\n{}",
        breaks.len(),
        breaks.join("\n")
    );
}

#[test]
fn a_change_that_breaks_callers_is_found() {
    let before = "#[non_exhaustive] pub enum A { B } pub struct C { pub d: u8 } pub fn e(f: u8) {} impl C { pub fn g() {} }";
    let api = |code: &str| Api::of_code("x", &syn::parse_str(code).expect("code"));
    let older = api(before);
    for (from, to, expected) in [
        ("", "", ""),
        ("A { B }", "A { B, H }", ""),
        ("pub fn g() {}", "pub fn g() {} pub fn h() {}", ""),
        ("A { B }", "A { I }", "x::A::B was removed"),
        ("#[non_exhaustive]", "", "x::A can no longer be extended"),
        ("pub d: u8", "pub d: u16", "x::C::d was `u8` and is `u16`"),
        ("pub d: u8", "pub d: u8, pub j: u8", "x::C::j was added"),
        ("f: u8", "f: u16", "x::e was"),
        ("pub fn g() {}", "", "x::C::g was removed"),
    ] {
        let breaks = api(&before.replacen(from, to, 1)).breaks(&older).join(", ");
        match expected {
            "" => assert_eq!(breaks, ""),
            expected => assert!(breaks.starts_with(expected), "{breaks}"),
        }
    }
}
