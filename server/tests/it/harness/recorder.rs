//! Records what the service decides about requests, for `cargo xtask mutate --record`.

use std::sync::LazyLock;

use accord_server::app::App;
use dropforge_mutants::recording::{Caller, Entry, Part, Recorder, Refusal, Verdict};
use dropforge_runtime::{Decided, Decision, Denied, Rejection};

static RECORDER: LazyLock<Option<Recorder>> = LazyLock::new(Recorder::from_environment);

/// Records the decisions of a service, where the environment names a file.
pub fn install(app: &App) {
    if RECORDER.is_some() {
        _ = app.on_decision.set(record);
    }
}

fn record(decided: &Decided<'_>) {
    if let (Some(recorder), Some(verdict)) = (&*RECORDER, verdict(decided)) {
        recorder.record(&Entry {
            operation: decided.operation.id.to_owned(),
            path: decided.operation.path.to_owned(),
            verdict,
        });
    }
}

fn verdict(decided: &Decided<'_>) -> Option<Verdict> {
    let caller = |refused| {
        let authorization = decided.headers.get(http::header::AUTHORIZATION);
        let scheme = authorization.and_then(|value| value.to_str().ok()?.split(' ').next());
        Verdict::Caller(Caller {
            presented: scheme.map(str::to_ascii_lowercase),
            refused,
        })
    };
    Some(match &decided.decision {
        Decision::Admitted => caller(None),
        Decision::Rejected(Rejection::MissingCredentials) => caller(Some(Refusal::Missing)),
        Decision::Rejected(Rejection::Denied(Denied::Unauthenticated { .. })) => {
            caller(Some(Refusal::Unauthenticated))
        }
        Decision::Rejected(Rejection::Denied(Denied::Forbidden { .. })) => {
            caller(Some(Refusal::Forbidden))
        }
        Decision::Rejected(_) => return None,
        Decision::Parameter {
            parameter,
            value,
            valid,
        } => {
            let part = Part::Parameter(parameter.name.to_owned());
            of_part(part, value.cloned(), *valid)
        }
        Decision::Body { .. } if decided.operation.body.is_some_and(|body| body.lenient) => {
            return None;
        }
        Decision::Body { body, valid } => {
            let media = body.as_ref().map_or("", |body| body.media.name);
            let value = match body {
                Some(body) => Some(body.value?.clone()),
                None => None,
            };
            of_part(Part::Body(media.to_owned()), value, *valid)
        }
    })
}

fn of_part(part: Part, value: Option<serde_json::Value>, valid: bool) -> Verdict {
    match value {
        Some(value) => Verdict::Value { part, value, valid },
        None => Verdict::Absent { part, valid },
    }
}
