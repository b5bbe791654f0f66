//! The metrics for a scraper.

use std::sync::Arc;

use dropshot::{Body, HttpError, RequestContext, endpoint};
use http::{Response, header};

use super::{access, gauges, reply};
use crate::app::App;

/// The metrics.
#[endpoint { method = GET, path = "/metrics", unpublished = true }]
pub async fn scrape(call: RequestContext<Arc<App>>) -> Result<Response<Body>, HttpError> {
    access::logged_debug(&call, "/metrics", figures(call.context())).await
}

async fn figures(app: &App) -> Result<Response<Body>, HttpError> {
    app.metrics.log_lines_dropped(super::logs::dropped_lines());
    gauges::of_process(app);
    let content_type = "text/plain; version=0.0.4; charset=utf-8";
    reply::build(
        Response::builder().header(header::CONTENT_TYPE, content_type),
        app.metrics.render(),
    )
}
