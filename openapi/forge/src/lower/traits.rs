//! Traits by tag, if the document requests them: `x-dropforge-traits: by-tag`.

use super::cursor::Cursor;
use super::lowering::Lowering;
use super::names::{Scope, type_name};
use crate::ir::{Operation, Trait};
use std::collections::HashMap;

/// The extension of the document.
const TRAITS: &str = "x-dropforge-traits";
/// Its only value.
const BY_TAG: &str = "by-tag";

/// A trait for each tag, in the order of the operations. Empty if one trait has all methods. An
/// operation belongs to its first tag. `names` are taken.
pub(super) fn lower(
    lowering: &mut Lowering<'_>,
    root: &Cursor<'_>,
    mut names: Scope,
    operations: &[Operation],
) -> Vec<Trait> {
    let Some(asked) = root.get(TRAITS) else {
        return Vec::new();
    };
    if asked.node.as_str() != Some(BY_TAG) {
        lowering.refuse(
            "traits",
            asked.span(),
            format!("`{TRAITS}` is not `{BY_TAG}`"),
            "write `x-dropforge-traits: by-tag`, or leave the key out for one trait with all methods",
        );
        return Vec::new();
    }
    let descriptions = descriptions(root);
    let mut traits: Vec<Trait> = Vec::new();
    let mut of_tags: HashMap<Option<&str>, usize> = HashMap::new();
    for (index, operation) in operations.iter().enumerate() {
        let tag = operation.tag.as_deref();
        if let Some(known) = of_tags.get(&tag) {
            traits[*known].operations.push(index);
            continue;
        }
        of_tags.insert(tag, traits.len());
        let stem = tag.map_or_else(|| "Untagged".to_string(), type_name);
        traits.push(Trait {
            name: names.take(format!("{stem}Operations")),
            tag: operation.tag.clone(),
            description: tag.and_then(|tag| descriptions.get(tag).cloned().flatten()),
            operations: vec![index],
        });
    }
    traits
}

/// The names that generated code has where it names the traits: those of its module, and those of
/// generic parameters.
pub(super) fn taken(operations: &[Operation]) -> Scope {
    let mut names = Scope::reserved(&["Security", "A", "S"]);
    for operation in operations {
        let own = &operation.names;
        for name in [&own.response, &own.error, &own.caller] {
            names.take(name.clone());
        }
        names.take(format!("{}Body", own.stem));
    }
    names
}

/// The descriptions of the tags that a document declares. Of several with one name, the first counts.
fn descriptions(root: &Cursor<'_>) -> HashMap<String, Option<String>> {
    let mut all = HashMap::new();
    for tag in root.elements_of("tags") {
        if let Some(name) = tag.text("name") {
            all.entry(name).or_insert_with(|| tag.text("description"));
        }
    }
    all
}
