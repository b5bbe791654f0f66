//! The relying party: this service, as authenticators know it.

use sha2::{Digest, Sha256};
use url::{Host, Url};
use webauthn_rp::bin::{Decode, Encode};
use webauthn_rp::request::auth::{
    AuthenticationVerificationOptions, DiscoverableCredentialRequestOptions,
};
use webauthn_rp::request::register::{
    CredProtect, PublicKeyCredentialCreationOptions, PublicKeyCredentialUserEntity,
    RegistrationVerificationOptions, UserHandle,
};
use webauthn_rp::request::{AsciiDomain, PublicKeyCredentialDescriptor, RpId};
use webauthn_rp::response::register::{CompressedPubKey, DynamicState, StaticState};
use webauthn_rp::response::{AuthTransports, CredentialId};
use webauthn_rp::{
    AuthenticatedCredential, DiscoverableAuthentication, DiscoverableAuthenticationServerState,
    Registration, RegistrationServerState,
};

use super::{Ceremony, NewPasskey, Passkey};
use crate::identity::users::User;

/// The library's timeout of a ceremony, in milliseconds.
pub(super) const TIMEOUT: i64 = 300_000;
/// Bytes of a user handle.
const HANDLE: usize = 32;

/// A stored key of one of the four kinds: Ed25519, P-256, P-384 and RSA.
type PublicKey = CompressedPubKey<[u8; 32], [u8; 32], [u8; 48], Vec<u8>>;

/// Why a ceremony has failed.
#[derive(Debug, thiserror::Error)]
pub enum PasskeyError {
    /// The browser has sent an unreadable response of an authenticator.
    #[error("the browser's response cannot be read: {0}")]
    Unreadable(String),
    /// The response is invalid.
    #[error("the passkey is invalid: {0}")]
    Refused(String),
    /// A stored value cannot be parsed.
    #[error("the store has an invalid passkey")]
    Corrupt,
}

/// The relying party that authenticators create and store passkeys for.
#[derive(Debug, Clone)]
pub struct RelyingParty {
    id: RpId,
    origin: String,
}

/// The start of a ceremony, for a page and its browser.
#[derive(Debug, Clone)]
pub struct Offer {
    /// The options, as JSON for the browser.
    pub options: String,
    /// The state to store until the browser's response.
    pub ceremony: Ceremony,
}

/// A presented passkey before its verification.
pub struct Presented(DiscoverableAuthentication<HANDLE>);

impl Presented {
    /// Parses the browser's response.
    ///
    /// # Errors
    ///
    /// [`PasskeyError::Unreadable`].
    pub fn read(json: &str) -> Result<Presented, PasskeyError> {
        DiscoverableAuthentication::from_json_relaxed(json.as_bytes())
            .map(Presented)
            .map_err(|error| PasskeyError::Unreadable(error.to_string()))
    }

    /// Its authenticator's identifier for it.
    pub fn credential_id(&self) -> &[u8] {
        self.0.raw_id().into_inner()
    }
}

impl RelyingParty {
    /// The relying party of an issuer. `None` if browsers reject passkeys there: at a bare IP
    /// address, and without TLS except at `localhost`.
    pub fn of(issuer: &str) -> Option<RelyingParty> {
        let url = Url::parse(issuer).ok()?;
        let Some(Host::Domain(domain)) = url.host() else {
            return None;
        };
        let is_local = domain == "localhost" || domain.ends_with(".localhost");
        if url.scheme() != "https" && !is_local {
            return None;
        }
        Some(RelyingParty {
            id: RpId::Domain(AsciiDomain::try_from(domain.to_owned()).ok()?),
            origin: url.origin().ascii_serialization(),
        })
    }

    /// Begins the creation of a passkey. Authenticators that have one of `known` create no second
    /// one.
    ///
    /// # Errors
    ///
    /// [`PasskeyError::Corrupt`].
    pub fn offer_to_make(&self, user: &User, known: &[Passkey]) -> Result<Offer, PasskeyError> {
        let handle = handle(&user.id);
        let known = known
            .iter()
            .map(|passkey| {
                let transports = u8::try_from(passkey.transports).ok()?;
                Some(PublicKeyCredentialDescriptor {
                    id: CredentialId::decode(passkey.credential_id.clone()).ok()?,
                    transports: AuthTransports::decode(transports).ok()?,
                })
            })
            .collect::<Option<Vec<_>>>()
            .ok_or(PasskeyError::Corrupt)?;
        // An invalid name is replaced, because it must not fail the ceremony.
        let mut entity = PublicKeyCredentialUserEntity::from(&handle);
        if let Ok(name) = user.username.as_str().try_into() {
            entity.name = name;
        }
        entity.display_name = user.display_name.as_str().try_into().ok();
        let mut options = PublicKeyCredentialCreationOptions::passkey(&self.id, entity, known);
        // Not every authenticator supports it, and each use verifies the user anyway.
        options.extensions.cred_protect = CredProtect::None;
        let (server, client) = options
            .start_ceremony()
            .map_err(|error| PasskeyError::Refused(error.to_string()))?;
        let state = server.encode().map_err(|_| PasskeyError::Corrupt)?;
        offer(&client, state)
    }

    /// Completes the creation of a passkey.
    ///
    /// # Errors
    ///
    /// When the response is unreadable, belongs to another ceremony, or comes too late.
    pub fn make(
        &self,
        user: &User,
        ceremony: &Ceremony,
        json: &str,
    ) -> Result<NewPasskey, PasskeyError> {
        let state = RegistrationServerState::<HANDLE>::decode(&ceremony.0).map_err(|_| {
            PasskeyError::Refused("the response belongs to another ceremony".into())
        })?;
        let registration = Registration::from_json_relaxed(json.as_bytes())
            .map_err(|error| PasskeyError::Unreadable(error.to_string()))?;
        let options = RegistrationVerificationOptions::<&str, &str> {
            allowed_origins: &[&self.origin],
            error_on_unsolicited_extensions: false,
            ..RegistrationVerificationOptions::default()
        };
        let made = state
            .verify(&self.id, &registration, &options)
            .map_err(|error| PasskeyError::Refused(error.to_string()))?;
        if *made.user_id() != handle(&user.id) {
            return Err(PasskeyError::Refused(
                "the response names another user".into(),
            ));
        }
        let Ok(static_state) = made.static_state().encode();
        let Ok(dynamic_state) = made.dynamic_state().encode();
        let Ok(transports) = made.transports().encode();
        Ok(NewPasskey {
            credential_id: made.id().into_inner().to_vec(),
            static_state,
            dynamic_state: dynamic_state.to_vec(),
            transports: transports.into(),
        })
    }

    /// Begins a sign-in with any passkey that the browser's owner picks.
    ///
    /// # Errors
    ///
    /// [`PasskeyError::Corrupt`].
    pub fn offer_to_use(&self) -> Result<Offer, PasskeyError> {
        let (server, client) = DiscoverableCredentialRequestOptions::passkey(&self.id)
            .start_ceremony()
            .map_err(|error| PasskeyError::Refused(error.to_string()))?;
        let state = server.encode().map_err(|_| PasskeyError::Corrupt)?;
        offer(&client, state)
    }

    /// Completes a sign-in: verifies the response with this passkey. Returns its new dynamic state.
    ///
    /// # Errors
    ///
    /// If the response is invalid or too late.
    pub fn check(
        &self,
        passkey: &Passkey,
        ceremony: &Ceremony,
        presented: &Presented,
    ) -> Result<Vec<u8>, PasskeyError> {
        let state = DiscoverableAuthenticationServerState::decode(&ceremony.0).map_err(|_| {
            PasskeyError::Refused("the response belongs to another ceremony".into())
        })?;
        let key = StaticState::<PublicKey>::decode(&passkey.static_state)
            .map_err(|_| PasskeyError::Corrupt)?;
        let before = passkey.dynamic_state.as_slice().try_into();
        let before = DynamicState::decode(before.map_err(|_| PasskeyError::Corrupt)?)
            .map_err(|_| PasskeyError::Corrupt)?;
        let owner = handle(&passkey.user_id);
        let id = presented.0.raw_id();
        let mut credential = AuthenticatedCredential::new(id, &owner, key, before)
            .map_err(|_| PasskeyError::Corrupt)?;
        let options = AuthenticationVerificationOptions::<&str, &str> {
            allowed_origins: &[&self.origin],
            error_on_unsolicited_extensions: false,
            ..AuthenticationVerificationOptions::default()
        };
        state
            .verify(&self.id, &presented.0, &mut credential, &options)
            .map_err(|error| PasskeyError::Refused(error.to_string()))?;
        let Ok(after) = credential.dynamic_state().encode();
        Ok(after.to_vec())
    }
}

fn offer(client: &impl serde::Serialize, state: Vec<u8>) -> Result<Offer, PasskeyError> {
    Ok(Offer {
        options: serde_json::to_string(client).map_err(|_| PasskeyError::Corrupt)?,
        ceremony: Ceremony(state),
    })
}

/// The user's identifier for authenticators. It is readable on their devices, so it reveals
/// nothing.
fn handle(user_id: &str) -> UserHandle<HANDLE> {
    let digest = Sha256::digest([b"accord passkey of ", user_id.as_bytes()].concat());
    let Ok(handle) = UserHandle::decode(digest.into());
    handle
}

#[cfg(test)]
mod tests {
    use super::RelyingParty;

    #[test]
    fn passkeys_need_a_name_and_tls_or_localhost() {
        for issuer in [
            "https://id.example.com",
            "https://id.example.com:8443",
            "http://localhost:8080",
            "http://accord.localhost",
        ] {
            assert!(RelyingParty::of(issuer).is_some(), "{issuer}");
        }
        for issuer in [
            "http://127.0.0.1:8080",
            "https://[::1]",
            "https://192.0.2.1",
            "http://id.example.com",
            "nonsense",
        ] {
            assert!(RelyingParty::of(issuer).is_none(), "{issuer}");
        }
    }
}
