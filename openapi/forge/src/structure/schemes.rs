//! The security schemes of a document, and the scopes that each declares.

use super::scopes::SCOPES;
use super::unknown::is_extension;
use crate::document::{Diagnostic, Diagnostics, Document, Entry, Node, Span};

/// The keys that only schemes of one type have.
const KEYS_OF_TYPE: [(&str, &str); 6] = [
    ("name", "apiKey"),
    ("in", "apiKey"),
    ("scheme", "http"),
    ("bearerFormat", "http"),
    ("flows", "oauth2"),
    ("openIdConnectUrl", "openIdConnect"),
];

/// The keys that the schemes of a type must have, with the type of each.
const REQUIRED: [(&str, &str, &str); 5] = [
    (
        "apiKey",
        "name",
        "the name of the header, query parameter or cookie",
    ),
    ("apiKey", "in", "`header`, `query` or `cookie`"),
    ("http", "scheme", "`bearer` or `basic`"),
    ("oauth2", "flows", "an OAuth Flows Object"),
    ("openIdConnect", "openIdConnectUrl", "a URL"),
];

/// The security schemes of a document by name, references followed. A scheme of another file has
/// only the name in the document, and not that in the other file.
pub(super) fn all(document: &Document) -> impl Iterator<Item = (&str, &Node)> {
    let schemes = document.at("/components/securitySchemes");
    let schemes = schemes.into_iter().flat_map(Node::members);
    schemes.filter_map(move |(name, entry)| Some((name, resolve(document, entry)?)))
}

/// The security scheme of a name, as [`all`] lists it.
pub(super) fn named<'d>(document: &'d Document, name: &str) -> Option<&'d Node> {
    let schemes = document.at("/components/securitySchemes")?.as_object()?;
    resolve(document, schemes.entry(name)?)
}

/// The target of a scheme that is declared in the document itself.
fn resolve<'d>(document: &'d Document, entry: &'d Entry) -> Option<&'d Node> {
    if !document.source.is_own(entry.key_span) {
        return None;
    }
    document.follow(&entry.value, "").map(|(_, node)| node)
}

/// The scopes that a scheme declares with `x-scopes`. Without that key it is `None`, and operations
/// need not list required scopes.
pub fn declared_scopes(scheme: &Node) -> Option<Vec<&str>> {
    let scopes = scheme.get(SCOPES)?.as_object();
    Some(scopes.map_or_else(Vec::new, |scopes| scopes.keys().collect()))
}

/// The scopes that a requirement may list, after the key that declares them: `flows` of `oauth2`, or `x-scopes`. `None`
/// if the document does not declare them, as for OpenID Connect, whose provider does.
pub(super) fn listed_scopes(scheme: &Node) -> Option<(&'static str, Vec<&str>)> {
    if scheme.text("type") != Some("oauth2") {
        return Some((SCOPES, declared_scopes(scheme)?));
    }
    let flows = scheme.members_of("flows");
    let scopes = flows
        .filter(|(name, _)| !is_extension(name))
        .filter_map(|(_, flow)| flow.value.get("scopes")?.as_object());
    let scopes = scopes.flat_map(|scopes| scopes.keys());
    Some(("flows", scopes.collect()))
}

/// Checks a scheme against its type.
pub(super) fn check(scheme: &Node, diagnostics: &mut Diagnostics) {
    scopes(scheme, diagnostics);
    let kind = scheme.get("type");
    let Some((kind, name)) = kind.and_then(|kind| Some((kind, kind.as_str()?))) else {
        return;
    };
    let owner = format!("a security scheme of the type `{name}`");
    for (key, owner) in KEYS_OF_TYPE {
        if owner != name && scheme.get(key).is_some() {
            let span = scheme.key_span(key);
            let message = format!("`{key}` belongs to security schemes of the type `{owner}`");
            let finding = match is_ignored(scheme, key) {
                true => Diagnostic::warning("ignored-key", span, message + ", and is ignored"),
                false => Diagnostic::error("misplaced-key", span, message),
            };
            diagnostics.push(finding.help(format!("remove it, or write `type: {owner}`")));
        }
    }
    for (of, key, value_type) in REQUIRED {
        if of == name && scheme.get(key).is_none() {
            diagnostics.push(missing(&owner, key, value_type, kind.span));
        }
    }
    if let ("oauth2", Some(found)) = (name, scheme.get("flows")) {
        flows(found, scheme.key_span("flows"), diagnostics);
    }
}

/// Whether a scheme means the same without a key of another type. Many documents have such keys, as in
/// `type: http`, `scheme: bearer`, `in: header` and `name: Authorization`.
fn is_ignored(scheme: &Node, key: &str) -> bool {
    match key {
        "name" | "in" => {
            let place = scheme.text("in");
            place.is_none_or(|place| place == "header")
        }
        key => matches!(key, "scheme" | "bearerFormat"),
    }
}

/// The error about a key that is required beside another one. The tables have the keys that are always required.
fn missing(owner: &str, key: &str, value_type: &str, span: Span) -> Diagnostic {
    Diagnostic::error("missing-key", span, format!("{owner} has no `{key}`"))
        .help(format!("add `{key}`: {value_type}"))
}

/// Checks that there is a flow, and that each has its URLs. `span` is the position of `flows`.
fn flows(flows: &Node, span: Span, diagnostics: &mut Diagnostics) {
    if flows.as_object().is_some() && flows.members().all(|(name, _)| is_extension(name)) {
        diagnostics.push(
            Diagnostic::error("missing-key", span, "`flows` has no flow")
                .help("add `authorizationCode`, `clientCredentials`, `implicit` or `password`"),
        );
    }
    for (name, flow) in flows.members() {
        // The walk rejects a flow that is not an object.
        if flow.value.as_object().is_none() {
            continue;
        }
        let urls: &[&str] = match name {
            "authorizationCode" => &["authorizationUrl", "tokenUrl"],
            "clientCredentials" | "password" => &["tokenUrl"],
            "implicit" => &["authorizationUrl"],
            _ => &[],
        };
        for key in urls {
            if flow.value.get(key).is_none() {
                let owner = format!("the flow `{name}`");
                diagnostics.push(missing(&owner, key, "a URL", flow.key_span));
            }
        }
    }
}

/// Checks that only schemes without flows declare scopes with `x-scopes`.
fn scopes(scheme: &Node, diagnostics: &mut Diagnostics) {
    if scheme.get(SCOPES).is_none() {
        return;
    }
    if let Some("oauth2" | "openIdConnect") = scheme.text("type") {
        diagnostics.push(
            Diagnostic::error(
                "security-scopes",
                scheme.key_span(SCOPES),
                format!("`{SCOPES}` belongs to schemes that have no flows"),
            )
            .help("list the scopes in `flows`, and in the requirements of each operation"),
        );
    }
}
