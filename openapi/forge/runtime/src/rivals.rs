//! Paths that take requests away from less specific paths.
//!
//! `/pets/{id}` and `/pets/newest` share a route of dropshot's. A request to `/pets/newest` means
//! that path (OpenAPI 3.0.3, "Path Templating Matching"), even if only `/pets/{id}` has its method.
//! The server then responds with 405, and never calls the other operation.

use http::Method;

use crate::path;
use crate::table::{Api, Operation, Segment};

/// More specific paths that do not have the method of some operations, but match their requests.
#[derive(Debug)]
pub(crate) struct Rivals {
    own: Vec<&'static [Segment]>,
    rivals: Vec<&'static [Segment]>,
}

impl Rivals {
    /// The rivals of operations that are served for `method`. `None` if the document has none.
    pub(crate) fn of(
        api: &'static Api,
        operations: &[&'static Operation],
        method: &Method,
    ) -> Option<Rivals> {
        let own: Vec<_> = operations.iter().map(|own| own.segments).collect();
        let has_method = |segments: &[Segment]| {
            let mut all = api.operations.iter();
            all.any(|other| other.segments == segments && serves(&other.method, method))
        };
        let is_rival = |segments: &&'static [Segment]| {
            let mut own = own.iter();
            let takes = own.any(|own| {
                path::overlap(own, segments) && path::ranks(segments) < path::ranks(own)
            });
            takes && !has_method(segments)
        };
        let all = api.operations.iter().map(|operation| operation.segments);
        let mut rivals: Vec<_> = all.filter(is_rival).collect();
        rivals.dedup();
        (!rivals.is_empty()).then_some(Rivals { own, rivals })
    }

    /// Whether a request to `path` means a rival.
    pub(crate) fn claim(&self, path: &str) -> bool {
        let best = |templates: &[&'static [Segment]]| {
            let matching = templates
                .iter()
                .filter(|template| path::variables(template, path).is_some());
            matching.map(|template| path::ranks(template)).min()
        };
        best(&self.rivals).is_some_and(|rival| best(&self.own).is_none_or(|own| rival < own))
    }
}

/// Whether an operation of one method serves requests of another: `HEAD` is `GET` without a body
/// (RFC 9110, section 9.3.2).
pub(crate) fn serves(operation: &Method, request: &Method) -> bool {
    operation == request || (operation == Method::GET && request == Method::HEAD)
}
