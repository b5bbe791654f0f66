//! The registration of a client.

use super::kinds::{Grant, Kind, Role};
use crate::identity::error::ServerError;
use crate::identity::scopes::{Scope, Scopes};
use crate::params;
use crate::store::{StoreError, Tx};

/// A registered client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// Its identifier.
    pub id: String,
    /// The name that the consent page shows.
    pub name: String,
    /// How it authenticates.
    pub kind: Kind,
    /// The scopes that its tokens can carry.
    pub roles: Vec<Role>,
    /// The grants it is registered for.
    pub grants: Vec<Grant>,
    /// Whether it may introspect tokens.
    pub introspects: bool,
    /// Lifetime of its access tokens, in seconds.
    pub access_token_seconds: i64,
    /// Whether its assertions must be addressed to the issuer alone and, if they are JWTs, have the
    /// explicit type (RFC 10070).
    pub strict: bool,
    /// The issuer of its SAML assertions. The client itself, if none is registered.
    pub saml_issuer: Option<String>,
}

impl Client {
    /// Whether the client is registered for a grant.
    pub fn may_use(&self, grant: Grant) -> bool {
        self.grants.contains(&grant)
    }

    /// Every scope that a token of the client can carry: those of its roles, and `offline_access`
    /// if it may refresh.
    pub fn scopes(&self) -> Scopes {
        let of_roles = self.roles.iter().flat_map(|role| role.scopes()).copied();
        let offline = self
            .may_use(Grant::RefreshToken)
            .then_some(Scope::OfflineAccess);
        of_roles.chain(offline).collect()
    }

    /// The client of this identifier, unless it is disabled.
    ///
    /// # Errors
    ///
    /// When the store fails, or contains an invalid value.
    pub fn load(tx: &mut Tx<'_>, id: &str) -> Result<Option<Client>, ServerError> {
        if id.contains('\0') {
            // Such an identifier cannot be stored, so the client does not exist.
            return Ok(None);
        }
        let Some(row) = tx.query_opt(
            "SELECT id, name, kind, roles, grants, introspects, access_token_seconds, strict, \
             saml_issuer FROM oauth_clients WHERE id = $1 AND disabled = 0",
            params![id],
        )?
        else {
            return Ok(None);
        };
        let kind: String = row.get(2)?;
        Ok(Some(Client {
            id: row.get(0)?,
            name: row.get(1)?,
            kind: Kind::parse(&kind).ok_or(ServerError::Corrupt("kind of a client"))?,
            roles: words(row.get(3)?, Role::parse, "role of a client")?,
            grants: words(row.get(4)?, Grant::parse, "grant of a client")?,
            introspects: row.get(5)?,
            access_token_seconds: row.get(6)?,
            strict: row.get(7)?,
            saml_issuer: row.get(8)?,
        }))
    }

    /// Registers the client, or updates its registration.
    pub fn save(&self, tx: &mut Tx<'_>, now: i64) -> Result<(), StoreError> {
        let roles: Vec<_> = self.roles.iter().map(|role| role.as_str()).collect();
        let grants: Vec<_> = self.grants.iter().map(|grant| grant.as_str()).collect();
        tx.execute(
            "INSERT INTO oauth_clients \
             (id, name, kind, roles, grants, introspects, access_token_seconds, strict, \
             saml_issuer, disabled, created_at) \
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10) \
             ON CONFLICT (id) DO UPDATE SET name = excluded.name, kind = excluded.kind, \
             roles = excluded.roles, grants = excluded.grants, introspects = excluded.introspects, \
             access_token_seconds = excluded.access_token_seconds, strict = excluded.strict, \
             saml_issuer = excluded.saml_issuer",
            params![
                &self.id,
                &self.name,
                self.kind.as_str(),
                roles.join(" "),
                grants.join(" "),
                self.introspects,
                self.access_token_seconds,
                self.strict,
                self.saml_issuer.as_deref(),
                now,
            ],
        )?;
        Ok(())
    }
}

fn words<T>(
    text: String,
    parse: impl Fn(&str) -> Option<T>,
    what: &'static str,
) -> Result<Vec<T>, ServerError> {
    text.split_ascii_whitespace()
        .map(|word| parse(word).ok_or(ServerError::Corrupt(what)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offline_access_comes_with_the_refresh_token_grant() {
        let mut client = Client {
            id: "c".into(),
            name: "C".into(),
            kind: Kind::Public,
            roles: vec![Role::PatternsDesigner, Role::PatternsReader],
            grants: vec![Grant::DeviceCode],
            introspects: false,
            access_token_seconds: 3600,
            strict: true,
            saml_issuer: None,
        };
        assert_eq!(client.scopes().to_string(), "patterns.read patterns.write");
        client.grants.push(Grant::RefreshToken);
        assert_eq!(
            client.scopes().to_string(),
            "patterns.read patterns.write offline_access"
        );
    }
}
