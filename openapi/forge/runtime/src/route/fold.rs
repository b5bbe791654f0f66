//! Operations of one method whose paths share a route.
//!
//! Dropshot's router cannot hold `/pets/{id}` and `/pets/mine` side by side. The generator folds
//! them into one route, and the operations are told apart here by their own paths.

use std::sync::Arc;

use dropshot::ServerContext;
use futures::FutureExt;

use super::{Entry, Group, RegisterError, Routes};
use crate::observe::Observe;
use crate::path;
use crate::rejection::Rejection;
use crate::serve::refuse;

impl<C: Observe + ServerContext> Routes<'_, C> {
    /// Registers operations of one method whose paths share a route, and which are told apart
    /// by their own paths: literals win over variables.
    pub fn fold<const N: usize>(&mut self, entries: [Entry<C>; N]) -> Result<(), RegisterError> {
        let operations = entries.each_ref().map(|entry| entry.operation);
        let handlers = entries.map(|entry| entry.handler);
        let (api, reject) = (self.api, self.reject);
        self.add(Group {
            operations: operations.to_vec(),
            handler: Arc::new(move |rqctx, request| {
                match path::most_specific(&operations, rqctx.request.uri().path()) {
                    Some(index) => handlers[index](rqctx, request),
                    None => refuse(api, rqctx, request, reject, Rejection::NotFound).boxed(),
                }
            }),
        })
    }
}
