//! One document out of several files.
//!
//! A document refers to components of files in its folder:
//! `common.yaml#/components/headers/RequestId`. Such a component is copied to
//! the same place of the document, with everything that it refers to itself, and
//! the reference becomes `#/components/headers/RequestId`. Each copied node keeps
//! its position, so that whatever is wrong with it is reported in its file.
//!
//! A shared file refers to nothing but itself. So there is no circle of files.

use std::collections::{HashMap, VecDeque};
use std::path::Path;

use percent_encoding::percent_decode_str;

use super::node::Entry;
use super::{Diagnostic, Diagnostics, Document, Kind, Node, Object, Source, Span};
use super::{parse, pointer, similar, visit};

/// Reads a file of the document's folder; the error says why it cannot be read.
pub(super) type Read<'r> = &'r dyn Fn(&str) -> Result<String, String>;

/// A kind of components, and the name of one.
type Component = (String, String);

/// Copies what a document refers to in other files.
pub(super) fn bundle(document: &mut Document, read: Read<'_>, diagnostics: &mut Diagnostics) {
    let mut bundle = Bundle {
        read,
        source: &mut document.source,
        diagnostics,
        files: Vec::new(),
        own: HashMap::new(),
        wanted: HashMap::new(),
        waiting: VecDeque::new(),
    };
    let stand_ins = bundle.components(&mut document.root);
    bundle.references(&mut document.root);
    let mut copies = Vec::new();
    while let Some(wanted) = bundle.waiting.pop_front() {
        copies.extend(
            bundle
                .copy(&wanted)
                .map(|copied| (wanted.component, copied)),
        );
    }
    for (component, copied) in copies {
        insert(
            &mut document.root,
            &component,
            copied,
            stand_ins.contains(&component),
        );
    }
}

struct Bundle<'b> {
    read: Read<'b>,
    source: &'b mut Source,
    diagnostics: &'b mut Diagnostics,
    /// The files by name; `None` for one that cannot be read, which has been reported.
    files: Vec<(String, Option<Node>)>,
    /// The components that the document has itself, and where.
    own: HashMap<Component, Span>,
    /// The components that are or will be copied, and from which file.
    wanted: HashMap<Component, String>,
    waiting: VecDeque<Wanted>,
}

/// A component that a reference names.
struct Wanted {
    file: String,
    component: Component,
    /// The reference as it is written, and where.
    text: String,
    span: Span,
}

/// A component with the keys that lead to it.
struct Copied {
    components: Span,
    kind: Span,
    entry: Entry,
}

impl Bundle<'_> {
    /// Notes the components of the document. Those that only stand in for a component of the
    /// same name in another file are returned.
    fn components(&mut self, root: &mut Node) -> Vec<Component> {
        let mut stand_ins = Vec::new();
        let components = root.get("components").and_then(Node::as_object);
        for (kind, of_kind) in components.into_iter().flat_map(Object::iter) {
            let of_kind = of_kind.value.as_object();
            for (name, entry) in of_kind.into_iter().flat_map(Object::iter) {
                let component = (kind.to_owned(), name.to_owned());
                let reference = entry.value.get("$ref").and_then(Node::as_str);
                let target = reference.and_then(|text| text.split_once('#'));
                match target {
                    Some((file, fragment))
                        if !file.is_empty() && named(fragment).as_ref() == Some(&component) =>
                    {
                        stand_ins.push(component);
                    }
                    _ => _ = self.own.insert(component, entry.key_span),
                }
            }
        }
        stand_ins
    }

    /// Rewrites the references of the document to other files.
    fn references(&mut self, root: &mut Node) {
        visit::objects(root, &mut |object| {
            if let Some(reference) = object.get_mut("$ref") {
                self.rewrite(reference);
            }
            let mapping = object
                .get_mut("discriminator")
                .and_then(|discriminator| discriminator.get_mut("mapping"))
                .and_then(Node::as_object_mut);
            for (_, target) in mapping.into_iter().flat_map(Object::iter_mut) {
                // A mapping may also hold a bare name.
                if target.value.as_str().is_some_and(|text| text.contains('#')) {
                    self.rewrite(&mut target.value);
                }
            }
        });
    }

    fn rewrite(&mut self, reference: &mut Node) {
        let span = reference.span;
        let Kind::String(text) = &mut reference.kind else {
            return;
        };
        let (file, fragment) = text.split_once('#').unwrap_or((text, ""));
        if file.is_empty() {
            return;
        }
        if let Some(why) = self.not_a_neighbor(file) {
            let message = format!("`{text}` is not in a file of the same folder");
            self.diagnostics.push(
                Diagnostic::error("reference-to-another-file", span, message)
                    .label(why)
                    .help("write `common.yaml#/components/schemas/Name`, or copy it into `components`"),
            );
            return;
        }
        let Some(component) = named(fragment) else {
            self.not_a_component(text, span);
            return;
        };
        let wanted = Wanted {
            file: file.to_owned(),
            component,
            text: text.clone(),
            span,
        };
        *text = format!("#{fragment}");
        self.want(wanted);
    }

    /// Why a file is not one of the same folder.
    fn not_a_neighbor(&self, file: &str) -> Option<&'static str> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        let own = Path::new(&self.source.name).file_name();
        if file.contains(':') {
            Some("an address")
        } else if file.contains(['/', '\\']) {
            Some("a path")
        } else if file.starts_with('.') || !file.chars().all(is_plain) {
            Some("not the name of a file")
        } else if own.is_some_and(|own| own == file) {
            Some("this file itself: begin with `#`")
        } else {
            None
        }
    }

    fn not_a_component(&mut self, text: &str, span: Span) {
        let message = format!("`{text}` does not name a component");
        self.diagnostics.push(
            Diagnostic::error("reference-not-a-component", span, message)
                .help("write `#/components/KIND/NAME` behind the name of the file"),
        );
    }

    fn want(&mut self, wanted: Wanted) {
        let (kind, name) = &wanted.component;
        let clash = |other: String| {
            let message = format!("`{}` clashes with {other}", wanted.text);
            Diagnostic::error("component-clash", wanted.span, message).help(format!(
                "rename one: a document has one `components/{kind}/{name}`"
            ))
        };
        if let Some(own) = self.own.get(&wanted.component) {
            let clash = clash("a component of the document".into()).related(*own, "declared here");
            self.diagnostics.push(clash);
            return;
        }
        match self.wanted.get(&wanted.component) {
            Some(file) if *file == wanted.file => {}
            Some(file) => self.diagnostics.push(clash(format!("that of `{file}`"))),
            None => {
                let component = wanted.component.clone();
                self.wanted.insert(component, wanted.file.clone());
                self.waiting.push_back(wanted);
            }
        }
    }

    /// A copy of a component; what it refers to in its file is wanted too.
    fn copy(&mut self, wanted: &Wanted) -> Option<Copied> {
        let file = self.file(wanted)?;
        let root = self.files[file].1.as_ref()?;
        let (kind, name) = &wanted.component;
        let found = find(root, [kind, name]);
        let mut copied = match found {
            Ok(copied) => copied,
            Err(mut diagnostic) => {
                diagnostic.span = wanted.span;
                diagnostic.message =
                    format!("`{}` does not exist: {}", wanted.text, diagnostic.message);
                self.diagnostics.push(diagnostic);
                return None;
            }
        };
        visit::objects(&mut copied.entry.value, &mut |object| {
            if let Some(reference) = object.get("$ref") {
                self.reference_within(&wanted.file, reference);
            }
            let mapping = object
                .get("discriminator")
                .and_then(|discriminator| discriminator.get("mapping"))
                .and_then(Node::as_object);
            for (_, target) in mapping.into_iter().flat_map(Object::iter) {
                if target.value.as_str().is_some_and(|text| text.contains('#')) {
                    self.reference_within(&wanted.file, &target.value);
                }
            }
        });
        Some(copied)
    }

    /// A reference that stands in a shared file.
    fn reference_within(&mut self, file: &str, reference: &Node) {
        // Whoever follows a reference that is not a string reports it.
        let Some(text) = reference.as_str() else {
            return;
        };
        let Some(fragment) = text.strip_prefix('#') else {
            let message = format!("`{text}` leads from a shared file to another file");
            self.diagnostics.push(
                Diagnostic::error("reference-to-another-file", reference.span, message)
                    .help("a shared file refers to its own components only: `#/components/…`"),
            );
            return;
        };
        match named(fragment) {
            Some(component) => self.want(Wanted {
                file: file.to_owned(),
                component,
                text: text.to_owned(),
                span: reference.span,
            }),
            None => self.not_a_component(text, reference.span),
        }
    }

    /// The index of a file, which is read when it is named first.
    fn file(&mut self, wanted: &Wanted) -> Option<usize> {
        let known = self.files.iter().position(|(name, _)| *name == wanted.file);
        if known.is_some() {
            return known;
        }
        let name = Path::new(&self.source.name).with_file_name(&wanted.file);
        let name = name.display().to_string();
        let root = match (self.read)(&wanted.file) {
            Ok(text) => {
                let start = self.source.add(name.clone(), text.clone());
                parse(&name, &text, start, self.diagnostics)
            }
            Err(why) => {
                // Whoever watches the files has to watch for this one too.
                self.source.add(name, String::new());
                let message = format!("cannot read `{}`: {why}", wanted.file);
                self.diagnostics
                    .push(Diagnostic::error("unreadable-file", wanted.span, message));
                None
            }
        };
        self.files.push((wanted.file.clone(), root));
        Some(self.files.len() - 1)
    }
}

/// The component that a fragment names: `/components/<kind>/<name>`.
fn named(fragment: &str) -> Option<Component> {
    let decoded = percent_decode_str(fragment).decode_utf8().ok()?;
    if !decoded.starts_with('/') {
        return None;
    }
    let mut segments = pointer::segments(&decoded);
    let first = segments.next()?;
    let component = (segments.next()?, segments.next()?);
    (first == "components" && segments.next().is_none()).then_some(component)
}

/// A component of a shared file. The message of the error says which key is missing.
fn find(root: &Node, [kind, name]: [&String; 2]) -> Result<Copied, Diagnostic> {
    let mut at = root;
    let mut so_far = String::from("#");
    let mut keys = Vec::new();
    for segment in ["components", kind, name] {
        let object = at.as_object();
        let Some(entry) = object.and_then(|object| object.entry(segment)) else {
            let message = format!("`{so_far}` has no `{segment}`");
            let missing = Diagnostic::error("unresolved-reference", at.span, message);
            let tolerance = 1 + segment.chars().count() / 4;
            let known = object.into_iter().flat_map(Object::keys);
            return Err(match similar::nearest(known, segment, tolerance) {
                Some(near) => {
                    missing.help(format!("did you mean `{}`?", pointer::join(&so_far, near)))
                }
                None => missing,
            });
        };
        so_far = pointer::join(&so_far, segment);
        keys.push(entry.key_span);
        at = &entry.value;
    }
    Ok(Copied {
        components: keys[0],
        kind: keys[1],
        entry: Entry {
            key_span: keys[2],
            value: at.clone(),
        },
    })
}

/// Puts a copied component in its place. A stand-in keeps the position of its key.
fn insert(root: &mut Node, (kind, name): &Component, copied: Copied, replaces: bool) {
    let empty = |key_span: Span| Entry {
        key_span,
        value: Node {
            span: key_span,
            kind: Kind::Object(Object::default()),
        },
    };
    let components = root
        .as_object_mut()
        .map(|root| root.get_or_insert("components", empty(copied.components)));
    let of_kind = components
        .and_then(Node::as_object_mut)
        .map(|components| components.get_or_insert(kind, empty(copied.kind)));
    let Some(of_kind) = of_kind.and_then(Node::as_object_mut) else {
        // `components` is not an object: the check of the structure reports it.
        return;
    };
    match of_kind.get_mut(name) {
        Some(stand_in) if replaces => *stand_in = copied.entry.value,
        Some(_) => {}
        None => _ = of_kind.insert(name.clone(), copied.entry),
    }
}
