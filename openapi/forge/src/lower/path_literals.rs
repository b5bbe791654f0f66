//! Literal text of paths that requests do not match as its author means.

use super::lowering::Lowering;
use crate::document::Span;

/// What encloses the name of a variable in other notations than that of OpenAPI.
const NOTATIONS: [(&str, &str); 8] = [
    (":", ""),
    ("$", ""),
    ("<", ">"),
    ("[", "]"),
    ("(", ")"),
    ("%7B", "%7D"),
    (":{", "}"),
    ("${", "}"),
];

/// Warns of the literals of a path.
pub(super) fn check(lowering: &mut Lowering<'_>, path: &str, span: Span) {
    for (problem, help) in findings(path) {
        lowering.warn("path-template", span, problem, &help);
    }
}

/// The problems of a path, each with its correction.
fn findings(path: &str) -> impl Iterator<Item = (String, String)> {
    let found = [
        query(path),
        empty(path),
        segment(path),
        space(path),
        sign(path),
    ];
    found.into_iter().flatten()
}

/// The literals of a path, without the names of its variables.
fn literals(path: &str) -> impl Iterator<Item = &str> {
    path.split('{')
        .map(|part| part.split_once('}').map_or(part, |(_, literal)| literal))
}

/// A query or a fragment.
fn query(path: &str) -> Option<(String, String)> {
    let mark =
        literals(path).find_map(|text| text.chars().find(|char| matches!(char, '?' | '#')))?;
    let (what, help) = match mark {
        '?' => (
            "query",
            "declare each parameter of the query under `parameters`, with `in: query`",
        ),
        _ => ("fragment", "remove it: callers do not send it"),
    };
    let problem = format!(
        "a path has no {what}: no request reaches this one, unless it escapes the `{mark}`"
    );
    Some((problem, help.to_owned()))
}

fn empty(path: &str) -> Option<(String, String)> {
    let problem = "the path has an empty segment, which the server ignores";
    let found = (problem.to_owned(), "remove one of the slashes".to_owned());
    path.contains("//").then_some(found)
}

/// The first segment that callers remove, or that is a variable in another notation.
fn segment(path: &str) -> Option<(String, String)> {
    path.split('/').find_map(|segment| {
        if matches!(segment, "." | "..") {
            let problem = format!(
                "no request reaches a path with the segment `{segment}`: callers remove it first"
            );
            return Some((problem, "write the path that callers send".to_owned()));
        }
        let name = variable(segment)?;
        let literal = segment.find('{').map_or(segment, |end| &segment[..end]);
        let problem = format!("`{literal}` is a literal here");
        Some((problem, format!("write `{{{name}}}` for a parameter")))
    })
}

fn space(path: &str) -> Option<(String, String)> {
    let has_space = literals(path).any(|text| text.contains(char::is_whitespace));
    let problem = "the path has a space, which callers have to escape";
    has_space.then(|| (problem.to_owned(), "remove the space".to_owned()))
}

/// A sign in place of a slash, or at the end of a segment.
fn sign(path: &str) -> Option<(String, String)> {
    if literals(path).any(|text| text.contains('\\')) {
        let problem = "the path has a backslash, which callers have to escape";
        return Some((problem.to_owned(), "write a slash".to_owned()));
    }
    let segment = path.split('/').find(|one| one.ends_with([',', ';']))?;
    let problem = format!("`{segment}` ends with a sign, which callers have to send");
    Some((problem, "remove the sign".to_owned()))
}

/// The name of the variable that a segment is in another notation.
fn variable(segment: &str) -> Option<&str> {
    NOTATIONS.iter().find_map(|(start, end)| {
        let name = within(segment, start, end)?;
        // Flask writes a type before the name.
        let name = match *start {
            "<" => name.rsplit(':').next().unwrap_or(name),
            _ => name,
        };
        // OData and FHIR have literals such as `$metadata`.
        let is_literal = *start == "$" && !is_identifier(name);
        (is_name(name) && !is_literal).then_some(name)
    })
}

/// The text of a segment between a start and an end, which have no case.
fn within<'s>(segment: &'s str, start: &str, end: &str) -> Option<&'s str> {
    let length = segment.len().checked_sub(start.len() + end.len())?;
    let (before, rest) = segment.split_at_checked(start.len())?;
    let (inner, after) = rest.split_at_checked(length)?;
    let is_within = before.eq_ignore_ascii_case(start) && after.eq_ignore_ascii_case(end);
    is_within.then_some(inner)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|char: char| char.is_ascii_alphabetic() || char == '_')
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
}

/// Whether a name is that of an identifier, such as `userId`.
fn is_identifier(name: &str) -> bool {
    name == "id" || ["Id", "ID", "_id"].iter().any(|end| name.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_in_other_notations_are_noticed() {
        for (path, help) in [
            ("/a/:id", "write `{id}` for a parameter"),
            ("/a/:user_id/b", "write `{user_id}` for a parameter"),
            ("/a/<id>", "write `{id}` for a parameter"),
            ("/a/<int:id>", "write `{id}` for a parameter"),
            ("/a/[id]", "write `{id}` for a parameter"),
            ("/a/(id)", "write `{id}` for a parameter"),
            ("/a/$id", "write `{id}` for a parameter"),
            ("/a/$userId", "write `{userId}` for a parameter"),
            ("/a/%7Bid%7D", "write `{id}` for a parameter"),
            ("/a/%7bid%7d", "write `{id}` for a parameter"),
            ("/a/:{id}", "write `{id}` for a parameter"),
            ("/a/${id}/b", "write `{id}` for a parameter"),
        ] {
            let found: Vec<_> = findings(path).collect();
            assert_eq!(found.len(), 1, "{path}");
            assert_eq!(found[0].1, help, "{path}");
        }
    }

    #[test]
    fn literals_that_requests_do_not_have_are_noticed() {
        for path in [
            "//a", "/a//b", "/a/./b", "/../a", "/a b", "/a/{b} ", "/a\t", "/a?b", "/a#b", "/a\\b",
            "/a/{b},", "/a;/b",
        ] {
            assert_eq!(findings(path).count(), 1, "{path}");
        }
    }

    #[test]
    fn usual_paths_are_not_noticed() {
        let paths = "/ /a/ /a/{id} /a/{b?} /v1/{name}:cancel /a:batch /a/{b}/$metadata \
             /Patient/$everything /a/$batch /Users('{id}') /users(id={id}) /a/(b,c) /a/... \
             /a/.well-known /a/{b}.{c} /a/: /a/:b:c /a/12:30 /a%20b /a%2Fb /größe";
        for path in paths.split(' ') {
            assert_eq!(findings(path).next(), None, "{path}");
        }
    }
}
