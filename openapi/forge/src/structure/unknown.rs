//! Finds keys that an object does not have.

use std::sync::LazyLock;

use super::key::{Key, Object, Support, Version};
use super::unknown_key::UnknownKey;
use super::{misplaced, tables, typo};
use crate::document::visit::OURS;
use crate::document::{Diagnostic, METHODS, Span, similar};

/// Keys about access. Such a key in the wrong place is an error, since it would have no effect
/// there.
const ACCESS: [(&str, &str); 2] = [
    (
        "security",
        "`security` belongs to an operation, or to the document for all operations without their own",
    ),
    (
        "securitySchemes",
        "`securitySchemes` belongs to `components`",
    ),
];

/// Extensions of the generator, each with the objects that have it.
static EXTENSIONS: LazyLock<Vec<(&'static str, Vec<&'static str>)>> = LazyLock::new(|| {
    let mut all: Vec<(&str, Vec<&str>)> = Vec::new();
    for object in tables::objects() {
        for key in object.keys.iter().filter(|key| is_extension(key.name)) {
            match all.iter_mut().find(|(name, _)| *name == key.name) {
                Some((_, objects)) => objects.push(object.name),
                None => all.push((key.name, vec![object.name])),
            }
        }
    }
    all
});

/// The extensions of the generator.
fn extensions() -> impl Iterator<Item = &'static str> {
    EXTENSIONS.iter().map(|(known, _)| *known)
}

/// The key of a decision, about which the lint has a rule of its own. It resembles `x-revision`.
const DECISION: &str = "x-decision";

/// Whether a key is an extension of the specification.
pub(super) fn is_extension(key: &str) -> bool {
    key.starts_with("x-")
}

/// Whether a key is about access, ignoring case.
pub(super) fn is_access(key: &str) -> bool {
    ACCESS
        .iter()
        .any(|(known, _)| known.eq_ignore_ascii_case(key))
}

/// The finding about a key that an object does not have. Only extensions of other tools are
/// allowed.
pub(super) fn check(unknown: &UnknownKey<'_>) -> Option<Diagnostic> {
    let UnknownKey {
        key,
        object,
        version,
        ..
    } = *unknown;
    let span = unknown.entry.key_span;
    if let Some(finding) = typo::check(unknown) {
        return Some(finding);
    }
    let message = unknown.message();
    if is_extension(key) {
        return extension(key, span, object, message);
    }
    if let Some(other) = object.keys.iter().find(|known| known.name == key) {
        return Some(of_other_version(other, version, span));
    }
    let tolerance = if key.chars().count() < 6 { 1 } else { 2 };
    let known = object.keys_of(version).map(|known| known.name);
    // A short key, such as `scopes`, is rarely an extension without its `x-`.
    let known = known.filter(|known| !is_extension(known) || key.len() > 6);
    let reference = object.is_referable.then_some(tables::REFERENCE);
    if let Some(near) = similar::nearest(known.chain(reference), key, tolerance) {
        // JSON Schema 2020-12 allows other keywords.
        let is_allowed =
            version == Version::V31 && object.is(&tables::SCHEMA) && near != tables::REFERENCE;
        let finding = match is_allowed {
            true => Diagnostic::warning("unknown-key", span, format!("{message}, and is ignored")),
            false => Diagnostic::error("unknown-key", span, message),
        };
        return Some(finding.did_you_mean(near));
    }
    if let Some((_, help)) = nearest_access(key, tolerance) {
        return Some(Diagnostic::error("misplaced-key", span, message).help(help));
    }
    let elsewhere = typo::part_of_text(unknown).or_else(|| misplaced::check(unknown));
    if let Some(finding) = elsewhere {
        return Some(finding);
    }
    let help = match object.is(&tables::PATH_ITEM) {
        true => {
            let methods = METHODS.map(|method| format!("`{method}`")).join(", ");
            format!("the server has no operation for it; the methods are {methods}")
        }
        false => "remove it, or begin its name with `x-`".to_owned(),
    };
    Some(Diagnostic::warning("unknown-key", span, format!("{message}, and is ignored")).help(help))
}

/// The finding about a key that the object has in the other version of OpenAPI.
fn of_other_version(key: &Key, version: Version, span: Span) -> Diagnostic {
    let (other, help) = match version {
        Version::V30 => ("3.1", "write `openapi: 3.1.0`, or remove the key"),
        Version::V31 => (
            "3.0",
            "remove it, or express it with the keys of OpenAPI 3.1",
        ),
    };
    let message = format!("`{}` belongs to OpenAPI {other}", key.name);
    match key.support {
        Support::Refused => Diagnostic::error("unsupported-keyword", span, message).help(key.note),
        Support::Loosened => Diagnostic::error("unsupported-keyword", span, message)
            .help("express it with the keywords of OpenAPI 3.0.3, or write `openapi: 3.1.0`"),
        _ => Diagnostic::warning("other-version", span, format!("{message}, and is ignored"))
            .help(help),
    }
}

/// The key about access that a key resembles, with its place.
fn nearest_access(key: &str, tolerance: usize) -> Option<(&'static str, &'static str)> {
    let meant = similar::nearest(ACCESS.map(|(known, _)| known), key, tolerance)?;
    ACCESS.into_iter().find(|(known, _)| *known == meant)
}

/// Checks an extension: it may be in the wrong place, misspelled, unsupported, or of another tool.
fn extension(key: &str, span: Span, object: &Object, message: String) -> Option<Diagnostic> {
    if let Some((_, objects)) = EXTENSIONS.iter().find(|(known, _)| *known == key) {
        let help = format!("it belongs to {}", objects.join(", or to "));
        return Some(Diagnostic::error("misplaced-key", span, message).help(help));
    }
    if key == DECISION {
        return None;
    }
    if let Some(suffix) = own_suffix(key) {
        return Some(misspelled(key, suffix, span, message));
    }
    if let Some(ours) = without_prefix(key) {
        let belongs_here =
            ours.starts_with(OURS) && object.keys.iter().any(|known| known.name == ours);
        let finding = match belongs_here {
            true => Diagnostic::error("unknown-key", span, message),
            // Other tools may have an extension of this name.
            false => Diagnostic::warning("unknown-key", span, format!("{message}, and is ignored")),
        };
        return Some(finding.did_you_mean(ours));
    }
    if let Some(meant) = access_with_prefix(key, object) {
        // Other tools may have an extension of this name.
        let message = format!("{message}, and is ignored");
        return Some(Diagnostic::warning("unknown-key", span, message).did_you_mean(meant));
    }
    let near = similar::nearest(extensions(), key, 2)?;
    Some(Diagnostic::error("unknown-key", span, message).did_you_mean(near))
}

/// The key about access of an object that an extension resembles: `x-security` means `security`.
fn access_with_prefix(key: &str, object: &Object) -> Option<&'static str> {
    let suffix = key.strip_prefix("x-")?;
    let (meant, _) = nearest_access(suffix, 1)?;
    let mut keys = object.keys.iter();
    keys.any(|known| known.name == meant).then_some(meant)
}

/// The rest of a key after the generator's prefix, in any spelling of the prefix.
fn own_suffix(key: &str) -> Option<&str> {
    const NAME: &str = "dropforge";
    let rest = key.strip_prefix("x-")?;
    if let Some(suffix) = rest.strip_prefix(NAME) {
        return Some(suffix.trim_start_matches(['-', '_', '.']));
    }
    let (name, suffix) = rest.split_once(['-', '_', '.'])?;
    similar::nearest([NAME], name, 2).map(|_| suffix)
}

/// The finding about an unknown key with the generator's prefix.
fn misspelled(key: &str, suffix: &str, span: Span, message: String) -> Diagnostic {
    let meant = format!("{OURS}{}", suffix.replace('_', "-"));
    let near = similar::nearest(extensions(), &meant, 2);
    let near = near.or_else(|| similar::nearest(extensions(), key, 2));
    let ours: Vec<_> = extensions().map(|known| format!("`{known}`")).collect();
    let help = format!("the generator supports {}", ours.join(", "));
    Diagnostic::error("unknown-key", span, message).did_you_mean_or(near, help)
}

/// The extension that a key without the prefix resembles; `x-enum` means `x-extensible-enum`.
fn without_prefix(key: &str) -> Option<&'static str> {
    let suffix = key.strip_prefix("x-")?;
    extensions().find(|known| {
        let ours = known.strip_prefix(OURS);
        ours.or_else(|| known.strip_prefix("x-extensible-")) == Some(suffix)
    })
}
