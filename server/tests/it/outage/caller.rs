//! A caller of every operation of accounts and patterns, and the errors of an outage.

use std::time::{Duration, Instant};

use accord_server::accounts::demo::{ADMINISTRATOR, ORGANIZATION};
use accord_server::patterns::accelerators::REACT;
use accord_server::patterns::demo::{INSTANCE, PROJECT};
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::examples;
use crate::harness::Server;

const SCOPES: &str = "accounts.read accounts.write patterns.read patterns.write";

/// A response to an operation.
#[derive(Debug)]
pub struct Reply {
    operation: &'static str,
    pub status: u16,
    retry_after: Option<String>,
    body: Value,
}

impl Reply {
    async fn to(operation: &'static str, request: RequestBuilder) -> Reply {
        let response = request.send().await.unwrap();
        let retry_after = response.headers().get("retry-after");
        Reply {
            operation,
            status: response.status().as_u16(),
            retry_after: retry_after.map(|value| value.to_str().unwrap().to_owned()),
            body: response.json().await.unwrap_or_default(),
        }
    }

    /// Compares the body with the examples of this name in its document.
    fn is_example(&self, example: &str) {
        let area = match self.operation.contains("Pattern") {
            true => "patterns",
            false => "accounts",
        };
        let examples: Vec<Value> = examples::documented(area)
            .into_iter()
            .filter(|(name, _)| name.ends_with(&format!("/{example}")))
            .map(|(_, body)| body)
            .collect();
        let mut body = self.body.to_string();
        if let Some(seconds) = &self.retry_after {
            let unit = if seconds == "1" { "second" } else { "seconds" };
            let own = format!("Try again in {seconds} {unit}.");
            assert!(body.contains(&own), "{self:?}");
            // An example names the seconds of the example of `Retry-After`.
            body = body.replace(&own, "Try again in 5 seconds.");
        }
        let body: Value = serde_json::from_str(&body).unwrap();
        assert!(examples.contains(&body), "{self:?}: {examples:?}");
    }

    pub fn is_unavailable(&self) {
        assert_eq!(self.status, 503, "{self:?}");
        self.is_example("unavailable");
        assert_eq!(self.retry_after.as_deref(), Some("1"), "{self:?}");
    }

    /// Whether the service does not know if it made the change.
    pub fn is_unknown(&self) {
        assert_eq!(self.status, 500, "{self:?}");
        self.is_example("outcomeUnknown");
        assert_eq!(self.retry_after, None, "{self:?}");
    }
}

/// Makes requests as the administrator of the demo.
pub struct Caller<'a> {
    server: &'a Server,
    pub token: String,
}

impl Caller<'_> {
    pub async fn of(server: &Server) -> Caller<'_> {
        let token = server.token(ADMINISTRATOR, SCOPES).await;
        Caller { server, token }
    }

    fn request(&self, method: &str, path: &str) -> RequestBuilder {
        let url = format!("http://{}{path}", self.server.address());
        let request = self.server.http().request(method.parse().unwrap(), url);
        request.bearer_auth(&self.token)
    }

    fn patterns(&self, method: &str, path: &str) -> RequestBuilder {
        let patterns = format!("/ic/api/integration/v1/projects/{PROJECT}/ai/patterns");
        let request = self.request(method, &format!("{patterns}{path}"));
        request.query(&[("integrationInstance", INSTANCE)])
    }

    pub async fn create_user(&self, name: &str, key: Option<&str>) -> Reply {
        let body = json!({
            "hubUser": {
                "emailAddress": format!("{name}@north.example"), "firstName": "Mira", "lastName": "Lund",
                "language": "en", "hubOrganizationId": ORGANIZATION, "setPassword": true,
            },
        });
        let mut request = self.request("POST", "/api/user").json(&body);
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        Reply::to("createUser", request).await
    }

    pub async fn link_profile(&self, name: &str, key: Option<&str>) -> Reply {
        let body = json!({
            "hubUser": {"emailAddress": format!("{name}@north.example")},
            "collabUsers": {
                "appInstanceId": "72", "collabOrganizationId": "5202", "language": "en",
                "communicationEmail": "mira@lund.example",
            },
        });
        let mut request = self.request("PATCH", "/api/user").json(&body);
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        Reply::to("linkCollabProfile", request).await
    }

    pub async fn create_pattern(&self, code: &str) -> Reply {
        let request = self.patterns("POST", "/accelerators/archive").json(&json!({
            "patternCode": code, "patternVersion": "1", "projectCode": PROJECT, "id": REACT,
        }));
        Reply::to("createPatternFromAccelerator", request).await
    }

    pub async fn delete_pattern(&self, code: &str) -> Reply {
        let request = self.patterns("DELETE", &format!("/{code}%7C1"));
        Reply::to("deletePattern", request).await
    }

    /// A request of each operation that only reads.
    pub async fn reads(&self) -> [Reply; 4] {
        let organizations = self.request("GET", "/api/user/organizations");
        let instances = self.request("GET", "/api/user/appinstance");
        tokio::join!(
            Reply::to("listOrganizations", organizations),
            Reply::to("listApplicationInstances", instances),
            Reply::to("listPatterns", self.patterns("GET", "")),
            Reply::to("getPattern", self.patterns("GET", "/NONE%7C1")),
        )
        .into()
    }

    /// A request of each operation that writes.
    pub async fn writes(&self) -> [Reply; 4] {
        tokio::join!(
            self.create_user("mira", Some("outage")),
            self.link_profile("nobody", None),
            self.create_pattern("OUTAGE"),
            self.delete_pattern("NONE"),
        )
        .into()
    }

    /// Waits until the database is back for every operation.
    pub async fn recovery(&self) {
        let since = Instant::now();
        loop {
            let (reads, writes) = tokio::join!(self.reads(), self.writes());
            let mut replies = reads.iter().chain(&writes);
            if replies.all(|reply| reply.status < 500) {
                return;
            }
            assert!(
                since.elapsed() < Duration::from_secs(60),
                "{reads:?} {writes:?}"
            );
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// The number of responses of an operation with this status.
    pub async fn counted(&self, operation: &str, status: u16) -> u32 {
        let metrics = self.server.get("/metrics").await.text().await.unwrap();
        let labels = format!(r#"operation="{operation}",status="{status}"}} "#);
        let counts = metrics.lines().filter_map(|line| {
            let line = line.strip_prefix("accord_requests_total{")?;
            line.split_once(&labels)?.1.parse::<u32>().ok()
        });
        counts.sum()
    }
}
