//! Finds the page of a request.
//!
//! dropshot has one route for all pages: its router does not allow a literal path beside a
//! variable one, and sends JSON for unknown paths. People get a page instead.

use std::sync::Arc;

use bytes::Bytes;
use dropforge_runtime::{Accept, METHODS};
use dropshot::{
    ApiDescription, ApiDescriptionRegisterError, ApiEndpoint, ApiEndpointVersions, Body, HttpError,
    Path, RequestContext, StreamingBody,
};
use futures::TryStreamExt as _;
use http::{HeaderMap, Method, Response};

use super::home;
use super::page_request::PageRequest;
use super::response::{HTML, PageError, respond};
use super::routes::{Handler, ROUTES};
use super::texts;
use crate::app::App;
use crate::ops::{access, head};

/// The path of the route of all pages.
pub const PATTERN: &str = "/ui/{path:.*}";

/// The maximum size of a form. A field has up to 20000 characters, and a browser sends up to nine
/// bytes for each.
const FORM_BYTES: usize = 512 << 10;

/// The path in log lines of requests for which there is no page.
const UNKNOWN: &str = "/ui/{path}";

/// Method and path of each page.
#[cfg(test)]
pub fn names() -> impl Iterator<Item = String> {
    ROUTES
        .iter()
        .map(|(path, handler)| format!("{} {path}", handler.methods()[0]))
}

/// The segments below `/ui`.
#[derive(serde::Deserialize, schemars::JsonSchema)]
struct Below {
    path: Vec<String>,
}

/// Registers the pages, `/login` and `/account`.
///
/// # Errors
///
/// When the route conflicts with another one.
pub fn register(api: &mut ApiDescription<Arc<App>>) -> Result<(), ApiDescriptionRegisterError> {
    for method in METHODS {
        let endpoint = ApiEndpoint::new(
            format!("page_{method}"),
            dispatch,
            method,
            dropshot::CONTENT_TYPE_OCTET_STREAM,
            PATTERN,
            ApiEndpointVersions::All,
        );
        api.register(endpoint.visible(false).request_body_max_bytes(FORM_BYTES))?;
    }
    head::register(api, || home::login)?;
    head::register(api, || home::account)
}

async fn dispatch(
    rqctx: RequestContext<Arc<App>>,
    below: Path<Below>,
    body: StreamingBody,
) -> Result<Response<Body>, HttpError> {
    let found = find(rqctx.request.method(), &below.into_inner().path);
    let headers = rqctx.request.headers();
    let path = found.as_ref().map_or(UNKNOWN, |found| found.path);
    let accept = Accept::from_headers(headers);
    // Until the body has arrived, the time limit of connections holds that wait for a request.
    let form = read(body).await;
    access::logged(&rqctx, "pages", path, async {
        let found = match found {
            Ok(_) if !opens_a_page(headers) => Err(PageError::Scripted),
            Err(error) if !accept.names(HTML) => match error.plain() {
                Some(plain) => return Err(plain),
                None => Err(error),
            },
            found => found,
        };
        let outcome = async {
            let found = found?;
            let request = PageRequest::of(&rqctx, found.variable).await?;
            match found.handler {
                Handler::Show(show) => show(request).await,
                Handler::Submit(submit) => {
                    let form = request.form(&form?)?;
                    submit(request, form).await
                }
            }
        };
        respond(outcome.await, texts::preferred(headers))
    })
    .await
}

/// Reads the body of a request. dropshot would report its errors as JSON.
///
/// # Errors
///
/// When the body is too large. If the connection breaks, nobody sees the error.
async fn read(body: StreamingBody) -> Result<Vec<u8>, PageError> {
    let append = |mut form: Vec<u8>, piece: Bytes| async move {
        form.extend_from_slice(&piece);
        Ok::<_, HttpError>(form)
    };
    let form = body.into_stream().try_fold(Vec::new(), append).await;
    form.map_err(|_| PageError::TooLarge)
}

/// A page.
struct Found {
    path: &'static str,
    /// The value of the variable in the path.
    variable: Option<String>,
    handler: Handler,
}

/// Finds the page with this method at a path.
///
/// # Errors
///
/// When there is none.
fn find(method: &Method, below: &[String]) -> Result<Found, PageError> {
    let matching: Vec<_> = ROUTES
        .iter()
        .filter_map(|(path, handler)| Some((*path, *handler, matches(path, below)?)))
        .collect();
    let Some(&(first, ..)) = matching.first() else {
        return Err(PageError::Unknown);
    };
    let page = || matching.iter().filter(|(path, ..)| *path == first);
    match page().find(|(_, handler, _)| handler.methods().contains(method)) {
        Some((path, handler, variable)) => Ok(Found {
            path,
            variable: variable.clone(),
            handler: *handler,
        }),
        None => {
            let methods = page().flat_map(|(_, handler, _)| handler.methods());
            Err(PageError::OtherMethods(methods.cloned().collect()))
        }
    }
}

/// Compares a path with the segments of a request below `/ui`: the value of the variable, if the
/// path has one. `None` if they do not match.
fn matches(path: &str, below: &[String]) -> Option<Option<String>> {
    let mut variable = None;
    let mut segments = path.split('/').skip(2);
    for given in below {
        let segment = segments.next()?;
        match segment.starts_with('{') {
            true => variable = Some(given.clone()),
            false if segment == given => {}
            false => return None,
        }
    }
    segments.next().is_none().then_some(variable)
}

/// Whether a browser opens the page in a tab, as far as the browser reveals it. Scripts and
/// frames of this origin, such as those of `/docs`, read no page and send no form.
fn opens_a_page(headers: &HeaderMap) -> bool {
    // Programs other than browsers may send a mode, but no destination.
    let is = |name, expected| headers.get(name).is_none_or(|value| value == expected);
    !headers.contains_key("sec-fetch-dest")
        || is("sec-fetch-dest", "document") && is("sec-fetch-mode", "navigate")
}
