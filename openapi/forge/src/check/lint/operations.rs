//! Rules about operations.

use std::collections::HashSet;

use crate::check::document_index::{DocumentIndex, LocatedNode, Operation};
use crate::document::{Diagnostic, Diagnostics, Span};
use crate::structure::{self, REQUIRED_SCOPES};

pub(super) fn check(index: &DocumentIndex<'_>, findings: &mut Diagnostics) {
    let tags = declared_tags(index);
    for operation in &index.operations {
        id(operation, findings);
        summary(operation, findings);
        tag(operation, &tags, findings);
        security(operation, findings);
        scopes(index, operation, findings);
        scopes_without_flows(index, operation, findings);
        errors(index, operation, findings);
    }
}

fn id(operation: &Operation<'_>, findings: &mut Diagnostics) {
    let Some(id) = operation.place.text("operationId") else {
        findings.push(
            Diagnostic::error(
                "operation-id-missing",
                operation.place.span,
                format!("{} has no operationId", operation.title()),
            )
            .help("name it with a verb first, in camelCase: `operationId: createUser`"),
        );
        return;
    };
    if !is_camel_case(id) {
        let span = span_of(operation, "operationId");
        findings.push(
            Diagnostic::error(
                "operation-id-case",
                span,
                format!("the operationId `{id}` is not camelCase"),
            )
            .help(format!("write `{}`", heck::AsLowerCamelCase(id))),
        );
    }
}

/// The position of the value of a key, or of an operation without the key.
fn span_of(operation: &Operation<'_>, key: &str) -> Span {
    let place = operation.place.get(key);
    place.map_or(operation.place.span, |place| place.node.span)
}

fn is_camel_case(id: &str) -> bool {
    id.starts_with(|c: char| c.is_ascii_lowercase())
        && id.chars().all(|c| c.is_ascii_alphanumeric())
}

fn summary(operation: &Operation<'_>, findings: &mut Diagnostics) {
    match operation.place.text("summary") {
        None => findings.push(
            Diagnostic::error(
                "summary-missing",
                operation.place.span,
                format!("{} has no summary", operation.title()),
            )
            .help("say in a few words what it does: `summary: Create a user`"),
        ),
        Some(_) => findings.extend(operation.place.get("summary").and_then(|at| period(&at))),
    }
}

/// The finding about a summary that ends with a period, in an operation or another object.
pub(in crate::check) fn period(summary: &LocatedNode<'_>) -> Option<Diagnostic> {
    let text = summary.node.as_str()?;
    text.trim_end().ends_with('.').then(|| {
        let span = summary.node.span;
        Diagnostic::error("summary-period", span, "the summary ends with a period")
            .help("it is a title: omit the period")
    })
}

fn declared_tags<'d>(index: &DocumentIndex<'d>) -> HashSet<&'d str> {
    let tags = index.root().elements_of("tags").into_iter();
    tags.filter_map(|tag| tag.text("name")).collect()
}

fn tag(operation: &Operation<'_>, declared: &HashSet<&str>, findings: &mut Diagnostics) {
    let place = operation.place.get("tags");
    let tags = operation.place.elements_of("tags");
    if tags.len() != 1 {
        findings.push(
            Diagnostic::error(
                "tag-count",
                place.map_or(operation.place.span, |place| place.span),
                format!("{} has {} tags, not one", operation.title(), tags.len()),
            )
            .help("tags are the chapters of the document: give each operation exactly one"),
        );
    }
    for tag in tags {
        let name = tag.node.as_str().unwrap_or_default();
        if !declared.contains(name) {
            findings.push(
                Diagnostic::error(
                    "tag-undeclared",
                    tag.span,
                    format!("the tag `{name}` is not declared"),
                )
                .help("add it, with a description, to `tags` at the top of the document"),
            );
        }
    }
}

fn security(operation: &Operation<'_>, findings: &mut Diagnostics) {
    if operation.place.get("security").is_none() {
        findings.push(
            Diagnostic::error(
                "security-implicit",
                operation.place.span,
                format!("{} does not say how it is secured", operation.title()),
            )
            .help("name the scheme and its scopes, or write `security: []` if it is open to all"),
        );
    }
}

/// The description lists the scopes of an operation, where readers and other generators find them.
fn scopes(index: &DocumentIndex<'_>, operation: &Operation<'_>, findings: &mut Diagnostics) {
    let description = operation.place.text("description").unwrap_or_default();
    for scope in operation.place.elements_of(REQUIRED_SCOPES) {
        let name = scope.node.as_str().unwrap_or_default();
        if !description.contains(&format!("`{name}`")) {
            findings.push(
                Diagnostic::error(
                    "scope-undescribed",
                    scope.span,
                    format!("the description does not name the scope `{name}`"),
                )
                .help(format!("end it with: Requires the scope `{name}`.")),
            );
        }
    }
    described_scopes(index, operation, description, findings);
}

/// Only requirements of schemes with flows may list scopes.
fn scopes_without_flows(
    index: &DocumentIndex<'_>,
    operation: &Operation<'_>,
    findings: &mut Diagnostics,
) {
    let has_flows = |name: &str| {
        let scheme = index.component("securitySchemes", name);
        let kind = scheme.and_then(|scheme| scheme.text("type"));
        matches!(kind, Some("oauth2" | "openIdConnect"))
    };
    for requirement in operation.place.elements_of("security") {
        for (name, listed) in requirement.entries() {
            if !has_flows(name) && !listed.elements().is_empty() {
                findings.push(
                    Diagnostic::error(
                        "scope-without-flow",
                        listed.span,
                        format!("`{name}` has no flows, and its requirement lists scopes"),
                    )
                    .help(format!(
                        "list them in `{REQUIRED_SCOPES}` of the operation: OpenAPI 3.0.3 wants `[]` here"
                    )),
                );
            }
        }
    }
}

/// Reports scopes that only the description requires.
fn described_scopes(
    index: &DocumentIndex<'_>,
    operation: &Operation<'_>,
    description: &str,
    findings: &mut Diagnostics,
) {
    let alternatives = structure::alternatives(index.document, operation.place.node);
    let required: Vec<&str> = alternatives
        .iter()
        .flat_map(|one| &one.uses)
        .flat_map(|used| used.scopes.iter().copied())
        .collect();
    let span = [REQUIRED_SCOPES, "security", "description"]
        .iter()
        .find_map(|key| operation.place.get(key))
        .map_or(operation.place.span, |place| place.span);
    for name in sentences(description).flat_map(scopes_of_sentence) {
        if !required.contains(&name.as_str()) {
            let message =
                format!("the description requires the scope `{name}`, and no caller needs it");
            findings.push(
                Diagnostic::error("scope-not-required", span, message).help(format!(
                    "list it in `{REQUIRED_SCOPES}`, under a `security` that has a scheme"
                )),
            );
        }
    }
}

/// The sentences of a text. A space or a line break follows the period of each.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let paragraphs = text.split("\n\n");
    let parts = paragraphs.flat_map(|paragraph| paragraph.split(". "));
    parts.flat_map(|part| part.split(".\n"))
}

/// The scopes that a sentence requires, as in "Requires the verb `use`, and the scope `things.read`."
fn scopes_of_sentence(sentence: &str) -> Vec<String> {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let sentence = words.join(" ");
    let lowercase = sentence.to_ascii_lowercase();
    // A sentence that begins otherwise may name scopes without a requirement.
    let start = match lowercase.starts_with("requires ") {
        true => Some(0),
        false => lowercase.find("requires the scope"),
    };
    let Some(start) = start else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (at, words) in lowercase[start..].match_indices("the scope") {
        found.extend(quoted_names(&sentence[start + at + words.len()..]));
    }
    found
}

/// The names at the start of a text, as in "s `a`, `b` and `c` of the caller".
fn quoted_names(text: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = text.strip_prefix('s').unwrap_or(text);
    while let Some((before, behind)) = rest.split_once('`')
        && before
            .split([' ', ',', ':'])
            .all(|word| matches!(word, "" | "and" | "or" | "-" | "*"))
        && let Some((name, behind)) = behind.split_once('`')
    {
        names.push(name.to_owned());
        rest = behind;
    }
    names
}

fn errors<'d>(index: &DocumentIndex<'d>, operation: &Operation<'d>, findings: &mut Diagnostics) {
    let Some(responses) = operation.place.get("responses") else {
        return; // The generator rejects a document without it.
    };
    let alternatives = structure::alternatives(index.document, operation.place.node);
    let secured = alternatives.iter().any(|one| !one.uses.is_empty());
    let reasons = [
        (
            "400",
            "its request can be invalid",
            request_can_be_invalid(index, operation),
        ),
        ("401", "it is secured", secured),
        ("500", "every operation can fail", true),
    ];
    for (status, reason, wanted) in reasons {
        if wanted && responses.get(status).is_none() {
            findings.push(
                Diagnostic::error(
                    "error-response-missing",
                    responses.span,
                    format!("{} does not list {status}: {reason}", operation.title()),
                )
                .help(format!(
                    "list `'{status}'` with the body that a client will see"
                )),
            );
        }
    }
}

/// Whether a request can be invalid. A lenient body cannot: an invalid one is treated as absent.
fn request_can_be_invalid<'d>(index: &DocumentIndex<'d>, operation: &Operation<'d>) -> bool {
    let body = operation
        .place
        .get("requestBody")
        .and_then(|body| index.resolve(&body));
    let strict_body = body.is_some_and(|body| !body.node.flag("x-dropforge-lenient"));
    strict_body || !operation.parameters.is_empty()
}
