//! Describes event streams.
//!
//! `x-dropforge-stream` describes the framing of events for the generator. For readers, a section
//! in the operation's description has a table of the events, the event that ends the stream, and
//! examples of whole streams.

use crate::document::{Document, Kind, Node, Object, pointer};

const STREAM: &str = "x-dropforge-stream";

/// The maximum nesting of alternatives.
const MAX_DEPTH: usize = 4;

/// Adds a section to the description of each operation that responds with a stream.
pub(super) fn describe(document: &Document, published: &mut Node) {
    let Some(paths) = published.get_mut("paths").and_then(Node::as_object_mut) else {
        return;
    };
    for (_, path) in paths.iter_mut() {
        let operations = path.value.as_object_mut().into_iter();
        for (_, operation) in operations.flat_map(Object::iter_mut) {
            let sections = sections(document, &operation.value);
            if let Some(operation) = operation.value.as_object_mut()
                && !sections.is_empty()
            {
                append(operation, &sections.join("\n\n"));
            }
        }
    }
}

/// Adds a section to the description of an object.
pub(super) fn append(object: &mut Object, section: &str) {
    match object.get_mut("description").map(|node| &mut node.kind) {
        Some(Kind::String(text)) => *text = format!("{}\n\n{section}", text.trim_end()),
        Some(_) => {}
        None => object.add("description", Kind::String(section.to_owned())),
    }
}

/// A section for each stream among the responses of an operation.
fn sections(document: &Document, operation: &Node) -> Vec<String> {
    let mut sections = Vec::new();
    let description = operation.get("description").and_then(Node::as_str);
    let description = description.unwrap_or_default();
    for (_, response) in members(operation.get("responses")) {
        let Some((_, response)) = document.follow(response, "") else {
            continue;
        };
        for (_, media) in members(response.get("content")) {
            if let Some(rules) = media.get(STREAM) {
                let section = section(document, description, media, rules);
                if !sections.contains(&section) {
                    sections.push(section);
                }
            }
        }
    }
    sections
}

/// The section for a stream of an operation with this description.
fn section(document: &Document, description: &str, media: &Node, rules: &Node) -> String {
    let mut text = String::from("### Event stream");
    let name = rules.get("event").and_then(Node::as_str);
    let mut events = Vec::new();
    if let Some(schema) = media.get("schema") {
        collect(document, schema, name, 0, &mut events);
    }
    if !events.is_empty() {
        text.push_str("\n\n| Event | Members | Meaning |\n|---|---|---|\n");
        for Event {
            name,
            members,
            description,
        } in events
        {
            text.push_str(&format!("| {name} | {members} | {description} |\n"));
        }
        text.pop();
    }
    let terminator = rules.get("terminator").and_then(Node::as_str);
    let terminator = terminator.map(|terminator| format!("`data: {terminator}`"));
    // The section does not repeat the text of the author.
    if let Some(terminator) = terminator.filter(|terminator| !description.contains(terminator)) {
        text.push_str(&format!("\n\nA complete stream ends with {terminator}."));
    }
    for (name, example) in members(rules.get("examples")) {
        let Some((_, example)) = document.follow(example, "") else {
            continue;
        };
        let summary = example
            .get("summary")
            .and_then(Node::as_str)
            .unwrap_or(name);
        if let Some(stream) = example.get("value").and_then(Node::as_str) {
            text.push_str(&format!(
                "\n\n{summary}:\n\n```text\n{}\n```",
                stream.trim_end()
            ));
        }
    }
    text
}

/// A row of the table.
struct Event {
    name: String,
    members: String,
    description: String,
}

/// The events that a schema describes: each of its alternatives, or itself.
fn collect(
    document: &Document,
    schema: &Node,
    event: Option<&str>,
    depth: usize,
    into: &mut Vec<Event>,
) {
    let Some((at, node)) = document.follow(schema, "") else {
        return;
    };
    let alternatives = ["oneOf", "anyOf"]
        .iter()
        .find_map(|key| node.get(key)?.as_array());
    if let Some(alternatives) = alternatives.filter(|_| depth < MAX_DEPTH) {
        for alternative in alternatives {
            collect(document, alternative, event, depth + 1, into);
        }
        return;
    }
    let mut properties = Vec::new();
    let mut required = Vec::new();
    parts(document, node, 0, &mut properties, &mut required);
    let values = event.and_then(|event| {
        let (_, schema) = properties.iter().find(|(name, _)| *name == event)?;
        let (_, schema) = document.follow(schema, "")?;
        schema.get("enum")?.as_array()
    });
    let name = match values {
        Some(values) => {
            let texts = values.iter().filter_map(Node::as_str);
            texts.map(code).collect::<Vec<_>>().join(", ")
        }
        // This schema describes the events without a fixed name.
        None if event.is_some() => String::from("any other"),
        None => pointer::segments(&at)
            .next_back()
            .map(|name| code(&name))
            .unwrap_or_default(),
    };
    let members = properties.iter().filter(|(name, _)| Some(*name) != event);
    let members = members.map(|(name, _)| match required.contains(name) {
        true => code(name),
        false => format!("{} (optional)", code(name)),
    });
    let description = node
        .get("description")
        .and_then(Node::as_str)
        .unwrap_or_default();
    let first = description.split("\n\n").next().unwrap_or_default();
    into.push(Event {
        name,
        members: members.collect::<Vec<_>>().join(", "),
        description: cell(first),
    });
}

/// The properties of a schema and of the parts of its `allOf`, and which are required.
fn parts<'d>(
    document: &'d Document,
    node: &'d Node,
    depth: usize,
    properties: &mut Vec<(&'d str, &'d Node)>,
    required: &mut Vec<&'d str>,
) {
    let all = node.get("allOf").into_iter().flat_map(Node::elements);
    for part in all.filter(|_| depth < MAX_DEPTH) {
        if let Some((_, part)) = document.follow(part, "") {
            parts(document, part, depth + 1, properties, required);
        }
    }
    for (name, property) in members(node.get("properties")) {
        match properties.iter_mut().find(|(known, _)| *known == name) {
            // The last schema is the most precise one.
            Some((_, known)) => *known = property,
            None => properties.push((name, property)),
        }
    }
    let names = node.get("required").into_iter().flat_map(Node::elements);
    required.extend(names.filter_map(Node::as_str));
}

pub(super) fn members(node: Option<&Node>) -> impl Iterator<Item = (&str, &Node)> {
    let entries = node.into_iter().flat_map(Node::members);
    entries.map(|(key, entry)| (key, &entry.value))
}

/// A text as code in a cell of a table.
pub(super) fn code(text: &str) -> String {
    format!("`{}`", cell(text))
}

/// A text as a cell of a table.
pub(super) fn cell(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").replace('|', "\\|")
}
