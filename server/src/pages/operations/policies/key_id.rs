//! The field for the id of an API key.

use crate::pages::page_request::Form;
use crate::pages::problems::Problems;

/// The id in the field `key`. A secret in it is a problem, and the page does not repeat it.
pub fn key_id(form: &Form, problems: &mut Problems) -> String {
    let id = form.get("key").trim();
    if id.starts_with("sk-") {
        problems.add("/key", "Enter the id of the API key instead of a secret.");
        return String::new();
    }
    id.to_owned()
}
