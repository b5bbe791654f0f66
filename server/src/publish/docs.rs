//! `/docs`: a page to read and try the documents.
//!
//! A few embedded files. The page may load scripts and styles only from this service, and call only
//! the areas. It inserts only text, so that content of a document or a response cannot run as code.

use std::sync::Arc;

use dropshot::{Body, HttpError, Path, RequestContext, endpoint};
use http::{Response, StatusCode, header};

use super::etag;
use crate::app::App;
use crate::ops::{access, reply};

/// The page calls the listener that it comes from, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HTML: &str = include_str!("docs/page.html");

/// The page's files, by the last part of their path.
const ASSETS: [(&str, &str, &str); 6] = [
    ("page.css", "text/css", include_str!("docs/page.css")),
    ("page.js", "text/javascript", include_str!("docs/page.js")),
    ("dom.js", "text/javascript", include_str!("docs/dom.js")),
    (
        "document.js",
        "text/javascript",
        include_str!("docs/document.js"),
    ),
    (
        "schema.js",
        "text/javascript",
        include_str!("docs/schema.js"),
    ),
    (
        "request.js",
        "text/javascript",
        include_str!("docs/request.js"),
    ),
];

/// To the page.
#[endpoint { method = GET, path = "/", unpublished = true }]
pub async fn root(call: RequestContext<Arc<App>>) -> Result<Response<Body>, HttpError> {
    access::logged(&call, "publish", "/", async {
        let builder = Response::builder()
            .status(StatusCode::FOUND)
            .header(header::LOCATION, "/docs");
        reply::build(builder, String::new())
    })
    .await
}

/// The page.
#[endpoint { method = GET, path = "/docs", unpublished = true }]
pub async fn page(call: RequestContext<Arc<App>>) -> Result<Response<Body>, HttpError> {
    access::logged(&call, "publish", "/docs", async {
        let builder = Response::builder()
            .header(header::CONTENT_TYPE, "text/html; charset=utf-8")
            .header(header::CONTENT_SECURITY_POLICY, POLICY)
            .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
            .header(header::REFERRER_POLICY, "no-referrer");
        etag::respond(call.request.headers(), builder, HTML.to_owned())
    })
    .await
}

/// The name of one of the page's files.
#[derive(serde::Deserialize, schemars::JsonSchema)]
pub struct Asset {
    file: String,
}

/// The page's files.
#[endpoint { method = GET, path = "/docs/{file}", unpublished = true }]
pub async fn asset(
    call: RequestContext<Arc<App>>,
    path: Path<Asset>,
) -> Result<Response<Body>, HttpError> {
    let file = path.into_inner().file;
    access::logged(&call, "publish", "/docs/{file}", async {
        let Some((_, kind, text)) = ASSETS.iter().find(|(name, _, _)| *name == file) else {
            return Err(HttpError::for_not_found(None, format!("no file {file}")));
        };
        let builder = Response::builder()
            .header(header::CONTENT_TYPE, format!("{kind}; charset=utf-8"))
            .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
        etag::respond(call.request.headers(), builder, (*text).to_owned())
    })
    .await
}
