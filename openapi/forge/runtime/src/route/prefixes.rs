//! One route for everything below a prefix.
//!
//! Where the document has a response to unknown paths below a prefix, dropshot's router must
//! not be the one to find out, and it holds no route for "anything else" beside others. Then
//! everything below the prefix is one route of dropshot, and its operations are told apart here.

use std::sync::Arc;

use dropshot::{HttpError, RequestContext, ServerContext};
use futures::FutureExt;
use http::Method;

use super::fold::select;
use super::handler::{Handler, NoOperation, erase};
use super::{METHODS, RegisterError, Routes};
use crate::kept::{Kept, Served};
use crate::marker::OperationMarker;
use crate::observe::Observe;
use crate::rejection::Rejection;
use crate::rivals::{self, Rivals};
use crate::serve::refuse;
use crate::table::{Api, Operation, Segment};

/// Operations of one method below a prefix, and the handler of all of them.
pub(super) struct Joined<C: ServerContext> {
    prefix: &'static Operation,
    operations: Vec<&'static Operation>,
    handler: Handler<C>,
}

impl<C: Observe + ServerContext> Routes<'_, C> {
    /// Takes a handler for the route of its prefix; gives it back where it has a route
    /// of its own.
    pub(super) fn join<M, H, Fut>(
        &mut self,
        operations: &[&'static Operation],
        handler: H,
    ) -> Result<(), H>
    where
        M: OperationMarker,
        H: Fn(RequestContext<C>, Kept<M>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Served<M>, HttpError>> + Send + 'static,
    {
        let prefix = match operations.first() {
            Some(first) if self.joins => outermost(self.api, first),
            _ => None,
        };
        let Some(prefix) = prefix else {
            return Err(handler);
        };
        self.joined.push(Joined {
            prefix,
            operations: operations.to_vec(),
            handler: erase(handler),
        });
        Ok(())
    }

    /// Registers one route for everything below each prefix.
    pub(super) fn register_prefixes(&mut self) -> Result<(), RegisterError> {
        let (api, reject) = (self.api, self.reject);
        if !self.joins {
            return Ok(());
        }
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
                let here = joined.iter().filter(|joined| {
                    std::ptr::eq(joined.prefix, prefix) && joined.operations.iter().all(is_served)
                });
                let (operations, handlers): (Vec<_>, Vec<Handler<C>>) = here
                    .flat_map(|joined| {
                        let operations = joined.operations.iter().copied();
                        operations.map(|operation| (operation, Arc::clone(&joined.handler)))
                    })
                    .unzip();
                let rivals = Rivals::of(api, &operations, &method);
                let handler = move |rqctx: RequestContext<C>, request: Kept<NoOperation>| {
                    let path = request.uri().path();
                    let rivals = rivals.as_ref();
                    let selected = match rivals.is_some_and(|rivals| rivals.take(path)) {
                        true => None,
                        false => select(&operations, &request),
                    };
                    match selected {
                        Some(index) => handlers[index](rqctx, request),
                        None => refuse(api, rqctx, request, reject, Rejection::NotFound).boxed(),
                    }
                };
                let id = format!("{} {}", method.as_str().to_ascii_lowercase(), prefix.route);
                let endpoint = self.invisible(&id, handler, method, prefix.route);
                self.register(&id, prefix.route, endpoint)?;
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

/// The shortest of the document's prefixes that an operation is below.
fn outermost(api: &Api, operation: &Operation) -> Option<&'static Operation> {
    let prefixes = api.not_found.iter().copied();
    prefixes
        .filter(|prefix| operation.segments.starts_with(prefix.segments))
        .min_by_key(|prefix| prefix.segments.len())
}
