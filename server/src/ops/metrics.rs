//! What was counted, for whoever scrapes it.

use std::sync::Arc;

use dropshot::{Body, HttpError, RequestContext, endpoint};
use http::{Response, header};

use crate::app::App;
use crate::publish::reply;

/// The metrics.
#[endpoint { method = GET, path = "/metrics", unpublished = true }]
pub async fn scrape(call: RequestContext<Arc<App>>) -> Result<Response<Body>, HttpError> {
    let text = call.context().metrics.render();
    let content_type = "text/plain; version=0.0.4; charset=utf-8";
    reply::build(
        Response::builder().header(header::CONTENT_TYPE, content_type),
        text,
    )
}
