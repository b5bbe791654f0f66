//! Errors of model servers, in the terms of the document.
//!
//! The caller gets a model server's own message. The code stays if the document has it for
//! invalid requests, so that callers can recognize, for example, an input that is too long.
//! Any other code is unknown to the document, or blames this service.

use std::sync::LazyLock;

use bytes::Bytes;
use memchr::memmem::Finder;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

use super::masked::{MASK, without_keys};
use crate::inference::problem::{Code, Fault, Problem};

/// The codes that stay: those that the document has for invalid requests.
const REQUEST_CODES: [Code; 10] = [
    Code::MissingRequiredParameter,
    Code::InvalidValue,
    Code::InvalidType,
    Code::InvalidPrompt,
    Code::UnsupportedParameter,
    Code::UnsupportedValue,
    Code::ContextLengthExceeded,
    Code::StringAboveMaxLength,
    Code::ContentFilter,
    Code::ContentPolicyViolation,
];

/// Finds a possible error.
pub static FIND_ERROR: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(b"\"error\""));

/// The minimum length of a secret that is masked, in bytes. A shorter one would match ordinary words.
const MIN_SECRET_LENGTH: usize = 8;

/// The error of a model server, read in any of the usual formats.
#[derive(Debug, Default, PartialEq)]
pub struct UpstreamError {
    /// The message, if there is one.
    pub message: Option<String>,
    /// The member of the request that caused the error.
    pub param: Option<String>,
    /// One of the codes that stay.
    code: Option<Code>,
}

/// The members of a whole response that distinguish an error from a result.
#[derive(Deserialize)]
struct Whole {
    error: Option<Value>,
    choices: Option<IgnoredAny>,
    output: Option<IgnoredAny>,
}

impl UpstreamError {
    /// Returns a whole response, without the secrets that the error of a failed response quotes.
    ///
    /// # Errors
    ///
    /// The error, if the response has no result. Some model servers send errors with the status 200.
    pub fn of_whole(body: Bytes, secrets: &[&str]) -> Result<Bytes, UpstreamError> {
        if FIND_ERROR.find(&body).is_none() {
            return Ok(body);
        }
        let Ok(Whole {
            error: Some(mut error),
            choices,
            output,
        }) = serde_json::from_slice(&body)
        else {
            return Ok(body);
        };
        if choices.is_none() && output.is_none() {
            return Err(UpstreamError::of(&error).without(secrets));
        }
        if !UpstreamError::mask(&mut error, secrets) {
            return Ok(body);
        }
        let Ok(mut response) = serde_json::from_slice::<Value>(&body) else {
            return Err(UpstreamError::of(&error));
        };
        response["error"] = error;
        Ok(response.to_string().into())
    }

    /// Masks API keys and these secrets in every text of an error. Returns whether it quotes any.
    pub fn mask<S: AsRef<str>>(error: &mut Value, secrets: &[S]) -> bool {
        let add = |quotes: bool, value: &mut Value| UpstreamError::mask(value, secrets) | quotes;
        match error {
            Value::String(text) => {
                let masked = without_secrets(without_keys(text), secrets);
                let quotes = *text != masked;
                *text = masked;
                quotes
            }
            Value::Array(values) => values.iter_mut().fold(false, add),
            Value::Object(members) => members.values_mut().fold(false, add),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }

    /// Reads the first line of a text.
    pub fn sentence(body: &[u8]) -> UpstreamError {
        let text = String::from_utf8_lossy(body);
        let line = text.lines().map(str::trim).find(|line| !line.is_empty());
        UpstreamError {
            message: line.map(without_keys),
            ..UpstreamError::default()
        }
    }

    /// Reads a body.
    pub fn read(body: &[u8]) -> UpstreamError {
        match serde_json::from_slice::<Value>(body) {
            Ok(value) => UpstreamError::of(value.get("error").unwrap_or(&value)),
            Err(_) => UpstreamError::default(),
        }
    }

    /// Reads an error object, or its text.
    pub fn of(error: &Value) -> UpstreamError {
        let text = |name: &str| error.get(name).and_then(Value::as_str);
        let message = text("message").or(text("detail")).or(error.as_str());
        let code = text("code").and_then(|code| code.parse().ok());
        UpstreamError {
            message: message.map(without_keys),
            param: text("param").map(without_keys),
            code: code.filter(|code| REQUEST_CODES.contains(code)),
        }
    }

    /// The same without these secrets, which the model server received and may quote.
    pub fn without<S: AsRef<str>>(self, secrets: &[S]) -> UpstreamError {
        let masked = |text| without_secrets(text, secrets);
        UpstreamError {
            message: self.message.map(masked),
            param: self.param.map(masked),
            code: self.code,
        }
    }

    /// The problem of a rejected request.
    pub fn rejected(self, model: &str) -> Problem {
        let message = self.message;
        let message = message
            .unwrap_or_else(|| format!("The upstream of model {model} rejected the request."));
        Problem {
            param: self.param,
            ..Problem::new(
                Fault::Request,
                self.code.unwrap_or(Code::UpstreamRejected),
                message,
            )
        }
    }

    /// The problem of a stream that the model server ends with an error.
    pub fn in_stream(self) -> Problem {
        let message = self.message.unwrap_or("The upstream failed.".into());
        let (fault, code) = match self.code {
            Some(code) => (Fault::Request, code),
            None => (Fault::Upstream, Code::UpstreamFailed),
        };
        Problem {
            param: self.param,
            ..Problem::new(fault, code, message)
        }
    }
}

/// A text with each of these secrets replaced.
fn without_secrets<S: AsRef<str>>(mut text: String, secrets: &[S]) -> String {
    for secret in secrets {
        let secret: &str = secret.as_ref();
        if secret.len() >= MIN_SECRET_LENGTH {
            text = text.replace(secret, MASK);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn errors_are_read_in_all_their_usual_formats() {
        let message = |body: &str| UpstreamError::read(body.as_bytes()).message;
        for body in [
            r#"{"error":{"message":"too long"}}"#,
            r#"{"message":"too long"}"#,
            r#"{"detail":"too long"}"#,
            r#"{"error":"too long"}"#,
        ] {
            assert_eq!(message(body).as_deref(), Some("too long"), "{body}");
        }
        assert_eq!(message("<html>"), None);
        assert_eq!(message("[]"), None);
        let sentence = |body: &str| UpstreamError::sentence(body.as_bytes()).message;
        assert_eq!(
            sentence("\n no such id \r\nat line 7").as_deref(),
            Some("no such id")
        );
        assert_eq!(sentence(" \n"), None);
    }

    #[test]
    fn a_code_stays_if_the_document_has_it_for_invalid_requests() {
        let rejected = |code: Value| {
            let body = json!({"error": {"message": "m", "param": "n", "code": code}});
            UpstreamError::read(body.to_string().as_bytes()).rejected("x")
        };
        let known = rejected("context_length_exceeded".into());
        assert_eq!(known.code, Code::ContextLengthExceeded);
        assert_eq!(known.param.as_deref(), Some("n"));
        for code in ["no_such_code".into(), 400.into(), Value::Null] {
            assert_eq!(rejected(code).code, Code::UpstreamRejected);
        }
        // The caller's key is not at fault.
        assert_eq!(
            rejected("invalid_api_key".into()).code,
            Code::UpstreamRejected
        );
    }

    #[test]
    fn a_model_server_that_quotes_a_credential_is_not_repeated() {
        let said = |secrets: &[&str]| {
            let message = "Incorrect key: sk-upstream-SECRET of hf_upstream at host x.";
            let body = json!({"error": {"message": message, "param": "hf_upstream"}});
            let said = UpstreamError::read(body.to_string().as_bytes());
            said.without(secrets).rejected("m")
        };
        let problem = said(&["hf_upstream", "x"]);
        let expected = "Incorrect key: sk-… of … at host x.";
        assert_eq!(problem.message, expected);
        assert_eq!(problem.param.as_deref(), Some("…"));
        let sentence = UpstreamError::sentence(b"Bad key sk-upstream-SECRET.").message;
        assert_eq!(sentence.as_deref(), Some("Bad key sk-…."));
        let event = json!({"message": "sk-upstream-SECRET"});
        assert_eq!(UpstreamError::of(&event).in_stream().message, "sk-…");
    }

    #[test]
    fn a_whole_response_is_an_error_if_it_has_no_result() {
        let whole = |body: Value| {
            let body = Bytes::from(body.to_string());
            UpstreamError::of_whole(body, &["hf_upstream"])
        };
        let error = json!({"message": "Bad hf_upstream.", "code": "context_length_exceeded"});
        for body in [
            json!({"error": error}),
            json!({"id": "c", "error": error, "choices": null}),
        ] {
            let problem = whole(body).expect_err("an error").in_stream();
            assert_eq!(problem.message, "Bad ….");
            assert_eq!(problem.code, Code::ContextLengthExceeded);
        }
        for body in [
            json!({"error": null, "output": []}),
            json!({"error": {"message": "No."}, "output": []}),
            json!({"choices": [{"error": "x"}]}),
        ] {
            assert_eq!(whole(body.clone()), Ok(body.to_string().into()));
        }
        let failed = whole(json!({"id": "r", "output": [], "error": error}));
        let mut masked = error;
        masked["message"] = "Bad ….".into();
        let expected = json!({"id": "r", "output": [], "error": masked}).to_string();
        assert_eq!(failed, Ok(expected.into()));
    }

    #[test]
    fn an_error_that_is_passed_on_quotes_no_credential_in_any_text() {
        let secrets = ["hf_upstream"];
        for (mut error, masked) in [
            (json!("Bad hf_upstream."), json!("Bad ….")),
            (
                json!({"detail": "Bad hf_upstream."}),
                json!({"detail": "Bad …."}),
            ),
            (
                json!({"message": "No.", "metadata": {"raw": ["hf_upstream", 7, null]}}),
                json!({"message": "No.", "metadata": {"raw": ["…", 7, null]}}),
            ),
        ] {
            assert!(UpstreamError::mask(&mut error, &secrets), "{error}");
            assert_eq!(error, masked);
            assert!(!UpstreamError::mask(&mut error, &secrets), "{error}");
        }
    }

    #[test]
    fn an_error_in_a_stream_is_the_requests_or_the_upstreams() {
        let of = |code: &str| {
            let problem = UpstreamError::of(&json!({"code": code})).in_stream();
            (problem.fault, problem.code)
        };
        assert_eq!(of("content_filter"), (Fault::Request, Code::ContentFilter));
        assert_eq!(of("oops"), (Fault::Upstream, Code::UpstreamFailed));
    }
}
