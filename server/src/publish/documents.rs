//! `/openapi`: the list of the documents, and each document.
//!
//! A document names its server by a template. The published form has the address of this service
//! instead, so that generated clients and the reference page call this service.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use dropshot::{Body, HttpError, Path, RequestContext, endpoint};
use http::{Response, header};
use serde_json::{Value, json};

use super::etag;
use crate::app::App;
use crate::area::Area;
use crate::contract;
use crate::ops::{access, reply};

/// The list of the documents.
#[endpoint { method = GET, path = "/openapi", unpublished = true }]
pub async fn list(call: RequestContext<Arc<App>>) -> Result<Response<Body>, HttpError> {
    access::logged(&call, "publish", "/openapi", listed(&call)).await
}

async fn listed(call: &RequestContext<Arc<App>>) -> Result<Response<Body>, HttpError> {
    let mut documents = Vec::new();
    for area in Area::ALL {
        let Head { title, version, .. } = head(area);
        documents.push(json!({
            "area": area.name(),
            "title": title,
            "version": version,
            "url": address(call, area),
            "json": format!("/openapi/{}.json", area.name()),
            "yaml": format!("/openapi/{}.yaml", area.name()),
        }));
    }
    let body = json!({ "documents": documents, "page": "/docs" });
    respond(call, "application/json", body.to_string())
}

/// The name of a document's file.
#[derive(serde::Deserialize, schemars::JsonSchema)]
pub struct File {
    file: String,
}

/// One document.
#[endpoint { method = GET, path = "/openapi/{file}", unpublished = true }]
pub async fn fetch(
    call: RequestContext<Arc<App>>,
    path: Path<File>,
) -> Result<Response<Body>, HttpError> {
    let file = path.into_inner().file;
    access::logged(&call, "publish", "/openapi/{file}", fetched(&call, &file)).await
}

async fn fetched(call: &RequestContext<Arc<App>>, file: &str) -> Result<Response<Body>, HttpError> {
    let found = file.split_once('.').and_then(|(name, format)| {
        let area = Area::ALL.into_iter().find(|area| area.name() == name)?;
        Some((area, format))
    });
    let (content_type, body) = match found {
        Some((area, "json")) => ("application/json", as_json(area, &address(call, area))?),
        Some((area, "yaml")) => ("application/yaml", as_yaml(area, &address(call, area))?),
        _ => {
            let message =
                format!("The document {file} does not exist. /openapi lists all documents.");
            return Err(reply::not_found(message));
        }
    };
    respond(call, content_type, body)
}

/// Responds with the list or a document.
fn respond(
    call: &RequestContext<Arc<App>>,
    content_type: &str,
    body: String,
) -> Result<Response<Body>, HttpError> {
    let builder = Response::builder()
        .header(header::CONTENT_TYPE, content_type)
        // The addresses in it are those that the caller used.
        .header(header::VARY, call.context().proxies.vary())
        // Public, and of use to tools that run in a browser.
        .header(header::ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    etag::respond(call.request.headers(), builder, body)
}

/// The address of an area, without its base path. A configured address comes first. The next is the
/// one that the caller used, which also works behind a mapped port. The last is that of the listener.
fn address(call: &RequestContext<Arc<App>>, area: Area) -> String {
    let app = call.context();
    let urls = app.urls();
    let is_served_here = urls.is_served_by(call.server.local_addr, area);
    let request = &call.request;
    let (peer, headers) = (request.remote_addr().ip(), request.headers());
    let host = || app.proxies.host(peer, headers, request.uri());
    let server = &app.config.server;
    if area == Area::Inference
        && server.inference_url.is_none()
        && let Some(host) = server.inference_host(app.inference.regions.of(host))
    {
        return format!("https://{host}");
    }
    if server.public_url(area).is_some() || !is_served_here {
        return urls.of(area).to_owned();
    }
    let named = app.proxies.caller(peer, headers).scheme;
    let scheme = named.unwrap_or(server.tls.scheme());
    match host() {
        Some(host) => format!("{scheme}://{host}"),
        None => urls.of(area).to_owned(),
    }
}

/// The document of an area.
pub(super) fn parse(area: Area) -> Result<Value, HttpError> {
    serde_json::from_str(contract::document(area).json)
        .map_err(|error| HttpError::for_internal_error(format!("{}: {error}", area.name())))
}

/// The parts of a document that most requests need.
struct Head {
    title: Value,
    version: Value,
    base_path: String,
}

/// The head of a document, which is parsed once.
fn head(area: Area) -> &'static Head {
    static HEADS: LazyLock<HashMap<Area, Head>> = LazyLock::new(|| {
        let head = |area| {
            let document = parse(area).expect("a test parses every document");
            let head = Head {
                title: document["info"]["title"].clone(),
                version: document["info"]["version"].clone(),
                base_path: base_path(&document),
            };
            (area, head)
        };
        Area::ALL.into_iter().map(head).collect()
    });
    &HEADS[&area]
}

fn base_path(document: &Value) -> String {
    let template = document["servers"][0]["url"].as_str().unwrap_or_default();
    match template.rsplit_once('}') {
        Some((_, path)) => path.to_owned(),
        None => url::Url::parse(template)
            .map(|url| url.path().trim_end_matches('/').to_owned())
            .unwrap_or_default(),
    }
}

/// The URL that goes into `servers`: the address, and the document's base path.
fn server_url(area: Area, address: &str) -> String {
    format!("{address}{}", head(area).base_path)
}

const DESCRIPTION: &str = "The service that published this document.";

fn as_json(area: Area, address: &str) -> Result<String, HttpError> {
    let mut document = parse(area)?;
    let server = server_url(area, address);
    document["servers"] = json!([{ "url": server, "description": DESCRIPTION }]);
    serde_json::to_string_pretty(&document)
        .map_err(|error| HttpError::for_internal_error(error.to_string()))
}

/// Replaces the lines of `servers`, and leaves all others unchanged.
fn as_yaml(area: Area, address: &str) -> Result<String, HttpError> {
    let server = server_url(area, address);
    let (before, rest) = contract::document(area)
        .yaml
        .split_once("\nservers:\n")
        .ok_or_else(|| HttpError::for_internal_error(format!("{}: no servers", area.name())))?;
    let lines = rest.split_inclusive('\n');
    let after: String = lines.skip_while(|line| line.starts_with(' ')).collect();
    Ok(format!(
        "{before}\nservers:\n  - url: {server}\n    description: {DESCRIPTION}\n{after}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: &str = "http://a:1";

    #[test]
    fn both_forms_of_a_document_name_the_same_server() {
        for area in Area::ALL {
            let json: Value = serde_json::from_str(&as_json(area, ADDRESS).unwrap()).unwrap();
            let yaml = as_yaml(area, ADDRESS).unwrap();
            let server = json["servers"][0]["url"].as_str().unwrap();
            assert!(server.starts_with("http://a:1"), "{server}");
            assert!(!server.contains('{'), "{server}");
            assert!(yaml.contains(&format!("  - url: {server}\n")));
            assert!(!yaml.contains("variables:"), "{}", area.name());
        }
    }

    #[test]
    fn nothing_but_the_server_differs_from_the_published_form() {
        for area in Area::ALL {
            let written = contract::document(area).yaml;
            let published = as_yaml(area, ADDRESS).unwrap();
            let (before, _) = written.split_once("servers:\n").unwrap();
            assert!(published.starts_with(before));
            let rest = |text: &str| text.split_once("\npaths:").unwrap().1.to_owned();
            assert_eq!(rest(written), rest(&published));
        }
    }
}
