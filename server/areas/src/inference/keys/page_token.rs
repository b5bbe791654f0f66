//! The value of `accord-next-page`: the position of the last row of a page, as JSON in base64url.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::error::KeyError;

/// Writes the position of the last row.
pub(super) fn write(position: &impl Serialize) -> Result<String, KeyError> {
    let text = serde_json::to_vec(position).map_err(|e| KeyError::Failed(e.to_string()))?;
    Ok(URL_SAFE_NO_PAD.encode(text))
}

/// Reads the position from a request for a page. It must belong to the list.
pub(super) fn read<T: DeserializeOwned>(
    page: Option<&str>,
    is_of_list: impl FnOnce(&T) -> bool,
) -> Result<Option<T>, KeyError> {
    let Some(page) = page else { return Ok(None) };
    let text = URL_SAFE_NO_PAD.decode(page).ok();
    let position = text.and_then(|text| serde_json::from_slice::<T>(&text).ok());
    match position.filter(is_of_list) {
        Some(position) => Ok(Some(position)),
        None => Err(KeyError::Invalid {
            pointer: "/page".into(),
            message: "is not a value of accord-next-page for this list".into(),
        }),
    }
}
