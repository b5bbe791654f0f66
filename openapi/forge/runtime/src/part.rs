//! The head of a part of a `multipart/form-data` body.

use http::HeaderMap;

/// The head of one part (RFC 7578, section 4). Its value is a member of the body's type.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    pub(crate) name: String,
    pub(crate) file_name: Option<String>,
    pub(crate) headers: HeaderMap,
}

impl Part {
    /// The field's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of the file, as the caller sent it. It may hold separators and `..`: do not use it as a path.
    pub fn file_name(&self) -> Option<&str> {
        self.file_name.as_deref()
    }

    /// The media type, if it is text.
    pub fn content_type(&self) -> Option<&str> {
        self.headers.get(http::header::CONTENT_TYPE)?.to_str().ok()
    }

    /// Every header of the part.
    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }
}
