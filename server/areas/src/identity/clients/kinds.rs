//! The terms of a registration: the kind of client, its roles and its grants.

use crate::identity::scopes::Scope;

/// How a client authenticates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// With a secret, in the Authorization header.
    Confidential,
    /// Not at all: the client cannot protect a secret.
    Public,
    /// With a JWT that it signs itself.
    Assertion,
    /// With a SAML assertion of its identity provider.
    Saml,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 4] = [
        Kind::Confidential,
        Kind::Public,
        Kind::Assertion,
        Kind::Saml,
    ];

    /// The kind's name in the database and the configuration.
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::Confidential => "confidential",
            Kind::Public => "public",
            Kind::Assertion => "assertion",
            Kind::Saml => "saml",
        }
    }

    /// The kind for people.
    pub const fn words(self) -> &'static str {
        match self {
            Kind::Confidential => "Confidential: has a secret",
            Kind::Public => "Public: has no credentials",
            Kind::Assertion => "Assertion: signs JWTs",
            Kind::Saml => "SAML: has assertions of an identity provider",
        }
    }

    /// The kind of this name.
    pub fn parse(text: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.as_str() == text)
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

impl Role {
    /// Every role.
    pub const ALL: [Role; 6] = [
        Role::AccountsReader,
        Role::AccountsManager,
        Role::PatternsReader,
        Role::PatternsDesigner,
        Role::ApiKeysReader,
        Role::ApiKeysManager,
    ];

    /// The role's name in the database and the configuration.
    pub const fn as_str(self) -> &'static str {
        match self {
            Role::AccountsReader => "accounts_reader",
            Role::AccountsManager => "accounts_manager",
            Role::PatternsReader => "patterns_reader",
            Role::PatternsDesigner => "patterns_designer",
            Role::ApiKeysReader => "apikeys_reader",
            Role::ApiKeysManager => "apikeys_manager",
        }
    }

    /// The role of this name.
    pub fn parse(text: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.as_str() == text)
    }

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

impl Grant {
    /// The grants of a client on devices, with refresh tokens or without.
    pub fn of_device(refreshes: bool) -> Vec<Grant> {
        let mut grants = vec![Grant::DeviceCode];
        grants.extend(refreshes.then_some(Grant::RefreshToken));
        grants
    }

    /// The grant's name in `grant_type`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Grant::DeviceCode => "urn:ietf:params:oauth:grant-type:device_code",
            Grant::RefreshToken => "refresh_token",
        }
    }

    /// The grant with this `grant_type`.
    pub fn parse(text: &str) -> Option<Grant> {
        [Grant::DeviceCode, Grant::RefreshToken]
            .into_iter()
            .find(|grant| grant.as_str() == text)
    }
}
