//! The field for the id of an API key.

use crate::pages::page_request::Form;
use crate::pages::problems::Problems;

/// The id in the field `key`. Other text is a problem, and the page does not repeat it, since it may
/// be a secret.
pub fn key_id(form: &Form, problems: &mut Problems) -> String {
    let id = form.get("key").trim();
    if !id.is_empty() && !id.starts_with("apikey.") {
        let problem = "Enter the id of the API key, which begins with apikey. It is not a secret.";
        problems.add("/key", problem);
        return String::new();
    }
    id.to_owned()
}
