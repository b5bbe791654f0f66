//! Requests that the service sends: callbacks and webhooks.
//!
//! The directions are opposite to those of operations. The service sends the requests, so they
//! go from the server to the client, as the responses of operations do.

use super::bodies::ListedStatuses;
use super::comparison::{Change, Class, Comparison, Paired, pair};
use crate::check::document_index::{DocumentIndex, LocatedNode, Operation};
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
        self.is_reversed = true;
        self.operation_id(title, old, new);
        let security = |operation: &Operation<'d>| {
            let own = operation.place.node.get("security");
            own.map(|own| own.to_json())
        };
        if security(old) != security(new) {
            let place = new.place.get_or_self("security");
            let message = format!("{title}: the security requirements changed");
            let reason = "clients check the credentials of the service";
            self.changed(Class::BreaksClients, &place, message, reason);
        }
        self.parameters(title, old, new);
        self.request_body(title, old, new);
        self.accepted_responses(title, old, new);
        self.is_reversed = false;
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
        self.statuses(title, before, now, &listed);
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
