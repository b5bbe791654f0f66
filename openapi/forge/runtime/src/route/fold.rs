//! Operations of one method whose paths share a route.
//!
//! Dropshot's router cannot hold both `/pets/{id}` and `/pets/mine`. The generator folds them into
//! one route, and this module chooses between the operations by their own paths.

use std::sync::Arc;

use dropshot::ServerContext;
use futures::FutureExt;

use super::{Entry, Group, RegisterError, Routes};
use crate::observe::Observe;
use crate::path;
use crate::rejection::Rejection;
use crate::serve::refuse;

impl<C: Observe + ServerContext> Routes<'_, C> {
    /// Registers operations of one method whose paths share a route. Their own paths choose between
    /// them: literals win over variables.
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
