//! Requests to any path of the service.

use super::chat::standard_input;
use crate::failure::{failed, of_shown};
use crate::output::{bytes, line};
use accord_client::{
    Accord, Area, Buffered, CredentialKind, RawRequest,
    reqwest::{
        Method,
        header::{CONTENT_TYPE, HeaderName, HeaderValue},
    },
};
use anyhow::Context;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Send a request to any path of an area, with the credentials and retries of the other commands
#[derive(Args)]
#[command(after_help = "\
The body of the response is printed as it arrives, also that of an error.

Examples:
  accord api GET inference /apikeys --query compartmentId=compartment.demo
  accord api POST accounts /user --body user.json
  accord api GET inference /actions/v1/models --include")]
pub struct Api {
    /// GET, POST, PUT, PATCH, DELETE or another method
    #[arg(value_parser = method)]
    method: Method,
    /// The area
    area: AreaName,
    /// The path, as in the area's document
    path: String,
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
enum AreaName {
    Accounts,
    Identity,
    Inference,
    Patterns,
}

#[derive(Clone, Copy, ValueEnum)]
enum Credential {
    /// No credential
    None,
    /// The access token
    Token,
    /// The secret of the API key
    ApiKey,
}

impl Api {
    pub async fn run(self, accord: &Accord) -> anyhow::Result<()> {
        let sent = self.request(accord).await?.send().await;
        let mut response = sent.map_err(failed)?;
        let (status, headers) = (response.status(), response.headers().clone());
        if self.include {
            line(&format!("{:?} {status}", response.version()))?;
            for (name, value) in &headers {
                let value = String::from_utf8_lossy(value.as_bytes());
                line(&format!("{name}: {value}"))?;
            }
            line("")?;
        }
        let mut ends_line = true;
        while let Some(part) = response.chunk().await? {
            ends_line = part.ends_with(b"\n");
            bytes(&part)?;
        }
        if !ends_line {
            line("")?;
        }
        match status.is_success() {
            true => Ok(()),
            false => Err(of_shown(Buffered {
                status,
                headers,
                body: Vec::new().into(),
            })),
        }
    }

    async fn request(&self, accord: &Accord) -> anyhow::Result<RawRequest> {
        let area = match self.area {
            AreaName::Accounts => Area::Accounts,
            AreaName::Identity => Area::Identity,
            AreaName::Inference => Area::Inference,
            AreaName::Patterns => Area::Patterns,
        };
        let mut request = accord
            .request(self.method.clone(), area, &self.path)
            .query(&self.query);
        if let Some(credential) = self.credential {
            request = request.credential(match credential {
                Credential::None => CredentialKind::None,
                Credential::Token => CredentialKind::AccessToken,
                Credential::ApiKey => CredentialKind::ApiKey,
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

fn method(text: &str) -> Result<Method, String> {
    let method: Result<Method, _> = text.to_ascii_uppercase().parse();
    method.map_err(|_| "write a method, as GET".to_owned())
}

fn parameter(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
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
    use super::{header, method, parameter};

    #[test]
    fn parts_of_a_request_are_parsed_or_rejected_with_their_form() {
        assert_eq!(method("patch"), Ok(accord_client::reqwest::Method::PATCH));
        assert!(method("G T").is_err());
        assert_eq!(parameter("q=a=b"), Ok(("q".to_owned(), "a=b".to_owned())));
        assert!(parameter("q").is_err_and(|form| form.contains("NAME=VALUE")));
        let (name, value) = header("If-Match: \"3\"").expect("a header");
        assert_eq!(
            (name.as_str(), value.to_str().ok()),
            ("if-match", Some("\"3\""))
        );
        assert!(header("If-Match").is_err_and(|form| form.contains("NAME: VALUE")));
        assert!(header("a b: 1").is_err());
    }
}
