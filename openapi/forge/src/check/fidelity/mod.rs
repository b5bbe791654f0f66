//! Whether dropshot serves what the document says.
//!
//! Dropshot writes an OpenAPI document of the routes that have been registered
//! (`ApiDescription::openapi`). It has fewer words than the document has, so
//! the two are compared under one projection, and this is all of it:
//!
//! | of the document | what has to be in dropshot's |
//! |---|---|
//! | method and path | the same, behind the base path, percent-decoded |
//! | an operation whose path clashes with another (a literal beside a variable, or two names at one place) or has a variable inside of a segment | nothing: its route is folded, and dropshot's document cannot describe it |
//! | `operationId` | the same |
//! | parameters in path, query and header | the same names and places, required as in the document, scalars with the same schema |
//! | parameters in cookies | nothing |
//! | request body | JSON stands for its kin, else the first media type; always required; JSON and forms with the same schema |
//! | responses | the lowest success, with the same schema if it is JSON |
//!
//! Of schemas everything counts that decides what a value may be; words,
//! examples and defaults do not. Nothing may be served that the document does
//! not have.

mod schema;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::document_index::METHODS;
use crate::ir::Codec;
use crate::lower::{self, base_path};
use schema::Schemas;

/// Something that is not served as the document says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Infidelity {
    /// The operation: `POST /api/user`.
    pub operation: String,
    /// What is not the same.
    pub message: String,
}

impl fmt::Display for Infidelity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.operation, self.message)
    }
}

/// How the two were compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Operations that are on both sides.
    pub compared: usize,
    /// Operations that dropshot's document cannot have, since their route is
    /// folded.
    pub folded: Vec<String>,
    /// What is not the same.
    pub infidelities: Vec<Infidelity>,
}

/// Compares what dropshot says it serves with what a document says.
pub fn compare(served: &Value, document: &Value) -> Comparison {
    let mut comparison = Comparison::default();
    let base = base_path::of_json(document);
    let wanted = operations(document, &base);
    let mut present = operations(served, "");
    let paths: BTreeSet<&str> = wanted.keys().map(|(path, _)| path.as_str()).collect();
    for ((path, method), operation) in &wanted {
        let title = format!("{} {path}", method.to_uppercase());
        let counterpart = present.remove(&(path.clone(), *method));
        match counterpart {
            Some(counterpart) => {
                comparison.compared += 1;
                let mut pair = Pair {
                    title: &title,
                    served: Side::new(served, counterpart),
                    document: Side::new(document, *operation),
                    infidelities: &mut comparison.infidelities,
                };
                pair.compare();
            }
            None if is_folded(path, &paths) => comparison.folded.push(title),
            None => comparison.infidelities.push(Infidelity {
                operation: title,
                message: "is not served".into(),
            }),
        }
    }
    for (path, method) in present.into_keys() {
        comparison.infidelities.push(Infidelity {
            operation: format!("{} {path}", method.to_uppercase()),
            message: "is served, and not in the document".into(),
        });
    }
    comparison
}

/// A path item and an operation of it.
type Written<'v> = (&'v Value, &'v Value);

/// The operations of a document by path, with the base path and decoded, and
/// method.
fn operations<'v>(
    document: &'v Value,
    base: &str,
) -> BTreeMap<(String, &'static str), Written<'v>> {
    let mut operations = BTreeMap::new();
    let paths = document.get("paths").and_then(Value::as_object);
    for (path, item) in paths.into_iter().flatten() {
        let path = format!("{base}{path}");
        let path = percent_decode_str(&path).decode_utf8_lossy().into_owned();
        for method in METHODS {
            if let Some(operation) = item.get(method) {
                operations.insert((path.clone(), method), (item, operation));
            }
        }
    }
    operations
}

/// Whether a path cannot be registered as it is written, because of another
/// one that shares its beginning, or because of a variable in a segment.
fn is_folded(path: &str, paths: &BTreeSet<&str>) -> bool {
    let is_variable = |segment: &str| segment.starts_with('{') && segment.ends_with('}');
    let mixed = |segment: &str| segment.contains('{') && !is_variable(segment);
    let clashes = |other: &&str| {
        // Where they part, one of the two segments is a variable.
        let mut parting = path.split('/').zip(other.split('/'));
        let at = parting.find(|(mine, theirs)| mine != theirs);
        at.is_some_and(|(mine, theirs)| is_variable(mine) || is_variable(theirs))
    };
    path.split('/').any(mixed) || paths.iter().any(clashes)
}

/// An operation of one of the two documents.
struct Side<'v> {
    root: &'v Value,
    item: &'v Value,
    operation: &'v Value,
}

impl<'v> Side<'v> {
    fn new(root: &'v Value, (item, operation): Written<'v>) -> Side<'v> {
        Side {
            root,
            item,
            operation,
        }
    }

    /// What a value is, if it is a reference.
    fn resolve(&self, value: &'v Value) -> &'v Value {
        schema::resolve(self.root, value)
    }

    /// The parameters that count, by place and name.
    fn parameters(&self) -> BTreeMap<(&'v str, String), &'v Value> {
        let mut parameters = BTreeMap::new();
        for owner in [self.item, self.operation] {
            let own = owner.get("parameters").and_then(Value::as_array);
            for parameter in own.into_iter().flatten() {
                let parameter = self.resolve(parameter);
                let text = |key| parameter.get(key).and_then(Value::as_str);
                if let (Some(place @ ("path" | "query" | "header")), Some(name)) =
                    (text("in"), text("name"))
                {
                    let name = match place {
                        "header" => name.to_ascii_lowercase(),
                        _ => name.to_owned(),
                    };
                    parameters.insert((place, name), parameter);
                }
            }
        }
        parameters
    }

    /// The media type that stands for a body, and its schema.
    fn media(&self, content: &'v Value) -> Option<(&'static str, Option<&'v Value>)> {
        let content = content.as_object()?;
        let kind = |media_type: &str| match lower::codec(media_type) {
            Codec::Json => "application/json",
            Codec::Form => "application/x-www-form-urlencoded",
            Codec::Multipart => "multipart/form-data",
            Codec::EventStream | Codec::Text | Codec::Binary => "application/octet-stream",
        };
        let json = content
            .iter()
            .find(|(name, _)| kind(name) == "application/json");
        let (name, media) = json.or_else(|| content.iter().next())?;
        Some((kind(name), media.get("schema")))
    }

    /// The lowest success: a status below 300 before one below 400.
    fn success(&self) -> Option<(u16, &'v Value)> {
        let responses = self.operation.get("responses")?.as_object()?;
        let successes = responses.iter().filter_map(|(status, response)| {
            let code = match status.strip_suffix("XX") {
                Some(digit) => digit.parse::<u16>().ok()? * 100,
                None => status.parse().ok()?,
            };
            (code < 400).then_some((code, self.resolve(response)))
        });
        successes.min_by_key(|(code, _)| (!(200..300).contains(code), *code))
    }
}

struct Pair<'v, 'c> {
    title: &'c str,
    served: Side<'v>,
    document: Side<'v>,
    infidelities: &'c mut Vec<Infidelity>,
}

impl<'v> Pair<'v, '_> {
    fn report(&mut self, message: String) {
        self.infidelities.push(Infidelity {
            operation: self.title.to_owned(),
            message,
        });
    }

    fn compare(&mut self) {
        let id = |side: &Side<'v>| side.operation.get("operationId").cloned();
        let (served, document) = (id(&self.served), id(&self.document));
        // What has no name in the document is named by the generator.
        if document.is_some() && served != document {
            self.report(format!("is called {served:?}, not {document:?}"));
        }
        self.parameters();
        self.body();
        self.success();
    }

    fn parameters(&mut self) {
        let mut served = self.served.parameters();
        for ((place, name), wanted) in self.document.parameters() {
            let what = format!("the {place} parameter `{name}`");
            let Some(present) = served.remove(&(place, name)) else {
                self.report(format!("{what} is not taken"));
                continue;
            };
            let required = |parameter: &Value| parameter.get("required") == Some(&true.into());
            if required(present) != required(wanted) {
                self.report(format!("{what} is required on one side only"));
            }
            let wanted = wanted.get("schema").map(|s| self.document.resolve(s));
            if wanted.is_some_and(is_scalar) {
                self.schemas(&what, present.get("schema"), wanted);
            }
        }
        for (place, name) in served.into_keys() {
            self.report(format!(
                "the {place} parameter `{name}` is not in the document"
            ));
        }
    }

    fn body(&mut self) {
        let content = |side: &Side<'v>| {
            let body = side.resolve(side.operation.get("requestBody")?);
            side.media(body.get("content")?)
        };
        match (content(&self.served), content(&self.document)) {
            (None, None) => {}
            (Some(_), None) => self.report("takes a body that is not in the document".into()),
            (None, Some(_)) => self.report("does not take its body".into()),
            (Some((present, _)), Some((wanted, _))) if present != wanted => {
                self.report(format!("takes its body as {present}, not as {wanted}"));
            }
            (Some((kind, present)), Some((_, wanted))) => {
                if matches!(
                    kind,
                    "application/json" | "application/x-www-form-urlencoded"
                ) {
                    self.schemas("the request body", present, wanted);
                }
            }
        }
    }

    fn success(&mut self) {
        let (served, document) = (self.served.success(), self.document.success());
        let (Some((present, answer)), Some((wanted, expected))) = (served, document) else {
            // Without a success of its own, dropshot says `default`.
            if document.is_some() {
                self.report("has no success".into());
            }
            return;
        };
        if present != wanted {
            self.report(format!("answers {present}, not {wanted}"));
        }
        let media = |side: &Side<'v>, response: &'v Value| side.media(response.get("content")?);
        let expected = media(&self.document, expected);
        if let Some(("application/json", wanted)) = expected {
            let present = media(&self.served, answer).and_then(|(_, schema)| schema);
            self.schemas("the answer", present, wanted);
        }
    }

    fn schemas(&mut self, what: &str, served: Option<&'v Value>, document: Option<&'v Value>) {
        let everything = &Value::Null;
        let mut schemas = Schemas::new(self.served.root, self.document.root);
        schemas.compare(
            served.unwrap_or(everything),
            document.unwrap_or(everything),
            "",
        );
        for (at, message) in schemas.differences {
            let at = if at.is_empty() { "itself" } else { &at };
            self.report(format!("{what}, at {at}: {message}"));
        }
    }
}

/// Whether dropshot has words for a parameter of this schema.
fn is_scalar(schema: &Value) -> bool {
    let kind = schema.get("type").and_then(Value::as_str);
    let composed = ["allOf", "anyOf", "oneOf", "not"]
        .iter()
        .any(|keyword| schema.get(keyword).is_some());
    matches!(kind, Some("string" | "integer" | "number" | "boolean")) && !composed
}

#[cfg(test)]
mod tests;
