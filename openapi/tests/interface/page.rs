//! Rows, and where they are looked for.

use std::collections::HashMap;
use std::path::PathBuf;

use serde_json::Value;

use crate::documents;

/// The documents, and what has been looked for in them.
pub struct Page {
    documents: HashMap<&'static str, Value>,
    /// The document that rows are looked for in.
    area: &'static str,
    /// What a row says, and the document and JSON Pointer it stands at.
    pub found: Vec<(String, String)>,
    /// What rows stand nowhere.
    pub missing: Vec<String>,
}

/// Whether a field of a request has to be sent. Of responses the interface
/// does not say it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    Required,
    Optional,
    Unspecified,
}

impl Default for Page {
    fn default() -> Page {
        // `cargo xtask mutate` has documents of its own judged.
        let others = std::env::var_os("ACCORD_DOCUMENTS").map(PathBuf::from);
        let documents = accord::DOCUMENTS.iter().map(|document| {
            let other = others
                .as_ref()
                .map(|folder| folder.join(format!("{}.json", document.area)))
                .filter(|other| other.is_file());
            let path = other.unwrap_or_else(|| documents::path(document.area));
            (document.area, documents::load(&path).to_json())
        });
        Page {
            documents: documents.collect(),
            area: "",
            found: Vec::new(),
            missing: Vec::new(),
        }
    }
}

impl Page {
    /// From here on, rows are looked for in the document of this area.
    pub fn area(&mut self, area: &'static str) -> &mut Page {
        self.area = area;
        self
    }

    /// A row that stands at a pointer, if what is there holds.
    pub fn row(&mut self, says: impl Into<String>, pointer: &str, holds: impl Fn(&Value) -> bool) {
        self.row_at(says.into(), pointer, |_, value| holds(value));
    }

    /// The same, with the place that references on the way lead to.
    fn row_at(&mut self, says: String, pointer: &str, holds: impl Fn(&str, &Value) -> bool) {
        let area = self.area;
        let says = format!("{area}: {says}");
        let stands = self.at(pointer).filter(|(at, value)| holds(at, value));
        match stands {
            Some((at, _)) => {
                let at = format!("{area}.yaml#{at}");
                self.found.push((says, at));
            }
            None => self
                .missing
                .push(format!("{says}, looked for at {pointer}")),
        }
    }

    /// A field of a named schema.
    fn field(&mut self, schema: &str, (field, kind, need): (&str, &str, Need)) {
        let owner = format!("/components/schemas/{schema}");
        let pointer = self.property(&owner, field);
        // The schema itself, or the part of its `allOf` that declares the field.
        let declares = pointer.rsplit_once("/properties/").map(|(part, _)| part);
        let required = declares.into_iter().chain([owner.as_str()]).any(|part| {
            let names = self.at(&format!("{part}/required"));
            let names = names.and_then(|(_, names)| names.as_array());
            names.into_iter().flatten().any(|name| name == field)
        });
        let as_needed = match need {
            Need::Required => required,
            Need::Optional => !required,
            Need::Unspecified => true,
        };
        let document = self.documents[self.area].clone();
        self.row_at(
            format!("{schema}.{field}: {kind}"),
            &pointer,
            |at, schema| as_needed && (is_named(at, kind) || is(&document, schema, kind)),
        );
    }

    /// Where a schema declares a property: itself, or a part of its `allOf`.
    pub fn property(&self, owner: &str, name: &str) -> String {
        let own = format!("{owner}/properties/{name}");
        let parts = self.at(&format!("{owner}/allOf"));
        let parts = parts
            .and_then(|(_, parts)| parts.as_array())
            .map_or(0, Vec::len);
        let parts = (0..parts).map(|part| self.property(&format!("{owner}/allOf/{part}"), name));
        match self.at(&own) {
            Some(_) => own,
            None => parts
                .into_iter()
                .find(|part| self.at(part).is_some())
                .unwrap_or(own),
        }
    }

    /// The fields of a named schema, such as `a: string!, b: int64?, c: array`. The first of these
    /// is required, and the second is optional. The third may be either.
    pub fn fields(&mut self, schema: &str, fields: &str) {
        for field in fields.split(", ") {
            let (name, kind) = field.split_once(": ").expect("a name and a type");
            let (kind, need) = match (kind.strip_suffix('!'), kind.strip_suffix('?')) {
                (Some(kind), _) => (kind, Need::Required),
                (_, Some(kind)) => (kind, Need::Optional),
                _ => (kind, Need::Unspecified),
            };
            self.field(schema, (name, kind, need));
        }
    }

    /// An operation, by its whole path; gives its pointer.
    pub fn operation(&mut self, method: &str, path: &str) -> String {
        let url = self.documents[self.area]["servers"][0]["url"]
            .as_str()
            .unwrap_or_default();
        let base = url.find('/').map_or("", |at| &url[at..]);
        let rest = path.strip_prefix(base).unwrap_or(path);
        let escaped = rest.replace('~', "~0").replace('/', "~1");
        let pointer = format!("/paths/{escaped}/{method}");
        let says = format!("{} {path}", method.to_uppercase());
        self.row(says, &pointer, Value::is_object);
        pointer
    }

    /// The statuses an operation is said to answer with.
    pub fn statuses(&mut self, operation: &str, statuses: &[u16]) {
        for status in statuses {
            let pointer = format!("{operation}/responses/{status}");
            self.row(format!("status {status}"), &pointer, Value::is_object);
        }
    }

    /// The body of a request (`requestBody`) or a response (`responses/200`).
    pub fn body(&mut self, operation: &str, owner: &str, (media_type, kind): (&str, &str)) {
        let media = media_type.replace('/', "~1");
        let document = self.documents[self.area].clone();
        self.row_at(
            format!("{owner} {media_type}: {kind}"),
            &format!("{operation}/{owner}/content/{media}/schema"),
            |at, schema| is_named(at, kind) || is(&document, schema, kind),
        );
    }

    /// A parameter of an operation, or of its path.
    pub fn parameter(&mut self, operation: &str, (place, name, kind): (&str, &str, &str)) {
        let says = format!("{place} parameter {name}: {kind}, required");
        let path = operation.rsplit_once('/').map_or("", |(path, _)| path);
        let document = self.documents[self.area].clone();
        let candidates = [operation, path].into_iter().flat_map(|owner| {
            let owner = format!("{owner}/parameters");
            let count = document
                .pointer(&owner)
                .and_then(Value::as_array)
                .map_or(0, Vec::len);
            (0..count).map(move |index| format!("{owner}/{index}"))
        });
        let wanted = |parameter: &Value| {
            parameter["in"] == place
                && parameter["name"] == name
                && parameter["required"] == true
                && is(&document, &parameter["schema"], kind)
        };
        let at = candidates
            .filter_map(|pointer| self.at(&pointer))
            .find(|(_, parameter)| wanted(parameter))
            .map(|(at, _)| at);
        self.row(says, at.as_deref().unwrap_or(operation), |parameter| {
            wanted(parameter)
        });
    }

    /// A way to authenticate that an operation offers.
    pub fn security(&mut self, operation: &str, kind: &str) {
        let schemes = self.documents[self.area]["components"]["securitySchemes"].clone();
        let pointer = format!("{operation}/security");
        self.row(format!("authentication {kind}"), &pointer, |security| {
            let alternatives = security.as_array().into_iter().flatten();
            let mut names = alternatives
                .filter_map(Value::as_object)
                .flat_map(|a| a.keys());
            match kind {
                // No requirement, or one that asks for nothing.
                "none" => security.as_array().is_some_and(|all| {
                    all.is_empty() || all.iter().any(|one| *one == serde_json::json!({}))
                }),
                kind => names.any(|name| schemes[name.as_str()]["scheme"] == kind),
            }
        });
    }

    /// What a pointer leads to, through references on its way; with where it
    /// really stands.
    fn at(&self, pointer: &str) -> Option<(String, &Value)> {
        let root = self.documents.get(self.area)?;
        let mut at = String::new();
        let mut value = root;
        for segment in pointer.split('/').skip(1) {
            let (owner, _) = resolve(root, at, value)?;
            at = format!("{owner}/{segment}");
            value = root.pointer(&at)?;
        }
        resolve(root, at, value)
    }
}

/// Whether a pointer leads to the schema of this name.
fn is_named(at: &str, name: &str) -> bool {
    at.strip_prefix("/components/schemas/") == Some(name)
}

fn resolve<'v>(root: &'v Value, at: String, value: &'v Value) -> Option<(String, &'v Value)> {
    let Some(reference) = value["$ref"].as_str() else {
        return Some((at, value));
    };
    let target = reference.strip_prefix('#')?.to_owned();
    let value = root.pointer(&target)?;
    resolve(root, target, value)
}

/// Whether a schema allows what a row asks for: a type (`string`, `int64`,
/// `date-time`), a named schema, or `array of` one of them. One alternative of
/// several is enough, and a format more than was asked for is no harm.
fn is(root: &Value, schema: &Value, kind: &str) -> bool {
    let Some((at, schema)) = resolve(root, String::new(), schema) else {
        return false;
    };
    if is_named(&at, kind) {
        return true;
    }
    let alternatives = ["oneOf", "anyOf", "allOf"].into_iter();
    let mut alternatives = alternatives.filter_map(|k| schema[k].as_array()).flatten();
    let of_type = |name: &str| schema["type"] == name;
    let of_format = |name: &str| schema["format"] == name;
    let itself = match kind {
        "string" | "boolean" | "integer" | "array" | "object" => of_type(kind),
        "int32" | "int64" => of_type("integer") && of_format(kind),
        "date-time" | "uuid" => of_type("string") && of_format(kind),
        "digits" => {
            of_type("string")
                && schema["pattern"]
                    .as_str()
                    .is_some_and(|p| p.contains("[0-9]"))
        }
        kind => kind
            .strip_prefix("array of ")
            .is_some_and(|item| of_type("array") && is(root, &schema["items"], item)),
    };
    itself || alternatives.any(|alternative| is(root, alternative, kind))
}
