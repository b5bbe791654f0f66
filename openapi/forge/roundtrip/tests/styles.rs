//! Every style of every parameter, and every kind of body: what the generated client sends, the generated server reads.

use dropforge_client::{Multipart, OperationError, Part, Session};
use dropforge_roundtrip::{
    client::{self, types},
    server,
};
use dropforge_runtime::contract::LocalServer;
use dropforge_runtime::{Call, Observe, Rejection, Reply, dropshot::*, serde_json};
use serde_json::{Value, json};

#[derive(Debug)]
struct Context;

impl Observe for Context {}

struct Service;

impl server::Security for Service {
    type Context = Context;

    fn reject(_: &Call<Context>, rejection: Rejection) -> Reply {
        Reply::json(
            rejection.status(),
            &json!({ "refused": rejection.to_string() }),
        )
    }
}

/// What the server has read, as its response.
fn echo<T: From<server::responses::Echo>, E>(read: impl serde::Serialize) -> Result<T, E> {
    let body = serde_json::to_value(read).expect("JSON");
    Ok(T::from(server::responses::Echo { body }))
}

macro_rules! operations {
    ($($method:ident: $input:ty => $response:ident, $error:ident;)*) => {
        impl server::Styles for Service {
            $(async fn $method(_: Call<Context>, input: $input) -> Result<server::$response, server::$error> {
                echo(input)
            })*

            async fn upload(
                call: Call<Context>,
                input: server::types::UploadBody,
            ) -> Result<server::UploadResponse, server::UploadError> {
                let heads = call.parts().iter().filter(|part| part.file_name().is_some());
                let heads = heads.map(|part| {
                    let own = part.headers().get("x-own").map(|value| value.as_bytes());
                    json!([part.name(), part.file_name(), part.content_type(), own])
                });
                echo(json!({ "heads": heads.collect::<Value>(), "body": input }))
            }

            async fn text_json(
                _: Call<Context>,
                body: server::types::Point,
            ) -> Result<server::TextJsonResponse, server::TextJsonError> {
                let (x_count, x_note) = (Some(u64::MAX), "a note".to_owned());
                Ok(server::responses::TextJsonOk { body, x_count, x_note }.into())
            }

            async fn head_of_methods(
                _: Call<Context>,
            ) -> Result<server::HeadOfMethodsResponse, server::HeadOfMethodsError> {
                Ok(server::responses::HeadOfMethodsNoContent {}.into())
            }

            async fn trace_of_methods(
                _: Call<Context>,
            ) -> Result<server::TraceOfMethodsResponse, server::TraceOfMethodsError> {
                echo("trace")
            }

            async fn integers(
                _: Call<Context>,
                body: server::types::Integers,
            ) -> Result<server::IntegersResponse, server::IntegersError> {
                Ok(server::responses::IntegersOk { body }.into())
            }

            async fn options_of_upload(
                _: Call<Context>,
            ) -> Result<server::OptionsOfUploadResponse, server::OptionsOfUploadError> {
                echo("options")
            }
        }
    };
}

operations! {
    simple_path: server::parameters::SimplePath => SimplePathResponse, SimplePathError;
    label_path: server::parameters::LabelPath => LabelPathResponse, LabelPathError;
    matrix_path: server::parameters::MatrixPath => MatrixPathResponse, MatrixPathError;
    query: server::parameters::Query => QueryResponse, QueryError;
    header: server::parameters::Header => HeaderResponse, HeaderError;
    cookie: server::parameters::Cookie => CookieResponse, CookieError;
    form: server::types::Filter => FormResponse, FormError;
}

struct Running {
    client: client::Client,
    _server: HttpServer<Context>,
}

impl Running {
    fn start() -> Self {
        let mut api = ApiDescription::new();
        server::register::<Service>(&mut api).expect("the operations are registered");
        let config = ConfigDropshot {
            bind_address: ([127, 0, 0, 1], 0).into(),
            ..Default::default()
        };
        let log = slog::Logger::root(slog::Discard, slog::o!());
        let server = ServerBuilder::new(api, Context, log)
            .config(config)
            .start()
            .expect("a port");
        let address = format!("http://{}{}", server.local_addr(), client::BASE_PATH);
        Self {
            client: client::Client::new(&address, Session::default()),
            _server: server,
        }
    }
}

/// Texts with everything that a style uses as a separator.
fn awkward() -> Vec<String> {
    ["a,b", "c.d;e=f", "g/h", "i&j+k%20", "\u{fc} l"]
        .map(str::to_owned)
        .to_vec()
}

fn point(name: &str) -> types::Point {
    types::Point::new(-5).name(name)
}

fn filter() -> types::Filter {
    types::Filter::new([1, 2])
        .mode(types::Mode::Down)
        .text("a=b&c")
}

fn filter_json() -> Value {
    json!({ "ids": [1, 2], "mode": "down", "text": "a=b&c" })
}

fn read(answer: impl std::ops::Deref<Target = Value>) -> Value {
    (*answer).clone()
}

#[tokio::test]
async fn every_style_of_a_path_arrives_as_it_was_sent() {
    let running = Running::start();
    let request = running.client.simple_path().text("a/b?c").simple(awkward());
    let request = request.pairs(point("p,q")).exploded(point("r=s"));
    let answer = request.call().await.expect("a success");
    assert_eq!(
        read(answer),
        json!({
            "text": "a/b?c",
            "simple": awkward(),
            "pairs": { "x": -5, "name": "p,q" },
            "exploded": { "x": -5, "name": "r=s" },
        })
    );
    let request = running
        .client
        .label_path()
        .text(-1.5)
        .list(awkward())
        .listed(awkward());
    let request = request.pairs(point("p.q")).exploded(point("r.s,t"));
    let answer = request.call().await.expect("a success");
    assert_eq!(
        read(answer),
        json!({
            "text": -1.5,
            "list": awkward(),
            "listed": awkward(),
            "pairs": { "x": -5, "name": "p.q" },
            "exploded": { "x": -5, "name": "r.s,t" },
        })
    );
    let request = running
        .client
        .matrix_path()
        .text(true)
        .list(awkward())
        .listed(awkward());
    let request = request.pairs(point("p;q")).exploded(point("r;s=t"));
    let answer = request.call().await.expect("a success");
    assert_eq!(
        read(answer),
        json!({
            "text": true,
            "list": awkward(),
            "listed": awkward(),
            "pairs": { "x": -5, "name": "p;q" },
            "exploded": { "x": -5, "name": "r;s=t" },
        })
    );
}

#[tokio::test]
async fn every_style_of_a_query_arrives_as_it_was_sent() {
    let running = Running::start();
    let words = || vec!["a,b".to_owned(), "c&d".to_owned()];
    let request = running.client.query();
    let request = request
        .text("a b&c=d")
        .list(awkward())
        .joined(awkward())
        .numbers(vec![1, -2]);
    let request = request
        .spaced(words())
        .piped(words())
        .point(point("p&q"))
        .pairs(point("r,s"));
    let inline = types::QueryInline::new().a("[b]");
    let request = request.filter(filter()).inline(inline).content(filter());
    let request = request.modes(vec![types::Mode::Up, types::Mode::Down]);
    let answer = request.call().await.expect("a success");
    assert_eq!(
        read(answer),
        json!({
            "text": "a b&c=d",
            "list": awkward(),
            "joined": awkward(),
            "numbers": [1, -2],
            "spaced": words(),
            "piped": words(),
            "point": { "x": -5, "name": "p&q" },
            "pairs": { "x": -5, "name": "r,s" },
            "filter": filter_json(),
            "inline": { "a": "[b]" },
            "content": filter_json(),
            "modes": ["up", "down"],
        })
    );
}

#[tokio::test]
async fn what_is_left_out_is_not_sent() {
    let running = Running::start();
    let answer = running.client.query().call().await.expect("a success");
    assert_eq!(read(answer), json!({}));
}

#[tokio::test]
async fn headers_and_cookies_arrive_as_they_were_sent() {
    let running = Running::start();
    let words = || vec!["a b".to_owned(), "c;d".to_owned()];
    let request = running.client.header().x_text("a, b").x_list(words());
    let request = request
        .x_pairs(point("p q"))
        .x_exploded(point("r=s"))
        .x_content(filter());
    let answer = request.call().await.expect("a success");
    assert_eq!(
        read(answer),
        json!({
            "X-Text": "a, b",
            "X-List": words(),
            "X-Pairs": { "x": -5, "name": "p q" },
            "X-Exploded": { "x": -5, "name": "r=s" },
            "X-Content": filter_json(),
        })
    );
    let request = running
        .client
        .cookie()
        .text("a; b=\"c\" %20")
        .joined(awkward());
    let answer = request.pairs(point("p;q")).content(filter()).call().await;
    assert_eq!(
        read(answer.expect("a success")),
        json!({
            "text": "a; b=\"c\" %20",
            "joined": awkward(),
            "pairs": { "x": -5, "name": "p;q" },
            "content": filter_json(),
        })
    );
}

#[tokio::test]
async fn a_value_that_its_style_cannot_hold_is_not_sent() {
    let running = Running::start();
    let list = || vec!["a b|c".to_owned(), "d".to_owned()];
    for request in [
        running.client.query().spaced(list()),
        running.client.query().piped(list()),
    ] {
        let error = request.call().await.expect_err("nothing is sent");
        assert_eq!(error.status(), None);
        assert!(error.to_string().contains("cannot hold"), "{error}");
    }
    let request = running.client.header().x_list(vec!["a,b".to_owned()]);
    let error = request.call().await.expect_err("nothing is sent");
    assert!(
        error
            .to_string()
            .contains("`X-List`: a header cannot hold a comma"),
        "{error}"
    );
}

#[tokio::test]
async fn a_form_with_lists_arrives_as_it_was_sent() {
    let running = Running::start();
    let answer = running.client.form().body(filter()).call().await;
    assert_eq!(read(answer.expect("a success")), filter_json());
}

#[tokio::test]
async fn files_are_streamed_beside_typed_parts() {
    let running = Running::start();
    let pieces = ["one ", "two"].map(|piece| Ok::<_, std::io::Error>(bytes::Bytes::from(piece)));
    let stream = reqwest::Body::wrap_stream(futures::stream::iter(pieces));
    let mut headers = reqwest::header::HeaderMap::new();
    headers.insert("x-own", reqwest::header::HeaderValue::from_static("!"));
    let file = Part::stream(stream)
        .file_name("a \u{fc}.bin")
        .headers(headers)
        .mime_str("image/png")
        .expect("a media type");
    let mut form = types::UploadForm::new(file, "A title".to_owned());
    form.more = vec![Part::bytes(vec![0, 255]), Part::bytes(vec![1])];
    form.count = Some(3);
    form.tags = Some(vec!["a".to_owned(), "b c".to_owned()]);
    form.point = Some(point("p"));
    // JSON in its part, as the document says; a server that reads text gets it with quotes.
    form.label = Some("7".to_owned());
    form.lines = Some(vec!["a,b".to_owned(), "c,d".to_owned()]);
    let answer = running
        .client
        .upload()
        .form(form)
        .call()
        .await
        .expect("a success");
    assert_eq!(
        read(answer),
        json!({
            "heads": [["file", "a \u{fc}.bin", "image/png", [33]]],
            "body": {
                "file": "b25lIHR3bw==",
                "more": ["AP8=", "AQ=="],
                "title": "A title",
                "count": 3,
                "point": { "x": -5, "name": "p" },
                "tags[]": ["a", "b c"],
                "label": "7",
                "lines": ["a,b", "c,d"],
            },
        })
    );
    let form = Multipart::new().part("file", Part::text("x"));
    let error = running
        .client
        .upload()
        .form(form)
        .call()
        .await
        .expect_err("a part is missing");
    assert_eq!(error.status().map(|status| status.as_u16()), Some(400));
    // The document does not list 400; its body is there all the same.
    let body = error.text().expect("a body");
    assert!(body.contains("title"), "{body}");
}

#[tokio::test]
async fn a_part_of_another_media_type_is_refused() {
    let running = Running::start();
    let file = Part::text("x").mime_str("text/html").expect("a media type");
    let form = types::UploadForm::new(file, "A title".to_owned());
    let error = running.client.upload().form(form).call().await;
    let error = error.expect_err("the file is not an image");
    assert_eq!(error.status().map(|status| status.as_u16()), Some(400));
    let body = error.text().expect("a body");
    assert!(
        body.contains(r#"part \"file\" is \"text/html\", and must be image/*"#),
        "{body}"
    );
}

#[tokio::test]
async fn a_method_that_reqwest_does_not_have_is_sent() {
    let running = Running::start();
    let answer = running.client.options_of_upload().call().await;
    assert_eq!(read(answer.expect("a success")), json!("options"));
}

#[test]
fn nothing_of_the_document_is_lost() {
    assert!(
        !dropforge_roundtrip::LOSSES.contains("\n- "),
        "{}",
        dropforge_roundtrip::LOSSES
    );
}

#[tokio::test]
async fn text_json_is_json_for_both_sides() {
    let running = Running::start();
    let request = running.client.text_json().body(point("a"));
    let answer = request.call().await.expect("a success");
    assert_eq!(answer.headers()["content-type"], "text/json");
    assert_eq!(answer.into_inner(), point("a"));
}

#[tokio::test]
async fn head_and_trace_are_operations_like_others() {
    let running = Running::start();
    let head = running.client.head_of_methods().call().await;
    assert_eq!(head.expect("a success").status().as_u16(), 204);
    let trace = running.client.trace_of_methods().call().await;
    assert_eq!(read(trace.expect("a success")), json!("trace"));
}

#[tokio::test]
async fn a_header_with_a_media_type_arrives_as_its_value() {
    let running = Running::start();
    let request = running.client.text_json().body(point("a"));
    let answer = request.call().await.expect("a success");
    let headers = client::TextJsonHeaders::try_from(answer.headers()).expect("both headers");
    assert_eq!(headers.x_count, Some(u64::MAX));
    assert_eq!(headers.x_note, "a note");
}

/// The formats of integers, each with its least and its largest value.
const LIMITS: [(&str, i128, i128); 8] = [
    ("int8", i8::MIN as i128, i8::MAX as i128),
    ("int16", i16::MIN as i128, i16::MAX as i128),
    ("int32", i32::MIN as i128, i32::MAX as i128),
    ("int64", i64::MIN as i128, i64::MAX as i128),
    ("uint8", 0, u8::MAX as i128),
    ("uint16", 0, u16::MAX as i128),
    ("uint32", 0, u32::MAX as i128),
    ("uint64", 0, u64::MAX as i128),
];

#[tokio::test]
async fn both_sides_take_the_least_and_the_largest_integer_of_a_format() {
    let running = Running::start();
    for body in [
        LIMITS.map(|(format, least, _)| format!("\"{format}\":{least}")),
        LIMITS.map(|(format, _, most)| format!("\"{format}\":{most}")),
    ] {
        let body = format!("{{{}}}", body.join(","));
        let integers: types::Integers = serde_json::from_str(&body).expect("integers");
        let answer = running.client.integers().body(integers).call().await;
        let answer = serde_json::to_value(answer.expect("a success").into_inner());
        let sent: Value = serde_json::from_str(&body).expect("JSON");
        assert_eq!(answer.expect("JSON"), sent);
    }
}

#[test]
fn both_sides_refuse_an_integer_outside_of_its_format() {
    let mut api = ApiDescription::new();
    server::register::<Service>(&mut api).expect("the operations are registered");
    let server = LocalServer::start(api, Context).expect("the server starts");
    for (format, least, most) in LIMITS {
        for value in [least - 1, most + 1] {
            let body = format!("{{\"{format}\":{value}}}");
            let read = serde_json::from_str::<types::Integers>(&body);
            assert!(read.is_err(), "the client reads {body}");
            let request =
                http::Request::post("/v1/integers").header("content-type", "application/json");
            let request = request
                .body(bytes::Bytes::from(body.clone()))
                .expect("a request");
            let response = server.send(request).expect("a response");
            assert_eq!(response.status().as_u16(), 400, "{body}");
            let text = String::from_utf8_lossy(response.body()).into_owned();
            assert!(text.contains(format), "{body} is refused with {text}");
        }
    }
}

#[test]
fn an_absent_object_or_list_has_its_default() {
    let read: server::types::Defaults = serde_json::from_str("{}").expect("defaults");
    assert_eq!(
        serde_json::to_value(read).expect("JSON"),
        json!({
            "options": { "depth": 2, "names": ["a", null] },
            "counts": { "a": 1, "b": -2 },
            "any": [1, -2.5, u64::MAX, { "a": true, "b": {} }],
        })
    );
}
