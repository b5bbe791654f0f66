//! Additions to a document. Each is made at every place of the document at once.

use serde_json::map::Entry;
use serde_json::{Map, Value, json};

pub(super) type Object = Map<String, Value>;

/// Adds something to an object of the document. The key is that under which the object is found.
pub(super) type Edit = fn(&str, &mut Object) -> bool;

pub(super) const EDITS: [(&str, Edit); 18] = [
    ("an optional property", optional_property),
    ("an optional list", optional_list),
    ("an optional property of the same type", own_type),
    ("another use of an inline type", second_use),
    ("a value of an enumeration", enum_value),
    ("a value that differs in its case only", case_of_value),
    ("a member of a union", member),
    ("a member of a union, whose name shares nothing", stranger),
    ("a member of a union without a name", nameless),
    ("a status", status),
    ("a status with a body", status_with_body),
    ("a body where there was none", body),
    ("an event stream beside JSON", event_stream),
    ("an optional parameter", parameter),
    ("a response header", header),
    ("an operation", operation),
    (
        "an operation with the name of a variant",
        operation_like_variant,
    ),
    ("a schema", schema),
];

fn add_property(schema: &mut Object, name: &str, added: Value) -> bool {
    if schema.get("type").is_none_or(|kind| kind != "object") {
        return false;
    }
    let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
    properties.is_some_and(|all| all.insert(name.to_owned(), added).is_none())
}

fn optional_property(_: &str, schema: &mut Object) -> bool {
    add_property(schema, "addedLater", json!({"type": "string"}))
}

fn optional_list(_: &str, schema: &mut Object) -> bool {
    let list = json!({"type": "array", "items": {"type": "string"}});
    add_property(schema, "addedLater", list)
}

/// A component that begins to contain itself.
fn own_type(key: &str, components: &mut Object) -> bool {
    if key != "schemas" {
        return false;
    }
    let mut is_added = false;
    for (name, schema) in components {
        let own = json!({"$ref": format!("#/components/schemas/{name}")});
        let schema = schema.as_object_mut();
        is_added |= schema.is_some_and(|schema| add_property(schema, "addedLater", own));
    }
    is_added
}

/// A reference to a schema that is written within another one.
fn second_use(key: &str, components: &mut Object) -> bool {
    if key != "schemas" {
        return false;
    }
    let mut is_added = false;
    for (name, schema) in components {
        let is_inline = |one: &Value| one.get("properties").or(one.get("enum")).is_some();
        let inline = schema["properties"].as_object().and_then(|all| {
            let mut all = all.iter();
            all.find_map(|(name, one)| is_inline(one).then(|| name.replace('/', "~1")))
        });
        let (Some(inline), Some(schema)) = (inline, schema.as_object_mut()) else {
            continue;
        };
        let pointer = format!("#/components/schemas/{name}/properties/{inline}");
        is_added |= add_property(schema, "addedLater", json!({"$ref": pointer}));
    }
    is_added
}

fn texts(schema: &mut Object) -> Option<&mut Vec<Value>> {
    let values = schema.get_mut("enum").and_then(Value::as_array_mut)?;
    values.iter().all(Value::is_string).then_some(values)
}

fn enum_value(_: &str, schema: &mut Object) -> bool {
    texts(schema)
        .map(|values| values.push("ADDED_LATER".into()))
        .is_some()
}

fn case_of_value(_: &str, schema: &mut Object) -> bool {
    let Some(values) = texts(schema) else {
        return false;
    };
    let first = values[0].as_str().unwrap_or_default();
    let other = [first.to_uppercase(), first.to_lowercase()];
    let Some(other) = other.into_iter().find(|other| other != first) else {
        return false;
    };
    let added = Value::String(other);
    if values.contains(&added) {
        return false;
    }
    values.push(added);
    true
}

/// The properties that distinguish the members of unions in the documents.
const TAGS: [&str; 4] = ["type", "kind", "taste", "petType"];

/// Adds a component to all components, which are visited after everything in them, and a reference to it to each union of
/// named schemas, such as events.
fn named_member(key: &str, object: &mut Object, name: &str) -> bool {
    if key == "schemas" {
        let tag = json!({"type": "string", "enum": ["added.later"]});
        let properties: Object = TAGS
            .map(|name| (name.to_owned(), tag.clone()))
            .into_iter()
            .collect();
        let added = json!({"type": "object", "required": TAGS, "properties": properties});
        object.insert(name.to_owned(), added);
    }
    let added = json!({"$ref": format!("#/components/schemas/{name}")});
    let members = members(object).filter(|members| !members.iter().all(is_word));
    members.map(|members| members.push(added)).is_some()
}

/// The members of a union. Beside properties, the members are rules about the properties.
fn members(object: &mut Object) -> Option<&mut Vec<Value>> {
    if object.contains_key("properties") {
        return None;
    }
    object.get_mut("oneOf").and_then(Value::as_array_mut)
}

/// Whether a value is one word. A union of words is `Display`, as for a path. Another member ends that.
fn is_word(member: &Value) -> bool {
    let kind = member["type"].as_str();
    matches!(kind, Some("string" | "integer" | "number" | "boolean"))
}

fn member(key: &str, object: &mut Object) -> bool {
    named_member(key, object, "ResponseAddedLater")
}

fn stranger(key: &str, object: &mut Object) -> bool {
    named_member(key, object, "AddedLater")
}

fn nameless(_: &str, object: &mut Object) -> bool {
    // The members of a discriminator have names.
    if object.contains_key("discriminator") {
        return false;
    }
    let added = json!({"type": "array", "items": {"type": "boolean"}});
    let members = members(object).filter(|members| !members.iter().all(is_word));
    members.map(|members| members.push(added)).is_some()
}

fn add_status(operation: &mut Object, added: Value) -> bool {
    if !operation.contains_key("operationId") {
        return false;
    }
    let responses = operation
        .get_mut("responses")
        .and_then(Value::as_object_mut);
    responses.is_some_and(|all| all.insert("423".to_owned(), added).is_none())
}

fn status(_: &str, operation: &mut Object) -> bool {
    add_status(operation, json!({"description": "Added."}))
}

fn status_with_body(_: &str, operation: &mut Object) -> bool {
    let schema = json!({"type": "object", "properties": {"addedLater": {"type": "string"}}});
    let content = json!({"application/json": {"schema": schema}});
    add_status(
        operation,
        json!({"description": "Added.", "content": content}),
    )
}

fn body(key: &str, operation: &mut Object) -> bool {
    if operation.contains_key("requestBody") || !matches!(key, "put" | "post" | "patch") {
        return false;
    }
    let schema = json!({"type": "object", "properties": {"addedLater": {"type": "string"}}});
    let added = json!({"content": {"application/json": {"schema": schema}}});
    operation.insert("requestBody".to_owned(), added);
    true
}

fn event_stream(key: &str, response: &mut Object) -> bool {
    // The pages of a list, whose response has a header, are JSON.
    if key != "200" || response.contains_key("headers") {
        return false;
    }
    let content = response.get_mut("content").and_then(Value::as_object_mut);
    let content = content.filter(|content| content.contains_key("application/json"));
    let event = json!({"schema": {"type": "string"}});
    let stream = "text/event-stream".to_owned();
    match content.map(|content| content.entry(stream)) {
        Some(Entry::Vacant(place)) => place.insert(event).is_object(),
        _ => false,
    }
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

fn add_operation(key: &str, path: &mut Object, name: impl Fn(&str) -> String) -> bool {
    if !key.starts_with('/') || path.contains_key("head") {
        return false;
    }
    let methods = ["get", "put", "post", "delete", "patch"];
    let Some(sibling) = methods.iter().find_map(|method| path.get(*method)).cloned() else {
        return false;
    };
    let id = sibling["operationId"].as_str().unwrap_or_default();
    let mut added = json!({
        "operationId": name(id),
        "summary": "Added",
        "parameters": path_parameters(key),
        "responses": {"204": {"description": "Added."}},
    });
    if let Some(tags) = sibling.get("tags") {
        added["tags"] = tags.clone();
    }
    path.insert("head".to_owned(), added);
    true
}

fn operation(key: &str, path: &mut Object) -> bool {
    add_operation(key, path, |id| format!("addedBeside{id}"))
}

fn operation_like_variant(key: &str, path: &mut Object) -> bool {
    add_operation(key, path, |id| format!("{id}Stream"))
}

/// The parameters of a path, which every operation has to declare.
fn path_parameters(path: &str) -> Value {
    let segments = path.split('{').skip(1);
    let names = segments.filter_map(|segment| segment.split_once('}'));
    let schema = json!({"type": "string"});
    names
        .map(|(name, _)| json!({"name": name, "in": "path", "required": true, "schema": schema}))
        .collect()
}

fn schema(key: &str, components: &mut Object) -> bool {
    let added = json!({"type": "object", "properties": {"text": {"type": "string"}}});
    key == "schemas" && components.insert("AddedLater".to_owned(), added).is_none()
}

/// Makes an edit at every place, and returns their number.
pub(super) fn everywhere(key: &str, value: &mut Value, edit: Edit) -> usize {
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
