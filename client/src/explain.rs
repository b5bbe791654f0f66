//! Errors of any operation, in a sentence for people.

use dropforge_client::{Failure, OperationError};
use progenitor_client::Error;
use serde_json::Value;
use std::error::Error as _;

/// Explains an error: with the text of the service if it sent one, and with advice if the service was not reached.
///
/// The errors of the four areas differ, but each has a text. The text ends with the status and the code of the service:
/// `no name (400 Bad Request, invalid_request)`. It has neither the id of the request nor the time to wait:
/// [`OperationError::request_id`] and [`OperationError::retry_after`] have them.
pub fn explain(error: &dyn OperationError) -> String {
    let body = error.body();
    let text = body.as_ref().and_then(text_of);
    match (error.status(), text, error.failure()) {
        (Some(status), Some(text), _) => match body.as_ref().and_then(code_of) {
            Some(code) => format!("{text} ({status}, {code})"),
            None => format!("{text} ({status})"),
        },
        (_, None, Some(failure)) => unlisted(failure),
        (Some(status), None, None) => status.to_string(),
        (None, ..) => "there is no response".to_owned(),
    }
}

/// The string at the first of these pointers that has one.
fn first<'a>(body: &'a Value, pointers: [&str; 4]) -> Option<&'a str> {
    pointers
        .iter()
        .find_map(|pointer| body.pointer(pointer)?.as_str())
}

/// The code in the body of an error, in the shapes of the four documents.
fn code_of(body: &Value) -> Option<&str> {
    first(body, ["/error/code", "/code", "/errorCode", "/error"])
}

/// The text in the body of an error, in the shapes of the four documents.
fn text_of(body: &Value) -> Option<String> {
    let main = first(
        body,
        [
            "/error/message",
            "/message",
            "/detail",
            "/error_description",
        ],
    )?;
    let details = body
        .pointer("/errorDetails")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let details: Vec<String> = details
        .filter_map(|detail| {
            let path = detail
                .get("errorPath")
                .and_then(Value::as_str)
                .unwrap_or_default();
            Some(format!("{path}: {}", detail.get("detail")?.as_str()?))
        })
        .collect();
    Some(match details.is_empty() {
        true => main.to_owned(),
        false => format!("{main} [{}]", details.join("; ")),
    })
}

const TOO_LATE: &str = "the service did not respond in time; try again, or allow more time";

fn unlisted(failure: &Failure) -> String {
    match failure {
        Failure::Request(error) => without_response(error),
        Failure::Unlisted(_) => format!("{failure}; is the address right?"),
        Failure::Unreadable { response, .. } if response.status.is_success() => {
            format!("{failure}; is the service of another version?")
        }
        Failure::Interrupted { response, error }
            if response.status.is_success() && error.is_timeout() =>
        {
            TOO_LATE.to_owned()
        }
        // An error page of a proxy.
        other => other.to_string(),
    }
}

fn without_response(error: &Error<()>) -> String {
    match error {
        Error::CommunicationError(error) if error.is_timeout() => TOO_LATE.to_owned(),
        Error::CommunicationError(error) if error.is_connect() => {
            let address = error
                .url()
                .map(|url| url.origin().ascii_serialization())
                .unwrap_or_default();
            format!(
                "{address} cannot be reached; is the service running, and is the address right? ({})",
                root(error)
            )
        }
        // An error of the program's transport, as a body of reqwest.
        Error::CommunicationError(error) if error.is_decode() => {
            format!("the request cannot be sent: {}", root(error))
        }
        Error::CommunicationError(error) => {
            format!(
                "the connection failed before the response ({})",
                root(error)
            )
        }
        Error::InvalidRequest(message) => format!("the request cannot be made: {message}"),
        Error::Custom(message) => message.clone(),
        other => other.to_string(),
    }
}

/// The innermost cause, which is the most specific one.
fn root(error: &reqwest::Error) -> String {
    let mut cause = error.source();
    let mut text = error.to_string();
    while let Some(inner) = cause {
        text = inner.to_string();
        cause = inner.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{code_of, text_of};
    use serde_json::json;

    #[test]
    fn each_area_has_a_sentence_and_a_code() {
        for (body, text, code) in [
            (
                json!({"error": "invalid_request", "error_description": "no name"}),
                "no name",
                "invalid_request",
            ),
            (
                json!({"code": "IncorrectState", "message": "revoked"}),
                "revoked",
                "IncorrectState",
            ),
            (
                json!({"error": {"message": "no model", "code": "model_not_found"}}),
                "no model",
                "model_not_found",
            ),
            (
                json!({"detail": "wrong", "errorCode": "PATTERN-400",
                       "errorDetails": [{"errorPath": "/id", "detail": "no UUID"}]}),
                "wrong [/id: no UUID]",
                "PATTERN-400",
            ),
        ] {
            assert_eq!(text_of(&body).as_deref(), Some(text));
            assert_eq!(code_of(&body), Some(code));
        }
        assert_eq!(text_of(&json!([])), None);
        assert_eq!(code_of(&json!([])), None);
    }
}
