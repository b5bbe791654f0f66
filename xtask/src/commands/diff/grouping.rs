//! One change of several operations, where they share the node that changed.

use std::collections::HashMap;

use dropforge::check::compatibility::{Change, Class, Side};

/// The changes, where one node of the document that several operations share changes all of them.
pub(super) fn grouped(changes: &[Change]) -> Vec<Vec<&Change>> {
    let mut groups: Vec<Vec<&Change>> = Vec::new();
    let mut known: HashMap<(&str, Class, &str, &str, Side), usize> = HashMap::new();
    for change in changes {
        let (operation, what) = parts(&change.message);
        let Change {
            class,
            reason,
            pointer,
            side,
            ..
        } = change;
        let group = match operation {
            "" => groups.len(),
            _ => *known
                .entry((what, *class, reason.as_str(), pointer.as_str(), *side))
                .or_insert(groups.len()),
        };
        match groups.get_mut(group) {
            Some(group) => group.push(change),
            None => groups.push(vec![change]),
        }
    }
    groups
}

/// The operation of a message such as `GET /things: the summary was removed`, if it has one, and
/// the rest.
pub(super) fn parts(message: &str) -> (&str, &str) {
    match message.split_once(": ") {
        Some((operation, rest)) if is_operation(operation) => (operation, rest),
        _ => ("", message),
    }
}

fn is_operation(text: &str) -> bool {
    text.split_once(' ').is_some_and(|(method, path)| {
        method.bytes().all(|byte| byte.is_ascii_uppercase()) && path.starts_with('/')
    })
}

#[cfg(test)]
mod tests {
    use dropforge::check::compatibility::compare;
    use dropforge::document::Document;

    use super::{grouped, parts};
    use crate::repository;

    #[test]
    fn a_shared_parameter_that_is_renamed_is_one_change() {
        let path = repository::root().join("openapi/patterns.yaml");
        let text = std::fs::read_to_string(&path).expect("a document");
        let neighbor = |file: &str| {
            let text = std::fs::read_to_string(path.with_file_name(file));
            text.map_err(|error| error.to_string())
        };
        let load = |text: &str| Document::load_with("patterns.yaml", text, neighbor);
        let old = load(&text).unwrap_or_else(|refused| panic!("{refused}"));
        let renamed = text.replace("name: integrationInstance", "name: serviceInstance");
        let new = load(&renamed).unwrap_or_else(|refused| panic!("{refused}"));
        let changes = compare(&old, &new);
        let groups = grouped(&changes);
        assert_eq!(groups.len(), 1, "{changes:?}");
        assert_eq!(groups[0].len(), 4);
        assert_eq!(
            parts(&groups[0][0].message).1,
            "the query parameter `integrationInstance` is called `serviceInstance` now"
        );
    }

    #[test]
    fn a_message_without_an_operation_stands_alone() {
        let (operation, rest) = parts("the media type `a/b` was removed: it is gone");
        assert_eq!(
            (operation, rest),
            ("", "the media type `a/b` was removed: it is gone")
        );
    }
}
