//! Matches request paths with the paths of a document.
//!
//! Dropshot's router has already chosen a route. This module reads the variables under the
//! document's names, still percent-encoded, so that a style can split them before they are decoded.
//! It also chooses between operations that share a folded route. It ignores empty segments, as dropshot
//! does.

use std::borrow::Cow;

use http::Method;
use percent_encoding::percent_decode_str;

use crate::table::{Api, Operation, Part, Segment};

impl Api {
    /// The methods of a path: those of the document in its order, and `HEAD` behind `GET` if the
    /// document does not have it. Empty if the document does not have the path.
    pub fn methods(&self, path: &str) -> Vec<Method> {
        let mut methods = Vec::new();
        for operation in self.operations_at(path) {
            if !methods.contains(&operation.method) {
                methods.push(operation.method.clone());
            }
        }
        if !methods.contains(&Method::HEAD)
            && let Some(get) = methods.iter().position(|method| *method == Method::GET)
        {
            methods.insert(get + 1, Method::HEAD);
        }
        methods
    }

    /// The operations that the document has for a path, in the document's order. If several paths
    /// match, those of the most specific one.
    pub(crate) fn operations_at(&self, path: &str) -> impl Iterator<Item = &'static Operation> {
        let operations = self.operations.iter().copied();
        let matching: Vec<_> = operations
            .filter(|operation| variables(operation.segments, path).is_some())
            .collect();
        let best = matching.iter().map(|one| ranks(one.segments)).min();
        let is_best = move |one: &&'static Operation| best == Some(ranks(one.segments));
        matching.into_iter().filter(is_best)
    }

    /// The response to an unknown path: the table of the longest prefix of the document that contains
    /// the path.
    pub fn not_found(&self, path: &str) -> Option<&'static Operation> {
        let prefixes = self.not_found.iter().copied();
        prefixes
            .filter(|prefix| is_below(prefix.segments, path))
            .max_by_key(|prefix| prefix.segments.len())
    }
}

/// The values of the variables of a path.
pub(crate) type Variables<'p> = Vec<(&'static str, Text<'p>)>;

/// The text of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Text<'p> {
    /// Percent-encoded, from the request.
    Encoded(&'p str),
    /// Percent-decoded: a piece of a segment.
    Decoded(String),
}

/// Percent-decodes one piece of a path or query. Invalid UTF-8 becomes replacement characters.
pub(crate) fn decode(text: &str) -> Cow<'_, str> {
    percent_decode_str(text).decode_utf8_lossy()
}

/// The variables of `path`, if it matches the template.
pub(crate) fn variables<'p>(template: &'static [Segment], path: &'p str) -> Option<Variables<'p>> {
    let mut variables = Vec::new();
    let mut segments = path.split('/').filter(|segment| !segment.is_empty());
    for expected in template {
        let segment = segments.next()?;
        match expected {
            Segment::Literal(text) => {
                if decode(segment) != *text {
                    return None;
                }
            }
            Segment::Variable(name) => variables.push((*name, Text::Encoded(segment))),
            Segment::Mixed(parts) => match_parts(parts, &decode(segment), &mut variables)?,
        }
    }
    segments.next().is_none().then_some(variables)
}

/// Whether a path equals a prefix, or is below it.
pub(crate) fn is_below(prefix: &[Segment], path: &str) -> bool {
    let mut segments = path.split('/').filter(|segment| !segment.is_empty());
    prefix.iter().all(|expected| match expected {
        Segment::Literal(text) => segments
            .next()
            .is_some_and(|segment| decode(segment) == *text),
        Segment::Variable(_) | Segment::Mixed(_) => false,
    })
}

/// Adds the variables of one segment. `None` if its parts do not match. A variable is never empty,
/// and as short as the text after it allows.
///
/// Each text between two variables is taken at its first occurrence: a later one leaves less for the
/// parts behind it. So no part is tried twice, and the time is linear.
fn match_parts(parts: &[Part], text: &str, into: &mut Variables<'_>) -> Option<()> {
    let (mut parts, mut rest) = (parts, text);
    while let [part, behind @ ..] = parts {
        match part {
            Part::Literal(literal) => rest = rest.strip_prefix(*literal)?,
            Part::Variable(name) => {
                let (value, after) = rest.split_at(variable_end(behind, rest)?);
                into.push((*name, Text::Decoded(value.to_owned())));
                rest = after;
            }
        }
        parts = behind;
    }
    rest.is_empty().then_some(())
}

/// The end of the variable that begins a text, by the parts behind it.
fn variable_end(behind: &[Part], text: &str) -> Option<usize> {
    let first = text.chars().next()?.len_utf8();
    match behind {
        [] => Some(text.len()),
        [Part::Literal(last)] => {
            let value = text.strip_suffix(*last)?;
            (!value.is_empty()).then_some(value.len())
        }
        [Part::Literal(next), ..] => Some(first + text[first..].find(*next)?),
        [Part::Variable(_), ..] => Some(first),
    }
}

/// Index of the operation whose path is the most specific of those that match.
///
/// Literals win over variables, and the earlier segment decides. A segment of text and variables
/// lies between them.
pub(crate) fn most_specific(operations: &[&'static Operation], path: &str) -> Option<usize> {
    let matching = operations
        .iter()
        .enumerate()
        .filter(|(_, operation)| variables(operation.segments, path).is_some());
    matching
        .min_by(|(_, one), (_, other)| ranks(one.segments).cmp(&ranks(other.segments)))
        .map(|(index, _)| index)
}

/// The specificity of a template, segment by segment: of two templates that match a path, the
/// lesser one counts (OpenAPI 3.0.3, "Path Templating Matching").
pub(crate) fn ranks(template: &[Segment]) -> Vec<u8> {
    template.iter().map(rank).collect()
}

/// Whether some path may match both templates.
pub(crate) fn overlap(one: &[Segment], other: &[Segment]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|pair| match pair {
            (Segment::Literal(one), Segment::Literal(other)) => one == other,
            _ => true,
        })
}

fn rank(segment: &Segment) -> u8 {
    match segment {
        Segment::Literal(_) => 0,
        Segment::Mixed(_) => 1,
        Segment::Variable(_) => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ITEM: &[Segment] = &[
        Segment::Literal("a|b"),
        Segment::Variable("id"),
        Segment::Mixed(&[
            Part::Variable("from"),
            Part::Literal("..."),
            Part::Variable("to"),
        ]),
    ];

    #[test]
    fn literals_compare_decoded_and_variables_stay_encoded() {
        let found = variables(ITEM, "//a%7Cb/x%2Fy/1...2...3/").unwrap();
        let expected = [
            ("id", Text::Encoded("x%2Fy")),
            ("from", Text::Decoded("1".into())),
            ("to", Text::Decoded("2...3".into())),
        ];
        assert_eq!(found, expected);
        assert_eq!(variables(ITEM, "/a|b/x"), None);
        assert_eq!(variables(ITEM, "/a|b/x/...2"), None);
        assert_eq!(variables(ITEM, "/a|b/x/1...2/more"), None);
    }

    #[test]
    fn what_is_below_a_prefix_begins_with_its_segments() {
        const PREFIX: &[Segment] = &[Segment::Literal("api"), Segment::Literal("v1")];
        for (path, is) in [
            ("/api/v1", true),
            ("/api/v1/", true),
            ("//api/v%31/x/y", true),
            ("/api/v10", false),
            ("/api", false),
        ] {
            assert_eq!(is_below(PREFIX, path), is, "{path}");
        }
        assert!(is_below(&[], "/anything"));
    }

    #[test]
    fn a_suffix_behind_a_variable_is_found_at_the_end() {
        const ACT: &[Segment] = &[Segment::Mixed(&[
            Part::Variable("id"),
            Part::Literal(":act"),
        ])];
        let found = variables(ACT, "/ü:act:act").unwrap();
        assert_eq!(found, [("id", Text::Decoded("ü:act".into()))]);
        assert_eq!(variables(ACT, "/:act"), None);
    }

    #[test]
    fn a_segment_of_several_variables_is_matched_in_linear_time() {
        const PARTS: &[Part] = &[
            Part::Literal("v"),
            Part::Variable("a"),
            Part::Variable("b"),
            Part::Literal("-"),
            Part::Variable("c"),
            Part::Literal("-"),
            Part::Variable("d"),
            Part::Literal(".json"),
        ];
        const FILE: &[Segment] = &[Segment::Mixed(PARTS)];
        for (path, values) in [
            ("/vxü-y-z.json", Some(["x", "ü", "y", "z"])),
            ("/vxyz--1-2-3.json", Some(["x", "yz", "-1", "2-3"])),
            ("/v---x-y.json.json", Some(["-", "-", "x", "y.json"])),
            ("/vx-y-z.json", None),
            ("/vxy-z.json", None),
            ("/vxy-z-.json", None),
            ("/vxy-z-a", None),
        ] {
            let found = variables(FILE, path).map(|found| {
                let values = found.into_iter().map(|(_, text)| text);
                values.collect::<Vec<_>>()
            });
            let expected = values.map(|values| {
                let values = values.into_iter().map(str::to_owned);
                values.map(Text::Decoded).collect::<Vec<_>>()
            });
            assert_eq!(found, expected, "{path}");
        }
        // A search that tries each place for each variable takes at least 4096 times as long for 64 times the text.
        let [short, long] = [1 << 10, 1 << 16].map(|length| {
            let path = format!("/v{}", "-".repeat(length));
            let times = (0..10).map(|_| {
                let start = std::time::Instant::now();
                assert_eq!(variables(FILE, &path), None);
                start.elapsed()
            });
            times.min().unwrap()
        });
        assert!(long < 1000 * short, "{short:?} {long:?}");
    }
}
