//! The playground: a script of the page calls a model with the secret of an API key.
//!
//! The secret stays in the memory of the page. The calls are the public operations of the
//! inference document, so policies, limits and usage apply as they do to any other caller.

use std::net::IpAddr;

use askama::Template;
use http::StatusCode;

use super::assets::PLAYGROUND;
use super::page_request::PageRequest;
use super::response::{Frame, PageError, PageResponse};
use crate::area::Area;

/// The path of the operations that call models.
pub const MODEL_PATH: &str = "/20231130/actions/v1";

/// The part of a page that calls models.
#[derive(Debug)]
pub struct Playground {
    /// The address of the operations, for programs.
    pub address: String,
    /// The element of the page whose text is the secret.
    pub secret_from: Option<&'static str>,
}

impl Playground {
    /// The playground for keys of a region. `None` if the listener of this page does not serve
    /// that region's models, because a browser lets a page call its own server only.
    pub fn of(request: &PageRequest, region: &str) -> Option<Playground> {
        let app = &request.app;
        let server = &app.config.server;
        let here = app.inference.regions.of(|| request.host.clone());
        let is_same = server.listener(Area::Inference) == server.listener(Area::Identity);
        (is_same && here == region).then(|| Playground {
            address: format!("{}{MODEL_PATH}", app.urls().of(Area::Inference)),
            secret_from: None,
        })
    }
}

/// The source of calls for the content security policy of a page: the paths of model calls on the
/// page's own host. In such a source, browsers accept names, and of addresses only the loopback
/// one. For all other hosts, the whole server is allowed.
pub fn source(host: Option<&str>) -> String {
    let is_named = |host: &&str| {
        let name = host.split(':').next().unwrap_or_default();
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-:".contains(&byte);
        let is_address = name.parse::<IpAddr>().is_ok() && name != "127.0.0.1";
        !name.is_empty() && host.bytes().all(is_plain) && !is_address
    };
    match host.filter(is_named) {
        Some(host) => format!("{host}{MODEL_PATH}/"),
        None => "'self'".to_owned(),
    }
}

#[derive(Template)]
#[template(path = "console/playground.html")]
struct PlaygroundPage {
    frame: Frame,
    playground: Option<Playground>,
    /// The address of the listener with the models.
    elsewhere: String,
}

/// The page.
///
/// # Errors
///
/// When nobody is signed in.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    request.signed_in()?;
    let app = &request.app;
    let region = app.inference.regions.of(|| request.host.clone());
    let page = PlaygroundPage {
        frame: request.frame(),
        playground: Playground::of(&request, region),
        elsewhere: app.urls().of(Area::Inference).to_owned(),
    };
    let response = request.page(StatusCode::OK, &page)?;
    Ok(match page.playground {
        Some(_) => response
            .with_scripts(&[PLAYGROUND])
            .with_calls(&source(request.host.as_deref())),
        None => response,
    })
}

#[cfg(test)]
mod tests {
    use super::source;

    #[test]
    fn a_page_may_call_models_on_its_own_host_and_nothing_else_where_browsers_can_express_that() {
        for (host, expected) in [
            (
                Some("accord.example"),
                "accord.example/20231130/actions/v1/",
            ),
            (
                Some("localhost:8080"),
                "localhost:8080/20231130/actions/v1/",
            ),
            (
                Some("127.0.0.1:8080"),
                "127.0.0.1:8080/20231130/actions/v1/",
            ),
            (Some("192.0.2.1:8080"), "'self'"),
            (Some("[::1]:8080"), "'self'"),
            (Some("evil.example; script-src *"), "'self'"),
            (Some(""), "'self'"),
            (None, "'self'"),
        ] {
            assert_eq!(source(host), expected, "{host:?}");
        }
    }
}
