//! Who may call.

use std::collections::BTreeMap;

use super::operations::title;
use super::{Class, Comparison};
use crate::check::survey::{Operation, Place, Survey};

/// One alternative: the schemes that are needed together, each by what it is
/// and not by its name, with the scopes asked of it.
type Alternative = BTreeMap<String, Vec<String>>;

impl<'d> Comparison<'d> {
    pub(super) fn security(&mut self, old: &Operation<'d>, new: &Operation<'d>) {
        let before = alternatives(&self.old, old);
        let now = alternatives(&self.new, new);
        if before == now {
            return;
        }
        let title = title(new);
        let place = new.place.get("security").unwrap_or(new.place.clone());
        // A client that satisfied one of the old alternatives has to satisfy
        // one of the new.
        let still = |old: &Alternative| now.iter().any(|new| asks_no_more(new, old));
        let (class, message, reason) = if before.iter().all(still) {
            (
                Class::Additive,
                format!("{title}: there are more ways to be let in"),
                "whoever was let in still is",
            )
        } else {
            (
                Class::BreaksClients,
                format!("{title}: the security requirements are others"),
                "credentials that were enough no longer are",
            )
        };
        self.changed(class, &place, message, reason);
    }
}

/// Whether credentials that satisfy `old` satisfy `new`.
fn asks_no_more(new: &Alternative, old: &Alternative) -> bool {
    new.iter().all(|(scheme, scopes)| {
        old.get(scheme)
            .is_some_and(|had| scopes.iter().all(|scope| had.contains(scope)))
    })
}

/// The alternatives of an operation; none at all is one that asks for nothing.
fn alternatives(survey: &Survey<'_>, operation: &Operation<'_>) -> Vec<Alternative> {
    let own = operation.place.get("security");
    let security = own.or_else(|| survey.root().get("security"));
    let all = security
        .map(|security| security.elements())
        .unwrap_or_default();
    if all.is_empty() {
        return vec![Alternative::new()];
    }
    let mut alternatives: Vec<_> = all.iter().map(|a| alternative(survey, a)).collect();
    alternatives.sort();
    alternatives
}

fn alternative(survey: &Survey<'_>, requirement: &Place<'_>) -> Alternative {
    let schemes = requirement.entries().into_iter();
    schemes
        .map(|(name, scopes)| {
            let mut scopes: Vec<String> = scopes
                .elements()
                .iter()
                .filter_map(|scope| scope.node.as_str().map(str::to_owned))
                .collect();
            scopes.sort();
            (what(survey, name), scopes)
        })
        .collect()
}

/// What a scheme is on the wire: how and where a credential is sent.
fn what(survey: &Survey<'_>, name: &str) -> String {
    let schemes = survey.components_of("securitySchemes");
    let scheme = schemes.into_iter().find(|(known, _)| *known == name);
    let Some(scheme) = scheme.and_then(|(_, place)| survey.resolve(&place)) else {
        return name.to_owned();
    };
    let part = |key| scheme.text(key).unwrap_or_default().to_lowercase();
    match part("type").as_str() {
        // All of these are a bearer token in the Authorization header.
        "oauth2" | "openidconnect" => "http bearer".to_owned(),
        "http" => format!("http {}", part("scheme")),
        kind => format!("{kind} {} {}", part("in"), part("name")),
    }
}
