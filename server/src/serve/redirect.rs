//! The listener without TLS, which redirects browsers to the listener with TLS.
//!
//! It redirects only pages, for people who type a name without `https`, and rejects all other
//! requests: a client that follows redirects would silently send its credentials in plain text
//! with each call.

use std::sync::Arc;

use dropforge_runtime::METHODS;
use dropshot::{
    ApiDescription, ApiDescriptionRegisterError, ApiEndpoint, ApiEndpointVersions, Body, HttpError,
    Path, RequestContext,
};
use http::{Method, Response, StatusCode, header};

use crate::app::App;
use crate::area::Area;
use crate::ops::{access, reply};

const REFUSED: &str =
    "This address is served over https only. If the request had credentials, replace them.\n";

/// The path segments, which are not used.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Below {
    #[expect(dead_code, reason = "dropshot asks for the names")]
    path: Vec<String>,
}

/// Registers the redirect of every path.
///
/// # Errors
///
/// When routes conflict, which does not happen in practice.
pub(super) fn register(
    api: &mut ApiDescription<Arc<App>>,
) -> Result<(), ApiDescriptionRegisterError> {
    for method in METHODS {
        let endpoint = ApiEndpoint::new(
            format!("redirect_{method}"),
            redirect,
            method,
            dropshot::CONTENT_TYPE_JSON,
            "/{path:.*}",
            ApiEndpointVersions::All,
        );
        api.register(endpoint.visible(false))?;
    }
    Ok(())
}

async fn redirect(
    call: RequestContext<Arc<App>>,
    _: Path<Below>,
) -> Result<Response<Body>, HttpError> {
    let response = async {
        let Some(target) = target(&call) else {
            return reply::text(StatusCode::FORBIDDEN, REFUSED);
        };
        let mut response = reply::text(StatusCode::PERMANENT_REDIRECT, "")?;
        let target = target
            .parse()
            .map_err(|_| HttpError::for_bad_request(None, "the address is invalid".into()))?;
        response.headers_mut().insert(header::LOCATION, target);
        Ok(response)
    };
    access::logged(&call, "redirect", "/{path}", response).await
}

/// The address of the page over TLS; `None` if the request is not for a page.
fn target(call: &RequestContext<Arc<App>>) -> Option<String> {
    let request = &call.request;
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let has_credentials = request.headers().contains_key(header::AUTHORIZATION);
    let path = request.uri().path();
    if !is_read || has_credentials || !path.starts_with('/') {
        return None;
    }
    let urls = call.context().urls();
    let base = match path.split('/').find(|segment| !segment.is_empty()) {
        None | Some("docs" | "openapi") => urls.main(),
        Some("ui" | "login" | "account") => urls.of(Area::Identity),
        Some(_) => return None,
    };
    let query = request.uri().query();
    let query = query.map_or(String::new(), |query| format!("?{query}"));
    Some(format!("{base}{path}{query}"))
}
