//! The requirements of an operation: `security`, and `x-required-scopes`.

use indexmap::IndexSet;

use super::scopes::{REQUIRED_SCOPES, SCOPES};
use super::{one_header, schemes};
use crate::document::similar::Proposals;
use crate::document::{Diagnostic, Diagnostics, Document, Entry, Node, Span};

/// The maximum number of schemes in one alternative. Generated code has a block inside the other for each.
const MAX_SCHEMES: usize = 64;

/// One alternative of `security`: the credentials that a caller must present together. Empty if
/// anybody may call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative<'d> {
    /// The schemes, all of them at once.
    pub uses: Vec<SchemeUse<'d>>,
}

/// A security scheme as an operation uses it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemeUse<'d> {
    /// The name of the scheme.
    pub scheme: &'d str,
    /// The scopes that the caller must have: those that the requirement lists, and
    /// `x-required-scopes` of the operation if the scheme declares scopes.
    pub scopes: Vec<&'d str>,
}

/// The alternatives of an operation, its own or the document's. Without any, anybody may call.
///
/// The document must have passed [`super::check`]: this function ignores invalid shapes.
pub fn alternatives<'d>(document: &'d Document, operation: &'d Node) -> Vec<Alternative<'d>> {
    let is_scoped = |name: &str| {
        let scheme = schemes::named(document, name);
        scheme.is_some_and(|scheme| scheme.get(SCOPES).is_some())
    };
    let required = strings(operation.get(REQUIRED_SCOPES));
    let requirements = security(document, operation)
        .into_iter()
        .flat_map(Node::elements);
    let alternatives = requirements.map(|requirement| {
        let uses = requirement.members().map(|(scheme, entry)| {
            let mut scopes = strings(Some(&entry.value));
            if is_scoped(scheme) {
                scopes.extend(&required);
            }
            SchemeUse { scheme, scopes }
        });
        Alternative {
            uses: uses.collect(),
        }
    });
    alternatives.collect()
}

fn security<'d>(document: &'d Document, operation: &'d Node) -> Option<&'d Node> {
    operation
        .get("security")
        .or_else(|| document.root.get("security"))
}

fn strings(list: Option<&Node>) -> Vec<&str> {
    let list = list.into_iter().flat_map(Node::elements);
    list.filter_map(Node::as_str).collect()
}

/// Checks an operation: its own `security`, and the scopes that it requires. `span` is its method.
pub(super) fn of_operation(
    document: &Document,
    operation: &Node,
    span: Span,
    proposals: &Proposals,
    diagnostics: &mut Diagnostics,
) {
    if let Some(security) = operation.get("security") {
        check(document, security, proposals, diagnostics);
    }
    if let Some(required) = operation.get(REQUIRED_SCOPES)
        && !is_list_of_strings(required)
    {
        // The walk reports the wrong type.
        return;
    }
    scopes(document, operation, span, proposals, diagnostics);
}

/// Checks the scopes that an operation requires against those that its schemes declare.
fn scopes(
    document: &Document,
    operation: &Node,
    span: Span,
    proposals: &Proposals,
    diagnostics: &mut Diagnostics,
) {
    let alternatives = alternatives(document, operation);
    let uses = alternatives.iter().flat_map(|one| &one.uses);
    let names: IndexSet<&str> = uses.map(|used| used.scheme).collect();
    let used: Vec<(&str, Vec<&str>)> = names
        .into_iter()
        .filter_map(|name| {
            let scheme = schemes::named(document, name)?;
            Some((name, schemes::declared_scopes(scheme)?))
        })
        .collect();
    let Some(required) = operation.get(REQUIRED_SCOPES) else {
        if let Some((scheme, _)) = used.first() {
            diagnostics.push(
                Diagnostic::error(
                    "required-scopes-missing",
                    span,
                    format!("the operation requires `{scheme}` and has no `{REQUIRED_SCOPES}`"),
                )
                .help(format!(
                    "list the scopes that a caller needs, or write `{REQUIRED_SCOPES}: []` for none"
                )),
            );
        }
        return;
    };
    if used.is_empty() {
        diagnostics.push(
            Diagnostic::error(
                "required-scopes-unused",
                operation.key_span(REQUIRED_SCOPES),
                "the operation requires scopes, and no security scheme with `x-scopes`",
            )
            .help("name the scheme in `security`; it declares the scopes with `x-scopes`"),
        );
        return;
    }
    bypasses(document, operation, &used, diagnostics);
    for scope in required.elements() {
        let text = scope.as_str().unwrap_or_default();
        for (scheme, declared) in &used {
            if !declared.contains(&text) {
                diagnostics.push(undeclared(scheme, scope, declared, SCOPES, proposals));
            }
        }
    }
}

/// Finds scopes of a requirement that its scheme does not declare.
fn listed(name: &str, scheme: &Node, scopes: &Node, proposals: &Proposals) -> Vec<Diagnostic> {
    let Some((key, declared)) = schemes::listed_scopes(scheme) else {
        return Vec::new();
    };
    let scopes = scopes.elements().iter();
    scopes
        .filter(|scope| scope.as_str().is_some_and(|text| !declared.contains(&text)))
        .map(|scope| undeclared(name, scope, &declared, key, proposals))
        .collect()
}

/// The finding about a scope that a scheme does not declare under `key`. OpenAPI does not require that `flows` declare it.
fn undeclared(
    scheme: &str,
    scope: &Node,
    declared: &[&str],
    key: &str,
    proposals: &Proposals,
) -> Diagnostic {
    let text = scope.as_str().unwrap_or_default();
    let message = format!("`{scheme}` does not declare the scope `{text}`");
    let finding = match key {
        SCOPES => Diagnostic::error("undeclared-scope", scope.span, message),
        _ => Diagnostic::warning("undeclared-scope", scope.span, message),
    };
    finding.did_you_mean_or(
        proposals.nearest(declared.iter().copied(), text, 2),
        format!("declare it in `{key}` of the scheme"),
    )
}

/// Finds alternatives by which a caller needs no required scope.
fn bypasses(
    document: &Document,
    operation: &Node,
    scoped: &[(&str, Vec<&str>)],
    diagnostics: &mut Diagnostics,
) {
    if strings(operation.get(REQUIRED_SCOPES)).is_empty() {
        return;
    }
    let alternatives = security(document, operation).into_iter();
    for alternative in alternatives.flat_map(Node::elements) {
        let Some(uses) = alternative.as_object() else {
            continue;
        };
        if uses
            .iter()
            .any(|(name, _)| scoped.iter().any(|(known, _)| *known == name))
        {
            continue;
        }
        diagnostics.push(match uses.iter().next() {
            None => Diagnostic::error(
                "required-scopes-bypassed",
                alternative.span,
                "anybody may call by this alternative, although the operation requires scopes",
            )
            .help("remove the alternative, or write `x-required-scopes: []`"),
            Some((name, _)) => Diagnostic::warning(
                "required-scopes-bypassed",
                alternative.span,
                format!("callers that present `{name}` need none of the required scopes"),
            )
            .help("remove the alternative, or add a scheme that declares scopes to it"),
        });
    }
}

/// Checks that `security` is a list of objects of lists of strings, and that each scheme is
/// declared.
pub(super) fn check(
    document: &Document,
    security: &Node,
    proposals: &Proposals,
    diagnostics: &mut Diagnostics,
) {
    let Some(alternatives) = security.as_array() else {
        let what = security.type_name();
        diagnostics.push(
            shape(
                security,
                format!("`security` must be a list, and is {what}"),
            )
            .help(
                "put each alternative behind a dash: `- accessToken: []`; \
                 write `security: []` if anybody may call",
            ),
        );
        return;
    };
    for alternative in alternatives {
        let Some(uses) = alternative.as_object() else {
            let what = alternative.type_name();
            diagnostics.push(
                shape(
                    alternative,
                    format!("an alternative of `security` must be an object, and is {what}"),
                )
                .help("write the scheme with its scopes: `- accessToken: []`"),
            );
            continue;
        };
        diagnostics.extend(one_header::check(document, alternative));
        diagnostics.extend(too_many(alternative));
        for (name, entry) in uses.iter() {
            diagnostics.extend(check_scheme(document, name, entry, proposals));
        }
    }
}

/// Checks a scheme that an alternative names, and its scopes.
fn check_scheme(
    document: &Document,
    name: &str,
    entry: &Entry,
    proposals: &Proposals,
) -> Vec<Diagnostic> {
    let scopes = &entry.value;
    let mut found = Vec::new();
    if !is_list_of_strings(scopes) {
        let message = format!("the scopes of `{name}` must be a list of strings");
        let help = format!("write `{name}: []` if none is listed here");
        found.push(shape(scopes, message).help(help));
    }
    if let Some(scheme) = schemes::named(document, name) {
        found.extend(listed(name, scheme, scopes, proposals));
    } else {
        let known = schemes::all(document).map(|(known, _)| known);
        let message = format!("there is no security scheme `{name}`");
        let finding = Diagnostic::error("unknown-security-scheme", entry.key_span, message);
        found.push(finding.did_you_mean_or(
            proposals.nearest(known, name, 2),
            "declare it in `components/securitySchemes`",
        ));
    }
    found
}

/// The finding about the first scheme beyond the maximum.
fn too_many(alternative: &Node) -> Option<Diagnostic> {
    let (_, entry) = alternative.members().nth(MAX_SCHEMES)?;
    let message = format!("an alternative of `security` has more than {MAX_SCHEMES} schemes");
    let help = "callers present all of them together: put those that suffice alone behind dashes \
                of their own";
    Some(Diagnostic::error("security-shape", entry.key_span, message).help(help))
}

fn is_list_of_strings(node: &Node) -> bool {
    node.as_array()
        .is_some_and(|all| all.iter().all(|one| one.as_str().is_some()))
}

fn shape(node: &Node, message: String) -> Diagnostic {
    Diagnostic::error("security-shape", node.span, message)
}
