//! A server of the small document, as an implementer writes it, and what the
//! tests need to call it.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use dropforge_runtime as rt;
use futures::StreamExt;
use reqwest::{Client, RequestBuilder};
use rt::dropshot::{ApiDescription, ConfigDropshot, HttpServer, ServerBuilder};
use rt::serde_json::{Map, Value, json};
use rt::{Call, Observe, RawJson, Rejection, Reply};

use crate::api::{self, Form, GetNote, Item, Misbehave, Response, Security, Shop, Upload};

/// Operation, status, request id and end of a request that was answered.
pub type Answered = (Option<&'static str>, u16, String, rt::End);

/// What the server's context has been told.
#[derive(Debug, Default)]
pub struct Told {
    pub finished: Mutex<Vec<Answered>>,
    /// What was given to requests that arrived, as it came back with their end.
    pub luggage: Mutex<Vec<Option<Luggage>>>,
    pub violations: Mutex<Vec<String>>,
    /// What was decided about requests, in words.
    pub decisions: Mutex<Vec<String>>,
}

/// What the context gives a call to carry: the operation and the request id.
#[derive(Debug, Clone, PartialEq)]
pub struct Luggage(pub Option<&'static str>, pub String);

impl Observe for Told {
    fn arrived(&self, arrived: &rt::Arrived<'_>) -> rt::http::Extensions {
        let mut extensions = rt::http::Extensions::new();
        let operation = arrived.operation.map(|operation| operation.id);
        extensions.insert(Luggage(operation, arrived.request_id.to_owned()));
        extensions
    }

    fn max_body_bytes(&self, operation: &'static rt::table::Operation) -> usize {
        match operation.id {
            "upload" => 4096,
            _ => operation.max_body_bytes,
        }
    }

    fn decided(&self, decided: &rt::Decided<'_>) {
        let said = match &decided.decision {
            rt::Decision::Admitted => "admitted".to_owned(),
            rt::Decision::Rejected(rejection) => format!("rejected: {}", rejection.status()),
            rt::Decision::Parameter {
                parameter,
                value,
                valid,
            } => format!("{}: {}, {valid}", parameter.name, json!(value)),
            rt::Decision::Body { body: None, valid } => format!("no body, {valid}"),
            rt::Decision::Body {
                body: Some(body),
                valid,
            } => format!("{}: {}, {valid}", body.media.name, json!(body.value)),
        };
        self.decisions.lock().unwrap().push(said);
    }

    fn finished(&self, finished: &rt::Finished<'_>) {
        let luggage = finished.extensions.get().cloned();
        self.luggage.lock().unwrap().push(luggage);
        self.finished.lock().unwrap().push((
            finished.operation.map(|operation| operation.id),
            finished.status.as_u16(),
            finished.request_id.to_owned(),
            finished.end,
        ));
    }

    fn violation(&self, report: &rt::GuardReport) {
        self.violations.lock().unwrap().push(report.to_string());
    }
}

pub struct Service;

impl Security for Service {
    type Context = Arc<Told>;
    type Token = String;

    async fn token(
        _: &Call<Arc<Told>>,
        credentials: rt::Bearer,
        scopes: &'static [&'static str],
    ) -> Result<String, rt::Denied> {
        assert_eq!(scopes, ["items.write"]);
        match credentials.expose() {
            "good" => Ok("ana".to_owned()),
            "narrow" => Err(rt::Denied::forbidden("scope items.write is missing")),
            _ => Err(rt::Denied::unauthenticated("the token is unknown")),
        }
    }

    fn reject(_: &Call<Arc<Told>>, rejection: Rejection) -> Reply {
        let status = rejection.status();
        let detail = rejection.to_string();
        let body = json!({"title": status.canonical_reason(), "detail": detail});
        Reply::json_as(status, "application/problem+json", &body)
    }
}

type Outcome = Result<Response, std::convert::Infallible>;

impl Shop for Service {
    async fn create_item(call: Call<Arc<Told>>, caller: String, body: Item) -> Outcome {
        assert_eq!(caller, "ana");
        assert!(!call.body().is_empty());
        Ok(Response::Created {
            location: format!("/api/items/{}", body.name),
            body,
        })
    }

    async fn get_note(_: Call<Arc<Told>>, parameters: GetNote) -> Outcome {
        Ok(Response::Negotiated(
            rt::serde_json::to_value(parameters).unwrap(),
        ))
    }

    async fn archive_notes(call: Call<Arc<Told>>) -> Outcome {
        assert!(call.extensions().get::<Luggage>().is_some());
        Ok(Response::NoContent)
    }

    async fn purge_archive(_: Call<Arc<Told>>) -> Outcome {
        Ok(Response::NoContent)
    }

    async fn search(_: Call<Arc<Told>>, body: Option<Map<String, Value>>) -> Outcome {
        Ok(Response::Ok(json!(body)))
    }

    async fn keep(_: Call<Arc<Told>>, body: Option<RawJson<Item>>) -> Outcome {
        let size = body.as_ref().map(|raw| raw.parse().unwrap().size);
        let text = body.map(|raw| String::from_utf8(raw.into_bytes().to_vec()).unwrap());
        Ok(Response::Ok(json!({"text": text, "size": size})))
    }

    async fn fill_form(call: Call<Arc<Told>>, body: Form) -> Outcome {
        if body.name == "heads" {
            let head =
                |part: &rt::Part| json!([part.name(), part.file_name(), part.content_type()]);
            let heads: Vec<Value> = call.parts().iter().map(head).collect();
            return Ok(Response::Ok(json!({"heads": heads})));
        }
        Ok(Response::Ok(rt::serde_json::to_value(body).unwrap()))
    }

    async fn upload(_: Call<Arc<Told>>, body: Upload) -> Outcome {
        Ok(Response::Text(match body {
            Upload::Text(text) => format!("text {text}"),
            Upload::Bytes(bytes) => format!("bytes {}", bytes.len()),
        }))
    }

    async fn follow(call: Call<Arc<Told>>) -> Outcome {
        if let Some(last) = call.headers().get("x-failure") {
            let last = match last.to_str().unwrap() {
                "" => String::new(),
                data => format!("data: {data}\n\n"),
            };
            let failure = rt::StreamFailure(last.into());
            let mut pieces = vec![Ok("data: 0\n\n".into()), Err(failure.clone())];
            if failure.0.is_empty() {
                // Nobody may see what follows the end.
                pieces.push(Ok("data: 2\n\n".into()));
            }
            let pieces = rt::EventStream::raw(futures::stream::iter(pieces));
            return Ok(Response::Events(pieces));
        }
        let events = futures::stream::iter(0..10).then(|number| async move {
            // Each event goes out by itself.
            tokio::time::sleep(Duration::from_millis(1)).await;
            Ok::<_, std::convert::Infallible>(json!(number))
        });
        Ok(Response::Events(rt::EventStream::events(events)))
    }

    async fn misbehave(_: Call<Arc<Told>>, parameters: Misbehave) -> Outcome {
        match parameters.how.as_str() {
            "panic" => panic!("as told"),
            "unwritten" => rt::not_implemented("misbehave"),
            "status" => Ok(Response::NoContent),
            "method" => Ok(Response::MethodNotAllowed),
            "body" => Ok(Response::Ok(json!({"name": ""}))),
            "header" => Ok(Response::Created {
                location: "a\nb".into(),
                body: item(),
            }),
            _ => Ok(Response::Raw(RawJson::new(item()))),
        }
    }
}

fn item() -> Item {
    Item {
        name: "a".into(),
        size: None,
        parts: Vec::new(),
    }
}

/// A running server.
pub struct Running {
    pub server: HttpServer<Arc<Told>>,
    pub told: Arc<Told>,
    pub client: Client,
}

impl Running {
    pub async fn start() -> Self {
        let mut api = ApiDescription::new();
        api::register::<Service>(&mut api).unwrap();
        let told = Arc::new(Told::default());
        let config = ConfigDropshot {
            bind_address: ([127, 0, 0, 1], 0).into(),
            ..Default::default()
        };
        let log = slog::Logger::root(slog::Discard, slog::o!());
        let server = ServerBuilder::new(api, Arc::clone(&told), log)
            .config(config)
            .start()
            .unwrap();
        assert_eq!(rt::set_nodelay(server.local_addr()).unwrap(), 1);
        Running {
            server,
            told,
            client: Client::new(),
        }
    }

    pub fn request(&self, method: &str, path: &str) -> RequestBuilder {
        let url = format!("http://{}{path}", self.server.local_addr());
        self.client.request(method.parse().unwrap(), url)
    }

    /// Waits until so many requests are finished: a stream is a little after its caller
    /// has all of it.
    pub async fn finished(&self, requests: usize) {
        let deadline = Instant::now() + Duration::from_secs(60);
        while self.told.finished.lock().unwrap().len() < requests {
            assert!(Instant::now() < deadline, "not finished");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    /// Violations so far. No test leaves one behind that it does not expect.
    pub fn violations(&self) -> Vec<String> {
        std::mem::take(&mut *self.told.violations.lock().unwrap())
    }
}

/// Status, headers and body of an answer.
pub struct Answer {
    pub status: u16,
    pub headers: reqwest::header::HeaderMap,
    pub text: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        rt::serde_json::from_str(&self.text)
            .unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    pub fn detail(&self) -> String {
        assert_eq!(self.headers["content-type"], "application/problem+json");
        self.json()["detail"].as_str().unwrap().to_owned()
    }
}

/// Sends a request and reads its whole answer.
pub async fn call(request: RequestBuilder) -> Answer {
    let response = request.send().await.unwrap();
    Answer {
        status: response.status().as_u16(),
        headers: response.headers().clone(),
        text: response.text().await.unwrap(),
    }
}
