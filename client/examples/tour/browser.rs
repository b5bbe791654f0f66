//! The user's browser: it stores cookies, follows redirects, and sends forms with their hidden
//! fields.

use std::collections::BTreeMap;

use anyhow::{Context, bail, ensure};
use reqwest::header::{COOKIE, LOCATION, ORIGIN, SET_COOKIE};
use reqwest::redirect::Policy;
use reqwest::{Client, ClientBuilder, Method, StatusCode, Url};

pub(super) struct Browser {
    http: Client,
    cookies: BTreeMap<String, String>,
}

/// A response whose status is not 200.
#[derive(Debug, thiserror::Error)]
#[error("{address} responded with {status}")]
pub(super) struct Unexpected {
    address: Url,
    pub(super) status: StatusCode,
}

/// A page and its address.
pub(super) struct Page {
    address: Url,
    text: String,
}

impl Browser {
    pub(super) fn new(http: ClientBuilder) -> anyhow::Result<Browser> {
        let http = http.redirect(Policy::none()).build()?;
        Ok(Browser {
            http,
            cookies: BTreeMap::new(),
        })
    }

    /// Signs in with name and password and approves the device that shows
    /// `user_code`.
    pub(super) async fn approve(
        &mut self,
        address: &str,
        user_code: &str,
        username: &str,
        password: &str,
    ) -> anyhow::Result<()> {
        let mut page = self.open(address).await.context("the page of the device")?;
        if page.has("name=\"password\"") {
            let fields = [("username", username), ("password", password)];
            page = self.submit(&page, &fields).await.context("signing in")?;
        }
        if page.has("value=\"continue\"") {
            let fields = [("action", "continue"), ("user_code", user_code)];
            page = self
                .submit(&page, &fields)
                .await
                .context("entering the code")?;
        }
        // People compare the codes before they approve; the page shows it in halves.
        let shown = page.text.replace('-', "");
        ensure!(
            page.has("value=\"approve\"") && shown.contains(user_code),
            "{} does not ask for an approval: {}",
            page.address,
            page.title()
        );
        self.submit(&page, &[("action", "approve")])
            .await
            .context("approving")?;
        Ok(())
    }

    async fn open(&mut self, address: &str) -> anyhow::Result<Page> {
        let address = Url::parse(address)?;
        self.go(Method::GET, address, None).await
    }

    /// Sends the form of a page: its hidden fields and `fields`.
    async fn submit(&mut self, page: &Page, fields: &[(&str, &str)]) -> anyhow::Result<Page> {
        let action = page
            .attribute("<form ", "action")
            .context("the page has no form")?;
        let mut form = page.hidden();
        form.extend(
            fields
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned())),
        );
        self.go(Method::POST, page.address.join(&action)?, Some(form))
            .await
    }

    async fn go(
        &mut self,
        mut method: Method,
        mut address: Url,
        mut form: Option<BTreeMap<String, String>>,
    ) -> anyhow::Result<Page> {
        for _ in 0..8 {
            let mut request = self.http.request(method.clone(), address.clone());
            if !self.cookies.is_empty() {
                let cookies = self
                    .cookies
                    .iter()
                    .map(|(name, value)| format!("{name}={value}"));
                request = request.header(COOKIE, cookies.collect::<Vec<_>>().join("; "));
            }
            if let Some(form) = &form {
                let origin = address.origin().ascii_serialization();
                request = request.header(ORIGIN, origin).form(form);
            }
            let response = request.send().await?;
            for cookie in response.headers().get_all(SET_COOKIE) {
                let pair = cookie.to_str()?.split(';').next().unwrap_or_default();
                if let Some((name, value)) = pair.split_once('=') {
                    self.cookies
                        .insert(name.trim().to_owned(), value.to_owned());
                }
            }
            if response.status().is_redirection() {
                let to = response
                    .headers()
                    .get(LOCATION)
                    .context("a redirect without an address")?;
                address = address.join(to.to_str()?)?;
                // A browser follows a redirect with GET and does not send the form again.
                method = Method::GET;
                form = None;
                continue;
            }
            let status = response.status();
            let text = response.text().await?;
            ensure!(status == StatusCode::OK, Unexpected { address, status });
            return Ok(Page { address, text });
        }
        bail!("too many redirects")
    }
}

impl Page {
    fn has(&self, text: &str) -> bool {
        self.text.contains(text)
    }

    fn title(&self) -> &str {
        let title = self
            .text
            .split_once("<title>")
            .and_then(|(_, rest)| rest.split_once("</title>"));
        title.map_or("a page without a title", |(title, _)| title)
    }

    /// The value of an attribute of the first element whose tag begins with `element`.
    fn attribute(&self, element: &str, name: &str) -> Option<String> {
        let (_, rest) = self.text.split_once(element)?;
        attribute(rest.split('>').next()?, name)
    }

    /// The hidden fields of the form.
    fn hidden(&self) -> BTreeMap<String, String> {
        let inputs = self.text.split("<input ").skip(1);
        inputs
            .filter_map(|input| input.split('>').next())
            .filter(|input| attribute(input, "type").as_deref() == Some("hidden"))
            .filter_map(|input| Some((attribute(input, "name")?, attribute(input, "value")?)))
            .collect()
    }
}

fn attribute(element: &str, name: &str) -> Option<String> {
    let (_, rest) = element.split_once(&format!("{name}=\""))?;
    rest.split('"').next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hidden_fields_of_a_form_are_sent() {
        let page = Page {
            address: Url::parse("http://a.example/").expect("an address"),
            text: "<form method=\"post\" action=\"/go\"><input type=\"hidden\" name=\"csrf_token\" value=\"t\">\
                   <input name=\"x\" type=\"text\" value=\"\"></form>"
                .to_owned(),
        };
        assert_eq!(page.attribute("<form ", "action").as_deref(), Some("/go"));
        let hidden: Vec<_> = page.hidden().into_iter().collect();
        assert_eq!(hidden, [("csrf_token".to_owned(), "t".to_owned())]);
    }
}
