//! Bodies, statuses, media types and headers.

use std::collections::BTreeSet;

use super::comparison::{Class, Comparison, Shift, flag, pair, required};
use crate::check::document_index::{Direction, LocatedNode, Operation, properties};
use crate::ir::essence;

/// At the header of a response: the query parameter for the next page.
const NEXT_PAGE: &str = "x-dropforge-next-page";

/// A status as the document writes it, and its response.
pub(super) type Response<'d> = (&'d str, LocatedNode<'d>);

/// What it means that statuses are listed.
pub(super) struct ListedStatuses<'s> {
    /// Whether a status that is not listed can be described by its range or the default.
    pub(super) may_be_unlisted: fn(&str) -> bool,
    /// The class and the reason when a status is no longer listed, and nothing else describes it.
    pub(super) removed: (Class, &'static str),
    /// The same for a new status.
    pub(super) added: &'s dyn Fn(&str) -> (Class, &'static str),
}

impl ListedStatuses<'_> {
    /// The response that describes a status which is not listed: that of its range, or the default.
    fn covering<'r, 'd>(
        &self,
        responses: &'r [Response<'d>],
        status: &str,
    ) -> Option<&'r LocatedNode<'d>> {
        let class = status
            .chars()
            .next()
            .filter(|_| (self.may_be_unlisted)(status))?;
        let range = format!("{class}XX");
        let of = |wanted: &str| {
            let mut all = responses.iter();
            all.find(|(listed, _)| normal_status(listed) == wanted)
        };
        let found = of(&range).or_else(|| of("DEFAULT"))?;
        Some(&found.1)
    }
}

impl<'d> Comparison<'d> {
    pub(super) fn request_body(&mut self, old: &Operation<'d>, new: &Operation<'d>) {
        let title = new.title();
        let before = old.place.get("requestBody");
        let now = new.place.get("requestBody");
        let before = before.and_then(|body| self.old.resolve(&body));
        let now = now.and_then(|body| self.new.resolve(&body));
        match (before, now) {
            (None, None) => {}
            (Some(body), None) => self.removed(
                Class::BreaksClients,
                &body,
                format!("{title}: the request body was removed"),
                "the server ignores it now",
            ),
            (None, Some(body)) if required(&body) => self.changed(
                Class::BreaksClients,
                &body,
                format!("{title}: a request body is required now"),
                "requests without it are refused",
            ),
            (None, Some(body)) => self.changed(
                Class::Additive,
                &body,
                format!("{title}: an optional request body is new"),
                "requests without it mean what they meant",
            ),
            (Some(before), Some(now)) => {
                match (required(&before), required(&now)) {
                    (false, true) => self.changed(
                        Class::BreaksClients,
                        &now,
                        format!("{title}: the request body is required now"),
                        "requests without it are refused",
                    ),
                    (true, false) => self.changed(
                        Class::Additive,
                        &now,
                        format!("{title}: the request body is optional now"),
                        "requests with it mean what they meant",
                    ),
                    _ => {}
                }
                self.lenient(&before, &now);
                self.contents(&before, &now, Direction::Request);
            }
        }
    }

    /// Whether a body that cannot be read counts as absent.
    fn lenient(&mut self, old: &LocatedNode<'d>, new: &LocatedNode<'d>) {
        const KEY: &str = "x-dropforge-lenient";
        let (shift, message) = match (flag(old.node, KEY), flag(new.node, KEY)) {
            (false, true) => (Shift::Wider, "a body that cannot be read counts as absent"),
            (true, false) => (Shift::Narrower, "a body that cannot be read is an error"),
            _ => return,
        };
        let place = new.get(KEY).unwrap_or(new.clone());
        self.shifted(shift, Direction::Request, &place, message.to_owned());
    }

    /// The responses to paths that the document does not have.
    pub(super) fn unknown_paths(&mut self) {
        let title = |prefix: &str| format!("unknown paths under `{prefix}`");
        let (old, new) = (self.old.unknown_paths(), self.new.unknown_paths());
        let paired = pair(old, new, |(prefix, _)| *prefix);
        for (prefix, response) in &paired.removed {
            let message = format!("{}: their own response was removed", title(prefix));
            let reason = "clients get that of a shorter prefix, or the default";
            self.removed(Class::BreaksClients, response, message, reason);
        }
        for (prefix, response) in &paired.added {
            let message = format!("{}: they have their own response", title(prefix));
            let reason = "clients got that of a shorter prefix, or the default";
            self.changed(Class::BreaksClients, response, message, reason);
        }
        for ((prefix, old), (_, new)) in &paired.kept {
            self.response(&title(prefix), old, new);
        }
    }

    fn response(&mut self, title: &str, old: &LocatedNode<'d>, new: &LocatedNode<'d>) {
        if let Some((old, new)) = self.resolved(old, new) {
            self.headers(title, &old, &new);
            self.contents(&old, &new, Direction::Response);
        }
    }

    pub(super) fn responses(&mut self, old: &Operation<'d>, new: &Operation<'d>) {
        let title = new.title();
        let responses = |operation: &Operation<'d>| {
            let responses = operation.place.get("responses");
            let mut responses = responses.map(|r| r.fields()).unwrap_or_default();
            responses.extend(operation.method_not_allowed.clone().map(|r| ("405", r)));
            responses
        };
        let (before, now) = (responses(old), responses(new));
        let has_success = now
            .iter()
            .any(|(status, _)| status.starts_with(['1', '2', '3']));
        let listed = ListedStatuses {
            // A status of success is not what a range or `default` of errors describes.
            may_be_unlisted: |status| status.starts_with(['4', '5']),
            removed: (
                Class::BreaksServers,
                "a server that responds so violates the document",
            ),
            added: &|status| {
                // Beside a success, `default` describes errors alone. Clients report a status that their
                // document does not list as unlisted, before and after such a change.
                let is_error = match status {
                    "default" => has_success,
                    status => status.starts_with(['4', '5']),
                };
                match is_error {
                    true => (
                        Class::Additive,
                        "clients can get errors that they do not know",
                    ),
                    false => (
                        Class::BreaksClients,
                        "clients read it as the response that was listed before",
                    ),
                }
            },
        };
        self.statuses(&title, before, now, &listed, Self::response);
    }

    /// Compares the responses by status. A response that only one of the documents lists is compared with
    /// the one that describes its status in the other.
    pub(super) fn statuses(
        &mut self,
        title: &str,
        before: Vec<Response<'d>>,
        now: Vec<Response<'d>>,
        listed: &ListedStatuses<'_>,
        compare: fn(&mut Self, &str, &LocatedNode<'d>, &LocatedNode<'d>),
    ) {
        let paired = pair(before.clone(), now.clone(), |(status, _)| {
            normal_status(status)
        });
        for (status, response) in &paired.removed {
            let other = listed.covering(&now, status);
            let (class, reason) = match other {
                Some(_) => (Class::Additive, "its range or `default` allows it"),
                None => listed.removed,
            };
            let message = format!("{title}: {status} is no longer listed");
            self.removed(class, response, message, reason);
            if let Some(other) = other {
                compare(self, &format!("{title}: {status}"), response, other);
            }
        }
        for (status, response) in &paired.added {
            let (class, reason) = (listed.added)(status);
            self.changed(class, response, format!("{title}: {status} is new"), reason);
            // Who receives it reads it as the response that described it before.
            if let Some(other) = listed.covering(&before, status) {
                compare(self, &format!("{title}: {status}"), other, response);
            }
        }
        for ((status, old), (_, new)) in &paired.kept {
            compare(self, &format!("{title}: {status}"), old, new);
        }
    }

    fn headers(&mut self, title: &str, old: &LocatedNode<'d>, new: &LocatedNode<'d>) {
        let (old, new) = (old.entries_of("headers"), new.entries_of("headers"));
        let paired = pair(old, new, |(name, _)| name.to_ascii_lowercase());
        for (name, header) in &paired.removed {
            self.removed(
                Class::BreaksClients,
                header,
                format!("{title}: the header `{name}` was removed"),
                "clients that read it find nothing",
            );
        }
        for (name, header) in &paired.added {
            let header = self.new.resolve(header).unwrap_or(header.clone());
            let (class, reason) = if required(&header) {
                (
                    Class::BreaksServers,
                    "a response without it violates the document",
                )
            } else {
                (Class::Additive, "clients that do not know it ignore it")
            };
            self.changed(
                class,
                &header,
                format!("{title}: the header `{name}` is new"),
                reason,
            );
        }
        for ((name, old), (_, new)) in &paired.kept {
            let Some((old, new)) = self.resolved(old, new) else {
                continue;
            };
            match (required(&old), required(&new)) {
                (false, true) => self.changed(
                    Class::BreaksServers,
                    &new,
                    format!("{title}: the header `{name}` is always there now"),
                    "a response without it violates the document",
                ),
                (true, false) => self.changed(
                    Class::BreaksClients,
                    &new,
                    format!("{title}: the header `{name}` can be absent now"),
                    "clients rely on it",
                ),
                _ => {}
            }
            self.next_page(&format!("{title}: the header `{name}`"), &old, &new);
            let schemas = (old.get("schema"), new.get("schema"));
            self.schema_pair(schemas, Direction::Response, &new);
            self.contents(&old, &new, Direction::Response);
        }
    }

    /// The parameter whose value for the next page a header has.
    fn next_page(&mut self, what: &str, old: &LocatedNode<'d>, new: &LocatedNode<'d>) {
        let (before, now) = (old.text(NEXT_PAGE), new.text(NEXT_PAGE));
        let (class, message, reason) = match (before, now) {
            (before, now) if before == now => return,
            (None, Some(now)) => (
                Class::Additive,
                format!("has `{now}` of the next page"),
                "clients can request all pages",
            ),
            (Some(before), None) => (
                Class::BreaksClients,
                format!("no longer has `{before}` of the next page"),
                "clients have no methods for all pages",
            ),
            (before, now) => (
                Class::BreaksClients,
                format!(
                    "has `{}` of the next page, not `{}`",
                    now.unwrap_or_default(),
                    before.unwrap_or_default()
                ),
                "clients send the value as the parameter that the document named before",
            ),
        };
        let place = new.get(NEXT_PAGE).unwrap_or(new.clone());
        self.changed(class, &place, format!("{what} {message}"), reason);
    }

    /// The media types under `content`, and their schemas.
    pub(super) fn contents(
        &mut self,
        old: &LocatedNode<'d>,
        new: &LocatedNode<'d>,
        direction: Direction,
    ) {
        let (old, new) = (old.entries_of("content"), new.entries_of("content"));
        let paired = pair(old, new, |(media_type, _)| normal(media_type));
        for (media_type, content) in &paired.removed {
            let reason = match direction {
                Direction::Request => "clients that send it get a 415",
                Direction::Response => {
                    "clients that accept only it get a 406, or another media type"
                }
            };
            self.removed(
                Class::BreaksClients,
                content,
                format!("the media type `{media_type}` was removed"),
                reason,
            );
        }
        for (media_type, content) in &paired.added {
            self.changed(
                Class::Additive,
                content,
                format!("the media type `{media_type}` is new"),
                "only clients that know it use it",
            );
        }
        for ((media_type, old), (_, new)) in &paired.kept {
            let schemas = (old.get("schema"), new.get("schema"));
            self.schema_pair(schemas, direction, new);
            self.stream(old, new, direction);
            if direction == Direction::Request && essence(media_type) == "multipart/form-data" {
                self.part_types(old, new);
            }
        }
    }

    fn stream(&mut self, old: &LocatedNode<'d>, new: &LocatedNode<'d>, direction: Direction) {
        const KEY: &str = "x-dropforge-stream";
        let rule = |place: &LocatedNode<'d>, key: &str| {
            let rules = place.get(KEY)?;
            rules.text(key).map(ToOwned::to_owned)
        };
        let differs = |key: &str| rule(old, key) != rule(new, key);
        if ["terminator", "event"].into_iter().any(differs) {
            let place = new.get(KEY).unwrap_or(new.clone());
            let message = "the events of the stream are framed in another way".to_owned();
            self.shifted(Shift::Aside, direction, &place, message);
        }
    }

    /// Compares the media types of the parts that requests had before.
    fn part_types(&mut self, old: &LocatedNode<'d>, new: &LocatedNode<'d>) {
        let schema = old.get("schema");
        let schema = schema.and_then(|schema| self.old.resolve(&schema));
        for (name, _) in schema.iter().flat_map(properties) {
            let shift = match (listed(old, name), listed(new, name)) {
                (None, None) => continue,
                (None, Some(_)) => Shift::Narrower,
                (Some(_), None) => Shift::Wider,
                (Some(old), Some(new)) => match (old.is_subset(&new), new.is_subset(&old)) {
                    (true, true) => continue,
                    (true, false) => Shift::Wider,
                    (false, true) => Shift::Narrower,
                    (false, false) => Shift::Aside,
                },
            };
            let place = new.get("encoding");
            let message = format!("the part `{name}` can have other media types");
            self.shifted(
                shift,
                Direction::Request,
                place.as_ref().unwrap_or(new),
                message,
            );
        }
    }
}

/// The media types of a part, if the document lists any.
fn listed(body: &LocatedNode<'_>, name: &str) -> Option<BTreeSet<String>> {
    let part = body.get("encoding")?.get(name)?;
    Some(part.text("contentType")?.split(',').map(normal).collect())
}

/// A status as it is compared: `4xx` is the range `4XX`.
fn normal_status(status: &str) -> String {
    status.to_ascii_uppercase()
}

/// A media type as it is compared: case and spaces do not count. UTF-8 is the only charset.
pub(super) fn normal(media_type: &str) -> String {
    let lower = media_type.to_ascii_lowercase();
    let plain: String = lower.split_whitespace().collect();
    plain.replace(";charset=utf-8", "")
}
