//! Rules about schemas.

use std::collections::HashMap;

use crate::check::document_index::{DocumentIndex, LocatedNode, properties};
use crate::document::{Diagnostic, Diagnostics, Span};

pub(super) fn check(index: &DocumentIndex<'_>, findings: &mut Diagnostics) {
    let components: HashMap<_, _> = index.components_of("schemas").into_iter().collect();
    for (name, schema) in index.components_of("schemas") {
        name_case(name, &schema, findings);
        name_clash(&components, name, &schema, findings);
    }
    for schema in &index.schemas {
        let properties = properties(schema);
        for (name, property) in &properties {
            described(index, name, property, findings);
        }
        name_style(&properties, findings);
    }
}

fn name_case(name: &str, schema: &LocatedNode<'_>, findings: &mut Diagnostics) {
    let pascal = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric());
    if !pascal {
        findings.push(
            Diagnostic::error(
                "schema-name-case",
                schema.span,
                format!("the name `{name}` is not PascalCase"),
            )
            .help(format!("write `{}`", heck::AsPascalCase(name))),
        );
    }
}

/// Generators name the type of a property after the schema and the property, unless the property is
/// a reference. That name must differ from the names of all schemas.
fn name_clash(
    components: &HashMap<&str, LocatedNode<'_>>,
    name: &str,
    schema: &LocatedNode<'_>,
    findings: &mut Diagnostics,
) {
    for (property, place) in properties(schema) {
        let made = format!("{name}{}", heck::AsPascalCase(property));
        if let Some(taken) = components.get(made.as_str())
            && place.node.get("$ref").is_none()
        {
            findings.push(
                Diagnostic::error(
                    "schema-name-clash",
                    taken.span,
                    format!("generators also name the type of `{name}.{property}` `{made}`"),
                )
                .related(place.span, "this property")
                .help("rename the schema"),
            );
        }
    }
}

fn described<'d>(
    index: &DocumentIndex<'d>,
    name: &str,
    property: &LocatedNode<'d>,
    findings: &mut Diagnostics,
) {
    // Members beside `$ref` do not count in OpenAPI 3.0. The schema that it names describes the
    // property.
    let Some(meant) = index.resolve(property) else {
        return;
    };
    // A reference that may be null is the only schema of an `allOf`.
    let only = match meant.elements_of("allOf").as_slice() {
        [only] => index.resolve(only),
        _ => None,
    };
    let is_described = |schema: &LocatedNode<'_>| schema.text("description").is_some();
    if !is_described(&meant) && !only.as_ref().is_some_and(is_described) {
        findings.push(
            Diagnostic::error(
                "property-undescribed",
                property.span,
                format!("the property `{name}` has no description"),
            )
            .help("say what it means, in which unit, and when it is absent"),
        );
    }
}

/// The style of a name of several words. Names of one word fit any style.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Camel,
    Snake,
    Other,
}

impl Style {
    fn of(name: &str) -> Option<Style> {
        let has = |test: fn(char) -> bool| name.chars().any(test);
        let upper = has(|c| c.is_ascii_uppercase());
        let under = has(|c| c == '_');
        let plain = name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        match (plain, upper, under) {
            (true, false, false) => None,
            (true, true, false) => Some(Style::Camel),
            (true, false, true) => Some(Style::Snake),
            _ => Some(Style::Other),
        }
    }
}

/// A document may use two styles of names, as ours do where they adopt a convention. One schema may
/// not.
fn name_style(properties: &[(&str, LocatedNode<'_>)], findings: &mut Diagnostics) {
    let mut first: Option<(Style, &str, Span)> = None;
    for (name, property) in properties {
        let Some(style) = Style::of(name) else {
            continue;
        };
        if style == Style::Other {
            findings.push(
                Diagnostic::error(
                    "property-name-style",
                    property.span,
                    format!("the name `{name}` is neither camelCase nor snake_case"),
                )
                .help(format!(
                    "write `{}` or `{}`",
                    heck::AsLowerCamelCase(name),
                    heck::AsSnakeCase(name)
                )),
            );
            continue;
        }
        match first {
            None => first = Some((style, name, property.span)),
            Some((known, _, _)) if known == style => {}
            Some((_, known, span)) => findings.push(
                Diagnostic::error(
                    "property-name-style",
                    property.span,
                    format!("the name `{name}` is written in another style than `{known}`"),
                )
                .related(span, "the style begun here")
                .help("write the properties of one schema in one style"),
            ),
        }
    }
}
