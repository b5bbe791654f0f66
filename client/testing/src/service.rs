//! The handler of all operations. It accepts any credentials of the right kind, validates the request,
//! and responds as scripted, or with the example of the document.

use std::sync::Arc;

use dropforge_runtime::dropshot::ApiDescription;
use dropforge_runtime::{Accept, Call, Exchange, RegisterError, Rejection, Reply, Routes};
use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::Value;

use crate::catalog::{self, Known};
use crate::received::ReceivedRequest;
use crate::response::Response;
use crate::state::State;

/// The context of the server.
pub(crate) type Context = Arc<State>;

/// All operations of the four documents.
///
/// # Errors
///
/// When two documents share a route.
pub(crate) fn description() -> Result<ApiDescription<Context>, RegisterError> {
    let mut description = ApiDescription::new();
    for area in catalog::areas() {
        Routes::new(&mut description, area.api, reject).respond(respond)?;
    }
    Ok(description)
}

fn respond(mut exchange: Exchange<Context>) -> BoxFuture<'static, Result<Reply, Rejection>> {
    async move {
        let outcome = read(&mut exchange).await;
        let accept = exchange.accept().clone();
        let call = exchange.into_call();
        Ok(match outcome {
            Ok((known, body)) => {
                let response = response(call.context(), known, &body);
                let reply = response.reply(known, &accept);
                record(&call, body, &reply);
                tokio::time::sleep(response.delay).await;
                reply
            }
            Err(rejection) => reject(&call, rejection),
        })
    }
    .boxed()
}

/// The operation, and the body as JSON.
async fn read(exchange: &mut Exchange<Context>) -> Result<(Known, Value), Rejection> {
    let operation = exchange.call().operation();
    let known = operation.and_then(|operation| catalog::find(operation.id));
    let known = known.ok_or(Rejection::NotFound)?;
    let request = exchange.read().await?;
    let body = match request.has_body() {
        true => request.body_as()?,
        false => Value::Null,
    };
    Ok((known, body))
}

/// The scripted response, or the example of the document.
fn response(state: &State, known: Known, body: &Value) -> Response {
    if let Some(response) = state.next(known.operation.id) {
        return response;
    }
    let stream = match body["stream"] {
        Value::Bool(true) => Response::stream_example(known),
        _ => None,
    };
    stream.unwrap_or_else(|| Response::example(known, known.success(), None))
}

/// The response to a rejected request, in the form of its document.
fn reject(call: &Call<Context>, rejection: Rejection) -> Reply {
    let path = call.uri().path();
    let reply = match catalog::area_of(path) {
        Some(area) => (area.form)(&rejection, path, &Accept::from_headers(call.headers())),
        None => Reply::empty(rejection.status()),
    };
    let body = match &call.body()[..] {
        [] => Value::Null,
        bytes => serde_json::from_slice(bytes)
            .unwrap_or_else(|_| String::from_utf8_lossy(bytes).into_owned().into()),
    };
    record(call, body, &reply);
    reply
}

fn record(call: &Call<Context>, body: Value, reply: &Reply) {
    call.context().record(ReceivedRequest::new(
        call.operation().map(|operation| operation.id),
        call.method(),
        call.uri(),
        call.headers(),
        body,
        reply.status(),
    ));
}
