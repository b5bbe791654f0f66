//! Edits of the examples of a media type.

use dropforge::check::document_index::LocatedNode;
use serde_json::{Value, json};

use crate::edit::Edit;
use crate::mutant::Mutants;
use crate::operator::Operator;

pub(crate) fn add(media_type: &LocatedNode<'_>, found: &mut Mutants) {
    let streams = media_type.get("x-dropforge-stream");
    for owner in [Some(media_type), streams.as_ref()].into_iter().flatten() {
        if let Some(examples) = owner.get("examples") {
            of(&examples, found);
        }
    }
}

fn of(examples: &LocatedNode<'_>, found: &mut Mutants) {
    let all = examples.entries();
    for (name, example) in &all {
        let removed = match all.len() {
            1 => examples,
            _ => example,
        };
        let what = format!("`{name}` is removed");
        let edit = Edit::Remove(removed.pointer.clone());
        found.add(Operator::ExampleDropped, &example.pointer, what, edit);
        if let Some(value) = example.get("value") {
            slips(&value, found);
        }
    }
}

/// One member of an example, gone or of another type.
fn slips(value: &LocatedNode<'_>, found: &mut Mutants) {
    for (name, member) in value.entries() {
        let at = &member.pointer;
        found.remove(Operator::ExampleChanged, at, format!("`{name}` is removed"));
        let other = match member.node.to_json() {
            Value::String(_) => json!(7),
            _ => json!("x"),
        };
        let what = format!("`{name}` becomes {other}");
        found.set(Operator::ExampleChanged, at, what, other);
    }
}
