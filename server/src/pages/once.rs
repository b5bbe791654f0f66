//! Forms that must not do their work twice.

use super::page_request::Form;
use super::response::PageError;

/// The maximum number of characters of a token against repetition.
const MAX_ONCE: usize = 64;

/// The token of a form that must not do its work twice.
///
/// # Errors
///
/// When the form has none.
pub fn once(form: &Form) -> Result<&str, PageError> {
    let once = form.get("once");
    match (1..=MAX_ONCE).contains(&once.len()) {
        true => Ok(once),
        false => Err(PageError::Unreadable),
    }
}
