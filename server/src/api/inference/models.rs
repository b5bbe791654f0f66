//! The model endpoints.

use std::sync::Arc;

use accord_inference_server::responses::{
    CreateChatCompletionOk, CreateChatCompletionOkBody, CreateResponseOk, CreateResponseOkBody,
    GetModelOk, ListModelsOk,
};
use accord_inference_server::{
    CreateChatCompletionResponse, CreateResponseResponse, GetModelResponse, ListModelsResponse,
    parameters, types,
};
use bytes::Bytes;
use dropforge_runtime::{Call, EventStream, RawJson, StreamFailure};
use futures::{Stream, StreamExt};
use metrics::counter;

use super::contents::Transcript;
use super::refusals::rated;
use crate::api::unavailable::{UNAVAILABLE_SECONDS, unavailable_text};
use crate::app::App;
use crate::inference::admission::Caller;
use crate::inference::admission::admitted_call::AdmittedCall;
use crate::inference::admission::credential::Credential;
use crate::inference::admission::policies::Ruling;
use crate::inference::admission::policies::question::Action;
use crate::inference::builtin::{self, Stamp};
use crate::inference::gateway::ModelResponse;
use crate::inference::gateway::attempts::Forward;
use crate::inference::gateway::events::{BrokenOff, Convention, Piece};
use crate::inference::gateway::heartbeat::with_heartbeats;
use crate::inference::gateway::hidden_usage::without_usage;
use crate::inference::gateway::models::{Backend, Model};
use crate::inference::gateway::pool::Pool;
use crate::inference::gateway::routed::{Routed, Unroutable};
use crate::inference::gateway::span::CallSpan;
use crate::inference::problem::{Code, Fault, Problem};
use crate::kernel::metrics::POLICY_FAILURES;
use crate::kernel::traces::Context;

pub(super) async fn chat(
    call: &Call<Arc<App>>,
    caller: Caller,
    body: &RawJson<types::ChatCompletionRequest>,
) -> Result<CreateChatCompletionResponse, Problem> {
    let chosen = choose(call, caller, Convention::Chat, body.bytes()).await?;
    let limit_statuses = chosen.admitted.limit_statuses();
    let accord_model_location = chosen.model.external.clone();
    let outcome = chosen.chat(call, body).await;
    let body = match chosen.counted(call, outcome)? {
        ModelResponse::Whole(bytes) => CreateChatCompletionOkBody::Json(RawJson::from_bytes(bytes)),
        ModelResponse::Events(pieces) => CreateChatCompletionOkBody::EventStream(sent(pieces)),
    };
    Ok(CreateChatCompletionResponse::Ok(rated!(
        limit_statuses,
        CreateChatCompletionOk {
            accord_model_location,
            body
        }
    )))
}

pub(super) async fn respond(
    call: &Call<Arc<App>>,
    caller: Caller,
    body: &RawJson<types::ModelResponseRequest>,
) -> Result<CreateResponseResponse, Problem> {
    let chosen = choose(call, caller, Convention::Responses, body.bytes()).await?;
    let limit_statuses = chosen.admitted.limit_statuses();
    let accord_model_location = chosen.model.external.clone();
    let outcome = chosen.respond(call, body).await;
    let body = match chosen.counted(call, outcome)? {
        ModelResponse::Whole(bytes) => CreateResponseOkBody::Json(RawJson::from_bytes(bytes)),
        ModelResponse::Events(pieces) => CreateResponseOkBody::EventStream(sent(pieces)),
    };
    Ok(CreateResponseResponse::Ok(rated!(
        limit_statuses,
        CreateResponseOk {
            accord_model_location,
            body
        }
    )))
}

pub(super) async fn list(
    call: &Call<Arc<App>>,
    caller: &Caller,
) -> Result<ListModelsResponse, Problem> {
    let app = call.context();
    let limit_statuses = app
        .inference
        .admission
        .take_call(&app.inference, caller)
        .await?;
    let settings = app.inference.settings();
    let models = settings
        .models
        .iter()
        .filter(|model| *model.region == *caller.credential.region)
        .filter(|model| may_call(caller, model));
    let body = types::ModelList {
        object: types::ModelListObject::List,
        data: models.map(|model| represented(model)).collect(),
    };
    Ok(ListModelsResponse::Ok(rated!(
        limit_statuses,
        ListModelsOk { body }
    )))
}

pub(super) async fn get(
    call: &Call<Arc<App>>,
    caller: &Caller,
    parameters::GetModel {
        model: name,
        accord_request_id: _,
    }: parameters::GetModel,
) -> Result<GetModelResponse, Problem> {
    let app = call.context();
    let limit_statuses = app
        .inference
        .admission
        .take_call(&app.inference, caller)
        .await?;
    let region = &caller.credential.region;
    let settings = app.inference.settings();
    let found = settings.models.find_in(region, &name);
    let found = found.filter(|model| may_call(caller, model));
    let model = found.ok_or_else(|| unknown(&name))?;
    let body = represented(model);
    Ok(GetModelResponse::Ok(rated!(
        limit_statuses,
        GetModelOk { body }
    )))
}

/// Whether the caller may call a model by at least one operation.
fn may_call(caller: &Caller, model: &Model) -> bool {
    Action::ALL.iter().any(|action| caller.may(*action, model))
}

fn represented(model: &Model) -> types::Model {
    types::Model {
        id: model.name.clone(),
        object: types::ModelObject::Model,
        created: model.created_at.timestamp(),
        owned_by: model.owned_by.clone(),
        family: model.family.clone(),
        region: model.region.clone(),
        external: model.external.is_some(),
        location: model.external.clone(),
    }
}

fn unknown(name: &str) -> Problem {
    let message = format!("The region does not have model {name}.");
    Problem::new(Fault::Model, Code::ModelNotFound, message).param("model")
}

/// The pieces of a stream, in the order in which they are sent.
fn sent<T>(pieces: impl Stream<Item = Piece> + Send + 'static) -> EventStream<T> {
    let sent = |piece: Piece| piece.map_err(|BrokenOff { event, .. }| StreamFailure(event));
    EventStream::raw(pieces.map(sent))
}

/// An admitted call, with its model and body.
struct Chosen {
    model: Arc<Model>,
    routed: Routed,
    admitted: AdmittedCall,
    convention: Convention,
    /// The credential of the caller's secret.
    credential: Arc<Credential>,
    /// Whether the service requested the usage of a stream, and the caller did not.
    hides_usage: bool,
    /// The content of the call, if the log is to have it.
    transcript: Option<Transcript>,
}

impl Chosen {
    async fn chat(
        &self,
        call: &Call<Arc<App>>,
        body: &RawJson<types::ChatCompletionRequest>,
    ) -> Result<ModelResponse, Problem> {
        match &self.model.backend {
            Backend::Servers(pool) => self.forward(call, pool, Convention::Chat).await,
            Backend::Builtin(behavior) => {
                let request = body.parse().map_err(Problem::invalid_body)?;
                builtin::chat(*behavior, &request, &stamp(call)).await
            }
        }
    }

    async fn respond(
        &self,
        call: &Call<Arc<App>>,
        body: &RawJson<types::ModelResponseRequest>,
    ) -> Result<ModelResponse, Problem> {
        if !self.model.serves_responses() {
            let message = format!(
                "Model {} does not support responses. Use chat completions.",
                self.model.name
            );
            let problem = Problem::new(Fault::Request, Code::UnsupportedModel, message);
            return Err(problem.param("model"));
        }
        match &self.model.backend {
            Backend::Servers(_) if self.routed.in_background => Err(uncounted()),
            Backend::Servers(pool) => self.forward(call, pool, Convention::Responses).await,
            Backend::Builtin(behavior) => {
                let members =
                    serde_json::from_slice(body.bytes()).map_err(Problem::invalid_body)?;
                let request = body.parse().map_err(Problem::invalid_body)?;
                builtin::respond(*behavior, &request, &members, &stamp(call)).await
            }
        }
    }

    async fn forward(
        &self,
        call: &Call<Arc<App>>,
        pool: &Arc<Pool>,
        convention: Convention,
    ) -> Result<ModelResponse, Problem> {
        if let Some(name) = self.routed.other_model {
            return Err(unchecked(name));
        }
        if let Some(name) = self.routed.engine_id {
            return Err(shared_id(name));
        }
        if self.routed.overrides {
            return Err(overridden());
        }
        let forward = Forward {
            model: &self.model.name,
            caller: self.admitted.key_hash(),
            pool,
            convention,
            headers: call.headers(),
            request_id: call.request_id(),
            routed: &self.routed,
            span: self.admitted.span(),
        };
        // On the heap: the callers' futures would move it.
        Box::pin(forward.call(&call.context().inference.upstream)).await
    }

    /// The response, counted while it passes, or the recorded problem.
    fn counted(
        self,
        call: &Call<Arc<App>>,
        outcome: Result<ModelResponse, Problem>,
    ) -> Result<ModelResponse, Problem> {
        let response = match outcome {
            Ok(response) => self.admitted.count(response),
            Err(problem) => return Err(self.admitted.fail(problem)),
        };
        let response = match response {
            ModelResponse::Events(events) if self.hides_usage => {
                let shown = events.filter_map(|piece| {
                    let shown = match piece {
                        Ok(events) => Some(without_usage(&events)).filter(|left| !left.is_empty()),
                        broken_off => return std::future::ready(Some(broken_off)),
                    };
                    std::future::ready(shown.map(Ok))
                });
                ModelResponse::Events(shown.boxed())
            }
            response => response,
        };
        let response = match self.transcript {
            Some(transcript) => transcript.follow(response),
            None => response,
        };
        Ok(match response {
            ModelResponse::Events(events) => {
                let inference = Arc::clone(&call.context().inference);
                let beat = inference.settings().config.heartbeat();
                let (credential, model) = (self.credential, self.model);
                let action = action(self.convention);
                let ends = move || {
                    let admission = &inference.admission;
                    match admission.admits(&inference, &credential, action, &model) {
                        Some(true) => None,
                        Some(false) => Some(not_admitted()),
                        None => Some(unavailable()),
                    }
                };
                ModelResponse::Events(with_heartbeats(events, self.convention, beat, ends).boxed())
            }
            whole => whole,
        })
    }
}

/// The problem of a response that the upstream makes after the call.
fn uncounted() -> Problem {
    let message = "background is unsupported: the tokens of such a response cannot be counted.";
    unsupported("background", message)
}

/// The problem of a member by which an upstream could choose another model.
fn unchecked(name: &str) -> Problem {
    let message = format!(
        "{name} is unsupported: the upstream could use a model that policies have not checked. \
         Name the model in `model` only."
    );
    unsupported(name, message)
}

/// The problem of a member that an upstream could use as the key of the running request.
fn shared_id(name: &str) -> Problem {
    let message = format!(
        "{name} is unsupported: on the upstream, two calls could then have the same id. Send \
         accord-request-id instead."
    );
    unsupported(name, message)
}

/// The problem of an `extra_body` that an upstream could use in place of the checked members.
fn overridden() -> Problem {
    let message = "extra_body must be an object without members that the service checks, such as \
                   model and max_tokens. Send these in the body itself.";
    unsupported("extra_body", message)
}

/// The problem of a member that no call may have.
fn unsupported(name: &str, message: impl Into<String>) -> Problem {
    Problem::new(Fault::Request, Code::UnsupportedParameter, message).param(name)
}

/// Why an admitted stream ends early.
fn not_admitted() -> Problem {
    let message = "The API key may no longer call this model.";
    Problem::new(Fault::Permission, Code::InsufficientPermissions, message)
}

/// Why a stream ends early if its key may have been revoked meanwhile.
fn unavailable() -> Problem {
    let retry_after = UNAVAILABLE_SECONDS.into();
    Problem::new(
        Fault::Overload { retry_after },
        Code::ServiceUnavailable,
        unavailable_text(),
    )
}

fn action(convention: Convention) -> Action {
    match convention {
        Convention::Chat => Action::Chat,
        Convention::Responses => Action::Respond,
    }
}

/// The requested model, if the caller may call it now.
async fn choose(
    call: &Call<Arc<App>>,
    caller: Caller,
    convention: Convention,
    body: &Bytes,
) -> Result<Chosen, Problem> {
    let app = call.context();
    let mut routed = Routed::read(body.clone()).map_err(unroutable)?;
    let name = &routed.name;
    let settings = app.inference.settings();
    let region = &caller.credential.region;
    let Some(model) = settings.models.find_in(region, name) else {
        return Err(unknown(name));
    };
    require_permission(app, name, caller.ruling(action(convention), model))?;
    let asks = model.asks_usage && convention == Convention::Chat && !routed.asks_usage;
    let hides_usage = asks && routed.streams;
    let credential = Arc::clone(&caller.credential);
    let mut admitted = AdmittedCall::enter(
        &app.inference,
        &settings,
        caller,
        model,
        convention,
        &routed,
    )
    .await?;
    if let Some(traces) = &app.traces
        && let Some(request) = call.extensions().get::<Context>()
    {
        let span = CallSpan::begin(traces, request, model, convention, routed.streams);
        admitted.trace(Arc::new(span));
    }
    let written = app.config.log.contents;
    let transcript = written.then(|| Transcript::begin(call.request_id(), &model.name, body));
    if hides_usage {
        routed = routed.asking_usage();
    }
    Ok(Chosen {
        model: Arc::clone(model),
        routed,
        admitted,
        convention,
        credential,
        hides_usage,
        transcript,
    })
}

/// Requires that policies allow the call of the model with this name.
fn require_permission(app: &App, name: &str, ruling: Ruling) -> Result<(), Problem> {
    let (code, message) = match ruling {
        Ruling::Allowed => return Ok(()),
        Ruling::Refused => (
            Code::InsufficientPermissions,
            format!("No policy allows this API key to call model {name}."),
        ),
        Ruling::Failed => {
            app.metrics
                .record(|| counter!(POLICY_FAILURES).increment(1));
            let message = format!(
                "A policy for model {name} could not be evaluated. Give the operator the \
                 accord-request-id of this response."
            );
            (Code::PolicyFailed, message)
        }
    };
    Err(Problem::new(Fault::Permission, code, message).param("model"))
}

fn stamp(call: &Call<Arc<App>>) -> Stamp {
    let app = call.context();
    Stamp::new(&*app.random, crate::inference::now(&app.inference))
}

fn unroutable(error: Unroutable) -> Problem {
    match error {
        Unroutable::Json(error) => Problem::invalid_body(error),
        Unroutable::Ambiguous(name) => {
            let message = format!(
                "The member {name} differs from `model` or `stream` only in case. Remove it \
                 or rename it."
            );
            Problem::new(Fault::Request, Code::AmbiguousParameter, message).param(&name)
        }
    }
}
