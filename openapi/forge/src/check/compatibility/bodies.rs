//! Bodies, statuses, media types and headers.

use std::collections::BTreeSet;

use super::comparison::{Class, Comparison, Shift, pair};
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
    pub(super) fn request_body(&mut self, title: &str, old: &Operation<'d>, new: &Operation<'d>) {
        const PART: &str = "request body";
        let direction = self.request_direction();
        let before = old.place.get("requestBody");
        let now = new.place.get("requestBody");
        let before = before.and_then(|body| self.old.resolve(&body));
        let now = now.and_then(|body| self.new.resolve(&body));
        match (before, now) {
            (None, None) => {}
            (Some(old), None) => self.removed_part(title, PART, &old, direction),
            (None, Some(new)) => self.added_part(title, PART, &new, direction),
            (Some(old), Some(new)) => {
                self.kept_part(title, PART, &old, &new, direction);
                // Only the server reads bodies in this way.
                if direction == Direction::Request {
                    self.lenient(&old, &new);
                }
            }
        }
    }

    /// Whether a body that cannot be read counts as absent.
    fn lenient(&mut self, old: &LocatedNode<'d>, new: &LocatedNode<'d>) {
        const KEY: &str = "x-dropforge-lenient";
        let (shift, message) = match (old.node.flag(KEY), new.node.flag(KEY)) {
            (false, true) => (Shift::Wider, "a body that cannot be read counts as absent"),
            (true, false) => (Shift::Narrower, "a body that cannot be read is an error"),
            _ => return,
        };
        let place = new.get_or_self(KEY);
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
            let direction = self.response_direction();
            self.headers(title, &old, &new, direction);
            self.contents(&old, &new, direction);
        }
    }

    pub(super) fn responses(&mut self, title: &str, old: &Operation<'d>, new: &Operation<'d>) {
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
        self.statuses(title, before, now, &listed);
    }

    /// Compares the responses by status. A response that only one of the documents lists is compared with
    /// the one that describes its status in the other.
    pub(super) fn statuses(
        &mut self,
        title: &str,
        before: Vec<Response<'d>>,
        now: Vec<Response<'d>>,
        listed: &ListedStatuses<'_>,
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
                self.response(&format!("{title}: {status}"), response, other);
            }
        }
        for (status, response) in &paired.added {
            let (class, reason) = (listed.added)(status);
            self.changed(class, response, format!("{title}: {status} is new"), reason);
            // Who receives it reads it as the response that described it before.
            if let Some(other) = listed.covering(&before, status) {
                self.response(&format!("{title}: {status}"), other, response);
            }
        }
        for ((status, old), (_, new)) in &paired.kept {
            self.response(&format!("{title}: {status}"), old, new);
        }
    }

    fn headers(
        &mut self,
        title: &str,
        old: &LocatedNode<'d>,
        new: &LocatedNode<'d>,
        direction: Direction,
    ) {
        let (old, new) = (old.entries_of("headers"), new.entries_of("headers"));
        let paired = pair(old, new, |(name, _)| name.to_ascii_lowercase());
        let part = |name: &str| format!("header `{name}`");
        for (name, header) in &paired.removed {
            self.removed_part(title, &part(name), header, direction);
        }
        for (name, header) in &paired.added {
            let header = self.new.resolve(header).unwrap_or(header.clone());
            self.added_part(title, &part(name), &header, direction);
        }
        for ((name, old), (_, new)) in &paired.kept {
            let Some((old, new)) = self.resolved(old, new) else {
                continue;
            };
            self.kept_part(title, &part(name), &old, &new, direction);
            // Only clients request further pages.
            if direction == Direction::Response {
                self.next_page(&format!("{title}: the {}", part(name)), &old, &new);
            }
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
        let place = new.get_or_self(NEXT_PAGE);
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
            let (class, reason) = match (self.is_reversed, direction) {
                (false, Direction::Request) => {
                    (Class::BreaksClients, "clients that send it get a 415")
                }
                (false, Direction::Response) => (
                    Class::BreaksClients,
                    "clients that accept only it get a 406, or another media type",
                ),
                (true, Direction::Request) => {
                    (Class::BreaksClients, "clients may not send it any longer")
                }
                (true, Direction::Response) => (
                    Class::BreaksServers,
                    "a response with it violates the document",
                ),
            };
            let message = format!("the media type `{media_type}` was removed");
            self.removed(class, content, message, reason);
        }
        for (media_type, content) in &paired.added {
            // Nobody negotiates the media types of requests that the service sends.
            let (class, reason) = match (self.is_reversed, direction) {
                (false, _) => (Class::Additive, "only clients that know it use it"),
                (true, Direction::Request) => (Class::Additive, "clients may send it"),
                (true, Direction::Response) => (
                    Class::BreaksClients,
                    "clients can get responses that they do not know",
                ),
            };
            let message = format!("the media type `{media_type}` is new");
            self.changed(class, content, message, reason);
        }
        for ((media_type, old), (_, new)) in &paired.kept {
            let schemas = (old.get("schema"), new.get("schema"));
            self.schema_pair(schemas, direction, new);
            self.stream(old, new, direction);
            let is_request = direction == self.request_direction();
            if is_request && essence(media_type) == "multipart/form-data" {
                self.part_types(old, new, direction);
            }
        }
    }

    fn stream(&mut self, old: &LocatedNode<'d>, new: &LocatedNode<'d>, direction: Direction) {
        const KEY: &str = "x-dropforge-stream";
        let rule = |place: &LocatedNode<'d>, key: &str| place.get(KEY)?.text(key);
        let differs = |key: &str| rule(old, key) != rule(new, key);
        if ["terminator", "event"].into_iter().any(differs) {
            let place = new.get_or_self(KEY);
            let message = "the events of the stream are framed in another way".to_owned();
            self.shifted(Shift::Aside, direction, &place, message);
        }
    }

    /// Compares the media types of the parts that requests had before.
    fn part_types(&mut self, old: &LocatedNode<'d>, new: &LocatedNode<'d>, direction: Direction) {
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
            let place = new.get_or_self("encoding");
            let message = format!("the part `{name}` can have other media types");
            self.shifted(shift, direction, &place, message);
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
fn normal(media_type: &str) -> String {
    let lower = media_type.to_ascii_lowercase();
    let plain: String = lower.split_whitespace().collect();
    plain.replace(";charset=utf-8", "")
}
