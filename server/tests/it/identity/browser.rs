//! A browser: it keeps its cookie, and sends forms as they stand in the page.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use crate::harness::Server;

/// A browser without scripts.
pub struct Browser {
    http: reqwest::Client,
    base: String,
    /// Name and value of the session's cookie.
    pub cookie: Option<(String, String)>,
    /// Name and value of the cookie that a browser keeps in which somebody has
    /// signed in.
    pub device: Option<(String, String)>,
    /// The forms' token, of the page looked at last.
    pub csrf_token: String,
    /// The address at which a trusted proxy sees this browser.
    pub behind_proxy: Option<String>,
    /// The languages that this browser prefers.
    pub language: Option<String>,
}

/// What a browser shows.
#[derive(Debug)]
pub struct Page {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub body: String,
}

impl Page {
    /// A header.
    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// The value of a field of the page's form.
    pub fn field(&self, name: &str) -> Option<&str> {
        let at = self.body.find(&format!("name=\"{name}\""))?;
        let tag = self.body[at..].split('>').next()?;
        let value = tag.split("value=\"").nth(1)?;
        value.split('"').next()
    }
}

impl Browser {
    /// A browser that has been nowhere.
    pub fn new(server: &Server) -> Browser {
        Browser {
            http: server.http().clone(),
            base: server.url(""),
            cookie: None,
            device: None,
            csrf_token: String::new(),
            behind_proxy: None,
            language: None,
        }
    }

    /// A browser in which this user is signed in.
    pub async fn signed_in(server: &Server, username: &str, password: &str) -> Browser {
        let mut browser = Browser::new(server);
        browser.sign_in(username, password).await;
        browser
    }

    /// One at this address of its own, which reaches the service, or a proxy in
    /// front of it, at another.
    pub fn through(server: &Server, to: SocketAddr, own: [u8; 4]) -> Browser {
        let http = reqwest::Client::builder()
            .local_address(IpAddr::from(own))
            .redirect(reqwest::redirect::Policy::none())
            .timeout(Duration::from_secs(60))
            .build()
            .unwrap();
        Browser {
            http,
            base: format!("http://{to}"),
            ..Browser::new(server)
        }
    }

    /// Opens an address.
    pub async fn get(&mut self, path: &str) -> Page {
        let request = self.http.get(format!("{}{path}", self.base));
        self.send(request).await
    }

    /// Sends a form, with the token of the page looked at last.
    pub async fn submit(&mut self, path: &str, fields: &[(&str, &str)]) -> Page {
        let token = self.csrf_token.clone();
        let mut form = vec![("csrf_token", token.as_str())];
        form.extend(fields);
        let url = format!("{}{path}", self.base);
        let request = self.http.post(url).form(&form);
        self.send(request).await
    }

    /// Sends a request with the cookie, and keeps what comes back.
    pub async fn send(&mut self, mut request: reqwest::RequestBuilder) -> Page {
        let pairs = self.cookie.iter().chain(&self.device);
        let cookies: Vec<_> = pairs
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        if !cookies.is_empty() {
            request = request.header("cookie", cookies.join("; "));
        }
        if let Some(address) = &self.behind_proxy {
            request = request.header("x-forwarded-for", address);
        }
        if let Some(language) = &self.language {
            request = request.header("accept-language", language);
        }
        let response = request.send().await.unwrap();
        let page = Page {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: response.text().await.unwrap(),
        };
        for set in page.headers.get_all("set-cookie") {
            let set = set.to_str().unwrap().split(';').next().unwrap_or_default();
            let Some((name, value)) = set.split_once('=') else {
                continue;
            };
            let kept = match name.contains("device") {
                true => &mut self.device,
                false => &mut self.cookie,
            };
            *kept = Some((name.into(), value.into()));
        }
        if let Some(token) = page.field("csrf_token") {
            self.csrf_token = token.into();
        }
        page
    }

    /// Signs in, which leads to the console, and opens the form for a code.
    pub async fn sign_in(&mut self, username: &str, password: &str) -> Page {
        let page = self.get("/ui/v1/signin").await;
        assert_eq!(page.status, 200);
        let fields = [("username", username), ("password", password)];
        let page = self.submit("/ui/v1/signin", &fields).await;
        assert_eq!((page.status, page.header("location")), (303, "/ui/v1/keys"));
        self.get("/ui/v1/device").await
    }

    /// Enters a code, looks at what is asked for, and decides.
    pub async fn decide(&mut self, user_code: &str, action: &str) -> Page {
        self.get("/ui/v1/device").await;
        let fields = [("user_code", user_code), ("action", "continue")];
        let page = self.submit("/ui/v1/device", &fields).await;
        assert_eq!(page.status, 200, "{}", page.body);
        let code = page
            .field("user_code")
            .expect("the consent form")
            .to_owned();
        let fields = [("user_code", code.as_str()), ("action", action)];
        self.submit("/ui/v1/device", &fields).await
    }
}
