//! The variables of a path, and the parameters that declare them.

use super::cursor::Cursor;
use super::lowering::Lowering;
use super::routes::{Path, is_valid, variables};
use crate::document::{Diagnostic, Span};
use std::collections::{HashMap, HashSet};

/// Checks that the parameters with `in: path` (`declared`) match the variables of the path.
pub(super) fn check<'d>(
    lowering: &mut Lowering<'d>,
    item: &Cursor<'d>,
    operation: &Cursor<'d>,
    path: &Path<'_>,
    declared: &[(&str, &Cursor<'_>)],
) {
    let variables = variables(path.segments);
    // The server's own variables have been reported there.
    let is_in_path = |name: &&str| path.template.contains(&format!("{{{name}}}"));
    // An invalid segment, which has been reported, may have the variable.
    let is_cut = |name: &&str| !is_valid(path.template) && path.template.contains(*name);
    let known: HashSet<&str> = variables.iter().copied().collect();
    let unused: Vec<_> = declared
        .iter()
        .filter(|(name, _)| !known.contains(name) && !is_cut(name))
        .collect();
    let names: HashSet<&str> = declared.iter().map(|(name, _)| *name).collect();
    let undeclared = variables.iter().copied().filter(is_in_path);
    let undeclared: Vec<&str> = undeclared.filter(|name| !names.contains(name)).collect();
    let are_renamed = undeclared.len() == unused.len();
    let mut renamed = unused.iter().filter(|_| are_renamed);
    let method = lowering.key_span(operation);
    for variable in undeclared {
        let message = format!("the path has `{{{variable}}}`, but no parameter declares it");
        let error =
            |message: String| Diagnostic::error("undeclared-path-parameter", path.span, message);
        let finding = match renamed.next() {
            Some((name, parameter)) => error(format!(
                "{message}; the parameter `{name}` has no place in it"
            ))
            .related(
                parameter.span_of("name"),
                format!("`{name}` is declared here"),
            )
            .help("give both one name"),
            None => error(message).help("add a parameter with `in: path` and `required: true`"),
        };
        lowering
            .diagnostics
            .push(finding.related(method, "for this operation"));
    }
    if are_renamed {
        return;
    }
    let references = references(lowering, [operation, item]);
    for (name, parameter) in unused {
        let message = format!("the path `{}` has no `{{{name}}}`", path.template);
        let declared = parameter.span_of("name");
        let finding = match references.get(&parameter.pointer) {
            Some(span) => Diagnostic::error("unused-path-parameter", *span, message)
                .related(declared, format!("`{name}` is declared here")),
            None => Diagnostic::error("unused-path-parameter", declared, message),
        };
        lowering.report(finding.help("write it into the path, or remove the parameter"));
    }
}

/// The positions of the references by which an operation and its path have parameters, by the pointers of these
/// parameters. Those that are written there have none.
fn references<'d>(lowering: &Lowering<'d>, holders: [&Cursor<'d>; 2]) -> HashMap<String, Span> {
    let mut found = HashMap::new();
    let parameters = holders
        .into_iter()
        .flat_map(|holder| holder.elements_of("parameters"));
    for one in parameters {
        if let Ok((pointer, _)) = lowering.references.follow(one.node, &one.pointer)
            && pointer != one.pointer
        {
            found.entry(pointer).or_insert_with(|| one.span_of("$ref"));
        }
    }
    found
}
