//! Operations of one method whose paths share a route.
//!
//! Dropshot's router cannot hold `/pets/{id}` and `/pets/mine` side by side. The generator folds
//! them into one route, and the operations are told apart here by their own paths.

use std::sync::Arc;

use dropshot::{HttpError, RequestContext, ServerContext};

use super::handler::{Handler, NoOperation, beside, erase};
use super::{RegisterError, Routes};
use crate::handle::{Handle, handle};
use crate::kept::{Kept, Served};
use crate::marker::OperationMarker;
use crate::observe::Observe;
use crate::path;
use crate::rejection::Rejection;
use crate::rivals::Rivals;
use crate::serve::refuse;
use crate::table::Operation;

/// An operation among those that share a route.
pub struct Entry<C: ServerContext> {
    operation: &'static Operation,
    handler: Handler<C>,
}

impl<C: Observe + ServerContext> Routes<'_, C> {
    /// An operation as an implementer serves it, for [`Routes::fold`].
    pub fn entry<A: 'static, O: Handle<A, C>>(&self) -> Entry<C> {
        let reject = self.reject;
        Entry {
            operation: O::OPERATION,
            handler: erase(move |rqctx, request: Kept<O>| {
                handle::<A, C, O>(rqctx, request, reject)
            }),
        }
    }

    /// Registers operations of one method whose paths share a route, and which are told apart
    /// by their own paths.
    pub fn fold<const N: usize>(&mut self, entries: [Entry<C>; N]) -> Result<(), RegisterError> {
        let operations = entries.each_ref().map(|entry| entry.operation);
        let entries = Arc::new(entries);
        let (api, reject) = (self.api, self.reject);
        let handler = move |rqctx, request: Kept<NoOperation>| {
            let entries = Arc::clone(&entries);
            async move {
                let found = select(&operations, &request).and_then(|found| entries.get(found));
                match found {
                    Some(entry) => (entry.handler)(rqctx, request).await,
                    None => refuse(api, rqctx, request, reject, Rejection::NotFound).await,
                }
            }
        };
        self.folded(&operations, handler)
    }

    /// Registers one handler for several operations of one method whose paths
    /// share a route. It has no place in dropshot's own document, which could
    /// not tell them apart.
    fn folded<M, H, Fut>(
        &mut self,
        operations: &[&'static Operation],
        handler: H,
    ) -> Result<(), RegisterError>
    where
        M: OperationMarker,
        H: Fn(RequestContext<C>, Kept<M>) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = Result<Served<M>, HttpError>> + Send + 'static,
    {
        let Some(first) = operations.first() else {
            return Ok(());
        };
        let handler = match self.join(operations, handler) {
            Ok(()) => return Ok(()),
            Err(handler) => handler,
        };
        let ids: Vec<&str> = operations.iter().map(|operation| operation.id).collect();
        let id = ids.join("|");
        let limit = operations
            .iter()
            .map(|operation| operation.max_body_bytes)
            .max();
        self.record_readable(operations, &handler);
        let (method, route) = (first.method.clone(), first.route);
        let endpoint = match Rivals::of(self.api, operations, &method) {
            None => self.invisible(&id, handler, method, route),
            Some(rivals) => {
                let handler = beside(self.api, self.reject, rivals, handler);
                self.invisible(&id, handler, method, route)
            }
        };
        let endpoint = endpoint.request_body_max_bytes(limit.unwrap_or_default());
        self.register(&id, route, endpoint)
    }
}

/// Index of the operation that a request means, among those that share its
/// route and method; literals win over variables.
pub(super) fn select<M>(operations: &[&'static Operation], request: &Kept<M>) -> Option<usize> {
    path::most_specific(operations, request.uri().path())
}
