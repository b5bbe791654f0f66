//! Finds credentials that a caller cannot present together: the header `Authorization` holds one.

use super::schemes;
use crate::document::{Diagnostic, Document, Node};

/// A kind of credential in the header `Authorization`.
#[derive(PartialEq, Eq)]
enum Credential {
    /// A bearer token. Several schemes may accept the same one.
    Bearer,
    /// Credentials of another HTTP authentication scheme, in lower case.
    Http(String),
    /// The whole value of the header.
    Key,
}

/// Warns of an alternative of `security` with two schemes that need different values of the header.
pub(super) fn check(document: &Document, alternative: &Node) -> Option<Diagnostic> {
    let mut first: Option<(&str, Credential)> = None;
    for (name, entry) in alternative.members() {
        let Some(credential) = schemes::named(document, name).and_then(credential) else {
            continue;
        };
        let Some((other, known)) = &first else {
            first = Some((name, credential));
            continue;
        };
        if *known == credential && credential != Credential::Key {
            continue;
        }
        let message = format!(
            "no caller can present both `{other}` and `{name}`: each is a value of the header `Authorization`"
        );
        return Some(
            Diagnostic::warning("security-conflict", entry.key_span, message)
                .related(alternative.key_span(other), "the other one")
                .help(format!(
                    "put `{name}` behind a dash of its own if one of them suffices"
                )),
        );
    }
    None
}

/// The credential that a scheme reads from the header; `None` if it reads another place.
fn credential(scheme: &Node) -> Option<Credential> {
    match scheme.text("type")? {
        "oauth2" | "openIdConnect" => Some(Credential::Bearer),
        "http" => Some(match scheme.text("scheme")?.to_ascii_lowercase() {
            scheme if scheme == "bearer" => Credential::Bearer,
            scheme => Credential::Http(scheme),
        }),
        "apiKey" => {
            let is_header = scheme.text("in") == Some("header");
            let is_same = scheme.text("name")?.eq_ignore_ascii_case("authorization");
            (is_header && is_same).then_some(Credential::Key)
        }
        _ => None,
    }
}
