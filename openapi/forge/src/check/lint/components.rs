//! Components that nothing uses.

use std::collections::{HashMap, HashSet};

use crate::check::document_index::{DocumentIndex, LocatedNode};
use crate::document::{Diagnostic, Diagnostics, pointer};
use crate::structure::discriminator_target;

pub(super) fn check(index: &DocumentIndex<'_>, findings: &mut Diagnostics) {
    let components = components(index);
    let used = used(index, &components);
    for component in &components {
        if !used.contains(component.pointer.as_str()) {
            let name = pointer::segments(&component.pointer).next_back();
            findings.push(
                Diagnostic::error(
                    "component-unused",
                    component.span,
                    format!("nothing uses `{}`", name.unwrap_or_default()),
                )
                .help("remove it, or refer to it where it belongs"),
            );
        }
    }
}

/// Every component of every kind.
fn components<'d>(index: &DocumentIndex<'d>) -> Vec<LocatedNode<'d>> {
    let components = index.root().get("components");
    let kinds = components.iter().flat_map(LocatedNode::fields);
    kinds
        .flat_map(|(_, of_kind)| of_kind.entries())
        .map(|(_, component)| component)
        .collect()
}

/// The pointers of the components that operations reach, directly or through other components.
fn used<'c>(index: &DocumentIndex<'_>, components: &'c [LocatedNode<'_>]) -> HashSet<&'c str> {
    let owner: HashMap<&str, &'c str> = components
        .iter()
        .map(|component| (component.pointer.as_str(), component.pointer.as_str()))
        .collect();
    // The targets of references from a component, or from `None`, which represents the operations.
    let mut targets: HashMap<Option<&'c str>, Vec<&'c str>> = HashMap::new();
    for (from, to) in references(index) {
        if let Some(to) = owning(&owner, &to) {
            targets.entry(owning(&owner, &from)).or_default().push(to);
        }
    }
    let mut waiting = targets.remove(&None).unwrap_or_default();
    let mut used: HashSet<&str> = waiting.iter().copied().collect();
    while let Some(next) = waiting.pop() {
        for to in targets.get(&Some(next)).into_iter().flatten() {
            if used.insert(to) {
                waiting.push(to);
            }
        }
    }
    used
}

/// The component that a pointer leads into.
fn owning<'c>(owner: &HashMap<&str, &'c str>, inside: &str) -> Option<&'c str> {
    // `/components/<kind>/<name>` ends before the fourth slash.
    let end = inside
        .match_indices('/')
        .nth(3)
        .map_or(inside.len(), |(at, _)| at);
    owner.get(&inside[..end]).copied()
}

/// Every reference from one place to another, as pointers.
fn references(index: &DocumentIndex<'_>) -> Vec<(String, String)> {
    let mut references = Vec::new();
    for place in &index.references {
        // One step only: the references of the target are listed for the target.
        let reference = place.node.get("$ref");
        let target = reference.and_then(|reference| index.document.target(reference));
        references.extend(target.map(|(target, _)| (place.pointer.clone(), target)));
    }
    for schema in &index.schemas {
        let discriminator = schema.get("discriminator");
        for (_, target) in discriminator
            .iter()
            .flat_map(|one| one.entries_of("mapping"))
        {
            if let Some(text) = target.node.as_str() {
                references.push((schema.pointer.clone(), discriminator_target(text)));
            }
        }
    }
    let root = index.root();
    let operations = index.operations.iter().map(|operation| &operation.place);
    let secured = operations.chain([&root]);
    for requirement in secured.flat_map(|place| place.elements_of("security")) {
        for (scheme, place) in requirement.entries() {
            let target = pointer::join("/components/securitySchemes", scheme);
            references.push((place.pointer, target));
        }
    }
    references
}
