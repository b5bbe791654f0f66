//! Requests that the service sends: callbacks and webhooks.
//!
//! The directions are opposite to those of operations. The service sends the requests, so they
//! count as [`Direction::Response`], from the server to the client. The responses of clients count
//! as [`Direction::Request`].

use super::bodies::{ListedStatuses, normal};
use super::comparison::{Change, Class, Comparison, Paired, pair, required};
use super::operations::{describe, parameters};
use crate::check::document_index::{Direction, DocumentIndex, LocatedNode, Operation};
use crate::document::Document;
use crate::upgrade;

/// A request that the service sends.
struct Call<'d> {
    /// For people.
    title: String,
    /// The callback or webhook that has it.
    name: &'d str,
    /// The path is the expression of a callback; a webhook has none.
    operation: Operation<'d>,
}

/// The changes of the webhooks. `compared` are the changes of the operations.
pub(super) fn of_webhooks(
    old: &Document,
    new: &Document,
    compared: &mut Comparison<'_>,
) -> Vec<Change> {
    let has_webhooks = |document: &Document| {
        let written = document.written.as_ref();
        written.is_some_and(|written| written.get(WEBHOOKS).is_some())
    };
    if !has_webhooks(old) && !has_webhooks(new) {
        return Vec::new();
    }
    let (old, new) = (webhooks_as_paths(old), webhooks_as_paths(new));
    let mut comparison = Comparison::new(&old, &new);
    comparison.seen = std::mem::take(&mut compared.seen);
    comparison.webhooks();
    let mut changes = comparison.changes;
    for change in &mut changes {
        if let Some(inner) = change.pointer.strip_prefix("/paths/") {
            change.pointer = format!("/{WEBHOOKS}/{inner}");
        }
    }
    changes
}

const WEBHOOKS: &str = "webhooks";

/// A document in the words of OpenAPI 3.0, which has no webhooks. They take the place of the paths.
fn webhooks_as_paths(document: &Document) -> Document {
    let mut other = document.as_written().into_owned();
    if let Some(root) = other.root.as_object_mut() {
        root.remove("paths");
        let webhooks = root.remove(WEBHOOKS);
        if let Some(webhooks) = webhooks.filter(|_| document.written.is_some()) {
            root.get_or_insert("paths", webhooks);
        }
    }
    upgrade::upgrade(&mut other);
    other
}

impl<'d> Comparison<'d> {
    fn webhooks(&mut self) {
        let (old, new) = (self.old.root().get("paths"), self.new.root().get("paths"));
        if let (Some(old), Some(new)) = (&old, &new) {
            self.words(old, new);
        }
        let calls = |index: &DocumentIndex<'d>, items: Option<LocatedNode<'d>>| {
            let items = items.map_or_else(Vec::new, |items| items.fields());
            let calls = items.into_iter().flat_map(|(name, item)| {
                calls_of(index, name, "", &item, &|method| {
                    format!("the webhook `{name}` ({method})")
                })
            });
            calls.collect::<Vec<_>>()
        };
        let (old, new) = (calls(&self.old, old), calls(&self.new, new));
        self.calls(old, new);
    }

    /// The callbacks of an operation.
    pub(super) fn callbacks(&mut self, old: &Operation<'d>, new: &Operation<'d>) {
        let (old, new) = (callbacks(&self.old, old), callbacks(&self.new, new));
        self.calls(old, new);
    }

    fn calls(&mut self, old: Vec<Call<'d>>, new: Vec<Call<'d>>) {
        let key = |call: &Call<'d>| (call.name, call.operation.path, call.operation.method);
        let Paired {
            removed,
            kept,
            added,
        } = pair(old, new, key);
        for call in &removed {
            let message = format!("{} was removed", call.title);
            let reason = "clients that wait for it get nothing";
            self.removed(Class::BreaksClients, &call.operation.place, message, reason);
        }
        for call in &added {
            let message = format!("{} is new", call.title);
            let reason = "clients that do not know it respond with an error";
            self.changed(Class::Additive, &call.operation.place, message, reason);
        }
        for (old, new) in &kept {
            self.call(&new.title, &old.operation, &new.operation);
        }
    }

    fn call(&mut self, title: &str, old: &Operation<'d>, new: &Operation<'d>) {
        self.operation_id(title, old, new);
        let security = |operation: &Operation<'d>| {
            let own = operation.place.node.get("security");
            own.map(|own| own.to_json())
        };
        if security(old) != security(new) {
            let place = new.place.get("security").unwrap_or(new.place.clone());
            let message = format!("{title}: the security requirements changed");
            let reason = "clients check the credentials of the service";
            self.changed(Class::BreaksClients, &place, message, reason);
        }
        self.sent_parameters(title, old, new);
        let body = |index: &DocumentIndex<'d>, operation: &Operation<'d>| {
            let body = operation.place.get("requestBody");
            body.and_then(|body| index.resolve(&body))
        };
        let bodies = (body(&self.old, old), body(&self.new, new));
        let what = format!("{title}: the request body");
        match bodies {
            (None, None) => {}
            (Some(old), None) => self.removed_part(&what, &old, Direction::Response),
            (None, Some(new)) => self.added_part(&what, &new, Direction::Response),
            (Some(old), Some(new)) => self.kept_part(&what, &old, &new, Direction::Response),
        }
        self.accepted_responses(title, old, new);
    }

    fn sent_parameters(&mut self, title: &str, old: &Operation<'d>, new: &Operation<'d>) {
        let old = parameters(&self.old, old);
        let new = parameters(&self.new, new);
        let paired = pair(old, new, |p| (p.location, p.key.clone()));
        for parameter in &paired.removed {
            let what = format!("{title}: the {}", describe(parameter));
            self.removed_part(&what, &parameter.place, Direction::Response);
        }
        for parameter in &paired.added {
            let what = format!("{title}: the {}", describe(parameter));
            self.added_part(&what, &parameter.place, Direction::Response);
        }
        for (old, new) in &paired.kept {
            let what = format!("{title}: the {}", describe(new));
            if self.notation(&what, old, new) {
                self.kept_part(&what, &old.place, &new.place, Direction::Response);
            }
        }
    }

    /// The responses that the service accepts.
    fn accepted_responses(&mut self, title: &str, old: &Operation<'d>, new: &Operation<'d>) {
        let responses = |operation: &Operation<'d>| {
            let responses = operation.place.get("responses");
            responses.map_or_else(Vec::new, |responses| responses.fields())
        };
        let listed = ListedStatuses {
            may_be_unlisted: |status| status.starts_with(|first: char| first.is_ascii_digit()),
            removed: (
                Class::BreaksClients,
                "clients may not respond so any longer",
            ),
            added: &|_| (Class::Additive, "clients may respond so"),
        };
        let (before, now) = (responses(old), responses(new));
        self.statuses(title, before, now, &listed, Self::accepted_response);
    }

    fn accepted_response(&mut self, title: &str, old: &LocatedNode<'d>, new: &LocatedNode<'d>) {
        let Some((old, new)) = self.resolved(old, new) else {
            return;
        };
        let headers = |index: &DocumentIndex<'d>, place: &LocatedNode<'d>| {
            let headers = place.entries_of("headers").into_iter();
            let headers = headers.filter_map(|(name, one)| Some((name, index.resolve(&one)?)));
            headers.collect::<Vec<_>>()
        };
        let before = headers(&self.old, &old);
        let now = headers(&self.new, &new);
        let paired = pair(before, now, |(name, _)| name.to_ascii_lowercase());
        let what = |name: &str| format!("{title}: the header `{name}`");
        for (name, header) in &paired.removed {
            self.removed_part(&what(name), header, Direction::Request);
        }
        for (name, header) in &paired.added {
            self.added_part(&what(name), header, Direction::Request);
        }
        for ((_, old), (name, new)) in &paired.kept {
            self.kept_part(&what(name), old, new, Direction::Request);
        }
        self.media_types(title, &old, &new, Direction::Request);
    }

    /// A body, parameter or header that a message no longer has.
    fn removed_part(&mut self, what: &str, place: &LocatedNode<'d>, direction: Direction) {
        let reason = match direction {
            Direction::Request => "the server ignores it now",
            Direction::Response => "clients that read it find nothing",
        };
        let message = format!("{what} was removed");
        self.removed(Class::BreaksClients, place, message, reason);
    }

    fn added_part(&mut self, what: &str, place: &LocatedNode<'d>, direction: Direction) {
        let (class, reason) = match (direction, required(place)) {
            (Direction::Request, true) => {
                (Class::BreaksClients, "responses without it are rejected")
            }
            (Direction::Request, false) => {
                (Class::Additive, "responses without it mean what they meant")
            }
            (Direction::Response, true) => (
                Class::BreaksServers,
                "a request without it violates the document",
            ),
            (Direction::Response, false) => {
                (Class::Additive, "clients that do not know it ignore it")
            }
        };
        self.changed(class, place, format!("{what} is new"), reason);
    }

    fn kept_part(
        &mut self,
        what: &str,
        old: &LocatedNode<'d>,
        new: &LocatedNode<'d>,
        direction: Direction,
    ) {
        let change = match (required(old), required(new), direction) {
            (false, true, Direction::Request) => Some((
                Class::BreaksClients,
                "is required now",
                "responses without it are rejected",
            )),
            (true, false, Direction::Request) => Some((
                Class::Additive,
                "is optional now",
                "responses with it mean what they meant",
            )),
            (false, true, Direction::Response) => Some((
                Class::BreaksServers,
                "is always there now",
                "a request without it violates the document",
            )),
            (true, false, Direction::Response) => Some((
                Class::BreaksClients,
                "can be absent now",
                "clients rely on it",
            )),
            _ => None,
        };
        if let Some((class, message, reason)) = change {
            self.changed(class, new, format!("{what} {message}"), reason);
        }
        self.opposite_schemas(old, new, direction);
        self.media_types(what, old, new, direction);
    }

    /// The media types of a body. Nobody negotiates them.
    fn media_types(
        &mut self,
        what: &str,
        old: &LocatedNode<'d>,
        new: &LocatedNode<'d>,
        direction: Direction,
    ) {
        let (old, new) = (old.entries_of("content"), new.entries_of("content"));
        let paired = pair(old, new, |(media_type, _)| normal(media_type));
        for (media_type, content) in &paired.removed {
            let (class, reason) = match direction {
                Direction::Request => (Class::BreaksClients, "clients may not send it any longer"),
                Direction::Response => (
                    Class::BreaksServers,
                    "a request with it violates the document",
                ),
            };
            let message = format!("{what}: the media type `{media_type}` was removed");
            self.removed(class, content, message, reason);
        }
        for (media_type, content) in &paired.added {
            let (class, reason) = match direction {
                Direction::Request => (Class::Additive, "clients may send it"),
                Direction::Response => (
                    Class::BreaksClients,
                    "clients can get requests that they do not know",
                ),
            };
            let message = format!("{what}: the media type `{media_type}` is new");
            self.changed(class, content, message, reason);
        }
        for ((_, old), (_, new)) in &paired.kept {
            self.opposite_schemas(old, new, direction);
        }
    }

    fn opposite_schemas(
        &mut self,
        old: &LocatedNode<'d>,
        new: &LocatedNode<'d>,
        direction: Direction,
    ) {
        self.is_reversed = true;
        self.schema_pair((old.get("schema"), new.get("schema")), direction, new);
        self.is_reversed = false;
    }
}

fn callbacks<'d>(index: &DocumentIndex<'d>, operation: &Operation<'d>) -> Vec<Call<'d>> {
    let mut calls = Vec::new();
    for (name, callback) in operation.place.entries_of("callbacks") {
        let callback = index.resolve(&callback);
        let items = callback.map_or_else(Vec::new, |callback| callback.fields());
        for (expression, item) in items {
            calls.extend(calls_of(index, name, expression, &item, &|method| {
                let of = operation.title();
                format!("{of}: the callback `{name}` ({method} `{expression}`)")
            }));
        }
    }
    calls
}

/// The calls of a path item. `title` makes that of a method.
fn calls_of<'d>(
    index: &DocumentIndex<'d>,
    name: &'d str,
    path: &'d str,
    item: &LocatedNode<'d>,
    title: &dyn Fn(&str) -> String,
) -> Vec<Call<'d>> {
    let Some(item) = index.resolve(item) else {
        return Vec::new();
    };
    let operations = Operation::of_item(path, &item, None).into_iter();
    let calls = operations.map(|operation| Call {
        title: title(&operation.method.to_uppercase()),
        name,
        operation,
    });
    calls.collect()
}
