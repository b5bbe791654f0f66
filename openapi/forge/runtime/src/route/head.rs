//! `HEAD` beside `GET` (RFC 9110, section 9.3.2).

use dropshot::ServerContext;
use http::Method;

use super::{Group, RegisterError, Routes};
use crate::observe::Observe;

impl<C: Observe + ServerContext> Routes<'_, C> {
    /// Registers `HEAD` for the route of some operations that `GET` reaches, unless the document
    /// has it. The HTTP library omits the body.
    pub(super) fn register_head(&mut self, readable: Group<C>) -> Result<(), RegisterError> {
        let Group {
            operations,
            handler,
        } = readable;
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
}
