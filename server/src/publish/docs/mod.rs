//! `/docs`: the reference page, on which people read the documents and try their operations.
//!
//! Scalar renders the documents. Its script is in the program, so the page works without a network.
//! Around it are a few files of this service: they sign in by device authorization, and use the
//! credentials that a response contains. Without scripts, the page lists the operations.

mod assets;
mod operations;
mod policy;

use std::sync::{Arc, LazyLock};

use askama::Template;
use dropshot::{Body, HttpError, Path, RequestContext, endpoint};
use http::{Response, header};

use self::assets::{Asset, OWN, SCALAR};
use self::operations::Listing;
use super::etag;
use crate::app::App;
use crate::ops::{access, reply};

/// The page, the same for everybody.
static PAGE: LazyLock<Result<String, String>> = LazyLock::new(|| {
    let template = Page {
        own: &OWN,
        scalar: &SCALAR,
        documents: operations::listings()?,
    };
    template.render().map_err(|error| error.to_string())
});

#[derive(Template)]
#[template(path = "docs/page.html")]
struct Page {
    own: &'static str,
    scalar: &'static str,
    documents: Vec<Listing>,
}

/// Redirects to the page.
#[endpoint { method = GET, path = "/", unpublished = true }]
pub async fn root(call: RequestContext<Arc<App>>) -> Result<Response<Body>, HttpError> {
    access::logged(&call, "publish", "/", async { reply::redirect("/docs") }).await
}

/// The page.
#[endpoint { method = GET, path = "/docs", unpublished = true }]
pub async fn page(call: RequestContext<Arc<App>>) -> Result<Response<Body>, HttpError> {
    access::logged(&call, "publish", "/docs", async {
        let html = PAGE.as_ref();
        let html = html.map_err(|error| HttpError::for_internal_error(error.clone()))?;
        let mut builder = Response::builder()
            .header(header::CONTENT_TYPE, "text/html; charset=utf-8")
            .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
            .header(header::REFERRER_POLICY, "no-referrer")
            .header("cross-origin-opener-policy", policy::OPENER);
        for policy in policy::contents() {
            builder = builder.header(header::CONTENT_SECURITY_POLICY, policy);
        }
        etag::respond(call.request.headers(), builder, html.clone())
    })
    .await
}

/// The address of one of the page's files.
#[derive(serde::Deserialize, schemars::JsonSchema)]
pub struct File {
    hash: String,
    file: String,
}

/// A file of the page. Its address has the hash of its content, so browsers keep it.
#[endpoint { method = GET, path = "/docs/{hash}/{file}", unpublished = true }]
pub async fn asset(
    call: RequestContext<Arc<App>>,
    path: Path<File>,
) -> Result<Response<Body>, HttpError> {
    let File { hash, file } = path.into_inner();
    access::logged(&call, "publish", "/docs/{hash}/{file}", async {
        match Asset::find(&hash, &file) {
            Some(asset) => asset.respond(call.request.headers()),
            None => {
                let message = "The file does not exist. Load /docs again.".to_owned();
                Err(reply::not_found(message))
            }
        }
    })
    .await
}
