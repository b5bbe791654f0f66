//! Edits of paths, operations, parameters, bodies and responses.

use serde_json::{Value, json};

use super::edit::Edit;
use super::{Mutant, Operator};
use crate::check::document_index::{Direction, DocumentIndex, LocatedNode, Operation};
use crate::structure::{self, REQUIRED_SCOPES};

pub(super) fn mutants(index: &DocumentIndex<'_>, found: &mut Vec<Mutant>) {
    servers(index, found);
    paths(index, found);
    for operation in &index.operations {
        self::operation(index, operation, found);
    }
    for parameter in &index.parameters {
        self::parameter(parameter, found);
    }
    for body in &index.request_bodies {
        flipped(body, "the body", Operator::BodyFlipped, found);
    }
    for response in &index.responses {
        headers(response, found);
    }
    for header in &index.headers {
        // A header that may be missing, or must not, is a promise of another kind.
        flipped(header, "the header", Operator::RequiredAdded, found);
    }
    for content in &index.contents {
        self::content(&content.place, content.media_type, content.direction, found);
    }
}

fn mutant(
    found: &mut Vec<Mutant>,
    operator: Operator,
    pointer: &str,
    what: impl Into<String>,
    edit: Edit,
) {
    found.push(Mutant {
        operator,
        pointer: pointer.to_owned(),
        what: what.into(),
        edit,
    });
}

fn servers(index: &DocumentIndex<'_>, found: &mut Vec<Mutant>) {
    let servers = index
        .root()
        .get("servers")
        .map(|all| all.elements())
        .unwrap_or_default();
    for server in servers {
        let Some(url) = server.get("url") else {
            continue;
        };
        let text = url.node.as_str().unwrap_or_default();
        let edit = Edit::Set(url.pointer.clone(), json!(format!("{text}/x")));
        mutant(
            found,
            Operator::ServerChanged,
            &url.pointer,
            format!("`{text}` becomes `{text}/x`"),
            edit,
        );
    }
}

fn paths(index: &DocumentIndex<'_>, found: &mut Vec<Mutant>) {
    let root = index.root();
    for (path, item) in root.get("paths").iter().flat_map(LocatedNode::fields) {
        let segments: Vec<&str> = path.split('/').collect();
        for (position, segment) in segments.iter().enumerate() {
            if segment.is_empty() || segment.contains('{') {
                continue;
            }
            let mut renamed: Vec<String> = segments.iter().map(ToString::to_string).collect();
            renamed[position].push('x');
            let renamed = renamed.join("/");
            let edit = Edit::Rename("/paths".into(), path.to_owned(), renamed.clone());
            mutant(
                found,
                Operator::PathRenamed,
                &item.pointer,
                format!("becomes `{renamed}`"),
                edit,
            );
        }
    }
}

fn operation(index: &DocumentIndex<'_>, operation: &Operation<'_>, found: &mut Vec<Mutant>) {
    let place = &operation.place;
    if let Some(id) = place.get("operationId") {
        let text = id.node.as_str().unwrap_or_default();
        let edit = Edit::Set(id.pointer.clone(), json!(format!("{text}Again")));
        mutant(
            found,
            Operator::OperationIdRenamed,
            &id.pointer,
            format!("`{text}` becomes `{text}Again`"),
            edit,
        );
    }
    if let Some(responses) = place.get("responses") {
        let json = responses.node.to_json();
        for (status, response) in responses.fields() {
            let only = json.as_object().is_some_and(|all| all.len() == 1);
            if !only {
                mutant(
                    found,
                    Operator::StatusDropped,
                    &response.pointer,
                    format!("{status} is removed"),
                    Edit::Remove(response.pointer.clone()),
                );
            }
            if let Ok(code) = status.parse::<u16>() {
                let other = (code + 1).to_string();
                let edit =
                    Edit::Rename(responses.pointer.clone(), status.to_owned(), other.clone());
                mutant(
                    found,
                    Operator::StatusChanged,
                    &response.pointer,
                    format!("{status} becomes {other}"),
                    edit,
                );
            }
        }
    }
    if let Some(security) = place.get("security") {
        self::security(&security, found);
    }
    if let Some(scopes) = place.get(REQUIRED_SCOPES) {
        self::required_scopes(index, &scopes, found);
    }
}

/// Fewer scopes, other ones, and more, among those that the schemes declare.
fn required_scopes(index: &DocumentIndex<'_>, required: &LocatedNode<'_>, found: &mut Vec<Mutant>) {
    let mut changed = |what: String, pointer: &str, edit| {
        mutant(found, Operator::ScopeChanged, pointer, what, edit);
    };
    let listed = required.elements();
    let listed: Vec<(&str, String)> = listed
        .iter()
        .filter_map(|scope| Some((scope.node.as_str()?, scope.pointer.clone())))
        .collect();
    let schemes = index.components_of("securitySchemes");
    let declared = schemes
        .iter()
        .filter_map(|(_, scheme)| structure::declared_scopes(scheme.node));
    let other = declared
        .flatten()
        .find(|scope| listed.iter().all(|(text, _)| text != scope));
    for (text, pointer) in &listed {
        let edit = Edit::Remove(pointer.clone());
        changed(format!("`{text}` is not required"), pointer, edit);
        if let Some(other) = other {
            let edit = Edit::Set(pointer.clone(), json!(other));
            changed(format!("`{text}` becomes `{other}`"), pointer, edit);
        }
    }
    if let Some(other) = other {
        let edit = Edit::Push(required.pointer.clone(), json!(other));
        changed(
            format!("`{other}` is required too"),
            &required.pointer,
            edit,
        );
    }
}

fn security(security: &LocatedNode<'_>, found: &mut Vec<Mutant>) {
    let alternatives = security.elements();
    if !alternatives.is_empty() {
        mutant(
            found,
            Operator::SecurityDropped,
            &security.pointer,
            "nobody is asked who they are",
            Edit::Set(security.pointer.clone(), json!([])),
        );
        mutant(
            found,
            Operator::SecurityDropped,
            &security.pointer,
            "nobody has to say who they are",
            Edit::Push(security.pointer.clone(), json!({})),
        );
    }
    for alternative in &alternatives {
        if alternatives.len() > 1 {
            let edit = Edit::Remove(alternative.pointer.clone());
            mutant(
                found,
                Operator::SecurityDropped,
                &alternative.pointer,
                "a security scheme is removed",
                edit,
            );
        }
        for (scheme, scopes) in alternative.entries() {
            let listed = scopes.elements();
            for scope in &listed {
                let text = scope.node.as_str().unwrap_or_default();
                mutant(
                    found,
                    Operator::ScopeChanged,
                    &scope.pointer,
                    format!("`{text}` is not required"),
                    Edit::Remove(scope.pointer.clone()),
                );
                let other = format!("{text}.x");
                mutant(
                    found,
                    Operator::ScopeChanged,
                    &scope.pointer,
                    format!("`{text}` becomes `{other}`"),
                    Edit::Set(scope.pointer.clone(), json!(other)),
                );
            }
            // Of a scheme without flows, the operation lists them.
            if listed.is_empty() {
                continue;
            }
            let edit = Edit::Push(scopes.pointer.clone(), json!("another.scope"));
            mutant(
                found,
                Operator::ScopeChanged,
                &scopes.pointer,
                format!("`{scheme}` asks for a scope more"),
                edit,
            );
        }
    }
}

fn parameter(parameter: &LocatedNode<'_>, found: &mut Vec<Mutant>) {
    let json = parameter.node.to_json();
    if let Some(name) = json["name"].as_str() {
        let at = format!("{}/name", parameter.pointer);
        let edit = Edit::Set(at.clone(), json!(format!("{name}x")));
        mutant(
            found,
            Operator::ParameterRenamed,
            &at,
            format!("`{name}` becomes `{name}x`"),
            edit,
        );
    }
    if json["in"] != "path" {
        let operator = match json["required"] == true {
            true => Operator::RequiredDropped,
            false => Operator::RequiredAdded,
        };
        flipped(parameter, "the parameter", operator, found);
    }
    if json.get("example").is_some() {
        let at = format!("{}/example", parameter.pointer);
        mutant(
            found,
            Operator::ExampleDropped,
            &at,
            "the example is removed",
            Edit::Remove(at.clone()),
        );
    }
}

/// `required`, turned around.
fn flipped(owner: &LocatedNode<'_>, what: &str, operator: Operator, found: &mut Vec<Mutant>) {
    let required = owner
        .node
        .get("required")
        .is_some_and(|node| node.to_json() == true);
    let edit = match required {
        true => Edit::Remove(format!("{}/required", owner.pointer)),
        false => Edit::Insert(owner.pointer.clone(), "required".into(), json!(true)),
    };
    let operator = match (operator, required) {
        (Operator::RequiredAdded, true) => Operator::RequiredDropped,
        (operator, _) => operator,
    };
    let what = match required {
        true => format!("{what} may be missing"),
        false => format!("{what} must be there"),
    };
    mutant(found, operator, &owner.pointer, what, edit);
}

fn headers(response: &LocatedNode<'_>, found: &mut Vec<Mutant>) {
    let Some(headers) = response.get("headers") else {
        return;
    };
    for (name, header) in headers.entries() {
        mutant(
            found,
            Operator::HeaderDropped,
            &header.pointer,
            format!("`{name}` is removed"),
            Edit::Remove(header.pointer.clone()),
        );
        let other = format!("{name}-x");
        let edit = Edit::Rename(headers.pointer.clone(), name.to_owned(), other.clone());
        mutant(
            found,
            Operator::HeaderRenamed,
            &header.pointer,
            format!("`{name}` becomes `{other}`"),
            edit,
        );
    }
}

fn content(
    place: &LocatedNode<'_>,
    media_type: &str,
    direction: Direction,
    found: &mut Vec<Mutant>,
) {
    let way = match direction {
        Direction::Request => "of requests",
        Direction::Response => "of responses",
    };
    let (parent, _) = place.pointer.rsplit_once('/').unwrap_or_default();
    mutant(
        found,
        Operator::MediaTypeDropped,
        &place.pointer,
        format!("`{media_type}` {way} is removed"),
        Edit::Remove(place.pointer.clone()),
    );
    let other = match media_type {
        "application/json" => "application/problem+json",
        _ => "application/json",
    };
    let edit = Edit::Rename(parent.to_owned(), media_type.to_owned(), other.to_owned());
    mutant(
        found,
        Operator::MediaTypeChanged,
        &place.pointer,
        format!("`{media_type}` {way} becomes `{other}`"),
        edit,
    );
    let streams = place.get("x-dropforge-stream");
    for examples in [
        place.get("examples"),
        streams.and_then(|s| s.get("examples")),
    ] {
        of_examples(examples, found);
    }
}

fn of_examples(examples: Option<LocatedNode<'_>>, found: &mut Vec<Mutant>) {
    let Some(examples) = examples else {
        return;
    };
    let all = examples.entries();
    for (name, example) in &all {
        let edit = match all.len() {
            1 => Edit::Remove(examples.pointer.clone()),
            _ => Edit::Remove(example.pointer.clone()),
        };
        mutant(
            found,
            Operator::ExampleDropped,
            &example.pointer,
            format!("`{name}` is removed"),
            edit,
        );
        if let Some(value) = example.get("value") {
            slips(&value, found);
        }
    }
}

/// One member of an example, gone or of another type.
fn slips(value: &LocatedNode<'_>, found: &mut Vec<Mutant>) {
    for (name, member) in value.entries() {
        mutant(
            found,
            Operator::ExampleChanged,
            &member.pointer,
            format!("`{name}` is removed"),
            Edit::Remove(member.pointer.clone()),
        );
        let other = match member.node.to_json() {
            Value::String(_) => json!(7),
            _ => json!("x"),
        };
        mutant(
            found,
            Operator::ExampleChanged,
            &member.pointer,
            format!("`{name}` becomes {other}"),
            Edit::Set(member.pointer.clone(), other),
        );
    }
}
