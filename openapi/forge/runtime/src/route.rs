//! Registration of a document's operations at dropshot.
//!
//! Dropshot's router answers 404 and 405 in its own shape and panics on routes
//! that it cannot hold. So every route also gets the methods that the document
//! does not have, answered in the document's shape; routes that had to be
//! folded are told apart by their operations' own paths ([`fold`]); and a panic
//! becomes an error that names the operation ([`endpoint`]).
//!
//! `GET` is also served to `HEAD` ([`head`]). The operations below a prefix whose unknown
//! paths have a response of the document share one route ([`prefixes`]).

mod endpoint;
mod error;
mod fold;
mod handler;
mod head;
mod prefixes;

use dropshot::{
    ApiDescription, ApiEndpoint, ApiEndpointVersions, HttpError, RequestContext, ServerContext,
};
use http::Method;

use crate::describe;
use crate::handle::{Handle, handle};
use crate::kept::{Kept, Served};
use crate::marker::OperationMarker;
use crate::observe::Observe;
use crate::rejection::Rejection;
use crate::rivals::Rivals;
use crate::serve::{Reject, refuse};
use crate::table::{Api, Operation};

use endpoint::content_type;
pub use error::RegisterError;
pub use fold::Entry;
use handler::{NoOperation, beside};
use head::Readable;
use prefixes::Joined;

/// Every method that dropshot's router and a document can both have.
pub const METHODS: [Method; 8] = [
    Method::GET,
    Method::HEAD,
    Method::PUT,
    Method::POST,
    Method::DELETE,
    Method::PATCH,
    Method::OPTIONS,
    Method::TRACE,
];

/// The routes of one document, on their way into an [`ApiDescription`].
pub struct Routes<'a, C: Observe + ServerContext> {
    description: &'a mut ApiDescription<C>,
    api: &'static Api,
    reject: Reject<C>,
    routes: Vec<(&'static str, Vec<Method>)>,
    document: describe::Document,
    /// Whether prefixes have one route each.
    joins: bool,
    joined: Vec<Joined<C>>,
    readable: Vec<Readable<C>>,
}

impl<'a, C: Observe + ServerContext> Routes<'a, C> {
    /// Begins with a document.
    pub fn new(
        description: &'a mut ApiDescription<C>,
        api: &'static Api,
        reject: Reject<C>,
    ) -> Self {
        Routes {
            description,
            api,
            reject,
            routes: Vec::new(),
            document: describe::Document::of(api),
            joins: true,
            joined: Vec::new(),
            readable: Vec::new(),
        }
    }

    /// Begins with a document whose operations have a route each, so that dropshot can
    /// describe them. Unknown paths are dropshot's to answer.
    pub fn apart(
        description: &'a mut ApiDescription<C>,
        api: &'static Api,
        reject: Reject<C>,
    ) -> Self {
        Routes {
            joins: false,
            ..Routes::new(description, api, reject)
        }
    }

    /// Registers one operation as an implementer serves it.
    pub fn handle<A: 'static, O: Handle<A, C>>(&mut self) -> Result<(), RegisterError> {
        let reject = self.reject;
        self.operation(O::OPERATION, move |rqctx, request| {
            handle::<A, C, O>(rqctx, request, reject)
        })
    }

    /// Registers one operation. One whose route has other variables than its
    /// path has no place in dropshot's own document.
    fn operation<M, H, Fut>(
        &mut self,
        operation: &'static Operation,
        handler: H,
    ) -> Result<(), RegisterError>
    where
        M: OperationMarker,
        H: Fn(RequestContext<C>, Kept<M>) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = Result<Served<M>, HttpError>> + Send + 'static,
    {
        let handler = match self.join(&[operation], handler) {
            Ok(()) => return Ok(()),
            Err(handler) => handler,
        };
        self.record_readable(&[operation], &handler);
        let content_type = content_type(operation);
        let (id, method) = (operation.id.to_owned(), operation.method.clone());
        let (route, versions) = (operation.route, ApiEndpointVersions::All);
        let mut endpoint = match Rivals::of(self.api, &[operation], &method) {
            None => ApiEndpoint::new(id, handler, method, content_type, route, versions),
            Some(rivals) => {
                let handler = beside(self.api, self.reject, rivals, handler);
                ApiEndpoint::new(id, handler, method, content_type, route, versions)
            }
        }
        .request_body_max_bytes(operation.max_body_bytes);
        describe::endpoint(&mut endpoint, &self.document, operation);
        if !describe::names_variables(operation) {
            endpoint.visible = false;
            endpoint.parameters = describe::route_variables(operation.route);
        }
        self.register(operation.id, operation.route, endpoint)
    }

    /// Registers, for every route so far, `HEAD` beside `GET`, and the methods that it
    /// does not have: 405 with `Allow`, or 404 where a folded route is no path of the
    /// document.
    pub fn finish(mut self) -> Result<(), RegisterError> {
        let (api, reject) = (self.api, self.reject);
        self.register_prefixes()?;
        for readable in std::mem::take(&mut self.readable) {
            self.register_head(readable)?;
        }
        for (route, known) in std::mem::take(&mut self.routes) {
            for method in METHODS {
                if known.contains(&method) {
                    continue;
                }
                let handler = move |rqctx: RequestContext<C>, request: Kept<NoOperation>| {
                    refuse(api, rqctx, request, reject, Rejection::NotFound)
                };
                let id = format!("{} {route}", method.as_str().to_ascii_lowercase());
                let endpoint = self.invisible(&id, handler, method, route);
                self.register(&id, route, endpoint)?;
            }
        }
        Ok(())
    }
}
