//! Security schemes and requirements.

use super::{Location, Place};

/// A security scheme in use.
#[derive(Debug, Clone)]
pub struct Scheme {
    /// Name in the document.
    pub name: String,
    /// The method that checks it: `access_token`.
    pub method: String,
    /// The associated type of its caller: `AccessToken`.
    pub type_name: String,
    /// `description`.
    pub description: Option<String>,
    /// The place of its name.
    pub place: Place,
    /// The place of its credentials.
    pub credentials: Credentials,
}

/// The place of credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Credentials {
    /// `Authorization: Bearer`: http bearer, oauth2, openIdConnect.
    Bearer,
    /// `Authorization: Basic`.
    Basic,
    /// An API key.
    ApiKey {
        /// Query, header or cookie.
        location: Location,
        /// Name of the parameter, header or cookie.
        name: String,
    },
    /// A client certificate, which belongs to the connection and not to the request.
    MutualTls,
}

/// One alternative: all of its schemes must hold. Empty if it admits any caller.
#[derive(Debug, Clone)]
pub struct Requirement {
    /// Name of its variant in the caller's enum.
    pub variant: String,
    /// The schemes.
    pub all: Vec<SchemeUse>,
}

/// A scheme as one requirement uses it.
#[derive(Debug, Clone)]
pub struct SchemeUse {
    /// Index in [`super::Api::schemes`].
    pub scheme: usize,
    /// The required scopes.
    pub scopes: Vec<String>,
}
