//! Registration of a document's operations at dropshot.
//!
//! Dropshot's router answers 404 and 405 in its own shape and panics on routes
//! that it cannot hold. So every route also gets the methods that the document
//! does not have, answered in the document's shape; routes that had to be
//! folded are told apart by their operations' own paths; and a panic becomes an
//! error that names the operation.
//!
//! `GET` is also served to `HEAD` ([`head`]). The operations below a prefix whose unknown
//! paths have a response of the document share one route ([`prefixes`]).

mod error;
mod handler;
mod head;
mod prefixes;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use dropshot::{
    ApiDescription, ApiEndpoint, ApiEndpointVersions, HttpError, RequestContext, ServerContext,
};
use http::Method;

use crate::describe;
use crate::handle::{Handle, handle};
use crate::kept::{Kept, Served};
use crate::marker::OperationMarker;
use crate::observe::Observe;
use crate::path;
use crate::rejection::Rejection;
use crate::rivals::Rivals;
use crate::serve::{Reject, refuse};
use crate::table::{Api, Codec, Operation};

pub use error::RegisterError;
use handler::{Handler, NoOperation, beside, erase};
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

/// An operation among those that share a route.
pub struct Entry<C: ServerContext> {
    operation: &'static Operation,
    handler: Handler<C>,
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

    /// An endpoint that dropshot's document leaves out.
    fn invisible<M, H, Fut>(
        &self,
        id: &str,
        handler: H,
        method: Method,
        route: &str,
    ) -> ApiEndpoint<C>
    where
        M: OperationMarker,
        H: Fn(RequestContext<C>, Kept<M>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Served<M>, HttpError>> + Send + 'static,
    {
        let mut endpoint = ApiEndpoint::new(
            id.to_owned(),
            handler,
            method,
            dropshot::CONTENT_TYPE_JSON,
            route,
            ApiEndpointVersions::All,
        )
        .visible(false);
        endpoint.parameters = describe::route_variables(route);
        endpoint
    }

    fn register(
        &mut self,
        id: &str,
        route: &'static str,
        endpoint: ApiEndpoint<C>,
    ) -> Result<(), RegisterError> {
        let method = endpoint.method.clone();
        let description = &mut *self.description;
        let registered = catch_unwind(AssertUnwindSafe(|| description.register(endpoint)));
        match registered {
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                return Err(RegisterError::Refused {
                    operation: id.to_owned(),
                    method,
                    route: route.to_owned(),
                    message: error.to_string(),
                });
            }
            Err(panic) => {
                return Err(RegisterError::Route {
                    operation: id.to_owned(),
                    method,
                    route: route.to_owned(),
                    message: message(&*panic),
                });
            }
        }
        match self.routes.iter_mut().find(|(known, _)| *known == route) {
            Some((_, methods)) => methods.push(method),
            None => self.routes.push((route, vec![method])),
        }
        Ok(())
    }
}

/// Index of the operation that a request means, among those that share its
/// route and method; literals win over variables.
fn select<M>(operations: &[&'static Operation], request: &Kept<M>) -> Option<usize> {
    path::most_specific(operations, request.uri().path())
}

/// What dropshot calls the body; it knows four kinds.
fn content_type(operation: &Operation) -> &'static str {
    match describe::described_body(operation).map(|media| media.codec) {
        Some(Codec::Form) => dropshot::CONTENT_TYPE_URL_ENCODED,
        Some(Codec::Multipart) => dropshot::CONTENT_TYPE_MULTIPART_FORM_DATA,
        Some(Codec::Text | Codec::Binary | Codec::EventStream) => {
            dropshot::CONTENT_TYPE_OCTET_STREAM
        }
        Some(Codec::Json) | None => dropshot::CONTENT_TYPE_JSON,
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
        .unwrap_or_default()
}
