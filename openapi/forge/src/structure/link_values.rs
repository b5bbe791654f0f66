//! Checks what a link passes to its operation: the names of the parameters, and the runtime expressions (OpenAPI 3.0.3,
//! "Link Object").

use std::collections::HashMap;

use indexmap::IndexSet;

use super::media_types::is_token;
use crate::document::similar::{self, Proposals};
use crate::document::{Diagnostic, Document, METHODS, Node};

/// The names of the parameters of each operation, by its operationId; `None` if a reference leads nowhere.
pub(super) type Parameters<'d> = HashMap<&'d str, Option<IndexSet<&'d str>>>;

/// The texts that begin an expression.
const WORDS: [&str; 5] = ["$method", "$request", "$response", "$statusCode", "$url"];

/// Warns of parameters that the operation does not have, and of misspelled expressions.
pub(super) fn check(
    link: &Node,
    operations: &Parameters<'_>,
    proposals: &Proposals,
) -> Vec<Diagnostic> {
    let parameters = || link.members_of("parameters");
    let values = parameters().map(|(_, entry)| &entry.value);
    let values = values.chain(link.get("requestBody"));
    let mut found: Vec<Diagnostic> = values.filter_map(expression).collect();
    let id = link.text("operationId");
    if let Some(Some(known)) = id.and_then(|id| operations.get(id)) {
        found.extend(parameters().filter_map(|(name, entry)| {
            // A parameter may itself have a name such as `path.id`.
            if known.contains(name) || known.contains(unqualified(name)) {
                return None;
            }
            let message = format!("the operation of the link has no parameter `{name}`");
            let finding = Diagnostic::warning("link-parameter", entry.key_span, message);
            let near = proposals.nearest_name(known.iter().copied(), unqualified(name));
            Some(finding.did_you_mean_or(near, "write the name of one of its parameters"))
        }));
    }
    found
}

/// A name without its place, as in `path.id`.
fn unqualified(name: &str) -> &str {
    let places = ["path.", "query.", "header.", "cookie."];
    let mut names = places.iter().filter_map(|place| name.strip_prefix(place));
    names.next().unwrap_or(name)
}

/// The parameters of the operations of a document. Of several with one operationId, the first counts.
pub(super) fn parameters(document: &Document) -> Parameters<'_> {
    let mut known = Parameters::new();
    for (_, entry) in document.root.members_of("paths") {
        let Some((_, item)) = document.follow(&entry.value, "") else {
            continue;
        };
        for operation in METHODS.iter().filter_map(|method| item.get(method)) {
            if let Some(id) = operation.text("operationId") {
                let names = || names_of_parameters(document, item, operation);
                known.entry(id).or_insert_with(names);
            }
        }
    }
    known
}

fn names_of_parameters<'d>(
    document: &'d Document,
    item: &'d Node,
    operation: &'d Node,
) -> Option<IndexSet<&'d str>> {
    let holders = [item, operation].into_iter();
    let parameters = holders.flat_map(|holder| holder.elements_of("parameters"));
    let names = parameters.map(|one| {
        let (_, parameter) = document.follow(one, "")?;
        parameter.get("name")?.as_str()
    });
    names.collect()
}

/// The warning about a text that is probably a misspelled expression.
fn expression(node: &Node) -> Option<Diagnostic> {
    let text = node.as_str()?;
    let help = if text.starts_with('$') {
        let end = text.find(['.', '#']).unwrap_or(text.len());
        let near = similar::nearest(WORDS, &text[..end], 1);
        near.filter(|_| !is_expression(text))?;
        "write it as in `$response.body#/id` or `$request.path.id`".to_owned()
    } else {
        let whole = format!("${text}");
        let is_meant = text.contains('.') && is_expression(&whole);
        is_meant.then(|| format!("did you mean `{whole}`?"))?
    };
    let message = format!("`{text}` is not a runtime expression");
    Some(Diagnostic::warning("runtime-expression", node.span, message).help(help))
}

/// Whether a text is a runtime expression.
fn is_expression(text: &str) -> bool {
    if ["$url", "$method", "$statusCode"].contains(&text) {
        return true;
    }
    let sides = ["$request.", "$response."];
    let Some(source) = sides.iter().find_map(|side| text.strip_prefix(side)) else {
        return false;
    };
    match source.split_once('.') {
        Some(("header", name)) => is_token(name),
        Some(("query" | "path", name)) => !name.is_empty(),
        _ => {
            let pointer = source.strip_prefix("body");
            pointer.is_some_and(|rest| matches!(rest, "" | "#") || rest.starts_with("#/"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_expression;

    #[test]
    fn expressions_have_a_side_and_a_source() {
        for text in [
            "$url",
            "$statusCode",
            "$request.path.id",
            "$request.query.page.size",
            "$request.header.content-type",
            "$response.body",
            "$response.body#",
            "$response.body#/items/0/a.b",
        ] {
            assert!(is_expression(text), "{text}");
        }
        for text in [
            "$responce.body#/id",
            "$response.body/id",
            "$response.body#id",
            "$response.headers.id",
            "$request.header.a b",
            "$request.path.",
            "$request",
            "response.body",
        ] {
            assert!(!is_expression(text), "{text}");
        }
    }
}
