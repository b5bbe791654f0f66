//! The extractor and the response of every handler, as dropshot sees them.
//!
//! Dropshot runs every extractor before the handler, and would reject an invalid
//! body before missing credentials. So the only extractor of a handler holds the
//! unread request, and the handler reads the request in its own order. The
//! extractor and the response describe themselves to dropshot from the document.

use std::marker::PhantomData;

use async_trait::async_trait;
use dropshot::{
    ApiEndpointBodyContentType, ApiEndpointResponse, Body, ExclusiveExtractor, ExtractorMetadata,
    HttpError, HttpResponse, RequestContext, ServerContext,
};
use http::{Response, StatusCode, Uri};

use crate::describe;
use crate::marker::OperationMarker;

/// An unread request.
#[derive(Debug)]
pub struct Kept<M> {
    pub(crate) request: hyper::Request<Body>,
    marker: PhantomData<fn() -> M>,
}

impl<M> Kept<M> {
    pub(crate) fn uri(&self) -> &Uri {
        self.request.uri()
    }

    /// The same request for the handler of another operation.
    pub(crate) fn cast<N>(self) -> Kept<N> {
        Kept {
            request: self.request,
            marker: PhantomData,
        }
    }
}

#[async_trait]
impl<M: OperationMarker> ExclusiveExtractor for Kept<M> {
    async fn from_request<C: ServerContext>(
        _: &RequestContext<C>,
        request: hyper::Request<Body>,
    ) -> Result<Self, HttpError> {
        Ok(Kept {
            request,
            marker: PhantomData,
        })
    }

    fn metadata(content_type: ApiEndpointBodyContentType) -> ExtractorMetadata {
        describe::request::<M>(content_type)
    }
}

/// A response on its way out.
#[derive(Debug)]
pub struct Served<M> {
    response: Response<Body>,
    marker: PhantomData<fn() -> M>,
}

impl<M> Served<M> {
    pub(crate) fn new(response: Response<Body>) -> Self {
        Served {
            response,
            marker: PhantomData,
        }
    }

    /// The same response from the handler of another operation.
    pub(crate) fn cast<N>(self) -> Served<N> {
        Served::new(self.response)
    }
}

impl<M: OperationMarker> HttpResponse for Served<M> {
    fn to_result(self) -> Result<Response<Body>, HttpError> {
        Ok(self.response)
    }

    fn response_metadata() -> ApiEndpointResponse {
        describe::response::<M>()
    }

    fn status_code(&self) -> StatusCode {
        self.response.status()
    }
}
