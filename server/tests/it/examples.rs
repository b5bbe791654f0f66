//! Every documented error of accounts and patterns, provoked: the answer is the
//! example, word for word.

use std::collections::BTreeMap;

use accord_server::accounts::demo::{ADMINISTRATOR, COLLEAGUE};
use accord_server::patterns::accelerators::REACT;
use accord_server::patterns::catalog;
use accord_server::patterns::change::{self, Change, ChangeError};
use accord_server::patterns::demo::INSTANCE;
use reqwest::Method;
use serde_json::{Value, json};

use crate::harness::{self, Server, both_databases};

/// Examples that the tests of an outage compare: a failure of the database provokes them.
const OF_AN_OUTAGE: [&str; 2] = ["unavailable", "outcomeUnknown"];

/// The examples of a document's errors: status aside, by the response's name and
/// the example's.
pub fn documented(area: &str) -> BTreeMap<String, Value> {
    let document = harness::source(area);
    let mut found = BTreeMap::new();
    let mut take = |name: &str, response: &Value| {
        let media = response["content"].as_object().into_iter().flatten();
        for (example, holder) in media.flat_map(|(_, media)| media["examples"].as_object().unwrap())
        {
            let shared = holder["$ref"].as_str().and_then(|at| at.strip_prefix('#'));
            let holder = shared.and_then(|at| document.pointer(at)).unwrap_or(holder);
            found.insert(format!("{name}/{example}"), holder["value"].clone());
        }
    };
    for (name, response) in document["components"]["responses"].as_object().unwrap() {
        take(name, response);
    }
    take(
        "MethodNotAllowed",
        &document["x-dropforge-method-not-allowed"],
    );
    take("Unknown", &document["x-dropforge-not-found"]["/"]);
    let operations = document["paths"].as_object().unwrap().values();
    for operation in operations.flat_map(|path| path.as_object().unwrap().values()) {
        for (status, response) in operation["responses"].as_object().into_iter().flatten() {
            if !status.starts_with('2') {
                let id = operation["operationId"].as_str().unwrap();
                take(&format!("{id}{status}"), response);
            }
        }
    }
    found
}

/// What was provoked so far.
struct Provoked {
    server: Server,
    token: String,
    answers: BTreeMap<String, Value>,
}

impl Provoked {
    async fn new(server: &Server, scopes: &str) -> Provoked {
        Provoked {
            server: server.clone(),
            token: server.token(ADMINISTRATOR, scopes).await,
            answers: BTreeMap::new(),
        }
    }

    async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: String,
    ) -> Value {
        let request = self.server.http().request(method, self.server.url(path));
        let mut request = request.body(body);
        let given = |wanted: &str| headers.iter().any(|(name, _)| *name == wanted);
        if !given("authorization") {
            request = request.bearer_auth(&self.token);
        }
        if !given("content-type") {
            request = request.header("content-type", "application/json");
        }
        for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
            request = request.header(*name, *value);
        }
        let answer = request.send().await.unwrap();
        let text = answer.text().await.unwrap();
        serde_json::from_str(&text).unwrap_or(Value::Null)
    }

    async fn answer(&mut self, name: &str, method: Method, path: &str, body: &Value) {
        self.answer_with(name, method, path, &[], body).await;
    }

    async fn answer_with(
        &mut self,
        name: &str,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: &Value,
    ) {
        let answer = self.send(method, path, headers, body.to_string()).await;
        self.answers.insert(name.to_owned(), answer);
    }

    async fn are(&self, area: &str) {
        let mut documented = documented(area);
        documented.retain(|name, _| {
            let (_, example) = name.split_once('/').unwrap();
            !OF_AN_OUTAGE.contains(&example)
        });
        for (name, example) in &documented {
            let provoked = self.answers.get(name);
            let provoked = provoked.unwrap_or_else(|| panic!("{name} was not provoked"));
            assert_eq!(provoked, example, "{name}");
        }
        assert_eq!(documented.len(), self.answers.len());
    }
}

/// From here on, nothing that needs this table works.
pub async fn hide(server: &Server, table: &'static str) {
    let sql = format!("ALTER TABLE {table} RENAME TO hidden");
    server.write(move |tx| tx.execute(&sql, &[])).await;
}

fn user(changes: &Value) -> Value {
    let mut user = json!({
        "emailAddress": "mira.lund@north.example", "firstName": "Mira", "lastName": "Lund",
        "language": "en", "hubOrganizationId": 3104, "setPassword": false,
    });
    for (name, change) in changes.as_object().unwrap() {
        user[name] = change.clone();
    }
    json!({"hubUser": user})
}

fn profile(instance: i64, organization: i64) -> Value {
    json!({
        "hubUser": {"emailAddress": "ben@north.example"},
        "collabUsers": {
            "appInstanceId": instance, "collabOrganizationId": organization,
            "communicationEmail": "ben@north.example", "language": "en",
        },
    })
}

both_databases! {
    async fn every_error_of_accounts_is_as_documented(server: Server) {
        const USER: &str = "/api/user";
        let (post, patch, get) = (Method::POST, Method::PATCH, Method::GET);
        let mut said = Provoked::new(&server, "accounts.read accounts.write").await;
        let plain = user(&json!({}));
        let key = [("idempotency-key", "k")];
        said.send(post.clone(), USER, &key, plain.to_string()).await;
        said.answer("InvalidRequest/duplicate", post.clone(), USER, &plain).await;
        let other = user(&json!({"emailAddress": "piet@north.example"}));
        said.answer_with("InvalidRequest/keyReused", post.clone(), USER, &key, &other).await;
        let mut missing = other.clone();
        missing["hubUser"].as_object_mut().unwrap().remove("language");
        said.answer("InvalidRequest/missingField", post.clone(), USER, &missing).await;
        said.answer("InvalidRequest/unknownInstance", patch.clone(), USER, &profile(99, 5201)).await;
        said.answer("InvalidRequest/foreignCollabOrganization", patch.clone(), USER, &profile(71, 5202)).await;
        let nowhere = user(&json!({"emailAddress": "piet@north.example", "hubOrganizationId": 9999}));
        said.answer("InvalidRequest/unknownOrganization", post.clone(), USER, &nowhere).await;
        let page = "/api/user/organizations?page=x";
        said.answer("InvalidParameter/unknownPage", get.clone(), page, &json!({})).await;
        let none = [("authorization", "")];
        let bad = [("authorization", "Bearer x")];
        let write = server.token(ADMINISTRATOR, "accounts.write").await;
        let read = server.token(ADMINISTRATOR, "accounts.read").await;
        let (write, read) = (format!("Bearer {write}"), format!("Bearer {read}"));
        let other_scope = [("authorization", read.as_str())];
        for (case, headers) in [("missingToken", none), ("badToken", bad), ("lacksScope", other_scope)] {
            said.answer_with(&format!("Unauthorized/{case}"), post.clone(), USER, &headers, &other).await;
        }
        let other_scope = [("authorization", write.as_str())];
        for (case, headers) in [("missingToken", none), ("badToken", bad), ("lacksScope", other_scope)] {
            said.answer_with(&format!("InvalidToken/{case}"), get.clone(), "/api/user/organizations", &headers, &json!({})).await;
        }
        let colleague = server.token(COLLEAGUE, "accounts.write").await;
        let colleague = format!("Bearer {colleague}");
        said.answer_with("Unauthorized/noPrivilege", post.clone(), USER, &[("authorization", &colleague)], &other).await;
        said.answer("MethodNotAllowed/methodNotAllowed", Method::DELETE, "/api/user/organizations", &json!({})).await;
        said.answer("Unknown/unknown", Method::GET, "/api/nowhere", &json!({})).await;
        let closed = user(&json!({"emailAddress": "piet@north.example", "hubOrganizationId": 3190}));
        said.answer("createUser500/organizationClosed", post.clone(), USER, &closed).await;
        said.answer("linkCollabProfile500/instanceClosed", patch.clone(), USER, &profile(79, 5290)).await;
        hide(&server, "hub_administrators").await;
        said.answer("createUser500/failed", post, USER, &other).await;
        said.answer("linkCollabProfile500/failed", patch, USER, &profile(71, 5201)).await;
        said.answer("ServerError/failed", get, "/api/user/organizations", &json!({})).await;
        said.are("accounts").await;
    }

    async fn every_error_of_patterns_is_as_documented(server: Server) {
        const PATTERNS: &str = "/ic/api/integration/v1/projects/RETAIL/ai/patterns";
        let at = |path: &str| format!("{PATTERNS}{path}?integrationInstance={INSTANCE}");
        let (archive, triage) = (at("/accelerators/archive"), at("/ORDER_TRIAGE%7C01.00.0000"));
        let (post, get, delete) = (Method::POST, Method::GET, Method::DELETE);
        let new = json!({
            "patternCode": "ORDER_TRIAGE", "patternVersion": "01.00.0000", "projectCode": "RETAIL",
            "id": REACT,
        });
        let mut said = Provoked::new(&server, "patterns.read patterns.write").await;
        said.send(post.clone(), &archive, &[], new.to_string()).await;
        said.answer("Conflict/conflict", post.clone(), &archive, &new).await;
        said.answer("BadRequest/missingInstance", get.clone(), PATTERNS, &json!({})).await;
        let mut other = new.clone();
        other["projectCode"] = "SUPPLY".into();
        said.answer("BadRequest/otherProject", post.clone(), &archive, &other).await;
        said.answer_with("Unauthorized/missingToken", get.clone(), &triage, &[("authorization", "")], &json!({})).await;
        said.answer_with("Unauthorized/badToken", get.clone(), &triage, &[("authorization", "Bearer x")], &json!({})).await;
        let reader = server.token(ADMINISTRATOR, "patterns.read").await;
        let reader = format!("Bearer {reader}");
        said.answer_with("Forbidden/noScope", post.clone(), &archive, &[("authorization", &reader)], &new).await;
        said.answer("NotFound/pattern", get.clone(), &at("/ORDER_TRIAGE%7C09.00.0000"), &json!({})).await;
        let mut unknown = new.clone();
        unknown["id"] = "3f1c2a9e-6d0b-4f6e-9c64-0a4c8c0d7b99".into();
        said.answer("NotFound/accelerator", post.clone(), &archive, &unknown).await;
        let project = triage.replace("RETAIL", "WHOLESALE");
        said.answer("NotFound/project", get.clone(), &project, &json!({})).await;
        let elsewhere = triage.replace(INSTANCE, "design-eu-9");
        said.answer("NotFound/instance", get.clone(), &elsewhere, &json!({})).await;
        said.answer_with("NotAcceptable/notAcceptable", get.clone(), &triage, &[("accept", "text/html")], &json!({})).await;
        said.answer_with("UnsupportedMediaType/unsupported", post.clone(), &archive, &[("content-type", "text/plain")], &new).await;
        let large = " ".repeat((1 << 20) + 1);
        let answer = said.send(post, &archive, &[], large).await;
        said.answers.insert("ContentTooLarge/tooLarge".into(), answer);
        said.answer("MethodNotAllowed/methodNotAllowed", Method::DELETE, &at(""), &json!({})).await;
        said.answer("UnknownPath/unknown", Method::GET, "/ic/api/integration/v1/nowhere", &json!({})).await;
        said.answer_with("Changed/changed", delete.clone(), &triage, &[("if-match", "\"7\"")], &json!({})).await;
        let now = server.app().clock.now();
        let locked = server.app().store.write(move |tx| {
            let project = catalog::project(tx, INSTANCE, "RETAIL")?;
            change::apply(tx, &project, "ORDER_TRIAGE|01.00.0000", &Change::Lock, None, "ops", now)
        });
        locked.await.unwrap_or_else(|error: ChangeError| panic!("{error}"));
        said.answer("Locked/locked", delete, &triage, &json!({})).await;
        hide(&server, "design_projects").await;
        said.answer("ServerError/failed", get, &triage, &json!({})).await;
        said.are("patterns").await;
    }
}
