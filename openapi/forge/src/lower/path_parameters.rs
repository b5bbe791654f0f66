//! The variables of a path, and the parameters that declare them.

use super::cursor::Cursor;
use super::lowering::Lowering;
use super::routes::{Path, variables};
use crate::document::Diagnostic;

/// Checks that the parameters with `in: path` (`declared`) match the variables of the path.
pub(super) fn check(
    lowering: &mut Lowering<'_>,
    operation: &Cursor<'_>,
    path: &Path<'_>,
    declared: &[(&str, &Cursor<'_>)],
) {
    let variables = variables(path.segments);
    // The server's own variables have been reported there.
    let is_in_path = |name: &&str| path.template.contains(&format!("{{{name}}}"));
    let unused: Vec<_> = declared
        .iter()
        .filter(|(name, _)| !variables.contains(name))
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
        lowering.refuse(
            "unused-path-parameter",
            parameter.span_of("name"),
            format!("the path has no `{{{name}}}`"),
            "write it into the path, or remove the parameter",
        );
    }
}
