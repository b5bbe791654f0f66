//! Lowers security schemes and requirements (OpenAPI 3.0.3, "Security Requirement Object").
//! Requirements are alternatives, each of which may require several schemes.

use super::cursor::Cursor;
use super::lowering::Lowering;
use super::names::{Scope, snake_name, type_name};
use crate::document::{Document, Node, Severity, similar};
use crate::ir::{Credentials, Location, Requirement, Scheme, SchemeUse};
use crate::structure;
use std::collections::HashSet;

/// Lowers `components/securitySchemes`.
pub(super) fn lower_schemes<'d>(lowering: &mut Lowering<'d>, root: &Cursor<'d>) {
    let (mut methods, mut types) = (Scope::default(), Scope::default());
    types.take("Context".to_string());
    methods.take("reject".to_string());
    let required = required(lowering.document);
    let components = root.get("components");
    let schemes = components
        .iter()
        .flat_map(|all| all.members_of("securitySchemes"));
    for (name, cursor) in schemes {
        // A scheme of another file is lowered under its name in the document that refers to it.
        let key = lowering.key_span(&cursor);
        if !lowering.document.source.is_own(key) {
            continue;
        }
        let Some(cursor) = lowering.resolve(&cursor) else {
            continue;
        };
        let Some(credentials) = supported(lowering, name, &cursor, &required) else {
            continue;
        };
        let scheme = Scheme {
            name: name.to_string(),
            method: methods.take(snake_name(name)),
            type_name: types.take(type_name(name)),
            description: cursor.text("description"),
            place: lowering.place(&cursor),
            credentials,
        };
        let index = lowering.schemes.len();
        lowering.scheme_index.insert(name.to_string(), index);
        lowering.schemes.push(scheme);
    }
}

/// The credentials of a scheme. An unsupported scheme is an error if an operation requires it,
/// and a warning otherwise.
fn supported<'d>(
    lowering: &mut Lowering<'d>,
    name: &str,
    cursor: &Cursor<'d>,
    required: &HashSet<&'d str>,
) -> Option<Credentials> {
    let before = lowering.diagnostics.len();
    let credentials = credentials(lowering, name, cursor);
    if credentials.is_none() && !required.contains(name) {
        for diagnostic in &mut lowering.diagnostics.0[before..] {
            diagnostic.severity = Severity::Warning;
        }
    }
    credentials
}

/// The names of the schemes that the document, or one of its operations, requires.
fn required(document: &Document) -> HashSet<&str> {
    let items = document.root.members_of("paths");
    let items = items.filter_map(|(_, item)| document.follow(&item.value, ""));
    let operations = items.flat_map(|(_, item)| item.members());
    let holders = operations.map(|(_, operation)| &operation.value);
    std::iter::once(&document.root)
        .chain(holders)
        .filter_map(|holder| holder.get("security"))
        .flat_map(Node::elements)
        .flat_map(Node::members)
        .map(|(name, _)| name)
        .collect()
}

fn credentials(
    lowering: &mut Lowering<'_>,
    name: &str,
    cursor: &Cursor<'_>,
) -> Option<Credentials> {
    // The check of the structure has reported a missing key.
    let kind = cursor.text("type")?;
    let scheme = match kind.as_str() {
        "http" => cursor.text("scheme")?.to_ascii_lowercase(),
        _ => String::new(),
    };
    let (span, problem, near, help) = match (kind.as_str(), scheme.as_str()) {
        ("http", "bearer") | ("oauth2" | "openIdConnect", _) => return Some(Credentials::Bearer),
        ("http", "basic") => return Some(Credentials::Basic),
        // OpenAPI has this type since 3.1.
        ("mutualTLS", _) if lowering.document.written.is_some() => {
            return Some(Credentials::MutualTls);
        }
        ("http", other) if similar::nearest(["basic", "bearer"], other, 2).is_none() => {
            return Some(other_http(lowering, name, cursor));
        }
        ("http", other) => (
            cursor.span_of("scheme"),
            format!("security scheme `{name}`: there is no HTTP authentication `{other}`"),
            similar::nearest(["basic", "bearer"], other, 2),
            "use `bearer` or `basic`",
        ),
        ("apiKey", _) => {
            let (place, key) = (cursor.text("in")?, cursor.text("name")?);
            let span = cursor.span_of("name");
            match Location::parse(&place).filter(|location| *location != Location::Path) {
                Some(Location::Header) if !lowering.check_header_name(&key, span) => return None,
                Some(Location::Cookie) if !lowering.check_cookie_name(&key, span) => return None,
                Some(location) => {
                    return Some(Credentials::ApiKey {
                        location,
                        name: key,
                    });
                }
                None => (
                    cursor.span_of("in"),
                    format!("security scheme `{name}` sends its key in `{place}`"),
                    similar::nearest(["header", "query", "cookie"], &place, 1),
                    "write `in: header`, `query` or `cookie`",
                ),
            }
        }
        (other, _) => (
            cursor.span_of("type"),
            format!("security scheme `{name}` has the type `{other}`"),
            similar::nearest(["http", "apiKey", "oauth2", "openIdConnect"], other, 2),
            "use `http`, `apiKey`, `oauth2` or `openIdConnect`; `mutualTLS` since OpenAPI 3.1",
        ),
    };
    lowering.refuse_near("security-scheme", span, problem, near, help);
    None
}

/// The credentials of an HTTP authentication that only the implementer can read, such as `digest`.
fn other_http(lowering: &mut Lowering<'_>, name: &str, cursor: &Cursor<'_>) -> Credentials {
    lowering.warn(
        "security-scheme",
        cursor.span_of("scheme"),
        format!(
            "security scheme `{name}`: the whole value of the header `Authorization` is its key"
        ),
        "check the value in the method of the scheme",
    );
    Credentials::ApiKey {
        location: Location::Header,
        name: "Authorization".to_owned(),
    }
}

/// Lowers the security of an operation, or of the document if the operation has none.
pub(super) fn lower(lowering: &mut Lowering<'_>, operation: &Cursor<'_>) -> Vec<Requirement> {
    let mut variants = Scope::default();
    let mut requirements = Vec::new();
    for alternative in structure::alternatives(lowering.document, operation.node) {
        let mut all = Vec::new();
        for used in alternative.uses {
            // The generator has rejected an unknown scheme before.
            if let Some(scheme) = lowering.scheme_index.get(used.scheme).copied() {
                all.push(SchemeUse {
                    scheme,
                    scopes: used.scopes.into_iter().map(str::to_string).collect(),
                });
            }
        }
        let variant = match all.is_empty() {
            true => "Anonymous".to_string(),
            false => all
                .iter()
                .map(|used| lowering.schemes[used.scheme].type_name.as_str())
                .collect(),
        };
        requirements.push(Requirement {
            variant: variants.take(variant),
            all,
        });
    }
    // One alternative that requires nothing makes the operation public.
    match requirements
        .iter()
        .all(|requirement| requirement.all.is_empty())
    {
        true => Vec::new(),
        false => requirements,
    }
}
