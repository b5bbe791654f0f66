//! The loss report: where the client means less than the document says.
//!
//! progenitor and typify take less than OpenAPI has words for, so a document is lowered before they see it. Every place
//! whose meaning the lowering changed is an entry here, with what a caller gets instead; nothing is dropped in silence.

use std::{collections::BTreeMap, fmt::Write};

/// What changed at one place of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// Where, as a JSON Pointer.
    pub pointer: String,
    /// What kind of change.
    pub kind: LossKind,
    /// What stands there that the client does not have, in a few words.
    pub what: String,
}

/// The kinds of change. Each says once why it is made and what is given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LossKind {
    /// Several types of success, told apart by the give-back.
    Successes,
    /// Several types of error, told apart by the give-back.
    Errors,
    /// A range of statuses, or `default`.
    StatusRange,
    /// A body that may be left out.
    OptionalBody,
    /// An event stream beside another answer, or alone.
    EventStream,
    /// Several media types of one body, or one that progenitor does not know.
    MediaType,
    /// A media type of a request that the client does not offer.
    RequestMediaType,
    /// An answer that is no JSON.
    RawBody,
    /// A parameter that the client cannot send.
    Parameter,
    /// A parameter that the caller writes out.
    ParameterText,
    /// Names that had to be given or changed.
    Name,
    /// An operation that the client does not have.
    Operation,
    /// A string enumeration.
    Enumeration,
    /// A discriminator.
    Discriminator,
    /// `anyOf`, or a union whose members overlap.
    Union,
    /// A schema that became any JSON value.
    Schema,
    /// `nullable` on what is optional as well.
    Nullable,
    /// `readOnly` or `writeOnly` on what is required.
    Direction,
    /// A default value.
    Default,
    /// Constraints.
    Constraint,
    /// A server of a path or an operation.
    Server,
    /// What a client has no use for.
    Unused,
}

impl LossKind {
    /// The heading, why the change is made, and what is given back.
    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Successes => (
                "Several types of success",
                "progenitor knows one type for all successes of an operation.",
                "`call()` returns an enum with a variant for each status.",
            ),
            Self::Errors => (
                "Several types of error",
                "progenitor knows one type for all errors of an operation.",
                "`call()` fails with an enum that has a variant, and a typed body, for each status; `send()` returns bytes.",
            ),
            Self::StatusRange => (
                "Ranges of statuses and `default`",
                "progenitor takes `default` for a success and for an error at once.",
                "`call()` has one variant for the range.",
            ),
            Self::OptionalBody => (
                "Bodies that may be left out",
                "progenitor makes every body mandatory.",
                "The operation is called without a body unless `.body(…)` is given.",
            ),
            Self::EventStream => (
                "Event streams",
                "progenitor has no event streams, and one type for each response.",
                "A method of its own, with the name of the operation and `_stream`, whose `call()` returns typed events.",
            ),
            Self::MediaType => (
                "Media types of responses",
                "progenitor asks for `application/json`, and reads nothing else as typed.",
                "The client asks for what the document offers; where there is a choice, `.accept(…)` makes it.",
            ),
            Self::RequestMediaType => (
                "Media types of requests",
                "progenitor takes one media type for a body.",
                "The one that is left; the others are not offered.",
            ),
            Self::RawBody => (
                "Bodies that are not JSON",
                "progenitor types JSON only.",
                "The bytes, with the content type of the document.",
            ),
            Self::Parameter => (
                "Parameters that are not sent",
                "progenitor cannot write them.",
                "Nothing; a transport of one's own can add them.",
            ),
            Self::ParameterText => (
                "Parameters that the caller writes out",
                "progenitor cannot write them in the style of the document.",
                "A string, which the caller writes in that style.",
            ),
            Self::Name => (
                "Names",
                "Names must be there, and must differ once they are Rust identifiers.",
                "The name in the entry.",
            ),
            Self::Operation => (
                "Operations that are left out",
                "Neither progenitor nor the code beside it can call them.",
                "Nothing.",
            ),
            Self::Enumeration => (
                "Enumerations",
                "typify refuses values that it does not know, and a client must read tomorrow's server.",
                "An enum whose last variant `Unknown` keeps any other value.",
            ),
            Self::Discriminator => (
                "Discriminators",
                "typify ignores them.",
                "Nothing; the members of the union are tried in order.",
            ),
            Self::Union => (
                "Unions",
                "typify has no value that is several members at once.",
                "An enum; the members are tried in order, and the first that fits is taken.",
            ),
            Self::Schema => (
                "Schemas that became any value",
                "typify cannot make a type of them.",
                "A JSON value.",
            ),
            Self::Nullable => (
                "Absent or null",
                "typify has one `Option` for both.",
                "`None`, which is read from both and sent as absent.",
            ),
            Self::Direction => (
                "Required in one direction",
                "typify makes one type for requests and responses.",
                "The property is optional.",
            ),
            Self::Default => (
                "Default values",
                "A default is the assumption of the receiver; the client sends and shows the actual members.",
                "`None` for an absent member.",
            ),
            Self::Constraint => (
                "Constraints",
                "The server enforces them; a client that did would refuse tomorrow's server.",
                "The server's response, which names every violation.",
            ),
            Self::Server => (
                "Servers of single operations",
                "A client has one base address.",
                "Nothing; the operation is sent to the base address.",
            ),
            Self::Unused => (
                "What a client has no use for",
                "It says what the server does on its own.",
                "Nothing.",
            ),
        }
    }
}

/// Every change of meaning that a client was made with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LossReport {
    /// The document's title.
    pub title: String,
    /// The entries, in the order of their finding.
    pub losses: Vec<Loss>,
}

impl LossReport {
    /// Adds an entry, unless the very same is there.
    pub fn add(&mut self, kind: LossKind, pointer: impl Into<String>, what: impl Into<String>) {
        let loss = Loss {
            pointer: pointer.into(),
            kind,
            what: what.into(),
        };
        if !self.losses.contains(&loss) {
            self.losses.push(loss);
        }
    }

    /// The report as a page of Markdown, the same for the same document.
    pub fn to_markdown(&self) -> String {
        let mut kinds: BTreeMap<LossKind, Vec<&Loss>> = BTreeMap::new();
        for loss in &self.losses {
            kinds.entry(loss.kind).or_default().push(loss);
        }
        let mut page = format!(
            "# {}: what the client leaves out\n\n\
             Written by `cargo xtask regenerate`; not to be edited. Each entry is a place of the document whose meaning\n\
             the generated client changes.\n",
            self.title
        );
        if kinds.is_empty() {
            page.push_str("\nNothing.\n");
        }
        for (kind, losses) in kinds {
            let (heading, why, instead) = kind.words();
            // Writing to a string does not fail.
            let _ = write!(page, "\n## {heading}\n\n{why}\nInstead: {instead}\n\n");
            for loss in losses {
                let _ = writeln!(page, "- `{}`: {}", loss.pointer, loss.what);
            }
        }
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_groups_by_kind_and_says_each_thing_once() {
        let mut report = LossReport {
            title: "Shop".to_owned(),
            losses: vec![],
        };
        report.add(LossKind::Constraint, "/a", "maxLength");
        report.add(LossKind::OptionalBody, "/b", "the body");
        report.add(LossKind::Constraint, "/a", "maxLength");
        let page = report.to_markdown();
        assert_eq!(page.matches("`/a`: maxLength").count(), 1);
        assert!(
            page.find("## Bodies").expect("a heading")
                < page.find("## Constraints").expect("a heading")
        );
    }
}
