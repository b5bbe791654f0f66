//! The address of the console itself.

use super::page_request::PageRequest;
use super::response::{PageError, PageResponse};

/// Redirects to the first section.
///
/// # Errors
///
/// None in practice.
pub async fn show(_: PageRequest) -> Result<PageResponse, PageError> {
    Ok(PageResponse::see_other("/ui/v1/keys"))
}
