//! One route for everything below a prefix.
//!
//! A document can have a response to unknown paths below a prefix. Dropshot's router has no route
//! for "anything else" beside others. So everything below the prefix is one route of dropshot, and
//! this module chooses between its operations.

use std::sync::Arc;

use dropshot::ServerContext;
use futures::FutureExt;
use http::Method;

use super::{Group, Handler, METHODS, RegisterError, Routes};
use crate::observe::Observe;
use crate::path;
use crate::rejection::Rejection;
use crate::rivals::{self, Rivals};
use crate::serve::refuse;
use crate::table::{Api, Operation, Segment};

/// Operations of one method below a prefix.
pub(super) struct Joined<C: ServerContext> {
    prefix: &'static Operation,
    group: Group<C>,
}

impl<C: Observe + ServerContext> Routes<'_, C> {
    /// Takes operations for the route of their prefix. Returns them if they have a route of their
    /// own.
    pub(super) fn join(&mut self, group: Group<C>) -> Option<Group<C>> {
        let first = group.operations.first().copied();
        let Some(prefix) = first.and_then(|first| outermost(self.api, first)) else {
            return Some(group);
        };
        self.joined.push(Joined { prefix, group });
        None
    }

    /// Registers one route for everything below each prefix.
    pub(super) fn register_prefixes(&mut self) -> Result<(), RegisterError> {
        let (api, reject) = (self.api, self.reject);
        let joined = std::mem::take(&mut self.joined);
        for prefix in api.not_found.iter().copied() {
            if !outermost(api, prefix).is_some_and(|outer| std::ptr::eq(outer, prefix)) {
                continue;
            }
            for method in METHODS {
                let is_served = |one: &&'static Operation| {
                    one.method == method
                        || rivals::serves(&one.method, &method) && !has(api, one.segments, &method)
                };
                let here = joined.iter().filter_map(|Joined { prefix: own, group }| {
                    let is_here =
                        std::ptr::eq(*own, prefix) && group.operations.iter().all(is_served);
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
                    let selected = match rivals.is_some_and(|rivals| rivals.take(path)) {
                        true => None,
                        false => path::most_specific(&operations, path),
                    };
                    match selected {
                        Some(index) => handlers[index](rqctx, request),
                        None => refuse(api, rqctx, request, reject, Rejection::NotFound).boxed(),
                    }
                });
                let id = format!("{} {}", method.as_str().to_ascii_lowercase(), prefix.route);
                self.register(&id, method, prefix.route, handler)?;
            }
        }
        Ok(())
    }
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
