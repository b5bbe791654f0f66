//! Client authentication with SAML 2.0 bearer assertions (RFC 7522, section
//! 2.2).
//!
//! RFC 10070 advises against new uses of these. They exist for clients whose identity provider
//! supports nothing else. An operator must have registered such a client, with the issuer and the
//! certificate of that provider.
//!
//! The steps: base64url or base64, strict XML ([`xml`]), the one signature over the assertion
//! itself ([`signature`]), and the claims of the assertion ([`claims`]). The last step checks that
//! the assertion has not been used before, here or on another replica.

mod claims;
mod error;
mod signature;
mod xml;

use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::engine::{DecodePaddingMode, Engine};

use self::claims::Expected;
use self::error::AssertionError;
use self::xml::Tree;
use super::assertions::{self, Audience};
use super::clients::{Client, ClientKey, Kind};
use super::error::Refusal;
use crate::store::Tx;

/// Both alphabets, with padding or without.
const BASE64URL: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, PADDED_OR_NOT);
const BASE64: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, PADDED_OR_NOT);
const PADDED_OR_NOT: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);

/// Authenticates the client that a SAML assertion names.
///
/// # Errors
///
/// [`Refusal::InvalidClient`] for every invalid assertion.
pub(super) fn authenticate(
    tx: &mut Tx<'_>,
    audience: &Audience,
    assertion: &str,
    now: i64,
) -> Result<Client, Refusal> {
    let text = decoded(assertion)?;
    let tree = Tree::parse(&text)?;
    let subject = claims::unverified_subject(tree.root())?;
    let client = Client::load(tx, &subject)?
        .filter(|client| client.kind == Kind::Saml)
        .ok_or(AssertionError(
            "no client of this name is registered for SAML assertions",
        ))?;
    let keys = assertions::registered_keys(tx, &client.id)?;
    judge(&tree, &keys, &client, audience, now)?;
    assertions::remember(tx, &client.id, &format!("saml {}", tree.id()), now)?;
    Ok(client)
}

/// All checks except the one for replays: the signature, then the signed claims.
fn judge(
    tree: &Tree<'_>,
    keys: &[ClientKey],
    client: &Client,
    audience: &Audience,
    now: i64,
) -> Result<(), AssertionError> {
    let verified = signature::verify(tree, keys)?;
    let expected = Expected {
        issuer: client.saml_issuer.as_deref().unwrap_or(&client.id),
        client_id: &client.id,
        audience,
        strict: client.strict,
        now,
    };
    claims::check(&verified, &expected)
}

/// RFC 7522, section 2.2, requires base64url and discourages padding and line breaks. Real senders
/// pad, and some write base64: both are accepted, line breaks are not.
fn decoded(assertion: &str) -> Result<String, AssertionError> {
    let bytes = BASE64URL
        .decode(assertion)
        .or_else(|_| BASE64.decode(assertion))
        .map_err(|_| AssertionError("the assertion is neither base64url nor base64"))?;
    String::from_utf8(bytes).map_err(|_| AssertionError("the assertion is not valid UTF-8"))
}
