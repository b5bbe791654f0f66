//! The page that asks before a device is disconnected or a passkey is removed.

use askama::Template;

use super::response::Frame;

/// A question, whose form sends the change to the page that the user comes from.
#[derive(Template)]
#[template(path = "identity/question.html")]
pub struct Question {
    /// The frame of the page.
    pub frame: Frame,
    /// The question.
    pub heading: String,
    /// The age of the entry.
    pub since: String,
    /// The consequence of the change.
    pub warning: &'static str,
    /// The page with the list of the entry.
    pub address: &'static str,
    /// The id of the entry.
    pub id: String,
    /// The word of the change in the form.
    pub action: &'static str,
    /// The name of the change.
    pub label: &'static str,
}
