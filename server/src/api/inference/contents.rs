//! The content of model calls, for the log, if `log.contents` enables it.
//!
//! One line for each call, at the end of its response. It contains the beginning of both bodies,
//! and no headers. Texts that look like an API key are masked.

use futures::StreamExt;

use crate::inference::gateway::ModelResponse;
use crate::inference::gateway::events::{self, Piece};
use crate::inference::gateway::masked::without_keys;

/// Maximum of bytes of a body in the log.
const MAX_LOGGED_BYTES: usize = 16 << 10;

/// The logged content of a model call.
pub(super) struct Transcript {
    request_id: String,
    model: String,
    request: Body,
    response: Body,
}

/// The beginning of a body.
#[derive(Default)]
struct Body {
    beginning: Vec<u8>,
    /// The size of the whole body.
    bytes: usize,
}

impl Transcript {
    /// Starts with the request.
    pub(super) fn begin(request_id: &str, model: &str, request: &[u8]) -> Self {
        let mut transcript = Transcript {
            request_id: request_id.to_owned(),
            model: model.to_owned(),
            request: Body::default(),
            response: Body::default(),
        };
        transcript.request.add(request);
        transcript
    }

    /// Adds the response as it passes.
    pub(super) fn follow(mut self, response: ModelResponse) -> ModelResponse {
        match response {
            ModelResponse::Whole(body) => {
                self.response.add(&body);
                ModelResponse::Whole(body)
            }
            ModelResponse::Events(events) => {
                let mut transcript = self;
                let add = move |piece: &Piece| transcript.response.add(events::bytes(piece));
                ModelResponse::Events(events.inspect(add).boxed())
            }
        }
    }
}

impl Drop for Transcript {
    fn drop(&mut self) {
        let (request_id, model) = (&self.request_id, &self.model);
        let (request, response) = (self.request.text(), self.response.text());
        tracing::info!(
            request_id,
            model,
            request,
            response,
            "contents of a model call"
        );
    }
}

impl Body {
    fn add(&mut self, piece: &[u8]) {
        self.bytes += piece.len();
        let left = MAX_LOGGED_BYTES - self.beginning.len();
        let logged = &piece[..piece.len().min(left)];
        self.beginning.extend_from_slice(logged);
    }

    fn text(&self) -> String {
        let text = without_keys(&String::from_utf8_lossy(&self.beginning));
        match self.bytes > MAX_LOGGED_BYTES {
            true => format!("{text}… ({} bytes in all)", self.bytes),
            false => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::keys::secrets::PlainSecret;
    use crate::kernel::SystemRandom;

    fn text(pieces: &[&[u8]]) -> String {
        let mut body = Body::default();
        for piece in pieces {
            body.add(piece);
        }
        body.text()
    }

    #[test]
    fn a_body_is_logged_up_to_a_length() {
        assert_eq!(text(&[b"{\"a\":", b"1}"]), "{\"a\":1}");
        assert_eq!(text(&[&[0xff]]), "\u{fffd}");
        let long = "ä".repeat(MAX_LOGGED_BYTES);
        let text = text(&[long.as_bytes()]);
        assert!(text.ends_with(&format!("… ({} bytes in all)", 2 * MAX_LOGGED_BYTES)));
        assert!(text.len() < MAX_LOGGED_BYTES + 64, "{}", text.len());
    }

    #[test]
    fn no_key_is_logged_not_even_where_a_body_is_cut() {
        let secret = PlainSecret::generate(&SystemRandom);
        let secret = secret.expose();
        for before in [
            0,
            9,
            MAX_LOGGED_BYTES - 65,
            MAX_LOGGED_BYTES - 40,
            MAX_LOGGED_BYTES - 18,
        ] {
            let body = format!("{}{secret}{}", " ".repeat(before), " x".repeat(100));
            let text = text(&[body.as_bytes()]);
            assert!(!text.contains(&secret[..16]), "{before}: {text}");
        }
    }
}
