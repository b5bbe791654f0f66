//! Checks the encoding and the media type of a string: `contentEncoding` and `contentMediaType` (JSON
//! Schema 2020-12, Validation, section 8).

use crate::document::{Diagnostic, Node, similar};
use crate::structure::key::Version;
use crate::structure::media_types;

/// The encodings that servers check, and those that allow any text.
const SERVED: [&str; 4] = ["7bit", "8bit", "base64", "binary"];

/// The other encodings of RFC 4648, and of RFC 2045, section 6.
const OTHERS: [&str; 5] = [
    "base16",
    "base32",
    "base32hex",
    "base64url",
    "quoted-printable",
];

pub(super) fn check(schema: &Node, version: Version) -> Vec<Diagnostic> {
    // OpenAPI 3.0 does not have the keys, and the walk warns of them.
    if version == Version::V30 {
        return Vec::new();
    }
    let media_type = schema.get("contentMediaType");
    let media_type = media_type.and_then(|node| {
        let name = node.as_str()?;
        media_types::check(name, name, node.span)
    });
    encoding(schema).into_iter().chain(media_type).collect()
}

/// Warns of an encoding that is unknown, or that servers do not check. A `format` replaces the
/// encoding, and a `pattern` may express it.
fn encoding(schema: &Node) -> Option<Diagnostic> {
    let node = schema.get("contentEncoding")?;
    let written = node.as_str()?;
    let name = written.to_ascii_lowercase();
    let known = || SERVED.into_iter().chain(OTHERS);
    if !known().any(|known| known == name) && !name.starts_with("x-") {
        let message = format!("there is no encoding `{written}`");
        let finding = Diagnostic::warning("unknown-encoding", node.span, message);
        return Some(finding.did_you_mean_or(
            similar::nearest(known(), &name, 2),
            "write `base64`, or another encoding of RFC 4648 or RFC 2045",
        ));
    }
    let has = |key| schema.get(key).is_some();
    if SERVED.contains(&name.as_str()) || has("format") || has("pattern") {
        return None;
    }
    let message = format!("the server does not check the encoding `{written}`");
    Some(
        Diagnostic::warning("encoding-not-checked", node.span, message)
            .help("write the rule as a `pattern`, or check the value in the handler"),
    )
}
