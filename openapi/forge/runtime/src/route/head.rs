//! `HEAD` beside `GET` (RFC 9110, section 9.3.2).

use dropshot::{HttpError, RequestContext, ServerContext};
use http::Method;

use super::handler::{Handler, beside, erase};
use super::{RegisterError, Routes};
use crate::kept::{Kept, Served};
use crate::marker::OperationMarker;
use crate::observe::Observe;
use crate::rivals::Rivals;
use crate::table::Operation;

/// Operations that share a route and are reached by `GET`, and the handler of all of them.
pub(super) struct Readable<C: ServerContext> {
    operations: Vec<&'static Operation>,
    handler: Handler<C>,
}

impl<C: Observe + ServerContext> Routes<'_, C> {
    /// Records operations if their method is `GET`: [`Routes::register_head`] also registers `HEAD` for them.
    pub(super) fn record_readable<M, H, Fut>(
        &mut self,
        operations: &[&'static Operation],
        handler: &H,
    ) where
        M: OperationMarker,
        H: Fn(RequestContext<C>, Kept<M>) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = Result<Served<M>, HttpError>> + Send + 'static,
    {
        if operations.iter().all(|one| one.method == Method::GET) {
            self.readable.push(Readable {
                operations: operations.to_vec(),
                handler: erase(handler.clone()),
            });
        }
    }

    /// Registers `HEAD` for the route of some operations that `GET` reaches, unless the
    /// document has it (RFC 9110, section 9.3.2). The HTTP library leaves the body out.
    pub(super) fn register_head(&mut self, readable: Readable<C>) -> Result<(), RegisterError> {
        let Some(first) = readable.operations.first() else {
            return Ok(());
        };
        let (route, method) = (first.route, Method::HEAD);
        let mut routes = self.routes.iter();
        if routes.any(|(known, methods)| *known == route && methods.contains(&method)) {
            return Ok(());
        }
        let id = format!("head {route}");
        let rivals = Rivals::of(self.api, &readable.operations, &method);
        let handler = readable.handler;
        let handler = move |rqctx: RequestContext<C>, request| handler(rqctx, request);
        let endpoint = match rivals {
            None => self.invisible(&id, handler, method, route),
            Some(rivals) => {
                let handler = beside(self.api, self.reject, rivals, handler);
                self.invisible(&id, handler, method, route)
            }
        };
        self.register(&id, route, endpoint)
    }
}
