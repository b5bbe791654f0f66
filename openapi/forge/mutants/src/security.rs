//! Edits of what operations require of their callers.

use dropforge::check::document_index::{DocumentIndex, LocatedNode, Operation};
use dropforge::structure::{self, REQUIRED_SCOPES};
use serde_json::json;

use crate::edit::Edit;
use crate::mutant::Mutants;
use crate::operator::Operator;

pub(crate) fn add(index: &DocumentIndex<'_>, operation: &Operation<'_>, found: &mut Mutants) {
    if let Some(security) = operation.place.get("security") {
        self::security(&security, found);
    }
    if let Some(scopes) = operation.place.get(REQUIRED_SCOPES) {
        required_scopes(index, &scopes, found);
    }
}

/// Fewer scopes, other ones, and more, among those that the schemes declare.
fn required_scopes(index: &DocumentIndex<'_>, required: &LocatedNode<'_>, found: &mut Mutants) {
    let operator = Operator::ScopeChanged;
    let listed = required.elements();
    let listed: Vec<(&str, &str)> = listed
        .iter()
        .filter_map(|scope| Some((scope.node.as_str()?, scope.pointer.as_str())))
        .collect();
    let schemes = index.components_of("securitySchemes");
    let declared = schemes
        .iter()
        .filter_map(|(_, scheme)| structure::declared_scopes(scheme.node));
    let other = declared
        .flatten()
        .find(|scope| listed.iter().all(|(text, _)| text != scope));
    for (text, at) in &listed {
        found.remove(operator, at, format!("`{text}` is no longer required"));
        if let Some(other) = other {
            let what = format!("`{text}` becomes `{other}`");
            found.set(operator, at, what, json!(other));
        }
    }
    if let Some(other) = other {
        let what = format!("`{other}` is required too");
        let edit = Edit::Push(required.pointer.clone(), json!(other));
        found.add(operator, &required.pointer, what, edit);
    }
}

fn security(security: &LocatedNode<'_>, found: &mut Mutants) {
    let at = &security.pointer;
    let alternatives = security.elements();
    if !alternatives.is_empty() {
        let what = "no credentials are checked";
        found.set(Operator::SecurityDropped, at, what, json!([]));
        let what = "credentials are optional";
        let edit = Edit::Push(at.clone(), json!({}));
        found.add(Operator::SecurityDropped, at, what, edit);
    }
    for alternative in &alternatives {
        if alternatives.len() > 1 {
            let what = "a security scheme is removed";
            found.remove(Operator::SecurityDropped, &alternative.pointer, what);
        }
        for (scheme, scopes) in alternative.entries() {
            let listed = scopes.elements();
            for scope in &listed {
                let (at, text) = (&scope.pointer, scope.node.as_str().unwrap_or_default());
                let what = format!("`{text}` is no longer required");
                found.remove(Operator::ScopeChanged, at, what);
                let other = format!("{text}.x");
                let what = format!("`{text}` becomes `{other}`");
                found.set(Operator::ScopeChanged, at, what, json!(other));
            }
            // Of a scheme without flows, the operation lists them.
            if listed.is_empty() {
                continue;
            }
            let what = format!("`{scheme}` requires one more scope");
            let edit = Edit::Push(scopes.pointer.clone(), json!("another.scope"));
            found.add(Operator::ScopeChanged, &scopes.pointer, what, edit);
        }
    }
}
