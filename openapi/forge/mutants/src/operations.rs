//! Edits of servers, paths and operations.

use dropforge::check::document_index::{DocumentIndex, LocatedNode, Operation};
use serde_json::json;

use crate::edit::Edit;
use crate::mutant::Mutants;
use crate::operator::Operator;
use crate::security;

pub(crate) fn add(index: &DocumentIndex<'_>, found: &mut Mutants) {
    for server in index.root().elements_of("servers") {
        let Some(url) = server.get("url") else {
            continue;
        };
        let text = url.node.as_str().unwrap_or_default();
        let other = format!("{text}/x");
        let what = format!("`{text}` becomes `{other}`");
        found.set(Operator::ServerChanged, &url.pointer, what, json!(other));
    }
    paths(index, found);
    for operation in &index.operations {
        self::operation(operation, found);
        security::add(index, operation, found);
    }
}

fn paths(index: &DocumentIndex<'_>, found: &mut Mutants) {
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
            let what = format!("becomes `{renamed}`");
            let edit = Edit::Rename("/paths".into(), path.to_owned(), renamed);
            found.add(Operator::PathRenamed, &item.pointer, what, edit);
        }
    }
}

fn operation(operation: &Operation<'_>, found: &mut Mutants) {
    let place = &operation.place;
    if let Some(id) = place.get("operationId") {
        let text = id.node.as_str().unwrap_or_default();
        let other = format!("{text}Again");
        let what = format!("`{text}` becomes `{other}`");
        found.set(
            Operator::OperationIdRenamed,
            &id.pointer,
            what,
            json!(other),
        );
    }
    let Some(responses) = place.get("responses") else {
        return;
    };
    let is_only = responses.entries().len() == 1;
    for (status, response) in responses.fields() {
        let at = &response.pointer;
        if !is_only {
            found.remove(Operator::StatusDropped, at, format!("{status} is removed"));
        }
        if let Ok(code) = status.parse::<u16>() {
            let other = (code + 1).to_string();
            let what = format!("{status} becomes {other}");
            let edit = Edit::Rename(responses.pointer.clone(), status.to_owned(), other);
            found.add(Operator::StatusChanged, at, what, edit);
        }
    }
}
