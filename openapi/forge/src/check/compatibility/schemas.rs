//! Schemas: the set of allowed values.

use std::collections::HashSet;

use serde_json::Value;

use super::comparison::{Class, Comparison, Shift, name, pair};
use super::members::Members;
use crate::check::document_index::{Direction, DocumentIndex, LocatedNode, properties};
use crate::document::{EXTENSIBLE, Node, is_own_name, pointer};
use crate::structure::{comparable, discriminator_tags, discriminator_target};

/// Keys of schemas for readers.
pub(super) const WORDS: [&str; 6] = [
    "description",
    "title",
    "example",
    "examples",
    "externalDocs",
    "deprecated",
];

impl<'d> Comparison<'d> {
    /// Two schemas. A missing schema allows every value. `owner` is the node that has them.
    pub(super) fn schema_pair(
        &mut self,
        schemas: (Option<LocatedNode<'d>>, Option<LocatedNode<'d>>),
        direction: Direction,
        owner: &LocatedNode<'_>,
    ) {
        match schemas {
            (Some(old), Some(new)) => self.schema(&old, &new, direction),
            (Some(_), None) => {
                let message = "everything is allowed".to_owned();
                self.shifted(Shift::Wider, direction, owner, message);
            }
            (None, Some(new)) => {
                let message = "there is a schema where everything was allowed".to_owned();
                self.shifted(Shift::Narrower, direction, &new, message);
            }
            (None, None) => {}
        }
    }

    pub(super) fn schema(
        &mut self,
        old: &LocatedNode<'d>,
        new: &LocatedNode<'d>,
        direction: Direction,
    ) {
        let (Some(before), Some(now)) = (meant(&self.old, old), meant(&self.new, new)) else {
            return;
        };
        // The same schema can be nullable at one place and not at another.
        self.null(&before, &now, new, direction);
        let (old, new) = (before.place, now.place);
        let pair = (old.pointer.clone(), new.pointer.clone(), direction);
        if !self.seen.insert(pair) || self.unions(&old, &new, direction) {
            return;
        }
        let composed = self.composed(&old, &new);
        let is_composed = composed.is_some();
        if is_composed {
            self.composed.insert(new.pointer.clone());
        } else {
            self.types(&old, &new, direction);
        }
        self.bounds(&old, &new, direction);
        self.enumeration(&old, &new, direction);
        self.or_integer(&old, &new, direction);
        let (before, now) = match composed {
            Some(composed) => composed,
            None => (Members::own(&old), Members::own(&new)),
        };
        self.members(&before, &now, &new, direction);
        self.additional(&old, &new, direction);
        self.schema_pair((old.get("items"), new.get("items")), direction, &new);
        self.negation(&old, &new, direction);
        if !is_composed {
            self.combination("allOf", &old, &new, direction);
        }
        for key in ["anyOf", "oneOf"] {
            self.combination(key, &old, &new, direction);
        }
        self.discriminator(&old, &new, direction);
    }

    /// Whether null is allowed, by a schema or by the place that refers to it.
    fn null(
        &mut self,
        old: &Meant<'d>,
        new: &Meant<'d>,
        at: &LocatedNode<'_>,
        direction: Direction,
    ) {
        let (shift, message) = match (old.allows_null(), new.allows_null()) {
            (false, true) => (Shift::Wider, "null is allowed"),
            (true, false) => (Shift::Narrower, "null is not allowed"),
            _ => return,
        };
        let at = match old.null_here || new.null_here {
            true => at,
            false => &new.place,
        };
        self.shifted(shift, direction, at, message.to_owned());
    }

    /// The excluded values. Two schemas of them are not compared.
    fn negation(&mut self, old: &LocatedNode<'d>, new: &LocatedNode<'d>, direction: Direction) {
        let shift = match (old.get("not"), new.get("not")) {
            (Some(before), Some(now)) if same(&before, &now) => None,
            (Some(_), Some(_)) => Some(Shift::Aside),
            (before, now) => Shift::of_requirement(before.is_some(), now.is_some()),
        };
        if let Some(shift) = shift {
            self.shifted(shift, direction, new, "`not` changed".to_owned());
        }
    }

    fn types(&mut self, old: &LocatedNode<'d>, new: &LocatedNode<'d>, direction: Direction) {
        let (before, now) = (old.text("type"), new.text("type"));
        let shift = match (before, now) {
            (before, now) if before == now => None,
            (Some(_), None) | (Some("integer"), Some("number")) => Some(Shift::Wider),
            (None, Some(_)) | (Some("number"), Some("integer")) => Some(Shift::Narrower),
            _ => Some(Shift::Aside),
        };
        if let Some(shift) = shift {
            let name = |name: Option<&str>| name.unwrap_or("anything").to_owned();
            let message = format!("the type is {}, not {}", name(now), name(before));
            self.shifted(shift, direction, new, message);
        }
    }

    fn enumeration(&mut self, old: &LocatedNode<'d>, new: &LocatedNode<'d>, direction: Direction) {
        let values = |place: &LocatedNode<'d>| {
            let values = place.get("enum")?.elements();
            Some(
                values
                    .iter()
                    .map(|v| comparable(v.node))
                    .collect::<Vec<_>>(),
            )
        };
        let place = new.get_or_self("enum");
        match (values(old), values(new)) {
            (Some(before), Some(now)) => {
                let (known, listed): (HashSet<&Value>, HashSet<&Value>) =
                    (before.iter().collect(), now.iter().collect());
                for value in before.iter().filter(|value| !listed.contains(value)) {
                    let message = format!("the value {value} was removed");
                    self.shifted(Shift::Narrower, direction, &place, message);
                }
                let is_open = old.node.flag(EXTENSIBLE) && direction == Direction::Response;
                for value in now.iter().filter(|value| !known.contains(value)) {
                    let message = format!("the value {value} is new");
                    match is_open {
                        true => self.changed(
                            Class::Additive,
                            &place,
                            self.in_direction(direction, &message),
                            "clients of an extensible enum accept values that they do not know",
                        ),
                        false => self.shifted(Shift::Wider, direction, &place, message),
                    }
                }
                self.extensible(old, new, direction, &place);
            }
            (None, Some(_)) => {
                let message = "only some values are allowed".to_owned();
                self.shifted(Shift::Narrower, direction, &place, message);
            }
            (Some(_), None) => {
                let message = "all values are allowed".to_owned();
                self.shifted(Shift::Wider, direction, &place, message);
            }
            (None, None) => {}
        }
    }

    /// Whether servers read an integer in place of a string. Clients have the string alone.
    fn or_integer(&mut self, old: &LocatedNode<'d>, new: &LocatedNode<'d>, direction: Direction) {
        const KEY: &str = "x-dropforge-or-integer";
        let (shift, message) = match (old.node.flag(KEY), new.node.flag(KEY)) {
            (false, true) => (Shift::Wider, "an integer is allowed"),
            (true, false) => (Shift::Narrower, "an integer is not allowed"),
            _ => return,
        };
        if direction == Direction::Request {
            let place = new.get_or_self(KEY);
            self.shifted(shift, direction, &place, message.to_owned());
        }
    }

    /// An enum of responses that becomes open breaks clients that were generated from the closed
    /// one: later additions are not reported as breaking. In requests, and in the opposite change,
    /// clients notice nothing.
    fn extensible(
        &mut self,
        old: &LocatedNode<'d>,
        new: &LocatedNode<'d>,
        direction: Direction,
        place: &LocatedNode<'_>,
    ) {
        let (class, message, reason) = match (old.node.flag(EXTENSIBLE), new.node.flag(EXTENSIBLE))
        {
            (false, true) if direction == Direction::Response => (
                Class::BreaksClients,
                "the values may grow",
                "clients generated from the closed enum may reject values that are added later",
            ),
            (false, true) => (
                Class::Documentation,
                "the values may grow",
                "the server accepts the same values",
            ),
            (true, false) => (
                Class::Documentation,
                "the values are complete",
                "the values are the same",
            ),
            _ => return,
        };
        self.changed(class, place, self.in_direction(direction, message), reason);
    }

    fn additional(&mut self, old: &LocatedNode<'d>, new: &LocatedNode<'d>, direction: Direction) {
        const KEY: &str = "additionalProperties";
        let (before, now) = (old.get(KEY), new.get(KEY));
        // Absent means `true`, and so does `{}`; another value that is not a boolean is a schema.
        let allowed = |place: &Option<LocatedNode<'d>>| match place {
            Some(place) if !allows_any(place.node) => place.node.as_bool(),
            _ => Some(true),
        };
        let shift = match (allowed(&before), allowed(&now)) {
            (Some(before), Some(now)) if before == now => {
                return self.kept_members(old, new, direction);
            }
            (Some(false), _) | (None, Some(true)) => Shift::Wider,
            (_, Some(false)) | (Some(true), None) => Shift::Narrower,
            (None, None) => {
                if let (Some(before), Some(now)) = (before, now) {
                    self.schema(&before, &now, direction);
                }
                return;
            }
            (Some(_), Some(_)) => Shift::Aside,
        };
        let what = match shift {
            Shift::Narrower => "other properties are not allowed as freely",
            _ => "other properties are allowed",
        };
        self.shifted(shift, direction, new, what.to_owned());
    }

    /// Other properties are allowed with `additionalProperties: true` and without it, but only with it have the
    /// generated types a field for them.
    fn kept_members(&mut self, old: &LocatedNode<'d>, new: &LocatedNode<'d>, direction: Direction) {
        let kept = |place: &LocatedNode<'d>| {
            let additional = place.node.get("additionalProperties");
            additional.is_some_and(allows_any) && !properties(place).is_empty()
        };
        let (class, message, reason) = match (kept(old), kept(new)) {
            (true, false) => (
                Class::BreaksClients,
                "other properties are not kept",
                "the generated types have no field for them, and the server does not pass them on",
            ),
            (false, true) => (
                Class::Additive,
                "other properties are kept",
                "the generated types have a field for them",
            ),
            _ => return,
        };
        self.changed(class, new, self.in_direction(direction, message), reason);
    }

    /// The parts of `allOf`, or the alternatives of `anyOf` and `oneOf`.
    fn combination(
        &mut self,
        key: &str,
        old: &LocatedNode<'d>,
        new: &LocatedNode<'d>,
        direction: Direction,
    ) {
        let (before, now) = (old.elements_of(key), new.elements_of(key));
        // One more part requires more; one more alternative allows more. The first alternatives,
        // and the loss of the last, have the opposite effect: a schema without alternatives allows
        // all.
        let conjunction = key == "allOf" || before.is_empty() || now.is_empty();
        let (fewer, more) = if conjunction {
            (Shift::Wider, Shift::Narrower)
        } else {
            (Shift::Narrower, Shift::Wider)
        };
        let what = if key == "allOf" {
            "part"
        } else {
            "alternative"
        };
        let paired = pair(before, now, name);
        // Alternatives without a name are identified by their position.
        let (unnamed, removed): (Vec<_>, _) = paired.removed.into_iter().partition(is_inline);
        let (fresh, added): (Vec<_>, _) = paired.added.into_iter().partition(is_inline);
        for place in removed.iter().chain(unnamed.iter().skip(fresh.len())) {
            let message = format!("the {what} {} of `{key}` was removed", name(place));
            self.lost(fewer, direction, place, message);
        }
        for place in added.iter().chain(fresh.iter().skip(unnamed.len())) {
            let message = format!("the {what} {} of `{key}` is new", name(place));
            self.shifted(more, direction, place, message);
        }
        for (old, new) in paired
            .kept
            .iter()
            .map(|(old, new)| (old, new))
            .chain(unnamed.iter().zip(&fresh))
        {
            self.schema(old, new, direction);
        }
    }

    fn discriminator(
        &mut self,
        old: &LocatedNode<'d>,
        new: &LocatedNode<'d>,
        direction: Direction,
    ) {
        const KEY: &str = "discriminator";
        let property = |place: &LocatedNode<'d>| {
            let discriminator = place.get(KEY);
            discriminator.and_then(|d| d.text("propertyName"))
        };
        if property(old) != property(new) {
            let message = "another property distinguishes the alternatives".to_owned();
            self.shifted(Shift::Aside, direction, new, message);
            return;
        }
        let Some(property) = property(new) else {
            return;
        };
        let (before, now) = (
            tags(&self.old, old, property),
            tags(&self.new, new, property),
        );
        let (mapped_before, mapped_now) = (mapped(&before), mapped(&now));
        let paired = pair(before, now, |tag| tag.value.clone());
        let removed = paired.removed.iter();
        for tag in removed.filter(|tag| tag.is_own_change(&mapped_now)) {
            let message = format!("the tag `{}` was removed", tag.value);
            self.lost(Shift::Narrower, direction, &tag.place, message);
        }
        let added = paired.added.iter();
        for tag in added.filter(|tag| tag.is_own_change(&mapped_before)) {
            let message = format!("the tag `{}` is new", tag.value);
            self.shifted(Shift::Wider, direction, &tag.place, message);
        }
        for (before, now) in &paired.kept {
            let before = tagged(&self.old, &before.place);
            if let (Some(before), Some(now)) = (before, tagged(&self.new, &now.place)) {
                self.schema(&before, &now, direction);
            }
        }
    }
}

/// A value that chooses an alternative.
struct Tag<'d> {
    value: String,
    /// Its entry of `mapping`, or the alternative if there is none.
    place: LocatedNode<'d>,
    /// The name of the component that it chooses.
    component: Option<String>,
}

impl Tag<'_> {
    fn is_mapped(&self) -> bool {
        self.place.node.as_str().is_some()
    }

    /// Whether a tag that the other document lacks is a change of its own: one of the documents maps
    /// its alternative. Otherwise the comparison of the alternatives reports the change. `mapped` has
    /// the components that the other document maps.
    fn is_own_change(&self, mapped: &HashSet<String>) -> bool {
        let component = self.component.as_ref();
        self.is_mapped() || component.is_some_and(|name| mapped.contains(name))
    }
}

/// The components that `mapping` names.
fn mapped(tags: &[Tag<'_>]) -> HashSet<String> {
    let mapped = tags.iter().filter(|tag| tag.is_mapped());
    mapped.filter_map(|tag| tag.component.clone()).collect()
}

/// The tags of a discriminator, as in the generated code: those of `mapping`, and those of the
/// components that are alternatives without an entry.
fn tags<'d>(index: &DocumentIndex<'d>, schema: &LocatedNode<'d>, property: &str) -> Vec<Tag<'d>> {
    let discriminator = schema.get("discriminator");
    let entries = discriminator.map_or_else(Vec::new, |one| one.entries_of("mapping"));
    let entries = entries.into_iter().map(|(value, place)| {
        let target = tagged(index, &place).and_then(|target| index.resolve(&target));
        Tag {
            value: value.to_owned(),
            component: target.as_ref().and_then(component),
            place,
        }
    });
    // The others are the names that renamed alternatives have in their files.
    let (mut tags, others): (Vec<Tag<'d>>, Vec<Tag<'d>>) =
        entries.partition(|tag| !is_own_name(tag.place.span, tag.place.node.span));
    let mapped = mapped(&tags);
    let own = |name: &String| {
        let mut others = others.iter();
        let renamed = others.find(|tag| tag.component.as_ref() == Some(name));
        renamed.map_or_else(|| name.clone(), |tag| tag.value.clone())
    };
    let alternatives = ["oneOf", "anyOf"].into_iter();
    for place in alternatives.flat_map(|key| schema.elements_of(key)) {
        let Some(target) = index.resolve(&place) else {
            continue;
        };
        let Some(name) = component(&target).filter(|name| !mapped.contains(name)) else {
            continue;
        };
        let own = own(&name);
        let values = discriminator_tags(index.document, target.node, property, &own);
        let values = values.unwrap_or_else(|| vec![own]);
        tags.extend(values.into_iter().map(|value| Tag {
            value,
            place: place.clone(),
            component: Some(name.clone()),
        }));
    }
    tags
}

/// The name of a schema that is a component.
fn component(schema: &LocatedNode<'_>) -> Option<String> {
    let name = schema.pointer.strip_prefix("/components/schemas/")?;
    (!name.contains('/')).then(|| pointer::segments(&schema.pointer).next_back())?
}

/// The schema of a tag: the one that the entry of `mapping` names, or the alternative itself.
fn tagged<'d>(index: &DocumentIndex<'d>, place: &LocatedNode<'d>) -> Option<LocatedNode<'d>> {
    let Some(name) = place.node.as_str() else {
        return Some(place.clone());
    };
    let pointer = discriminator_target(name);
    let node = index.document.at(&pointer)?;
    Some(LocatedNode {
        pointer,
        span: place.span,
        node,
    })
}

/// The schema at a place, with references followed.
struct Meant<'d> {
    place: LocatedNode<'d>,
    /// Whether the place itself adds null to the schema: `allOf` of one, and `nullable`.
    null_here: bool,
}

impl Meant<'_> {
    fn allows_null(&self) -> bool {
        self.null_here || self.place.node.flag("nullable")
    }
}

/// Follows references, and each `allOf` of one part that adds only words and null.
fn meant<'d>(index: &DocumentIndex<'d>, place: &LocatedNode<'d>) -> Option<Meant<'d>> {
    let mut place = index.resolve(place)?;
    let mut null_here = false;
    let mut seen = HashSet::new();
    while let Some(only) = only_part(&place) {
        // A schema that is composed of itself is an error of its document, and not a change.
        if !seen.insert(place.pointer.clone()) {
            return None;
        }
        null_here |= place.node.flag("nullable");
        place = index.resolve(&only)?;
    }
    Some(Meant { place, null_here })
}

/// The single part of an `allOf` that has only words and `nullable` beside it.
fn only_part<'d>(place: &LocatedNode<'d>) -> Option<LocatedNode<'d>> {
    let mut parts = place.get("allOf")?.elements();
    (parts.len() == 1 && has_only(place, &["allOf", "nullable"])).then(|| parts.remove(0))
}

/// Whether a schema has no other keywords than these and words.
pub(super) fn has_only(schema: &LocatedNode<'_>, keywords: &[&str]) -> bool {
    let mut keys = schema.node.members().map(|(key, _)| key);
    keys.all(|key| keywords.contains(&key) || WORDS.contains(&key) || key.starts_with("x-"))
}

fn is_inline(place: &LocatedNode<'_>) -> bool {
    place.node.get("$ref").is_none()
}

fn same(old: &LocatedNode<'_>, new: &LocatedNode<'_>) -> bool {
    old.node.to_json() == new.node.to_json()
}

/// Whether `additionalProperties` with this value allows everything.
fn allows_any(node: &Node) -> bool {
    node.as_bool() == Some(true) || node.as_object().is_some_and(|schema| schema.is_empty())
}
