//! Operations, their paths, and their parameters.

use serde_json::Value;

use super::comparison::{Class, Comparison, Paired, Shift, pair, required};
use crate::check::document_index::{Direction, DocumentIndex, LocatedNode, Operation};
use crate::lower::base_path;

/// A parameter with its identity on the wire.
#[derive(Clone)]
struct Parameter<'d> {
    /// `path`, `query`, `header` or `cookie`.
    location: &'d str,
    /// The name. For a path parameter its position, since its name never reaches the wire.
    key: String,
    name: &'d str,
    place: LocatedNode<'d>,
}

impl<'d> Comparison<'d> {
    pub(super) fn operations(&mut self) {
        self.base_path();
        self.flows();
        let key = |operation: &Operation<'_>| (operation.method, shape(operation.path));
        let old = std::mem::take(&mut self.old.operations);
        let new = std::mem::take(&mut self.new.operations);
        let Paired {
            removed,
            kept,
            added,
        } = pair(old, new, key);
        for operation in &removed {
            let message = format!("{} was removed", operation.title());
            self.removed(
                Class::BreaksClients,
                &operation.place,
                message,
                "clients that call it get 404 or 405",
            );
        }
        for operation in &added {
            let message = format!("{} is new", operation.title());
            self.changed(
                Class::Additive,
                &operation.place,
                message,
                "nobody calls it yet",
            );
        }
        for (old, new) in &kept {
            self.operation(old, new);
        }
        // A schema that operations have as well is reported for them.
        for (old, new) in &kept {
            self.callbacks(old, new);
        }
    }

    fn base_path(&mut self) {
        let (old, new) = (
            base_path::of(self.old.document),
            base_path::of(self.new.document),
        );
        if old != new {
            // Without a base path, paths begin at the root.
            let shown = |path: &str| format!("{}/", path.trim_end_matches('/'));
            let place = self.new.root().get("servers").unwrap_or(self.new.root());
            self.changed(
                Class::BreaksClients,
                &place,
                format!(
                    "all paths begin with `{}` now, not with `{}`",
                    shown(&new),
                    shown(&old)
                ),
                "clients call the old paths",
            );
        }
    }

    fn operation(&mut self, old: &Operation<'d>, new: &Operation<'d>) {
        let title = new.title();
        self.operation_id(&title, old, new);
        self.parameters(&title, old, new);
        self.security(old, new);
        self.request_body(&title, old, new);
        self.responses(&title, old, new);
        self.body_limit(old, new);
    }

    pub(super) fn operation_id(&mut self, title: &str, old: &Operation<'d>, new: &Operation<'d>) {
        let id = |operation: &Operation<'d>| operation.place.text("operationId");
        if id(old) != id(new) {
            let place = new.place.get_or_self("operationId");
            let name = |id: Option<&str>| id.map_or("nothing".into(), |id| format!("`{id}`"));
            self.changed(
                Class::BreaksClients,
                &place,
                format!(
                    "{title} is called {} now, not {}",
                    name(id(new)),
                    name(id(old))
                ),
                "code that is generated from the document is named after it",
            );
        }
    }

    pub(super) fn parameters(&mut self, title: &str, old: &Operation<'d>, new: &Operation<'d>) {
        let direction = self.request_direction();
        let old = parameters(&self.old, old);
        let new = parameters(&self.new, new);
        let paired = pair(old, new, |p| (p.location, p.key.clone()));
        let renamed = pair(paired.removed, paired.added, |p| (p.location, identity(p)));
        for (before, now) in &renamed.kept {
            let message = format!(
                "{title}: the {} is called `{}` now",
                describe(before),
                now.name
            );
            let reason = match (direction, required(&now.place)) {
                (Direction::Request, true) => "requests with the old name are rejected",
                (Direction::Request, false) => "the server ignores the old name",
                (Direction::Response, _) => "clients that read the old name find nothing",
            };
            self.changed(Class::BreaksClients, &now.place, message, reason);
            self.renamed.insert(before.place.pointer.clone());
            self.parameter(title, before, now);
        }
        for parameter in &renamed.removed {
            self.removed_part(title, &describe(parameter), &parameter.place, direction);
        }
        for parameter in &renamed.added {
            self.added_part(title, &describe(parameter), &parameter.place, direction);
        }
        for (old, new) in &paired.kept {
            self.parameter(title, old, new);
        }
    }

    fn parameter(&mut self, title: &str, old: &Parameter<'d>, new: &Parameter<'d>) {
        let what = describe(new);
        if old.name != new.name && old.key == new.key {
            self.changed(
                Class::Documentation,
                &new.place,
                format!(
                    "{title}: the {} is called `{}` now",
                    describe(old),
                    new.name
                ),
                "on the wire it is the same",
            );
        }
        let direction = self.request_direction();
        self.presence(title, &what, &old.place, &new.place, direction);
        if self.notation(&format!("{title}: the {what}"), old, new) {
            self.part_values(&old.place, &new.place, direction);
        }
    }

    /// Compares how a parameter is written. Returns whether its schemas can be compared.
    fn notation(&mut self, title: &str, old: &Parameter<'d>, new: &Parameter<'d>) -> bool {
        let has_media_type = |one: &Parameter<'_>| one.place.get("content").is_some();
        if has_media_type(old) != has_media_type(new) {
            let now = match has_media_type(new) {
                true => "its media type",
                false => "its schema",
            };
            self.changed(
                Class::BreaksClients,
                &new.place,
                format!("{title} is written by {now} now"),
                "its notation changed",
            );
            return false;
        }
        let mut keys = ["style", "explode", "allowReserved"].into_iter();
        if let Some(key) = keys.find(|key| notation(old, key) != notation(new, key)) {
            self.changed(
                Class::BreaksClients,
                &new.place,
                format!("{title} has another `{key}`"),
                "its notation changed",
            );
        }
        true
    }

    /// Compares the maximum sizes of a body, each of which may be the default.
    fn body_limit(&mut self, old: &Operation<'d>, new: &Operation<'d>) {
        const KEY: &str = "x-dropforge-max-body-bytes";
        let limit = |operation: &Operation<'d>, document: &DocumentIndex<'d>| {
            let own = operation.place.node.get(KEY);
            own.or_else(|| document.root().node.get(KEY))
                .and_then(|limit| limit.as_u64())
                .unwrap_or(crate::lower::DEFAULT_BODY_BYTES)
        };
        let (before, now) = (limit(old, &self.old), limit(new, &self.new));
        let shift = match now.cmp(&before) {
            std::cmp::Ordering::Less => Shift::Narrower,
            std::cmp::Ordering::Equal => return,
            std::cmp::Ordering::Greater => Shift::Wider,
        };
        let message = format!("a body may have {now} bytes, not {before}");
        let place = new.place.get_or_self(KEY);
        self.shifted(shift, Direction::Request, &place, message);
    }
}

/// A path without the names of its variables, which are not sent.
fn shape(path: &str) -> String {
    let mut shape = String::new();
    let mut inside = false;
    for c in path.chars() {
        match c {
            '{' => inside = true,
            '}' => inside = false,
            _ if inside => continue,
            _ => {}
        }
        shape.push(c);
    }
    shape
}

/// An operation's parameters: its own replace those of its path.
fn parameters<'d>(index: &DocumentIndex<'d>, operation: &Operation<'d>) -> Vec<Parameter<'d>> {
    let variables: Vec<&str> = operation
        .path
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}').map(|(name, _)| name))
        .collect();
    let mut all: Vec<Parameter<'d>> = Vec::new();
    for place in operation.parameters.iter().rev() {
        let Some(place) = index.resolve(place) else {
            continue;
        };
        let (Some(location), Some(name)) = (place.text("in"), place.text("name")) else {
            continue;
        };
        let key = match location {
            "path" => {
                let at = variables.iter().position(|variable| *variable == name);
                at.map_or(name.to_owned(), |at| at.to_string())
            }
            "header" => name.to_ascii_lowercase(),
            _ => name.to_owned(),
        };
        let known = |p: &Parameter<'_>| p.location == location && p.key == key;
        if !all.iter().any(known) {
            all.push(Parameter {
                location,
                key,
                name,
                place,
            });
        }
    }
    all.reverse();
    all
}

/// The value of a key that says how a parameter is written, or its default (OpenAPI 3.0.3,
/// "Parameter Object").
fn notation(parameter: &Parameter<'_>, key: &str) -> Value {
    if let Some(own) = parameter.place.node.get(key) {
        return own.to_json();
    }
    let style = parameter.place.text("style");
    let style = style.unwrap_or(match parameter.location {
        "query" | "cookie" => "form",
        _ => "simple",
    });
    match key {
        "style" => style.into(),
        "explode" => (style == "form").into(),
        _ => false.into(),
    }
}

/// The place and the schema of a parameter, by which a renamed one is recognized.
fn identity(parameter: &Parameter<'_>) -> (String, Option<Value>) {
    let schema = parameter.place.node.get("schema");
    let schema = schema.map(|schema| schema.to_json());
    (parameter.place.pointer.clone(), schema)
}

fn describe(parameter: &Parameter<'_>) -> String {
    format!("{} parameter `{}`", parameter.location, parameter.name)
}
