//! The terms of a registration: the kind of client, its roles and its grants.

use crate::identity::scopes::Scope;

/// How a client authenticates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// With a secret, in the Authorization header or in the form.
    Confidential,
    /// Not at all: the client cannot protect a secret.
    Public,
    /// With a JWT that it signs itself.
    Assertion,
    /// With a SAML assertion of its identity provider.
    Saml,
}

crate::names! {
    /// The kind's name in the database and the configuration.
    Kind {
        Confidential = "confidential",
        Public = "public",
        Assertion = "assertion",
        Saml = "saml",
    }
}

impl Kind {
    /// The kind for people.
    pub const fn words(self) -> &'static str {
        match self {
            Kind::Confidential => "Confidential: has a secret",
            Kind::Public => "Public: has no credentials",
            Kind::Assertion => "Assertion: signs JWTs",
            Kind::Saml => "SAML: has assertions of an identity provider",
        }
    }
}

/// A role of an application. Tokens of the application can carry its scopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Reads accounts.
    AccountsReader,
    /// Provisions accounts.
    AccountsManager,
    /// Reads agent patterns.
    PatternsReader,
    /// Creates agent patterns.
    PatternsDesigner,
    /// Reads API keys.
    ApiKeysReader,
    /// Manages API keys.
    ApiKeysManager,
}

crate::names! {
    /// The role's name in the database and the configuration.
    Role {
        AccountsReader = "accounts_reader",
        AccountsManager = "accounts_manager",
        PatternsReader = "patterns_reader",
        PatternsDesigner = "patterns_designer",
        ApiKeysReader = "apikeys_reader",
        ApiKeysManager = "apikeys_manager",
    }
}

impl Role {
    pub(super) const fn scopes(self) -> &'static [Scope] {
        match self {
            Role::AccountsReader => &[Scope::AccountsRead],
            Role::AccountsManager => &[Scope::AccountsRead, Scope::AccountsWrite],
            Role::PatternsReader => &[Scope::PatternsRead],
            Role::PatternsDesigner => &[Scope::PatternsRead, Scope::PatternsWrite],
            Role::ApiKeysReader => &[Scope::ApiKeysRead],
            Role::ApiKeysManager => &[Scope::ApiKeysRead, Scope::ApiKeysWrite],
        }
    }
}

/// A grant that a client can be registered for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grant {
    /// RFC 8628.
    DeviceCode,
    /// RFC 6749, section 6.
    RefreshToken,
}

crate::names! {
    /// The grant's name in `grant_type`.
    Grant {
        DeviceCode = "urn:ietf:params:oauth:grant-type:device_code",
        RefreshToken = "refresh_token",
    }
}

impl Grant {
    /// The grants of a client on devices, with refresh tokens or without.
    pub fn of_device(refreshes: bool) -> Vec<Grant> {
        let mut grants = vec![Grant::DeviceCode];
        grants.extend(refreshes.then_some(Grant::RefreshToken));
        grants
    }
}
