//! Security schemes and requirements (OpenAPI 3.0.3, "Security Requirement
//! Object"): alternatives, each of which may ask for several schemes.

use super::Lowering;
use super::cursor::Cursor;
use super::names::{Scope, snake_name, type_name};
use crate::ir::{Credentials, Location, Requirement, Scheme, SchemeUse};
use crate::structure;

/// Lowers `components/securitySchemes`.
pub(super) fn lower_schemes<'d>(lowering: &mut Lowering<'d>, root: &Cursor<'d>) {
    let Some(schemes) = root
        .get("components")
        .and_then(|c| c.get("securitySchemes"))
    else {
        return;
    };
    let (mut methods, mut types) = (Scope::default(), Scope::default());
    types.take("Context".to_string());
    methods.take("reject".to_string());
    for (name, cursor) in schemes.members() {
        let Some(cursor) = lowering.resolve(&cursor) else {
            continue;
        };
        let Some(credentials) = credentials(lowering, name, &cursor) else {
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
        lowering.schemes.push(scheme);
    }
}

fn credentials(
    lowering: &mut Lowering<'_>,
    name: &str,
    cursor: &Cursor<'_>,
) -> Option<Credentials> {
    let kind = cursor.text("type")?;
    let scheme = cursor
        .text("scheme")
        .unwrap_or_default()
        .to_ascii_lowercase();
    match (kind.as_str(), scheme.as_str()) {
        ("http", "bearer") | ("oauth2" | "openIdConnect", _) => Some(Credentials::Bearer),
        ("http", "basic") => Some(Credentials::Basic),
        ("http", other) => {
            lowering.refuse(
                "security-scheme",
                cursor.span(),
                format!("security scheme `{name}`: HTTP authentication `{other}` is not supported"),
                "use `bearer` or `basic`",
            );
            None
        }
        ("apiKey", _) => {
            let location = match cursor.text("in").as_deref() {
                Some("header") => Location::Header,
                Some("query") => Location::Query,
                Some("cookie") => Location::Cookie,
                _ => {
                    lowering.refuse(
                        "security-scheme",
                        cursor.span(),
                        format!("security scheme `{name}` does not say where its key is sent"),
                        "write `in: header`, `query` or `cookie`",
                    );
                    return None;
                }
            };
            match cursor.text("name") {
                Some(key) => Some(Credentials::ApiKey {
                    location,
                    name: key,
                }),
                None => {
                    lowering.refuse(
                        "security-scheme",
                        cursor.span(),
                        format!("security scheme `{name}` does not name its key"),
                        "write the `name` of the header, query parameter or cookie",
                    );
                    None
                }
            }
        }
        (other, _) => {
            lowering.refuse(
                "security-scheme",
                cursor.span(),
                format!("security scheme `{name}` has the type `{other}`"),
                "use `http`, `apiKey`, `oauth2` or `openIdConnect`",
            );
            None
        }
    }
}

/// Lowers the security of an operation, or of the document where it has none.
pub(super) fn lower(lowering: &mut Lowering<'_>, operation: &Cursor<'_>) -> Vec<Requirement> {
    let mut variants = Scope::default();
    let mut requirements = Vec::new();
    for alternative in structure::alternatives(lowering.document, operation.node) {
        let mut all = Vec::new();
        for used in alternative.uses {
            let mut schemes = lowering.schemes.iter();
            // A scheme that is not there has been refused.
            if let Some(scheme) = schemes.position(|scheme| scheme.name == used.scheme) {
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
    // One alternative that asks for nothing is no security at all.
    match requirements
        .iter()
        .all(|requirement| requirement.all.is_empty())
    {
        true => Vec::new(),
        false => requirements,
    }
}
