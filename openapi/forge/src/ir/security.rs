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
    /// Where its name stands.
    pub place: Place,
    /// What it reads.
    pub credentials: Credentials,
}

/// Where credentials stand.
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
    /// A client certificate: of the connection, not of the request.
    MutualTls,
}

/// One alternative: all of its schemes hold. Empty: anybody.
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
