//! The variables of a path, and the parameters that declare them.

use super::cursor::Cursor;
use super::lowering::Lowering;
use super::routes::{Path, is_valid, variables};
use crate::document::{Diagnostic, Span};

/// Checks that the parameters with `in: path` (`declared`) match the variables of the path.
pub(super) fn check<'d>(
    lowering: &mut Lowering<'d>,
    operation: &Cursor<'d>,
    path: &Path<'_>,
    declared: &[(&str, &Cursor<'_>)],
) {
    let variables = variables(path.segments);
    // The server's own variables have been reported there.
    let is_in_path = |name: &&str| path.template.contains(&format!("{{{name}}}"));
    // An invalid segment, which has been reported, may have the variable.
    let is_cut = |name: &&str| !is_valid(path.template) && path.template.contains(*name);
    let unused: Vec<_> = declared
        .iter()
        .filter(|(name, _)| !variables.contains(name) && !is_cut(name))
        .collect();
    let is_declared = |variable: &str| declared.iter().any(|(name, _)| *name == variable);
    let undeclared = variables.iter().copied().filter(is_in_path);
    let undeclared: Vec<&str> = undeclared.filter(|name| !is_declared(name)).collect();
    let mut renamed = unused.iter();
    for variable in &undeclared {
        let message = format!("the path has `{{{variable}}}`, but no parameter declares it");
        let mut finding = Diagnostic::error("undeclared-path-parameter", path.span, message);
        finding = match renamed.next().filter(|_| undeclared.len() == unused.len()) {
            Some((name, parameter)) => {
                finding.message = format!(
                    "{}; the parameter `{name}` has no place in it",
                    finding.message
                );
                finding
                    .related(
                        parameter.span_of("name"),
                        format!("`{name}` is declared here"),
                    )
                    .help("give both one name")
            }
            None => finding.help("add a parameter with `in: path` and `required: true`"),
        };
        let method = lowering.key_span(operation);
        lowering
            .diagnostics
            .push(finding.related(method, "for this operation"));
    }
    if undeclared.len() == unused.len() {
        return;
    }
    for (name, parameter) in unused {
        let message = format!("the path `{}` has no `{{{name}}}`", path.template);
        let declared = parameter.span_of("name");
        let finding = match reference(lowering, operation, parameter) {
            Some(span) => Diagnostic::error("unused-path-parameter", span, message)
                .related(declared, format!("`{name}` is declared here")),
            None => Diagnostic::error("unused-path-parameter", declared, message),
        };
        lowering.report(finding.help("write it into the path, or remove the parameter"));
    }
}

/// The position of the reference by which an operation or its path has a parameter; `None` for a
/// parameter that is written there.
fn reference<'d>(
    lowering: &Lowering<'d>,
    operation: &Cursor<'d>,
    parameter: &Cursor<'_>,
) -> Option<Span> {
    let (item, _) = operation.pointer.rsplit_once('/')?;
    let item = Cursor {
        node: lowering.document.at(item)?,
        pointer: item.to_owned(),
    };
    let lists = [operation, &item].map(|holder| holder.get("parameters"));
    let listed = lists.into_iter().flatten().flat_map(|list| list.elements());
    let mut references = listed.filter(|one| one.pointer != parameter.pointer);
    let reference = references.find(|one| {
        let target = lowering.references.follow(one.node, &one.pointer);
        target.is_ok_and(|(pointer, _)| pointer == parameter.pointer)
    })?;
    Some(reference.span_of("$ref"))
}
