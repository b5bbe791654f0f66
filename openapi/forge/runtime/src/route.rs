//! Registers a document's operations at dropshot.
//!
//! Dropshot's router responds with 404 and 405 in its own form, and panics on routes that it cannot
//! hold. So every route also gets the methods that the document does not have, with responses in
//! the document's form. The paths of operations choose between those that share a folded route
//! ([`fold`]). A panic becomes an error that names the operation ([`endpoint`]).
//!
//! `GET` is also served to `HEAD` ([`head`]). The operations below a prefix whose unknown
//! paths have a response of the document share one route ([`prefixes`]).
//!
//! Dropshot's own OpenAPI document omits every route: its handlers take and return untyped
//! messages.

mod endpoint;
mod error;
mod fold;
mod head;
mod prefixes;

use std::sync::Arc;

use dropshot::{ApiDescription, Body, HttpError, RawRequest, RequestContext, ServerContext};
use futures::FutureExt;
use futures::future::BoxFuture;
use http::{Method, Response};

use crate::handle::{Handle, handle};
use crate::observe::Observe;
use crate::rejection::Rejection;
use crate::rivals::Rivals;
use crate::serve::{Reject, refuse};
use crate::table::{Api, Operation};

pub use error::RegisterError;
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

/// Handles a request that dropshot has not read: dropshot would reject an invalid body before
/// missing credentials.
type Handler<C> = Arc<
    dyn Fn(RequestContext<C>, RawRequest) -> BoxFuture<'static, Result<Response<Body>, HttpError>>
        + Send
        + Sync,
>;

/// The routes of one document, before they are added to an [`ApiDescription`].
pub struct Routes<'a, C: Observe + ServerContext> {
    description: &'a mut ApiDescription<C>,
    api: &'static Api,
    reject: Reject<C>,
    routes: Vec<(&'static str, Vec<Method>)>,
    joined: Vec<Joined<C>>,
    readable: Vec<Group<C>>,
}

/// An operation as an implementer serves it, for [`Routes::fold`].
pub struct Entry<C: ServerContext> {
    operation: &'static Operation,
    handler: Handler<C>,
}

/// Operations of one method that share a route, and the handler of all of them.
struct Group<C: ServerContext> {
    operations: Vec<&'static Operation>,
    handler: Handler<C>,
}

impl<'a, C: Observe + ServerContext> Routes<'a, C> {
    /// Starts the routes of a document.
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
            joined: Vec::new(),
            readable: Vec::new(),
        }
    }

    /// An operation as an implementer serves it.
    pub fn entry<A: 'static, O: Handle<A, C>>(&self) -> Entry<C> {
        let (api, reject) = (self.api, self.reject);
        Entry {
            operation: O::OPERATION,
            handler: Arc::new(move |rqctx, request| {
                handle::<A, C, O>(api, rqctx, request, reject).boxed()
            }),
        }
    }

    /// Registers one operation as an implementer serves it.
    pub fn handle<A: 'static, O: Handle<A, C>>(&mut self) -> Result<(), RegisterError> {
        let Entry { operation, handler } = self.entry::<A, O>();
        self.add(Group {
            operations: vec![operation],
            handler,
        })
    }

    /// Registers operations at their common route.
    fn add(&mut self, group: Group<C>) -> Result<(), RegisterError> {
        let Some(group) = self.join(group) else {
            return Ok(());
        };
        let Group {
            operations,
            handler,
        } = &group;
        let Some(first) = operations.first() else {
            return Ok(());
        };
        let ids: Vec<&str> = operations.iter().map(|operation| operation.id).collect();
        let handler = self.beside_rivals(operations, &first.method, Arc::clone(handler));
        self.register(&ids.join("|"), first.method.clone(), first.route, handler)?;
        if first.method == Method::GET {
            self.readable.push(group);
        }
        Ok(())
    }

    /// The handler of operations that may share requests with more specific paths without their
    /// method.
    fn beside_rivals(
        &self,
        operations: &[&'static Operation],
        method: &Method,
        handler: Handler<C>,
    ) -> Handler<C> {
        let (api, reject) = (self.api, self.reject);
        match Rivals::of(api, operations, method) {
            None => handler,
            Some(rivals) => {
                Arc::new(
                    move |rqctx, request| match rivals.take(rqctx.request.uri().path()) {
                        true => refuse(api, rqctx, request, reject, Rejection::NotFound).boxed(),
                        false => handler(rqctx, request),
                    },
                )
            }
        }
    }

    /// Registers, for every route so far, `HEAD` beside `GET`, and the methods that it does not
    /// have. These respond with 405 and `Allow`, or with 404 if the document does not have the path
    /// of a folded route.
    pub fn finish(mut self) -> Result<(), RegisterError> {
        let (api, reject) = (self.api, self.reject);
        self.register_prefixes()?;
        for readable in std::mem::take(&mut self.readable) {
            self.register_head(readable)?;
        }
        let refusal: Handler<C> = Arc::new(move |rqctx, request| {
            refuse(api, rqctx, request, reject, Rejection::NotFound).boxed()
        });
        for (route, known) in std::mem::take(&mut self.routes) {
            for method in METHODS {
                if known.contains(&method) {
                    continue;
                }
                let id = format!("{} {route}", method.as_str().to_ascii_lowercase());
                self.register(&id, method, route, Arc::clone(&refusal))?;
            }
        }
        Ok(())
    }
}
