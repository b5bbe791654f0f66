//! Runs progenitor so that its panics do not end the generator.
//!
//! progenitor panics on many documents. The passes handle the known cases. For others, this module
//! catches the panic and searches for its cause. A schema then becomes any JSON value, with an
//! entry in the loss report, and an operation becomes a diagnostic.

use super::{
    report::LossKind,
    subset::{self, SECRET, Subset, operation::Operation, walk},
};
use indexmap::IndexSet;
use openapiv3::OpenAPI;
use proc_macro2::TokenStream;
use progenitor::{GenerationSettings, Generator, HooksMode, InterfaceStyle, TypeImpl};
use quote::quote;
use serde_json::{Value, json};
use std::{
    cell::Cell,
    collections::HashMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Once,
};

/// An operation that progenitor cannot generate.
#[derive(Debug)]
pub struct Refusal {
    /// The pointer of the operation in the document.
    pub pointer: String,
    /// The error of progenitor.
    pub message: String,
}

/// The module of restored enumerations and unions.
pub const OPEN: &str = "open";

/// Generates the client of a subset. Schemas that typify does not support are replaced.
pub fn generate(subset: &mut Subset) -> Result<TokenStream, Vec<Refusal>> {
    let settings = settings(subset);
    if let Ok(tokens) = attempt(&subset.root, &settings) {
        return Ok(tokens);
    }
    replace_schemas(subset, &mut |root| attempt(root, &settings));
    attempt(&subset.root, &settings).map_err(|message| {
        let refusals = refuse_operations(subset, &settings);
        if refusals.is_empty() {
            vec![Refusal {
                pointer: String::new(),
                message,
            }]
        } else {
            refusals
        }
    })
}

fn settings(subset: &Subset) -> GenerationSettings {
    let mut settings = GenerationSettings::new();
    settings
        .with_interface(InterfaceStyle::Builder)
        .with_hooks(HooksMode::Expected)
        .with_inner_type(quote! { ::dropforge_client::Session })
        .with_derive("PartialEq")
        .with_map_type("::std::collections::BTreeMap");
    if let Ok(secret) = serde_json::from_value(json!({ "type": "string", "format": SECRET })) {
        settings.with_conversion(secret, "::dropforge_client::Secret", std::iter::empty());
    }
    for (name, _) in &subset.enums {
        let impls = [TypeImpl::Display, TypeImpl::FromStr];
        settings.with_replacement(name, format!("{OPEN}::{name}"), impls.into_iter());
    }
    for (name, _) in &subset.arguments {
        let impls = [TypeImpl::Display];
        settings.with_replacement(name, format!("{OPEN}::{name}"), impls.into_iter());
    }
    for union in &subset.unions {
        let impls = union.is_text.then_some(TypeImpl::Display);
        settings.with_replacement(
            &union.name,
            format!("{OPEN}::{}", union.name),
            impls.into_iter(),
        );
    }
    settings
}

/// One run; the error is that of progenitor, or the message of its panic.
fn attempt(root: &Value, settings: &GenerationSettings) -> Result<TokenStream, String> {
    let api: OpenAPI = serde_json::from_value(root.clone()).map_err(|error| error.to_string())?;
    quietly(|| Generator::new(settings).generate_tokens(&api))?.map_err(|error| error.to_string())
}

/// The components that each component contains directly.
type Held = HashMap<String, IndexSet<String>>;

/// Replaces the schemas that fail on their own, smallest first, so that a schema is not replaced because of a schema in
/// it.
fn replace_schemas(
    subset: &mut Subset,
    attempt: &mut dyn FnMut(&Value) -> Result<TokenStream, String>,
) {
    let none = walk::Object::new();
    let held: Held = walk::components(&mut subset.root)
        .iter()
        .map(|(name, schema)| (name.clone(), walk::reachable(&none, schema)))
        .collect();
    let mut names: Vec<String> = walk::components(&mut subset.root).keys().cloned().collect();
    names.sort_by_cached_key(|name| with_held(std::slice::from_ref(name), &held).len());
    replace_among(subset, attempt, &names, &held);
}

/// Searches for the failing schemas by halves, the smaller schemas first: most of them work together.
fn replace_among(
    subset: &mut Subset,
    attempt: &mut dyn FnMut(&Value) -> Result<TokenStream, String>,
    names: &[String],
    held: &Held,
) {
    let mut root = skeleton(&subset.root);
    let wanted = with_held(names, held);
    let part = walk::components(&mut subset.root).iter();
    let part = part.filter(|(name, _)| wanted.contains(name.as_str()));
    walk::components(&mut root).extend(part.map(|(name, schema)| (name.clone(), schema.clone())));
    let Err(message) = attempt(&root) else {
        return;
    };
    match names {
        [] => {}
        [name] => replace(subset, name, &message),
        several => {
            let (first, second) = several.split_at(several.len() / 2);
            replace_among(subset, attempt, first, held);
            replace_among(subset, attempt, second, held);
        }
    }
}

/// Components with all components in them, direct or indirect.
fn with_held<'a>(names: &'a [String], held: &'a Held) -> IndexSet<&'a str> {
    let mut all: IndexSet<&str> = names.iter().map(String::as_str).collect();
    let mut next = 0;
    while let Some(name) = all.get_index(next).copied() {
        all.extend(held.get(name).into_iter().flatten().map(String::as_str));
        next += 1;
    }
    all
}

/// Replaces a schema by any JSON value, and reports it.
fn replace(subset: &mut Subset, name: &str, message: &str) {
    if let Some(schema) = walk::components(&mut subset.root).get_mut(name) {
        *schema = subset::anything(schema);
    }
    subset.enums.retain(|(other, _)| other != name);
    subset.unions.retain(|union| union.name != name);
    let pointer = match subset.origins.get(name) {
        Some(origin) => origin.clone(),
        None => format!("(inline schema {name})"),
    };
    subset
        .report
        .add(LossKind::Schema, pointer, first_line(message));
}

/// The operations that fail on their own.
fn refuse_operations(subset: &Subset, settings: &GenerationSettings) -> Vec<Refusal> {
    let operations: Vec<&Operation> = subset.operations.iter().collect();
    let mut refusals = Vec::new();
    refuse_among(subset, settings, &operations, &mut refusals);
    refusals
}

/// Searches for the failing operations by halves: most of them work together.
fn refuse_among(
    subset: &Subset,
    settings: &GenerationSettings,
    operations: &[&Operation],
    refusals: &mut Vec<Refusal>,
) {
    let Err(message) = attempt(&with_operations(subset, operations), settings) else {
        return;
    };
    match operations {
        [] => {}
        [operation] => refusals.push(Refusal {
            pointer: operation.pointer.clone(),
            message: first_line(&message),
        }),
        several => {
            let (first, second) = several.split_at(several.len() / 2);
            refuse_among(subset, settings, first, refusals);
            refuse_among(subset, settings, second, refusals);
        }
    }
}

/// The document with some of its operations, and the components that they reach.
fn with_operations(subset: &Subset, operations: &[&Operation]) -> Value {
    let mut root = skeleton(&subset.root);
    let none = walk::Object::new();
    let schemas = subset.root["components"]["schemas"].as_object();
    let schemas = schemas.unwrap_or(&none);
    let mut reached = Vec::new();
    for operation in operations {
        let (path, method) = (&*operation.written_path, operation.written_method);
        let value = &subset.root["paths"][path][method];
        references(value, &mut |reference| {
            reached.extend(walk::component(reference).map(str::to_owned));
            reached.extend(walk::reachable(schemas, reference));
        });
        root["paths"][path][method] = value.clone();
    }
    let part = walk::components(&mut root);
    for name in reached {
        let schema = schemas.get(&name);
        part.extend(schema.map(|schema| (name, schema.clone())));
    }
    root
}

/// Calls `visit` with each object that is a reference.
fn references(value: &Value, visit: &mut impl FnMut(&Value)) {
    match value {
        Value::Object(object) if object.contains_key("$ref") => visit(value),
        Value::Object(object) => object.values().for_each(|value| references(value, visit)),
        Value::Array(list) => list.iter().for_each(|value| references(value, visit)),
        _ => {}
    }
}

fn skeleton(root: &Value) -> Value {
    json!({ "openapi": root["openapi"], "info": root["info"], "paths": {}, "components": { "schemas": {} } })
}

fn first_line(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    let short: String = line.chars().take(160).collect();
    if short.len() < line.len() {
        format!("{short}…")
    } else {
        short
    }
}

thread_local! {
    /// Whether a panic of this thread is expected, so that nothing is printed.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs a function that may panic; the error is the message of the panic.
fn quietly<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let others = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                others(info);
            }
        }));
    });
    QUIET.set(true);
    // The state that a panic leaves inconsistent is dropped.
    let result = catch_unwind(AssertUnwindSafe(run));
    QUIET.set(false);
    result.map_err(|panic| {
        let message = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or(panic.downcast_ref::<&str>().copied());
        format!(
            "progenitor failed: {}",
            message.unwrap_or("it does not say why")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{document::Document, lower};

    /// The subset of a document with these components.
    fn subset(components: &str) -> Subset {
        subset_of("{}", components)
    }

    /// The subset of a document with these paths and components.
    fn subset_of(paths: &str, components: &str) -> Subset {
        let text = format!(
            "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths: {paths}\ncomponents:\n  schemas:\n{components}"
        );
        let document = Document::load("test.yaml", &text).expect("YAML");
        subset::write(
            &lower::lower(&document, "test")
                .expect("a sound document")
                .api,
        )
    }

    /// Makes a schema fail: it refers to a component that does not exist.
    fn spoil(subset: &mut Subset, name: &str) {
        let schema = &mut walk::components(&mut subset.root)[name];
        schema["properties"]["spoiled"] = walk::reference("Missing");
    }

    /// Makes an operation fail: its parameters are not a list.
    fn spoil_operation(subset: &mut Subset, id: &str) {
        let mut operations = subset.operations.iter();
        let operation = operations
            .find(|operation| operation.id == id)
            .expect("an operation");
        let (path, method) = (&*operation.written_path, operation.written_method);
        subset.root["paths"][path][method]["parameters"] = json!("spoiled");
    }

    /// Replaces failing schemas. Returns the pointers of the replaced schemas, and the number of progenitor's runs.
    fn replaced(subset: &mut Subset) -> (Vec<String>, usize) {
        let settings = settings(subset);
        let mut attempts = 0;
        replace_schemas(subset, &mut |root| {
            attempts += 1;
            attempt(root, &settings)
        });
        let losses = subset.report.losses.iter();
        let schemas = losses.filter(|loss| loss.kind == LossKind::Schema);
        (schemas.map(|loss| loss.pointer.clone()).collect(), attempts)
    }

    #[test]
    fn a_few_failing_schemas_among_many_are_found_in_few_attempts() {
        let mut components = String::new();
        for index in 0..60 {
            // Every tenth schema begins a chain, in which each schema contains the previous one.
            let next = match index % 10 {
                0 => "{type: string}".to_owned(),
                _ => format!("{{$ref: '#/components/schemas/S{}'}}", index - 1),
            };
            components +=
                &format!("    S{index}: {{type: object, properties: {{next: {next}}}}}\n");
        }
        let mut subset = subset(&components);
        assert_eq!(replaced(&mut subset), (vec![], 1));
        spoil(&mut subset, "S57");
        spoil(&mut subset, "S23");
        let (names, attempts) = replaced(&mut subset);
        // The schema with fewer schemas in it comes first. Schemas that contain the two are not replaced.
        assert_eq!(
            names,
            ["/components/schemas/S23", "/components/schemas/S57"]
        );
        assert!(attempts <= 25, "{attempts} attempts");
        let components = walk::components(&mut subset.root);
        assert_eq!(components["S57"], json!({}));
        assert_ne!(components["S58"], json!({}));
        assert!(attempt(&subset.root, &settings(&subset)).is_ok());
    }

    #[test]
    fn a_schema_is_not_replaced_for_a_recursive_one_in_it() {
        let mut subset = subset(
            "    Forest: {type: object, properties: {tree: {$ref: '#/components/schemas/Tree'}}}\n    \
             Tree: {type: object, properties: {child: {$ref: '#/components/schemas/Tree'}}}\n",
        );
        spoil(&mut subset, "Tree");
        assert_eq!(replaced(&mut subset).0, ["/components/schemas/Tree"]);
    }

    #[test]
    fn only_the_failing_operations_among_many_are_refused() {
        let mut paths = String::new();
        for index in 0..9 {
            paths += &format!(
                "\n  /p{index}: {{get: {{operationId: op{index}, responses: {{'200': {{description: Done, content: \
                 {{application/json: {{schema: {{$ref: '#/components/schemas/Thing'}}}}}}}}}}}}}}"
            );
        }
        let thing =
            "    Thing: {type: object, properties: {next: {$ref: '#/components/schemas/Thing'}}}\n";
        let mut subset = subset_of(&paths, thing);
        assert!(refuse_operations(&subset, &settings(&subset)).is_empty());
        spoil_operation(&mut subset, "op2");
        spoil_operation(&mut subset, "op7");
        let refusals = generate(&mut subset).expect_err("two operations fail");
        let pointers: Vec<_> = refusals.iter().map(|one| one.pointer.as_str()).collect();
        assert_eq!(pointers, ["/paths/~1p2/get", "/paths/~1p7/get"]);
        assert!(refusals.iter().all(|one| !one.message.is_empty()));
        // Every schema works without them.
        let losses = &subset.report.losses;
        assert!(!losses.iter().any(|loss| loss.kind == LossKind::Schema));
    }

    #[test]
    fn a_document_that_fails_as_a_whole_is_refused_at_its_root() {
        let mut subset = subset("    Thing: {type: string}\n");
        subset.root["paths"]["/p"]["get"] = json!("spoiled");
        let refusals = generate(&mut subset).expect_err("no operation of the list fails");
        let pointers: Vec<_> = refusals.iter().map(|one| one.pointer.as_str()).collect();
        assert_eq!(pointers, [""]);
    }

    #[test]
    fn a_panic_is_an_error_with_its_message() {
        assert_eq!(quietly(|| 1), Ok(1));
        assert_eq!(
            quietly(|| -> u8 { panic!("no {}", 1) }),
            Err("progenitor failed: no 1".to_owned())
        );
    }
}
