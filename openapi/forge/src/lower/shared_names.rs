//! Finds parameters of one operation that servers read from the same pairs of the query or of the
//! cookies: the members of an object are pairs of their own names.

use super::cursor::Cursor;
use super::lowering::Lowering;
use crate::document::Diagnostic;
use crate::ir::{Additional, Location, Parameter, Schema, SchemaId, Style, Types};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

/// Represents all names that no parameter has, which an open object reads. No parameter has an empty
/// name.
const ALL_OTHERS: &str = "";

/// Warns of each parameter that is read from a pair of an earlier one.
pub(super) fn check(lowering: &mut Lowering<'_>, parameters: &[(Parameter, Cursor<'_>)]) {
    let mut owners: HashMap<(Location, String), usize> = HashMap::new();
    for (index, (parameter, at)) in parameters.iter().enumerate() {
        let mut clash = None;
        for name in names(lowering, parameter) {
            match owners.entry((parameter.location, name)) {
                Entry::Vacant(free) => _ = free.insert(index),
                Entry::Occupied(owner) if *owner.get() != index && clash.is_none() => {
                    clash = Some((owner.key().1.clone(), *owner.get()));
                }
                Entry::Occupied(_) => {}
            }
        }
        let Some((name, first)) = clash else {
            continue;
        };
        let (first, declared) = &parameters[first];
        let pairs = match name.as_str() {
            ALL_OTHERS => "all other names".to_owned(),
            name => format!("`{name}`"),
        };
        let message = format!(
            "`{}` and `{}` are both read from {pairs} in `{}`",
            first.name,
            parameter.name,
            parameter.location.as_str()
        );
        let label = format!("`{}` is declared here", first.name);
        let finding = Diagnostic::warning("parameters-of-one-name", at.span_of("name"), message)
            .related(declared.span_of("name"), label)
            .help("rename one, or describe the object by `content` with `application/json`");
        lowering.report(finding);
    }
}

/// The names of the pairs that a parameter is read from. A path and a header have no pairs. The type
/// of a composition is not known here.
fn names(lowering: &Lowering<'_>, parameter: &Parameter) -> Vec<String> {
    let types = lowering.schemas.get(parameter.schema).types;
    let has_pairs = matches!(parameter.location, Location::Query | Location::Cookie);
    let is_object = types == Types::Object && !parameter.json;
    match (has_pairs, parameter.style) {
        (false, _) => Vec::new(),
        (true, Style::Form) if is_object && parameter.explode => {
            members(lowering, parameter.schema)
        }
        (true, Style::DeepObject) if is_object => {
            let members = members(lowering, parameter.schema).into_iter();
            let named = members.filter(|member| member != ALL_OTHERS);
            let name = &parameter.name;
            named.map(|member| format!("{name}[{member}]")).collect()
        }
        _ => vec![parameter.name.clone()],
    }
}

/// The names of the members of an object and of its parts.
fn members(lowering: &Lowering<'_>, id: SchemaId) -> Vec<String> {
    let mut names = Vec::new();
    let (mut is_open, mut is_closed) = (false, false);
    let (mut waiting, mut seen) = (vec![id], HashSet::new());
    while let Some(id) = waiting.pop() {
        if !seen.insert(id) {
            continue;
        }
        let Schema {
            object,
            all_of,
            any_of,
            one_of,
            ..
        } = lowering.schemas.get(id);
        let properties = object.properties.iter();
        names.extend(properties.map(|property| property.name.clone()));
        is_open |= matches!(object.additional, Additional::Schema(_));
        is_closed |= object.additional == Additional::Denied;
        waiting.extend(all_of.iter().chain(any_of).chain(one_of).copied());
    }
    if is_open || names.is_empty() && !is_closed {
        names.push(ALL_OTHERS.to_owned());
    }
    names
}

#[cfg(test)]
mod tests {
    use crate::document::Document;
    use crate::lower::lower;

    /// The number of warnings about a list of parameters.
    fn warnings(parameters: &str) -> usize {
        let text = format!(
            "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths:\n  /a:\n    get:\n      \
             operationId: a\n      parameters: [{parameters}]\n      responses: {{'204': \
             {{description: D.}}}}\n"
        );
        let document = Document::load("t.yaml", &text).expect(&text);
        let lowered = lower(&document, "t").expect(&text);
        let warnings = lowered.warnings.iter();
        warnings
            .filter(|one| one.code == "parameters-of-one-name")
            .count()
    }

    #[test]
    fn a_member_that_is_a_pair_has_a_name_of_its_own() {
        let text = |name: &str| format!("{{name: '{name}', in: query, schema: {{type: string}}}}");
        let object = |name: &str, rest: &str| {
            let properties = "properties: {q: {type: string}}, allOf: [{properties: {r: {}}}]";
            format!("{{name: {name}, in: query{rest}, schema: {{type: object, {properties}}}}}")
        };
        let deep = ", style: deepObject, explode: true";
        let open = "{name: o, in: query, schema: {type: object}}";
        let of_integers =
            "{name: i, in: query, schema: {type: object, additionalProperties: {type: integer}}}";
        for (first, second, expected) in [
            (object("f", ""), text("q"), 1),
            (text("r"), object("f", ""), 1),
            (object("f", ""), object("g", ""), 1),
            (object("f", deep), text("f[q]"), 1),
            (open.to_owned(), of_integers.to_owned(), 1),
            (object("f", ""), text("s"), 0),
            (object("f", ", explode: false"), text("q"), 0),
            (object("f", deep), text("q"), 0),
            (object("f", deep), object("g", ""), 0),
            (object("f", ""), open.to_owned(), 0),
            (open.to_owned(), text("q"), 0),
        ] {
            let parameters = format!("{first}, {second}");
            assert_eq!(warnings(&parameters), expected, "{parameters}");
        }
    }
}
