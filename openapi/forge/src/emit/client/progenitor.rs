//! progenitor, run so that it cannot take the generator down.
//!
//! It asserts much and forgives little. The passes catch what is known; for what is not, it runs where a panic is an
//! error, and what made it fail is looked for: a schema becomes any JSON value, which the loss report says, and an
//! operation becomes a diagnostic.

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
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Once,
};

/// What cannot be generated.
#[derive(Debug)]
pub struct Refusal {
    /// Where it stands in the document.
    pub pointer: String,
    /// What progenitor says.
    pub message: String,
}

/// The module in which enumerations and unions are given back.
pub const OPEN: &str = "open";

/// Makes the client of a subset. Schemas that typify cannot take are replaced in it.
pub fn generate(subset: &mut Subset) -> Result<TokenStream, Vec<Refusal>> {
    let settings = settings(subset);
    if let Ok(tokens) = attempt(&subset.root, &settings) {
        return Ok(tokens);
    }
    // The schemas are looked through one by one only if the failure is theirs.
    let mut schemas = skeleton(&subset.root);
    schemas["components"] = subset.root["components"].clone();
    if attempt(&schemas, &settings).is_err() {
        replace_schemas(subset, &settings);
    }
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
        settings.with_replacement(
            &union.name,
            format!("{OPEN}::{}", union.name),
            std::iter::empty(),
        );
    }
    settings
}

/// One run; the error is what progenitor, or the panic, says.
fn attempt(root: &Value, settings: &GenerationSettings) -> Result<TokenStream, String> {
    let api: OpenAPI = serde_json::from_value(root.clone()).map_err(|error| error.to_string())?;
    quietly(|| Generator::new(settings).generate_tokens(&api))?.map_err(|error| error.to_string())
}

/// Replaces the schemas that fail on their own, smallest first, so that one is not blamed for what it holds.
fn replace_schemas(subset: &mut Subset, settings: &GenerationSettings) {
    let schemas = walk::components(&mut subset.root).clone();
    let mut names: Vec<(IndexSet<String>, String)> = schemas
        .iter()
        .map(|(name, schema)| (walk::reachable(&schemas, schema), name.clone()))
        .collect();
    names.sort_by_key(|(reached, _)| reached.len());
    for (reached, name) in names {
        let mut root = skeleton(&subset.root);
        let all = walk::components(&mut subset.root);
        let part = walk::components(&mut root);
        for name in reached.iter().chain([&name]) {
            part.extend(all.get(name).map(|schema| (name.clone(), schema.clone())));
        }
        if let Err(message) = attempt(&root, settings) {
            let schema = all.get(&name).map(subset::anything).unwrap_or_default();
            all.insert(name.clone(), schema);
            subset.enums.retain(|(other, _)| *other != name);
            subset.unions.retain(|union| union.name != name);
            let pointer = match subset.origins.get(&name) {
                Some(origin) => origin.clone(),
                None => format!("(inline schema {name})"),
            };
            subset
                .report
                .add(LossKind::Schema, pointer, first_line(&message));
        }
    }
}

/// The operations that fail on their own.
fn refuse_operations(subset: &Subset, settings: &GenerationSettings) -> Vec<Refusal> {
    let operations: Vec<&Operation> = subset.operations.iter().collect();
    let mut refusals = Vec::new();
    refuse_among(subset, settings, &operations, &mut refusals);
    refusals
}

/// Looks for the operations that fail by halves: most of them are fine together.
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

/// Runs something that may panic; the error is what the panic says.
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
    // What a panic leaves half done is dropped with it.
    let result = catch_unwind(AssertUnwindSafe(run));
    QUIET.set(false);
    result.map_err(|panic| {
        let message = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or(panic.downcast_ref::<&str>().copied());
        format!(
            "progenitor gives up: {}",
            message.unwrap_or("it does not say why")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_with_its_message() {
        assert_eq!(quietly(|| 1), Ok(1));
        assert_eq!(
            quietly(|| -> u8 { panic!("no {}", 1) }),
            Err("progenitor gives up: no 1".to_owned())
        );
    }
}
