//! Texts of errors that all areas share, so that each has one wording.

use std::fmt::{self, Display};

use super::Short;

/// An error of the service itself. The cause is in the log only.
pub const UNEXPECTED: &str =
    "An unexpected error occurred. Give the operator the accord-request-id of this response.";
/// A change during whose commit the connection to the database broke, and which the caller should
/// not repeat blindly.
pub const OUTCOME_UNKNOWN: &str = "The service lost the connection to its database during the \
    change, which may have been made. Check this before you repeat the request.";
/// A path that no document has.
pub const UNKNOWN_PATH: &str = "The path does not exist.";

/// A method that the path does not have.
pub fn unsupported_method(method: &str) -> String {
    format!("This path does not support the method {method}.")
}

/// A body of another media type than one of these.
pub fn unsupported_media_type(received: Option<&str>, supported: &[&str]) -> String {
    let wanted = supported.join(" or ");
    match received {
        Some(received) => format!("The body must be {wanted}, not {}.", Short(received)),
        None => format!("Content-Type is missing. The body must be {wanted}."),
    }
}

/// An `Accept` that excludes all of these media types.
pub fn not_acceptable(offered: &[&str]) -> String {
    let offered = offered.join(" or ");
    format!("The response is available as {offered} only.")
}

/// A temporary failure.
pub fn unavailable(seconds: i64) -> String {
    let seconds = Seconds(seconds);
    format!("The service is temporarily unavailable. Try again in {seconds}.")
}

/// A text with a capital at its beginning.
pub fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// A text as a sentence: with a capital at its beginning, and a period at its end.
pub fn sentence(text: &str) -> String {
    capitalized(text) + "."
}

/// A number of seconds for people: `1 second`, `5 seconds`.
#[derive(Debug, Clone, Copy)]
pub struct Seconds(pub i64);

impl Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            1 => f.write_str("1 second"),
            many => write!(f, "{many} seconds"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_second_is_singular() {
        assert_eq!(Seconds(1).to_string(), "1 second");
        let text = "The service is temporarily unavailable. Try again in 5 seconds.";
        assert_eq!(unavailable(5), text);
    }

    #[test]
    fn a_sentence_begins_with_a_capital_and_ends_with_a_period() {
        assert_eq!(
            sentence("the key does not exist"),
            "The key does not exist."
        );
        assert_eq!(capitalized("Key 7 is closed"), "Key 7 is closed");
        assert_eq!(capitalized(""), "");
    }
}
