//! Security: the callers that an operation admits.

use std::collections::BTreeMap;

use super::comparison::{Class, Comparison, pair};
use crate::check::document_index::{DocumentIndex, LocatedNode, Operation};
use crate::structure::{self, REQUIRED_SCOPES};

/// One alternative: the schemes that are required together, each identified by its content and not
/// by its name, with the required scopes.
type Alternative = BTreeMap<String, Vec<String>>;

impl<'d> Comparison<'d> {
    pub(super) fn security(&mut self, old: &Operation<'d>, new: &Operation<'d>) {
        let before = alternatives(&self.old, old);
        let now = alternatives(&self.new, new);
        if before == now {
            return;
        }
        let title = new.title();
        let scopes_only = schemes(&before) == schemes(&now);
        let key = if scopes_only {
            REQUIRED_SCOPES
        } else {
            "security"
        };
        let place = new.place.get(key).or_else(|| new.place.get("security"));
        let place = place.unwrap_or(new.place.clone());
        // A client that satisfied one of the old alternatives has to satisfy
        // one of the new.
        let still = |old: &Alternative| now.iter().any(|new| requires_no_more(new, old));
        let (class, what, reason) = match (before.iter().all(still), scopes_only) {
            (true, true) => (
                Class::Additive,
                "fewer scopes are required",
                "every token that was sufficient still is",
            ),
            (true, false) => (
                Class::Additive,
                "more kinds of credentials are accepted",
                "callers with access still have it",
            ),
            (false, true) => (
                Class::BreaksClients,
                "other scopes are required",
                "tokens without them no longer suffice",
            ),
            (false, false) => (
                Class::BreaksClients,
                "the security requirements changed",
                "credentials that sufficed no longer do",
            ),
        };
        let message = format!("{title}: {what}");
        self.changed(class, &place, message, reason);
    }

    /// The ways in which clients get tokens.
    pub(super) fn flows(&mut self) {
        let schemes = |index: &DocumentIndex<'d>| index.components_of("securitySchemes");
        let paired = pair(schemes(&self.old), schemes(&self.new), |(name, _)| *name);
        for ((name, old), (_, new)) in &paired.kept {
            let Some((old, new)) = self.resolved(old, new) else {
                continue;
            };
            self.addresses(name, &old, &new);
            let flows = (old.entries_of("flows"), new.entries_of("flows"));
            let flows = pair(flows.0, flows.1, |(flow, _)| *flow);
            for (flow, place) in &flows.removed {
                let message = format!("the scheme `{name}`: the flow `{flow}` was removed");
                let reason = "clients that use it get no tokens";
                self.removed(Class::BreaksClients, place, message, reason);
            }
            for (flow, place) in &flows.added {
                let message = format!("the scheme `{name}`: the flow `{flow}` is new");
                let reason = "clients get tokens as before";
                self.changed(Class::Additive, place, message, reason);
            }
            for ((_, old), (_, new)) in &flows.kept {
                self.addresses(name, old, new);
            }
        }
    }

    fn addresses(&mut self, scheme: &str, old: &LocatedNode<'d>, new: &LocatedNode<'d>) {
        const KEYS: [&str; 4] = [
            "openIdConnectUrl",
            "authorizationUrl",
            "tokenUrl",
            "refreshUrl",
        ];
        for key in KEYS {
            if let (Some(before), Some(now)) = (old.text(key), new.text(key))
                && before != now
            {
                let place = new.get_or_self(key);
                let message = format!("the scheme `{scheme}` has another `{key}`");
                let reason = "clients request tokens at the old address";
                self.changed(Class::BreaksClients, &place, message, reason);
            }
        }
    }
}

/// The alternatives without their scopes.
fn schemes(alternatives: &[Alternative]) -> Vec<Vec<&String>> {
    alternatives
        .iter()
        .map(|one| one.keys().collect())
        .collect()
}

/// Whether credentials that satisfy `old` satisfy `new`.
fn requires_no_more(new: &Alternative, old: &Alternative) -> bool {
    new.iter().all(|(scheme, scopes)| {
        old.get(scheme)
            .is_some_and(|had| scopes.iter().all(|scope| had.contains(scope)))
    })
}

/// The alternatives of an operation. No alternatives become one that requires nothing.
fn alternatives(index: &DocumentIndex<'_>, operation: &Operation<'_>) -> Vec<Alternative> {
    let all = structure::alternatives(index.document, operation.place.node);
    if all.is_empty() {
        return vec![Alternative::new()];
    }
    let mut alternatives: Vec<_> = all.iter().map(|one| alternative(index, one)).collect();
    alternatives.sort();
    alternatives
}

fn alternative(index: &DocumentIndex<'_>, alternative: &structure::Alternative<'_>) -> Alternative {
    let mut schemes = Alternative::new();
    for used in &alternative.uses {
        // Two schemes may be the same on the wire: one token needs the scopes of both.
        let scopes = schemes.entry(identity(index, used.scheme)).or_default();
        scopes.extend(used.scopes.iter().map(|scope| scope.to_string()));
        scopes.sort();
        scopes.dedup();
    }
    schemes
}

/// The identity of a scheme on the wire: how and where a client sends the credential.
fn identity(index: &DocumentIndex<'_>, name: &str) -> String {
    let Some(scheme) = index.component("securitySchemes", name) else {
        return name.to_owned();
    };
    let text = |key| scheme.text(key).unwrap_or_default();
    let part = |key| text(key).to_lowercase();
    match part("type").as_str() {
        // All of these are a bearer token in the Authorization header.
        "oauth2" | "openidconnect" => "http bearer".to_owned(),
        "http" => format!("http {}", part("scheme")),
        // Only the names of headers have no case.
        kind if part("in") == "header" => format!("{kind} header {}", part("name")),
        kind => format!("{kind} {} {}", part("in"), text("name")),
    }
}
