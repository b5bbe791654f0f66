//! Registration of a document's operations at dropshot.
//!
//! Dropshot's router answers 404 and 405 in its own shape and panics on routes
//! that it cannot hold. So every route also gets the methods that the document
//! does not have, answered in the document's shape; routes that had to be
//! folded are told apart by their operations' own paths; and a panic becomes an
//! error that names the operation.
//!
//! Where the document says what unknown paths below a prefix are answered with,
//! the router must not be the one to find out, and it holds no route for "anything
//! else" beside others. Then everything below the prefix is one route of
//! dropshot's, and its operations are told apart here.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use dropshot::{
    ApiDescription, ApiEndpoint, ApiEndpointVersions, HttpError, RequestContext, ServerContext,
};
use futures::future::BoxFuture;
use futures::{FutureExt, TryFutureExt};
use http::Method;

use crate::describe;
use crate::kept::{Kept, Served};
use crate::marker::OperationMarker;
use crate::observe::Observe;
use crate::path;
use crate::rejection::Rejection;
use crate::rivals::{self, Rivals};
use crate::serve::{Reject, refuse};
use crate::table::{Api, Codec, NO_OPERATION, Operation, Segment};

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

/// Why an operation cannot be registered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RegisterError {
    /// Dropshot does not take its parameters.
    #[error("operation {operation} ({method} {route}) is refused: {message}")]
    Refused {
        /// Its id.
        operation: String,
        /// Its method.
        method: Method,
        /// Its route.
        route: String,
        /// What dropshot says.
        message: String,
    },
    /// Its route clashes with one that is already there, of this document or
    /// of another.
    #[error("operation {operation} ({method} {route}) has no place among the routes: {message}")]
    Route {
        /// Its id.
        operation: String,
        /// Its method.
        method: Method,
        /// Its route.
        route: String,
        /// What dropshot says.
        message: String,
    },
}

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

/// Operations that share a route and are reached by `GET`, and the handler of all of them.
struct Readable<C: ServerContext> {
    operations: Vec<&'static Operation>,
    handler: Handler<C>,
}

/// Operations of one method below a prefix, and the handler of all of them.
struct Joined<C: ServerContext> {
    prefix: &'static Operation,
    operations: Vec<&'static Operation>,
    handler: Handler<C>,
}

/// A handler whose operation is not known by its type.
type Handler<C> =
    Arc<dyn Fn(RequestContext<C>, Kept<NoOperation>) -> BoxFuture<'static, Outcome> + Send + Sync>;
type Outcome = Result<Served<NoOperation>, HttpError>;

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

    /// Registers one operation. One whose route has other variables than its
    /// path has no place in dropshot's own document.
    pub fn operation<M, H, Fut>(
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
        self.note_readable(&[operation], &handler);
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
    pub fn folded<M, H, Fut>(
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
        self.note_readable(operations, &handler);
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

    /// Notes operations that `GET` reaches, which `HEAD` will reach too.
    fn note_readable<M, H, Fut>(&mut self, operations: &[&'static Operation], handler: &H)
    where
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
    fn register_head(&mut self, readable: Readable<C>) -> Result<(), RegisterError> {
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

    /// Takes a handler for the route of its prefix; gives it back where it has a route
    /// of its own.
    fn join<M, H, Fut>(&mut self, operations: &[&'static Operation], handler: H) -> Result<(), H>
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
    fn register_prefixes(&mut self) -> Result<(), RegisterError> {
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

/// A handler whose operation is not known by its type, of one whose operation is.
fn erase<C, M, H, Fut>(handler: H) -> Handler<C>
where
    C: Observe + ServerContext,
    M: OperationMarker,
    H: Fn(RequestContext<C>, Kept<M>) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Served<M>, HttpError>> + Send + 'static,
{
    Arc::new(move |rqctx, request| {
        handler(rqctx, request.retag())
            .map_ok(Served::retag)
            .boxed()
    })
}

/// The handler of operations that share requests with more specific paths without their method.
fn beside<C, M, H, Fut>(
    api: &'static Api,
    reject: Reject<C>,
    rivals: Rivals,
    handler: H,
) -> impl Fn(RequestContext<C>, Kept<M>) -> BoxFuture<'static, Result<Served<M>, HttpError>>
+ Send
+ Sync
+ 'static
where
    C: Observe + ServerContext,
    M: OperationMarker,
    H: Fn(RequestContext<C>, Kept<M>) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Served<M>, HttpError>> + Send + 'static,
{
    move |rqctx, request| match rivals.take(request.uri().path()) {
        true => refuse(api, rqctx, request, reject, Rejection::NotFound).boxed(),
        false => handler(rqctx, request).boxed(),
    }
}

/// Whether a path of the document has a method itself.
fn has(api: &Api, segments: &[Segment], method: &Method) -> bool {
    let mut operations = api.operations.iter();
    operations.any(|one| one.segments == segments && one.method == *method)
}

/// Index of the operation that a request means, among those that share its
/// route and method; literals win over variables.
pub fn select<M>(operations: &[&'static Operation], request: &Kept<M>) -> Option<usize> {
    path::most_specific(operations, request.uri().path())
}

/// The shortest of the document's prefixes that an operation is below.
fn outermost(api: &Api, operation: &Operation) -> Option<&'static Operation> {
    let prefixes = api.not_found.iter().copied();
    prefixes
        .filter(|prefix| operation.segments.starts_with(prefix.segments))
        .min_by_key(|prefix| prefix.segments.len())
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

/// Stands for the methods that a path does not have.
enum NoOperation {}

impl OperationMarker for NoOperation {
    const OPERATION: &'static Operation = &NO_OPERATION;
    const API: &'static Api = &NO_API;
}

static NO_API: Api = crate::table::NO_API;
