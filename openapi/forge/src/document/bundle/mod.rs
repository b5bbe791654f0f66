//! One document out of several files.
//!
//! A document can refer to nodes of other files in its folder and the folders below:
//! `common.yaml#/components/headers/RequestId`, `schemas/pet.yaml`, or any other JSON Pointer into
//! a file. The caller can name a folder above, whose files may then be referred to as well. The
//! target is copied into `components` with everything that it refers to itself, and the
//! reference becomes `#/components/headers/RequestId`. Path items are copied into the paths that
//! use them. Each copied node keeps its position, so that diagnostics point into its file.
//!
//! A component keeps its name, unless another one has it: then a number is added to the name. A target that is not a
//! component gets its name from the last part of its pointer, or from its file.

mod discriminators;
mod files;
mod slots;
mod whole;

pub(crate) use discriminators::is_own_name;

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::Path;

use super::node::Entry;
use super::parse::parse;
use super::reference::{MAX_PROPOSALS, Missing};
use super::{Diagnostic, Diagnostics, Document, Kind, Node, Object, Source, Span};
use super::{pointer, similar, visit};
pub(crate) use files::Files;
use files::decoded;
use slots::Slot;

/// The maximum number of nodes in copies of path items within other copies. Each callback that refers to a path item of
/// another file has its own copy, which may have callbacks itself.
const MAX_COPIED_NODES: usize = 50_000;

/// A kind of components, and the name of one.
type Component = (String, String);

/// A file, and a JSON Pointer into it.
type Target = (String, String);

/// Copies the nodes of other files that a document refers to.
pub(crate) fn bundle(document: &mut Document, files: Files<'_>, diagnostics: &mut Diagnostics) {
    let mut bundle = Bundle {
        folder: files,
        source: &mut document.source,
        diagnostics,
        files: Vec::new(),
        own: HashMap::new(),
        stand_ins: HashMap::new(),
        names: HashMap::new(),
        numbers: HashMap::new(),
        wanted: HashSet::new(),
        renamed: HashMap::new(),
        waiting: VecDeque::new(),
        within: Vec::new(),
        copied: 0,
        proposals: 0,
    };
    bundle.components(&document.root);
    bundle.references(&mut document.root, Slot::Other, "");
    let mut copies = Vec::new();
    while let Some(wanted) = bundle.waiting.pop_front() {
        copies.extend(
            bundle
                .component(&wanted)
                .map(|entry| (wanted.component, entry)),
        );
    }
    let stand_ins = bundle.stand_ins;
    for (component, entry) in copies {
        let replaces = stand_ins.contains_key(&component);
        insert(&mut document.root, &component, entry, replaces);
    }
}

struct Bundle<'b> {
    folder: Files<'b>,
    source: &'b mut Source,
    diagnostics: &'b mut Diagnostics,
    /// The files by name; `None` for one that cannot be read, which has been reported.
    files: Vec<(String, Option<Node>)>,
    /// The document's own components, with their positions.
    own: HashMap<Component, Span>,
    /// The components of the document that only refer to one of the same name in another file, with
    /// their targets.
    stand_ins: HashMap<Component, Target>,
    /// The names of the components that are or will be copied.
    names: HashMap<Target, Component>,
    /// The numbers from which on free names are searched.
    numbers: HashMap<Component, usize>,
    /// The components that are or will be copied.
    wanted: HashSet<Component>,
    /// The names that components have in their files, by the positions of references to copies of other names.
    renamed: HashMap<Span, String>,
    waiting: VecDeque<Wanted>,
    /// The path items that are being copied, one in another.
    within: Vec<Target>,
    /// The number of nodes in copies of path items within other copies.
    copied: usize,
    /// How many proposals have been made.
    proposals: usize,
}

/// A component that a reference names.
struct Wanted {
    target: Target,
    component: Component,
    /// The reference as it is written, and its position.
    text: String,
    span: Span,
}

impl Bundle<'_> {
    /// Records the components of the document, and those that only refer to a component of the same
    /// name in another file.
    fn components(&mut self, root: &Node) {
        for (kind, of_kind) in root.members_of("components") {
            for (name, entry) in of_kind.value.members() {
                let component = (kind.to_owned(), name.to_owned());
                let reference = entry.value.text("$ref");
                let target = reference.and_then(|text| self.stand_in(text, &component));
                match target {
                    Some(target) => _ = self.stand_ins.insert(component, target),
                    None => _ = self.own.insert(component, entry.key_span),
                }
            }
        }
    }

    /// The target of a component that refers to one of its name in another file.
    fn stand_in(&self, text: &str, component: &Component) -> Option<Target> {
        let (path, fragment) = text.split_once('#').unwrap_or((text, ""));
        let pointer = decoded(fragment)?;
        let named = named(&pointer);
        let named = named.unwrap_or_else(|| (component.0.clone(), name_of(path, &pointer)));
        let is_named_alike = !path.is_empty() && named == *component;
        if !is_named_alike {
            return None;
        }
        let file = self.folder.find(path, "");
        let file = file.unwrap_or_else(|_| path.to_owned());
        // Only a component of another file has a copy.
        (!file.is_empty()).then_some((file, pointer))
    }

    /// Rewrites the references in a node of a file; the document itself has no name.
    fn references(&mut self, node: &mut Node, slot: Slot, file: &str) {
        // The mappings come first: path items that are copied into the node have those of their own files.
        let own = self.files.iter().position(|(name, _)| name == file);
        visit::objects(node, &mut |object| {
            if let Some((_, Some(root))) = own.map(|index| &self.files[index]) {
                discriminators::qualify(object, root);
            }
            for target in discriminators::references(object) {
                self.rewrite(target, Some("schemas"), file);
            }
        });
        self.rewrite_all(node, slot, file);
        let renamed = &self.renamed;
        visit::objects(node, &mut |one| discriminators::keep_names(one, renamed));
    }

    /// Rewrites the references in a node, except those of discriminators.
    fn rewrite_all(&mut self, node: &mut Node, slot: Slot, file: &str) {
        slots::references(node, slot, &mut |node, kind| match kind {
            Some("pathItems") => self.path_item(node, file),
            kind => {
                if let Some(reference) = node.get_mut("$ref") {
                    self.rewrite(reference, kind, file);
                }
            }
        });
    }

    fn rewrite(&mut self, reference: &mut Node, kind: Option<&'static str>, file: &str) {
        let span = reference.span;
        // The code that follows references reports one that is not a string.
        let Some(text) = reference.as_string_mut() else {
            return;
        };
        let Some(target) = self.target(text, span, file) else {
            return;
        };
        if target.0.is_empty() {
            *text = format!("#{}", target.1);
            return;
        }
        // A component of a file that cannot be read gets no name.
        let is_known = self.names.contains_key(&target);
        if !is_known && !self.is_readable(&target.0, kind.unwrap_or_default(), text, span) {
            return;
        }
        let Some(component) = self.name(&target, kind, text, span) else {
            return;
        };
        let (kind, name) = &component;
        if let Some((_, own)) = named(&target.1).filter(|(_, own)| own != name) {
            self.renamed.insert(span, own);
        }
        let rewritten = pointer::join(&pointer::join("/components", kind), name);
        let text = std::mem::replace(text, format!("#{rewritten}"));
        if self.wanted.insert(component.clone()) {
            self.names.insert(target.clone(), component.clone());
            self.waiting.push_back(Wanted {
                target,
                component,
                text,
                span,
            });
        }
    }

    /// The target of a reference. `None` for a reference within the document, and for an invalid
    /// one.
    fn target(&mut self, text: &str, span: Span, from: &str) -> Option<Target> {
        let (path, fragment) = text.split_once('#').unwrap_or((text, ""));
        if path.is_empty() && from.is_empty() {
            return None;
        }
        let file = match path {
            "" => from.to_owned(),
            path => match self.folder.find(path, from) {
                Ok(file) => file,
                Err(elsewhere) => {
                    let unusual = self.source.unusual_reference(text, span);
                    let finding = unusual.unwrap_or_else(|| elsewhere.finding(text, span));
                    self.diagnostics.push(finding);
                    return None;
                }
            },
        };
        match decoded(fragment) {
            Some(pointer) if pointer.is_empty() || pointer.starts_with('/') => {
                Some((file, pointer))
            }
            _ => {
                let message = format!("`{text}` does not name a place of its file");
                self.diagnostics.push(
                    Diagnostic::error("unresolved-reference", span, message).help(format!(
                        "write a JSON Pointer, such as `{path}#/components/schemas/Name`"
                    )),
                );
                None
            }
        }
    }

    /// The component that a target is or becomes.
    fn name(
        &mut self,
        target: &Target,
        kind: Option<&'static str>,
        text: &str,
        span: Span,
    ) -> Option<Component> {
        if let Some(component) = self.names.get(target) {
            return Some(component.clone());
        }
        let named = named(&target.1);
        let unnamed = || {
            let kind = kind.filter(|kind| !kind.is_empty())?;
            Some((kind.to_owned(), name_of(&target.0, &target.1)))
        };
        let Some(mut component) = named.clone().or_else(unnamed) else {
            let message = format!("`{text}` cannot be a component at this place");
            self.diagnostics.push(
                Diagnostic::error("reference-not-a-component", span, message)
                    .help("refer to a schema, a parameter, a response or another component"),
            );
            return None;
        };
        let wanted = component.clone();
        let mut number = self.numbers.get(&wanted).copied().unwrap_or(2);
        while self.is_taken(&component, target) {
            component.1 = format!("{}{number}", wanted.1);
            number += 1;
        }
        if component != wanted {
            self.numbers.insert(wanted.clone(), number);
        }
        if named.is_some_and(|named| named != component) {
            let message = format!("`{text}` becomes `{}`: its name is taken", component.1);
            let finding = Diagnostic::warning("component-renamed", span, message);
            let finding = finding.help("rename one of the two components to choose its name");
            self.diagnostics.push(match self.own.get(&wanted) {
                Some(own) => finding.related(*own, "declared here"),
                None => finding,
            });
        }
        Some(component)
    }

    /// Whether a component is another one than that of `target`.
    fn is_taken(&self, component: &Component, target: &Target) -> bool {
        let stands_in = self.stand_ins.get(component);
        self.own.contains_key(component)
            || self.wanted.contains(component)
            || stands_in.is_some_and(|other| other != target)
    }

    /// Copies a component. The components that it refers to in its file will be copied too.
    fn component(&mut self, wanted: &Wanted) -> Option<Entry> {
        let kind = &wanted.component.0;
        let mut entry = self.find(&wanted.target, kind, &wanted.text, wanted.span)?;
        let slot = match wanted.component.0.as_str() {
            "schemas" => Slot::Component("schemas"),
            "callbacks" => Slot::Component("callbacks"),
            "pathItems" => Slot::Component("pathItems"),
            _ => Slot::Other,
        };
        // A component may itself be a reference to one of its kind.
        if let Some(reference) = entry.value.get_mut("$ref").filter(|_| slot == Slot::Other) {
            let kinds = [
                "responses",
                "parameters",
                "examples",
                "requestBodies",
                "headers",
                "securitySchemes",
                "links",
            ];
            let kind = kinds.into_iter().find(|kind| *kind == wanted.component.0);
            self.rewrite(reference, kind, &wanted.target.0);
        } else {
            self.references(&mut entry.value, slot, &wanted.target.0);
        }
        Some(entry)
    }

    /// Copies a path item of another file into the path that uses it.
    fn path_item(&mut self, node: &mut Node, file: &str) {
        let Some(reference) = node.get("$ref") else {
            return;
        };
        let span = reference.span;
        let Some(text) = reference.as_str().map(str::to_owned) else {
            return;
        };
        let Some(target) = self.target(&text, span, file) else {
            return;
        };
        if self.within.contains(&target) {
            let message = format!("`{text}` only leads back to itself");
            let cycle = Diagnostic::error("reference-cycle", span, message);
            self.diagnostics
                .push(cycle.help("replace one reference of the circle by a definition"));
            return;
        }
        if target.0.is_empty() {
            if let Some(text) = node.get_mut("$ref").and_then(Node::as_string_mut) {
                *text = format!("#{}", target.1);
            }
            return;
        }
        let Some(entry) = self.find(&target, "pathItems", &text, span) else {
            return;
        };
        let mut copy = entry.value;
        let has_room = self.copied <= MAX_COPIED_NODES;
        if !self.within.is_empty() {
            self.copied += copy.count();
        }
        if self.copied > MAX_COPIED_NODES {
            if has_room {
                let message = format!("nested path items have over {MAX_COPIED_NODES} nodes");
                let help = "let fewer callbacks refer to path items of other files";
                let finding = Diagnostic::error("path-item-expansion", span, message);
                self.diagnostics.push(finding.help(help));
            }
            return;
        }
        self.within.push(target.clone());
        self.references(&mut copy, Slot::Component("pathItems"), &target.0);
        self.within.pop();
        // The keys beside the reference belong to the path as well.
        _ = node.as_object_mut().map(|object| object.remove("$ref"));
        // Its mappings have been rewritten with those of the outer node.
        self.rewrite_all(node, Slot::Component("pathItems"), file);
        if let Some(copy) = copy.as_object_mut() {
            for (key, own) in node.members() {
                copy.get_or_insert(key, own.clone());
            }
        }
        *node = copy;
    }

    /// The node at a place of a file, with the position of its key. A whole file has the position
    /// of its first byte.
    fn find(&mut self, (file, at): &Target, kind: &str, text: &str, span: Span) -> Option<Entry> {
        let index = self.file(file, kind, text, span)?;
        let root = self.files[index].1.as_ref()?;
        if at.is_empty() {
            if let Some(finding) = whole::check(root, kind, text, span) {
                self.diagnostics.push(finding);
                return None;
            }
            return Some(Entry {
                key_span: Span::new(root.span.start, root.span.start),
                value: root.clone(),
            });
        }
        let missing = match Missing::find(root, at) {
            Ok(node) => {
                return Some(Entry {
                    key_span: pointer::key_span(root, at).unwrap_or(node.span),
                    value: node.clone(),
                });
            }
            Err(missing) => missing,
        };
        if let Some(finding) = missing.unusual(self.source, text, span) {
            self.diagnostics.push(finding);
            return None;
        }
        let finding = missing.finding(text, span);
        let (path, _) = text.split_once('#').unwrap_or((text, ""));
        self.proposals += 1;
        self.diagnostics.push(match self.proposals > MAX_PROPOSALS {
            true => finding,
            false => missing.with_proposal(finding, path),
        });
        None
    }

    /// Whether a file can be read. Its first reference reports why it cannot.
    fn is_readable(&mut self, file: &str, kind: &str, text: &str, span: Span) -> bool {
        let index = self.file(file, kind, text, span);
        index.is_some_and(|index| self.files[index].1.is_some())
    }

    /// The index of a file, which is read for its first reference: `text`, to a component of a kind.
    fn file(&mut self, file: &str, kind: &str, text: &str, span: Span) -> Option<usize> {
        let known = self.files.iter().position(|(name, _)| name == file);
        if known.is_some() {
            return known;
        }
        let name = self.folder.name(file);
        let root = match (self.folder.read)(file) {
            Ok(text) => {
                let start = self.source.add(name.clone(), text.clone());
                parse(&name, &text, start, self.diagnostics)
            }
            Err(why) => {
                // Commands that watch the files must watch for this one too.
                self.source.add(name, String::new());
                let finding = self.unreadable(file, &why, kind, text, span);
                self.diagnostics.push(finding);
                None
            }
        };
        self.files.push((file.to_owned(), root));
        Some(self.files.len() - 1)
    }

    /// The finding about the first reference to a file that cannot be read.
    fn unreadable(
        &mut self,
        file: &str,
        why: &str,
        kind: &str,
        text: &str,
        span: Span,
    ) -> Diagnostic {
        let message = format!("cannot read `{file}`: {why}");
        let finding = Diagnostic::error("unreadable-file", span, message);
        let component = (kind.to_owned(), text.to_owned());
        if self.own.contains_key(&component) || self.stand_ins.contains_key(&component) {
            let meant = pointer::join(&format!("#/components/{kind}"), text);
            return finding.help(format!("did you mean `{meant}`?"));
        }
        self.proposals += 1;
        if self.proposals > MAX_PROPOSALS {
            return finding;
        }
        let Some(near) = self.similar_file(file) else {
            return finding;
        };
        let (path, fragment) = text.split_at(text.find('#').unwrap_or(text.len()));
        let folder = path.rfind('/').map_or("", |end| &path[..=end]);
        let meant = format!("{folder}{near}");
        finding.did_you_mean(&meant).replacement(meant + fragment)
    }

    /// The name of a file beside one that cannot be read, if the author probably meant it: with
    /// another extension, or a similar name.
    fn similar_file(&self, file: &str) -> Option<String> {
        let (folder, own) = file.rsplit_once('/').unwrap_or(("", file));
        let stem = |name: &str| Path::new(name).file_stem().map(|stem| stem.to_owned());
        let beside = (self.folder.list)(folder);
        let read = self.files.iter().filter(|(_, root)| root.is_some());
        let read = read.filter_map(|(name, _)| {
            let (of, name) = name.rsplit_once('/').unwrap_or(("", name));
            (of == folder).then(|| name.to_owned())
        });
        let names: Vec<String> = beside.into_iter().chain(read).collect();
        let alike = names.iter().find(|name| stem(name) == stem(own));
        let near = alike.map(String::as_str);
        let near = near.or_else(|| similar::nearest_name(names.iter().map(String::as_str), own));
        near.map(str::to_owned)
    }
}

/// The component that a pointer names: `/components/<kind>/<name>`.
fn named(pointer: &str) -> Option<Component> {
    let mut segments = pointer::segments(pointer);
    let first = segments.next()?;
    let component = (segments.next()?, segments.next()?);
    (first == "components" && segments.next().is_none()).then_some(component)
}

/// A name for a target that is not a component: the last part of its pointer, or its file's name.
fn name_of(file: &str, fragment: &str) -> String {
    let last = pointer::segments(fragment).next_back().unwrap_or_default();
    let is_name = |c: char| c.is_ascii_alphabetic();
    let stem = Path::new(file).file_stem().and_then(|stem| stem.to_str());
    let name = match last.contains(is_name) {
        true => last.as_str(),
        false => stem.unwrap_or_default(),
    };
    let plain = |c: char| match c.is_ascii_alphanumeric() || "._-".contains(c) {
        true => c,
        false => '_',
    };
    name.chars().map(plain).collect()
}

/// Adds a copied component. If it replaces a reference, the key keeps its position.
fn insert(root: &mut Node, (kind, name): &Component, copied: Entry, replaces: bool) {
    let empty = || Entry::at(copied.key_span, Kind::Object(Object::default()));
    let components = root
        .as_object_mut()
        .map(|root| root.get_or_insert("components", empty()));
    let of_kind = components
        .and_then(Node::as_object_mut)
        .map(|components| components.get_or_insert(kind, empty()));
    let Some(of_kind) = of_kind.and_then(Node::as_object_mut) else {
        // `components` is not an object: the check of the structure reports it.
        return;
    };
    match of_kind.get_mut(name) {
        Some(stand_in) if replaces => *stand_in = copied.value,
        Some(_) => {}
        None => _ = of_kind.insert(name.clone(), copied),
    }
}
