//! One route for everything below a prefix.
//!
//! A document can have a response to unknown paths below a prefix. Dropshot's router has no route
//! for "anything else" beside others. So everything below the prefix is one route of dropshot, and
//! this module chooses between its operations.

use std::sync::Arc;

use dropshot::ServerContext;
use futures::FutureExt;
use http::Method;

use super::endpoint::{Group, Handler, METHODS};
use crate::observe::Observe;
use crate::path;
use crate::rivals::{self, Rivals};
use crate::serve::{Reject, refuse};
use crate::table::{Api, Operation, Segment};

/// Operations of one method below a prefix.
pub(super) struct Joined<C: ServerContext> {
    prefix: &'static Operation,
    group: Group<C>,
}

impl<C: ServerContext> Joined<C> {
    /// Takes operations for the route of their prefix; gives them back where they have a route
    /// of their own.
    pub(super) fn of(api: &Api, group: Group<C>) -> Result<Self, Group<C>> {
        let first = group.operations.first().copied();
        match first.and_then(|first| outermost(api, first)) {
            Some(prefix) => Ok(Joined { prefix, group }),
            None => Err(group),
        }
    }
}

/// A route for each method of everything below each prefix.
pub(super) fn routes<C: Observe + ServerContext>(
    api: &'static Api,
    reject: Reject<C>,
    joined: &[Joined<C>],
) -> Vec<(&'static Operation, Method, Handler<C>)> {
    let is_outermost = |prefix: &&'static Operation| {
        outermost(api, prefix).is_some_and(|outer| std::ptr::eq(outer, *prefix))
    };
    let mut routes = Vec::new();
    for prefix in api.not_found.iter().copied().filter(is_outermost) {
        for method in METHODS {
            let is_served = |one: &&'static Operation| {
                one.method == method
                    || rivals::serves(&one.method, &method) && !has(api, one.segments, &method)
            };
            let here = joined.iter().filter_map(|Joined { prefix: own, group }| {
                let is_here = std::ptr::eq(*own, prefix) && group.operations.iter().all(is_served);
                is_here.then_some(group)
            });
            let (operations, handlers): (Vec<_>, Vec<Handler<C>>) = here
                .flat_map(|group| {
                    let operations = group.operations.iter().copied();
                    operations.map(|operation| (operation, Arc::clone(&group.handler)))
                })
                .unzip();
            let rivals = Rivals::of(api, &operations, &method);
            let handler: Handler<C> = Arc::new(move |rqctx, request| {
                let path = rqctx.request.uri().path();
                let rivals = rivals.as_ref();
                let selected = match rivals.is_some_and(|rivals| rivals.claim(path)) {
                    true => None,
                    false => path::most_specific(&operations, path),
                };
                match selected {
                    Some(index) => handlers[index](rqctx, request),
                    None => refuse(api, rqctx, request, reject).boxed(),
                }
            });
            routes.push((prefix, method, handler));
        }
    }
    routes
}

/// Whether a path of the document has a method itself.
fn has(api: &Api, segments: &[Segment], method: &Method) -> bool {
    let mut operations = api.operations.iter();
    operations.any(|one| one.segments == segments && one.method == *method)
}

/// The shortest of the document's prefixes that contains an operation.
fn outermost(api: &Api, operation: &Operation) -> Option<&'static Operation> {
    let prefixes = api.not_found.iter().copied();
    prefixes
        .filter(|prefix| operation.segments.starts_with(prefix.segments))
        .min_by_key(|prefix| prefix.segments.len())
}
