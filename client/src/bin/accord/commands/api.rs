//! Requests of any operation, and to any path of the service.

use super::{
    chat::standard_input,
    target::{Target, parameter},
};
use crate::failure::{failed, of_interrupted, of_shown, usage};
use crate::output::{bytes, line};
use accord_client::{
    Accord, Buffered, CredentialKind, RawRequest,
    reqwest::{
        Response,
        header::{CONTENT_TYPE, HeaderName, HeaderValue},
    },
};
use anyhow::Context;
use clap::{Args, ValueEnum};
use std::{collections::HashSet, path::PathBuf};

/// The header of a response with the value of [`PAGE`] for the next page.
const NEXT_PAGE: &str = "accord-next-page";
/// The parameter of the query for a page.
const PAGE: &str = "page";

/// The number of bytes of an error that is enough for its code.
pub(super) const MAX_ERROR: usize = 64 * 1024;

/// Send a request of any operation, or to any path, with the credentials and retries of the other commands
#[derive(Args)]
#[command(
    override_usage = "accord api [OPTIONS] <OPERATION> [NAME=VALUE]...\n       accord api [OPTIONS] <METHOD> <AREA> <PATH>",
    after_help = "\
The body of the response is printed as it arrives, also that of an error. A value is a part of the
path if the path has its name, else a parameter of the query. The areas are accounts, identity,
inference and patterns.

Examples:
  accord api getModel model=accord.echo
  accord api listApiKeys compartmentId=compartment.demo --paginate
  accord api GET inference /apikeys --query compartmentId=compartment.demo
  accord api POST accounts /user --body user.json
  accord api GET inference /actions/v1/models --include"
)]
pub struct Api {
    /// The operationId of an area's document, or GET, POST, PUT, PATCH, DELETE or another method
    #[arg(value_name = "OPERATION|METHOD")]
    target: String,
    /// Parameters of the operation; with a method, the area and the path as in the area's document
    #[arg(value_name = "NAME=VALUE|AREA PATH")]
    rest: Vec<String>,
    /// Print each page of a list, one after the other
    #[arg(long, conflicts_with = "body")]
    paginate: bool,
    /// A parameter of the query; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter)]
    query: Vec<(String, String)>,
    /// A header; may be given several times
    #[arg(long, value_name = "NAME: VALUE", value_parser = header)]
    header: Vec<(HeaderName, HeaderValue)>,
    /// File of the body, which is JSON unless a header says something else; `-` reads the standard input
    #[arg(long, value_name = "FILE")]
    body: Option<PathBuf>,
    /// The credential [default: that of the operation in the document, else the access token]
    #[arg(long, value_name = "KIND")]
    credential: Option<Credential>,
    /// Print status and headers, too
    #[arg(long, short)]
    include: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Credential {
    /// No credential
    None,
    /// The access token
    Token,
    /// The secret of the API key
    ApiKey,
    /// Identifier and secret of the OAuth client
    Client,
}

impl Api {
    pub async fn run(self, accord: &Accord) -> anyhow::Result<()> {
        let target = Target::parse(&self.target, &self.rest).map_err(usage)?;
        let request = self.request(accord, &target).await?;
        let mut next = self.show(request).await?;
        let mut requested = HashSet::new();
        while self.paginate
            && let Some(page) = next
        {
            let request = self.request(accord, &target).await?;
            let request = request.query(&[(PAGE, &page)]);
            if !requested.insert(page) {
                anyhow::bail!("{NEXT_PAGE} names a page that was requested before");
            }
            next = self.show(request).await?;
        }
        Ok(())
    }

    /// Sends a request, and prints its response. Returns the value for the next page, if there is one.
    async fn show(&self, request: RawRequest) -> anyhow::Result<Option<String>> {
        let mut response = request.send().await.map_err(failed)?;
        if self.include {
            show_head(&response)?;
        }
        let (status, headers) = (response.status(), response.headers().clone());
        let mut ends_line = true;
        // The body of an error has its code.
        let mut error = Vec::new();
        loop {
            let part = match response.chunk().await {
                Ok(Some(part)) => part,
                Ok(None) => break,
                // An error keeps its status, even if its reason is incomplete.
                Err(_) if !status.is_success() => break,
                Err(error) => return Err(of_interrupted(error, &headers)),
            };
            ends_line = part.ends_with(b"\n");
            bytes(&part)?;
            if !status.is_success() && error.len() < MAX_ERROR {
                error.extend_from_slice(&part);
            }
        }
        if !ends_line {
            line("")?;
        }
        if !status.is_success() {
            return Err(of_shown(Buffered::new(status, headers, error)));
        }
        let next = headers.get(NEXT_PAGE).map(HeaderValue::to_str);
        let next = next.transpose().context(NEXT_PAGE)?;
        Ok(next.filter(|page| !page.is_empty()).map(str::to_owned))
    }

    async fn request(&self, accord: &Accord, target: &Target) -> anyhow::Result<RawRequest> {
        let mut request = accord
            .request(target.method.clone(), target.area, &target.path)
            .query(&target.query)
            .query(&self.query);
        if let Some(credential) = self.credential {
            request = request.credential(match credential {
                Credential::None => CredentialKind::None,
                Credential::Token => CredentialKind::AccessToken,
                Credential::ApiKey => CredentialKind::ApiKey,
                Credential::Client => CredentialKind::Client,
            });
        }
        if let Some(path) = &self.body {
            let body = match path.to_str() {
                Some("-") => standard_input().await?,
                _ => std::fs::read(path)
                    .with_context(|| format!("{} cannot be read", path.display()))?,
            };
            if !self.header.iter().any(|(name, _)| *name == CONTENT_TYPE) {
                let json = HeaderValue::from_static("application/json");
                request = request.header(CONTENT_TYPE, json);
            }
            request = request.body(body);
        }
        for (name, value) in &self.header {
            request = request.header(name.clone(), value.clone());
        }
        Ok(request)
    }
}

fn show_head(response: &Response) -> anyhow::Result<()> {
    line(&format!("{:?} {}", response.version(), response.status()))?;
    for (name, value) in response.headers() {
        let value = String::from_utf8_lossy(value.as_bytes());
        line(&format!("{name}: {value}"))?;
    }
    line("")
}

fn header(text: &str) -> Result<(HeaderName, HeaderValue), String> {
    let (name, value) = text.split_once(':').ok_or("write NAME: VALUE")?;
    let name = name.trim().parse();
    let name = name.map_err(|_| "this is not the name of a header".to_owned())?;
    let value = value.trim().parse();
    let value = value.map_err(|_| "this is not the value of a header".to_owned())?;
    Ok((name, value))
}

#[cfg(test)]
mod tests {
    use super::header;

    #[test]
    fn a_header_is_parsed_or_rejected_with_its_form() {
        let (name, value) = header("If-Match: \"3\"").expect("a header");
        assert_eq!(
            (name.as_str(), value.to_str().ok()),
            ("if-match", Some("\"3\""))
        );
        assert!(header("If-Match").is_err_and(|form| form.contains("NAME: VALUE")));
        assert!(header("a b: 1").is_err());
    }
}
