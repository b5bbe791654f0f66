//! The loss report: the features of the document that the client does not have.
//!
//! progenitor and typify support only a part of OpenAPI. Generated code beside theirs restores most other features. The
//! report lists the rest, and the substitute of each.

use indexmap::IndexSet;
use std::{collections::BTreeMap, fmt::Write};

/// A lost feature at one place of a document.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Loss {
    /// The place, as a JSON Pointer.
    pub pointer: String,
    /// The kind of loss.
    pub kind: LossKind,
    /// The lost feature at this place, in a few words.
    pub what: String,
}

/// The kinds of loss. Each has a reason and a substitute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LossKind {
    /// A media type of a response that the client does not request.
    MediaType,
    /// A media type of a request that the client does not offer.
    RequestMediaType,
    /// A body with a schema that is neither JSON nor a form.
    RawBody,
    /// A property without a field.
    Name,
    /// A discriminator that does not distinguish the members.
    Discriminator,
    /// `anyOf`, or a union whose members overlap.
    Union,
    /// A schema that became any JSON value.
    Schema,
    /// `nullable` on a property that is also optional.
    Nullable,
    /// `readOnly` or `writeOnly` on a required property.
    Direction,
}

impl LossKind {
    /// The heading, the reason of the loss, and the substitute.
    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::MediaType => (
                "Media types of responses",
                "A response has one type, which is read from JSON.",
                "The client asks for the media type that it reads.",
            ),
            Self::RequestMediaType => (
                "Media types of requests",
                "A request has one body type.",
                "The media type that the client sends.",
            ),
            Self::RawBody => (
                "Bodies that are neither JSON nor a form",
                "Only JSON and forms have types.",
                "The bytes, with the content type of the document.",
            ),
            Self::Name => (
                "Properties without a field",
                "The names of two properties are the same as Rust identifiers.",
                "The first of the two.",
            ),
            Self::Discriminator => (
                "Discriminators",
                "A discriminator distinguishes the members of a union, and they must be components.",
                "The members of the union are tried in order; a schema without a union reads its own properties.",
            ),
            Self::Union => (
                "Unions",
                "Rust has no value that is several members at once.",
                "An enum; the members are tried in order, and the first that fits is taken.",
            ),
            Self::Schema => (
                "Schemas that became any value",
                "typify cannot make a type of them.",
                "A JSON value.",
            ),
            Self::Nullable => (
                "Absent or null",
                "typify has one `Option` for a property that is absent and one that is null.",
                "`None`, which is read from both and sent as absent.",
            ),
            Self::Direction => (
                "Required in one direction",
                "typify makes one type for requests and responses.",
                "The property is optional.",
            ),
        }
    }
}

/// All losses of a client.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LossReport {
    /// The document's title.
    pub title: String,
    /// The losses, in the order in which they were found.
    pub losses: IndexSet<Loss>,
}

impl LossReport {
    /// A report without losses.
    pub fn new(title: impl Into<String>) -> LossReport {
        LossReport {
            title: title.into(),
            ..LossReport::default()
        }
    }

    /// Adds an entry, unless the report has it.
    pub fn add(&mut self, kind: LossKind, pointer: impl Into<String>, what: impl Into<String>) {
        self.losses.insert(Loss {
            pointer: pointer.into(),
            kind,
            what: what.into(),
        });
    }

    /// The report as a page of Markdown, the same for the same document.
    pub fn to_markdown(&self) -> String {
        let mut kinds: BTreeMap<LossKind, Vec<&Loss>> = BTreeMap::new();
        for loss in &self.losses {
            kinds.entry(loss.kind).or_default().push(loss);
        }
        let mut page = format!(
            "# {}: what the client leaves out\n\n\
             Generated with the client; not to be edited. Each entry is a place of the document that the\n\
             generated client does not have as the document says it.\n\n\
             In every client, the server validates requests, and the client reads responses leniently: it checks no\n\
             constraint, fills in no default, and reads values of enumerations that the document does not list.\n",
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
    fn a_report_groups_losses_by_kind_and_lists_each_once() {
        let mut report = LossReport::new("Shop");
        report.add(LossKind::Nullable, "/a", "optional and nullable");
        report.add(LossKind::Union, "/b", "anyOf");
        report.add(LossKind::Nullable, "/a", "optional and nullable");
        let page = report.to_markdown();
        assert_eq!(page.matches("`/a`: optional and nullable").count(), 1);
        assert!(
            page.find("## Unions").expect("a heading") < page.find("## Absent").expect("a heading")
        );
    }

    /// A comparison with each loss would take minutes.
    #[test]
    fn a_long_report_lists_each_loss_once() {
        const COUNT: usize = 200_000;
        let mut report = LossReport::new("Shop");
        for index in 0..COUNT {
            for _ in 0..2 {
                report.add(LossKind::Nullable, format!("/{index}"), "optional");
            }
        }
        let order = report.losses.iter().map(|loss| loss.pointer.as_str());
        assert_eq!(order.take(3).collect::<Vec<_>>(), ["/0", "/1", "/2"]);
        assert_eq!(report.losses.len(), COUNT);
    }
}
