//! YAML 1.2, limited to the data model of JSON.
//!
//! This module builds the tree from the parser's events with an explicit stack, so that a
//! deep document cannot exhaust the call stack. An alias becomes a copy of the node of
//! its anchor. The total size of all copies is bounded, since a few lines of YAML can
//! mean billions of nodes.

mod block;
mod brackets;
mod dash;
mod error;
mod explain;
mod indentation;
mod lenient;
mod open;
mod positions;
mod quotes;
mod scalar;
mod unclosed;
mod unusual;

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span as Marks, Tag};

pub(crate) use self::quotes::{MAX_SHOWN, quoted};

use self::error::SyntaxError;
use self::lenient::Text;
use self::positions::Positions;
use super::Span;
use super::conflict;
use super::defects::{MAX_DEPTH, duplicate_key, too_deep};
use super::diagnostic::{Diagnostic, Diagnostics};
use super::node::{Entry, Kind, Node, Object};

/// The maximum number of nodes that the anchors and aliases of one document may copy.
const MAX_COPIED_NODES: usize = 250_000;

/// Reads YAML. `offset` is the offset of `text` in its file.
pub(super) fn read(text: &str, offset: usize, diagnostics: &mut Diagnostics) -> Option<Node> {
    let mut text = Text::new(text, offset);
    let mut found = Diagnostics::default();
    let mut outcome = attempt(&text, offset, &mut found);
    if let Err(error) = &outcome
        && text.correct(error)
    {
        let next = |text: &Text<'_>| Parser::new_from_str(&text.content).find_map(Result::err);
        while let Some(error) = next(&text)
            && text.correct(&error)
        {}
        found = Diagnostics::default();
        outcome = attempt(&text, offset, &mut found);
    }
    let mut is_cut = outcome.is_err();
    // With the corrections, a marker can be read as a part of a value.
    if !is_cut
        && !text.corrected.is_empty()
        && let Some(marker) = conflict::find(text.written, offset, error::CODE)
    {
        found = marker.into();
        outcome = Ok(None);
        is_cut = true;
    }
    // A line behind a syntax error may be a part of it.
    let error = found.iter().last().filter(|_| is_cut);
    let end = error.map_or(usize::MAX, |error| error.span.start);
    for place in text.corrected.iter().filter(|place| place.start < end) {
        found.push(
            Diagnostic::warning(
                "yaml-indentation",
                *place,
                "YAML 1.2 wants this line indented deeper than its key",
            )
            .help("indent it, so that every reader of YAML accepts the document"),
        );
    }
    diagnostics.extend(found);
    outcome.ok().flatten()
}

/// Reads a text once. The error is the parser's, which is also among the findings. `None`
/// if there is another error.
fn attempt(
    text: &Text<'_>,
    offset: usize,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Node>, ScanError> {
    let mut builder = Builder {
        positions: &text.positions,
        diagnostics,
        stack: Vec::new(),
        anchors: HashMap::new(),
        unused: BTreeMap::new(),
        copied: 0,
        root: None,
        documents: 0,
    };
    for event in Parser::new_from_str(&text.content) {
        match event {
            Ok((event, marks)) => {
                if builder.event(event, marks).is_err() {
                    return Ok(None);
                }
            }
            Err(error) => {
                builder.diagnostics.push(syntax(&error, text, offset));
                return Err(error);
            }
        }
    }
    for span in builder.unused.values() {
        let message = "the first word is an anchor of this text, and no alias refers to it";
        builder.diagnostics.push(
            Diagnostic::warning("anchor-unused", *span, message)
                .help("put a text that begins with `&` in quotes, or remove the anchor"),
        );
    }
    if builder.root.is_none() && !builder.diagnostics.has_errors() {
        let span = Span::new(offset, offset);
        builder.diagnostics.push(Diagnostic::error(
            "empty-document",
            span,
            "the document is empty",
        ));
    }
    Ok(builder.root)
}

/// The finding about a syntax error.
fn syntax(error: &ScanError, text: &Text<'_>, offset: usize) -> Diagnostic {
    let at = text.positions.byte(error.marker().index());
    // The parser's error for flow collections that are nested too deeply. The parser looks
    // ahead, so it may find them first.
    if error.info().contains("recursion limit") {
        return too_deep(Span::new(at, at));
    }
    explain::finding(SyntaxError {
        text: text.written,
        offset,
        at: at - offset,
        message: error.info(),
    })
}

/// Keys whose values are lists of objects.
const LISTS: [&str; 4] = ["allOf", "anyOf", "oneOf", "parameters"];

/// Reading cannot continue; the reason has been reported.
struct Stop;

/// An array or object whose end has not been seen.
struct Open {
    span: Span,
    anchor: usize,
    depth_below: usize,
    collection: Collection,
}

enum Collection {
    Sequence(Vec<Node>),
    Mapping { entries: Object, key: Key },
}

/// The key of the entry that is being read.
enum Key {
    /// A key comes next.
    Next,
    /// A value comes next, for this key.
    Read(String, Span),
    /// A value comes next, for a key that has been refused.
    Refused,
}

/// The node of an anchor.
struct Anchored {
    node: Node,
    /// The depth of the node itself: 0 for a scalar.
    depth: usize,
    /// The number of its nodes, itself included.
    nodes: usize,
}

struct Builder<'d> {
    positions: &'d Positions,
    diagnostics: &'d mut Diagnostics,
    stack: Vec<Open>,
    anchors: HashMap<usize, Rc<Anchored>>,
    /// The anchors of plain texts of several words that no alias has referred to.
    unused: BTreeMap<usize, Span>,
    copied: usize,
    root: Option<Node>,
    documents: usize,
}

impl Builder<'_> {
    fn event(&mut self, event: Event<'_>, marks: Marks) -> Result<(), Stop> {
        let span = self.positions.span(marks);
        match event {
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 {
                    self.diagnostics.push(
                        Diagnostic::error(
                            "several-documents",
                            span,
                            "a second document starts here",
                        )
                        .help("keep each document in a file of its own"),
                    );
                    return Err(Stop);
                }
            }
            Event::Scalar(text, style, anchor, tag) => {
                return self.scalar(&text, style, anchor, tag.as_deref(), span);
            }
            Event::Alias(anchor) => return self.alias(anchor, span),
            Event::SequenceStart(anchor, tag) => {
                self.expect_tag(tag.as_deref(), "seq", span);
                return self.open(Collection::Sequence(Vec::new()), anchor, span);
            }
            Event::MappingStart(anchor, tag) => {
                self.expect_tag(tag.as_deref(), "map", span);
                let entries = Object::default();
                let key = Key::Next;
                return self.open(Collection::Mapping { entries, key }, anchor, span);
            }
            Event::SequenceEnd | Event::MappingEnd => return self.close(span),
        }
        Ok(())
    }

    fn scalar(
        &mut self,
        text: &str,
        style: ScalarStyle,
        anchor: usize,
        tag: Option<&Tag>,
        span: Span,
    ) -> Result<(), Stop> {
        if self.wants_key() {
            self.key(text, style, span);
            let kind = Kind::String(text.to_owned());
            return self.define_anchor(anchor, &Node { span, kind }, 0);
        }
        let kind = match scalar::value(text, style == ScalarStyle::Plain, tag) {
            Ok(kind) => kind,
            Err(wrong) => {
                self.diagnostics.push(wrong.diagnostic(text, span));
                Kind::Null
            }
        };
        if anchor != 0 && style == ScalarStyle::Plain && text.contains(' ') {
            self.unused.insert(anchor, span);
        }
        let node = Node { span, kind };
        self.define_anchor(anchor, &node, 0)?;
        self.value(node, 0);
        Ok(())
    }

    /// Whether the next node is the key of a mapping.
    fn wants_key(&self) -> bool {
        matches!(
            self.stack.last(),
            Some(Open {
                collection: Collection::Mapping { key: Key::Next, .. },
                ..
            })
        )
    }

    /// A scalar key. The key is its text, without a conversion of types: `200:` is the
    /// key "200", as authors mean it.
    fn key(&mut self, text: &str, style: ScalarStyle, span: Span) {
        let plain = style == ScalarStyle::Plain;
        let key = if plain && text == "<<" {
            self.diagnostics.push(
                Diagnostic::error("merge-key", span, "merge keys (`<<`) are not supported")
                    .help("YAML 1.2 has none: write the entries out"),
            );
            Key::Refused
        } else if plain && text.is_empty() {
            self.diagnostics.push(Diagnostic::error(
                "empty-key",
                span,
                "a key is missing before the colon",
            ));
            Key::Refused
        } else {
            Key::Read(text.to_owned(), span)
        };
        self.set_key(key);
    }

    fn set_key(&mut self, next: Key) {
        if let Some(Open {
            collection: Collection::Mapping { key, .. },
            ..
        }) = self.stack.last_mut()
        {
            *key = next;
        }
    }

    fn alias(&mut self, anchor: usize, span: Span) -> Result<(), Stop> {
        self.unused.remove(&anchor);
        let Some(named) = self.anchors.get(&anchor).map(Rc::clone) else {
            self.diagnostics.push(
                Diagnostic::error(
                    "recursive-alias",
                    span,
                    "the alias is inside of its own anchor",
                )
                .help("such a value would have no end"),
            );
            return Err(Stop);
        };
        if self.stack.len() + named.depth > MAX_DEPTH {
            self.diagnostics.push(too_deep(span));
            return Err(Stop);
        }
        self.count_copies(named.nodes, span)?;
        let node = named.node.clone();
        if !self.wants_key() {
            self.value(node, named.depth);
            return Ok(());
        }
        match node.kind {
            Kind::String(text) => self.set_key(Key::Read(text, span)),
            _ => {
                self.complex_key(span);
                self.set_key(Key::Refused);
            }
        }
        Ok(())
    }

    /// Counts copies before they are made.
    fn count_copies(&mut self, nodes: usize, span: Span) -> Result<(), Stop> {
        self.copied += nodes;
        if self.copied <= MAX_COPIED_NODES {
            return Ok(());
        }
        let message =
            format!("anchors and aliases up to here copy more than {MAX_COPIED_NODES} nodes");
        self.diagnostics.push(
            Diagnostic::error("alias-expansion", span, message)
                .help("write a schema once under `components`, and refer to it with `$ref`"),
        );
        Err(Stop)
    }

    fn complex_key(&mut self, span: Span) {
        self.diagnostics.push(Diagnostic::error(
            "complex-key",
            span,
            "a key has to be a string",
        ));
    }

    fn open(&mut self, collection: Collection, anchor: usize, span: Span) -> Result<(), Stop> {
        if self.wants_key() {
            self.complex_key(Span::new(span.start, span.start));
            return Err(Stop);
        }
        if self.stack.len() >= MAX_DEPTH {
            self.diagnostics.push(too_deep(span));
            return Err(Stop);
        }
        self.stack.push(Open {
            span,
            anchor,
            depth_below: 0,
            collection,
        });
        Ok(())
    }

    fn close(&mut self, end: Span) -> Result<(), Stop> {
        let Some(open) = self.stack.pop() else {
            return Ok(());
        };
        let last_end = match &open.collection {
            Collection::Sequence(elements) => elements.last().map(|node| node.span.end),
            Collection::Mapping { entries, .. } => {
                entries.iter().last().map(|(_, entry)| entry.value.span.end)
            }
        };
        // A closing bracket has a position of its own. The parser notices the end of a
        // block only after the comments that follow it, so the block ends with its last
        // value. An alias is an exception, because the position of its value is
        // elsewhere.
        let end = if end.start < end.end {
            end.end
        } else {
            last_end
                .filter(|last| *last >= open.span.end && *last <= end.end)
                .unwrap_or(open.span.end)
        };
        let node = Node {
            span: Span::new(open.span.start, end),
            kind: match open.collection {
                Collection::Sequence(elements) => Kind::Array(elements),
                Collection::Mapping { entries, .. } => Kind::Object(entries),
            },
        };
        let depth = open.depth_below + 1;
        self.define_anchor(open.anchor, &node, depth)?;
        self.value(node, depth);
        Ok(())
    }

    /// Remembers the node of an anchor; 0 is not an anchor.
    fn define_anchor(&mut self, anchor: usize, node: &Node, depth: usize) -> Result<(), Stop> {
        if anchor == 0 {
            return Ok(());
        }
        let nodes = node.count();
        self.count_copies(nodes, node.span)?;
        let node = node.clone();
        self.anchors
            .insert(anchor, Rc::new(Anchored { node, depth, nodes }));
        Ok(())
    }

    /// Adds a complete value of the given depth to its parent.
    fn value(&mut self, node: Node, depth: usize) {
        let Some(open) = self.stack.last_mut() else {
            self.root = Some(node);
            return;
        };
        open.depth_below = open.depth_below.max(depth);
        match &mut open.collection {
            Collection::Sequence(elements) => elements.push(node),
            Collection::Mapping { entries, key } => {
                if let Key::Read(name, key_span) = std::mem::replace(key, Key::Next) {
                    let entry = Entry {
                        key_span,
                        value: node,
                    };
                    if let Err(first) = entries.insert(name.clone(), entry) {
                        let finding = duplicate_key(&name, key_span, first);
                        self.diagnostics.push(match self.list_of_keys(&name) {
                            Some(list) => finding.help(format!(
                                "`{list}` is a list: write a dash before the first key of each item"
                            )),
                            None => finding,
                        });
                    }
                }
            }
        }
    }

    /// The key of the mapping that is being read, if its value should be a list: the dashes before
    /// its items are missing. `repeated` is a key that the mapping has twice.
    fn list_of_keys(&self, repeated: &str) -> Option<&'static str> {
        let outer = self.stack.iter().rev().nth(1)?;
        let Collection::Mapping {
            key: Key::Read(name, _),
            ..
        } = &outer.collection
        else {
            return None;
        };
        // Components of the kind `parameters` have names.
        let is_list = |list: &&str| {
            *list == name && (name != "parameters" || matches!(repeated, "$ref" | "in" | "name"))
        };
        LISTS.into_iter().find(is_list)
    }

    /// A collection may have the explicit tag of its own type.
    fn expect_tag(&mut self, tag: Option<&Tag>, own: &str, span: Span) {
        if let Some(tag) = tag
            && !(tag.is_yaml_core_schema() && tag.suffix == own)
            && !scalar::is_non_specific(tag)
        {
            self.diagnostics.push(scalar::unsupported_tag(tag, span));
        }
    }
}

#[cfg(test)]
mod tests;
