//! Registers a document's operations at dropshot.
//!
//! Dropshot's router sends 404 and 405 in its own shape and panics on routes
//! that it cannot hold. So every route also gets the methods that the document
//! does not have, with responses in the document's shape. The paths of operations distinguish
//! those that share a folded route ([`Routes::fold`]). A panic becomes an error that names the
//! operation ([`endpoint`]).
//!
//! `GET` is also served to `HEAD` (RFC 9110, section 9.3.2). The operations below a prefix whose
//! unknown paths have a response of the document share one route ([`prefixes`]).
//!
//! Dropshot's own OpenAPI document omits every route: its handlers take and return untyped
//! messages.

mod endpoint;
mod prefixes;

use std::future::ready;
use std::sync::Arc;

use dropshot::{ApiDescription, ServerContext};
use futures::FutureExt;
use futures::future::BoxFuture;
use http::Method;

use crate::credentials::are_presented;
use crate::exchange::Exchange;
use crate::handle::{Handle, handle};
use crate::observe::Observe;
use crate::path;
use crate::rejection::Rejection;
use crate::reply::Reply;
use crate::rivals::Rivals;
use crate::serve::{Reject, refuse, serve};
use crate::table::{Api, Operation};

use endpoint::{Group, Handler};
pub use endpoint::{METHODS, RegisterError};
use prefixes::Joined;

/// The routes of one document, on their way into an [`ApiDescription`].
pub struct Routes<'a, C: Observe + ServerContext> {
    description: &'a mut ApiDescription<C>,
    api: &'static Api,
    reject: Reject<C>,
    routes: Vec<(&'static str, Vec<Method>)>,
    joined: Vec<Joined<C>>,
    /// The operations of `GET`, which `HEAD` also reaches.
    gets: Vec<Group<C>>,
}

/// Responds to a request of any operation of a document. The request presents credentials of the
/// right kind, which the handler verifies ([`Credentials::presented`](crate::Credentials::presented)).
/// [`Exchange::read`] reads the request and validates it.
pub type Respond<C> = fn(Exchange<C>) -> BoxFuture<'static, Result<Reply, Rejection>>;

/// An operation as an implementer serves it, for [`Routes::fold`].
pub struct Entry<C: ServerContext> {
    operation: &'static Operation,
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
            gets: Vec::new(),
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

    /// Registers operations of one method whose paths share a route. Their own paths
    /// distinguish them: literals win over variables. Dropshot's router cannot hold
    /// `/pets/{id}` and `/pets/mine` side by side.
    pub fn fold<const N: usize>(&mut self, entries: [Entry<C>; N]) -> Result<(), RegisterError> {
        self.fold_list(entries.into())
    }

    /// The same, for a number of operations that is known at run time.
    fn fold_list(&mut self, entries: Vec<Entry<C>>) -> Result<(), RegisterError> {
        let entries = entries.into_iter();
        let (operations, handlers): (Vec<_>, Vec<_>) = entries
            .map(|entry| (entry.operation, entry.handler))
            .unzip();
        let (api, reject) = (self.api, self.reject);
        self.add(Group {
            operations: operations.clone(),
            handler: Arc::new(move |rqctx, request| {
                match path::most_specific(&operations, rqctx.request.uri().path()) {
                    Some(index) => handlers[index](rqctx, request),
                    None => refuse(api, rqctx, request, reject).boxed(),
                }
            }),
        })
    }

    /// Registers every operation of the document with one handler, in place of the methods of an
    /// implementer. For programs that do the same for every operation and need no types, such as a
    /// fake service for tests. A request without credentials of one of the operation's alternatives is
    /// rejected.
    ///
    /// # Errors
    ///
    /// When dropshot rejects a route, or another document has registered it.
    pub fn respond(mut self, respond: Respond<C>) -> Result<(), RegisterError> {
        let (api, reject) = (self.api, self.reject);
        let mut groups: Vec<Vec<Entry<C>>> = Vec::new();
        for operation in api.operations.iter().copied() {
            let entry = Entry {
                operation,
                handler: Arc::new(move |rqctx, request| {
                    let admit = move |exchange: Exchange<C>| match are_presented(
                        exchange.call(),
                        operation,
                    ) {
                        true => respond(exchange),
                        false => ready(Err(Rejection::MissingCredentials)).boxed(),
                    };
                    serve(api, operation, rqctx, request, reject, admit).boxed()
                }),
            };
            let is_here = |known: &Entry<C>| {
                known.operation.route == operation.route
                    && known.operation.method == operation.method
            };
            let mut known = groups.iter_mut();
            match known.find(|group| group.iter().any(is_here)) {
                Some(group) => group.push(entry),
                None => groups.push(vec![entry]),
            }
        }
        for group in groups {
            self.fold_list(group)?;
        }
        self.finish()
    }

    /// Registers operations at their common route.
    fn add(&mut self, group: Group<C>) -> Result<(), RegisterError> {
        let group = match Joined::of(self.api, group) {
            Ok(joined) => {
                self.joined.push(joined);
                return Ok(());
            }
            Err(group) => group,
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
            self.gets.push(group);
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
                    move |rqctx, request| match rivals.claim(rqctx.request.uri().path()) {
                        true => refuse(api, rqctx, request, reject).boxed(),
                        false => handler(rqctx, request),
                    },
                )
            }
        }
    }

    /// Registers `HEAD` for the route of some operations that `GET` reaches, unless the
    /// document has it.
    fn register_head(&mut self, group: Group<C>) -> Result<(), RegisterError> {
        let Group {
            operations,
            handler,
        } = group;
        let Some(first) = operations.first() else {
            return Ok(());
        };
        let (route, method) = (first.route, Method::HEAD);
        let mut routes = self.routes.iter();
        if routes.any(|(known, methods)| *known == route && methods.contains(&method)) {
            return Ok(());
        }
        let handler = self.beside_rivals(&operations, &method, handler);
        self.register(&format!("head {route}"), method, route, handler)
    }

    /// Registers, for every route so far, `HEAD` beside `GET`, and the methods that it
    /// does not have: 405 with `Allow`, or 404 where a folded route is not a path of the
    /// document.
    pub fn finish(mut self) -> Result<(), RegisterError> {
        let (api, reject) = (self.api, self.reject);
        for (prefix, method, handler) in prefixes::routes(api, reject, &self.joined) {
            let id = format!("{} {}", method.as_str().to_ascii_lowercase(), prefix.route);
            self.register(&id, method, prefix.route, handler)?;
        }
        for group in std::mem::take(&mut self.gets) {
            self.register_head(group)?;
        }
        let refusal: Handler<C> =
            Arc::new(move |rqctx, request| refuse(api, rqctx, request, reject).boxed());
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

    fn register(
        &mut self,
        id: &str,
        method: Method,
        route: &'static str,
        handler: Handler<C>,
    ) -> Result<(), RegisterError> {
        endpoint::register(self.description, id, &method, route, handler)?;
        match self.routes.iter_mut().find(|(known, _)| *known == route) {
            Some((_, methods)) => methods.push(method),
            None => self.routes.push((route, vec![method])),
        }
        Ok(())
    }
}
