//! The token endpoint (RFC 6749, section 3.2), with the grants of RFC 8628,
//! section 3.4 and RFC 6749, section 6.

use std::sync::Arc;

use accord_identity_server::{responses, types};

use super::clients::{Claimed, Client, Credentials, Grant, Required, identify};
use super::endpoints;
use super::error::{Refusal, settle};
use super::grants;
use super::metrics;
use super::rejections::NO_STORE;
use super::scopes::{Scope, Scopes};
use super::sighting::Sighting;
use super::state::ensure_key;
use super::tokens::{self, Mint, Unsigned};
use super::users::User;
use crate::audit::{Actor, AuditContext};
use crate::identity::Identity;
use crate::store::Tx;

/// The credential that the client exchanges.
#[derive(Clone)]
enum Exchanged {
    DeviceCode(String),
    RefreshToken {
        token: String,
        /// The scopes of the new access token. All approved scopes if it is `None`.
        scopes: Option<Scopes>,
    },
}

impl Exchanged {
    fn new(request: &types::TokenRequest) -> Result<Exchanged, Refusal> {
        use types::GrantType as Type;
        let sent = |value: &Option<String>| value.clone().filter(|value| !value.is_empty());
        match request.grant_type {
            Type::UrnIetfParamsOauthGrantTypeDeviceCode => sent(&request.device_code)
                .map(Exchanged::DeviceCode)
                .ok_or_else(|| Refusal::missing("device_code")),
            Type::RefreshToken => {
                let token = sent(&request.refresh_token)
                    .ok_or_else(|| Refusal::missing("refresh_token"))?;
                let scopes = sent(&request.scope)
                    .map(|scope| Scopes::parse_known(&scope))
                    .transpose();
                let scopes = scopes.map_err(|_| tokens::UNAPPROVED)?;
                Ok(Exchanged::RefreshToken { token, scopes })
            }
        }
    }

    fn grant(&self) -> Grant {
        match self {
            Exchanged::DeviceCode(_) => Grant::DeviceCode,
            Exchanged::RefreshToken { .. } => Grant::RefreshToken,
        }
    }
}

/// Issued tokens before they are signed.
struct Issued {
    access: Unsigned,
    refresh_token: Option<String>,
}

/// Exchanges a grant for tokens, in one transaction: tokens exist only if their grant was redeemed.
/// `origin` and `user_agent` are those of the request.
///
/// # Errors
///
/// The errors of the document.
pub async fn exchange(
    identity: &Arc<Identity>,
    credentials: Option<Credentials>,
    origin: String,
    user_agent: Option<String>,
    request: types::TokenRequest,
) -> Result<responses::CreateTokenOk, Refusal> {
    let exchanged = Exchanged::new(&request)?;
    let claimed = Claimed::new(
        credentials,
        request.client_id,
        request.client_assertion_type,
        request.client_assertion,
        request.client_secret,
    );
    let grant = exchanged.grant();
    if is_early(identity, &exchanged, &claimed).await? {
        let pending = Refusal::AuthorizationPending;
        metrics::exchanged(identity, grant, Some(&pending));
        return Err(pending);
    }
    ensure_key(identity).await?;

    let random = identity.random.as_ref();
    let mint = Mint {
        issuer: endpoints::issuer(identity).to_owned(),
        jti: random.uuid().to_string(),
        refresh_token: tokens::refresh_token(&random.token()),
        refresh_seconds: identity.config.identity.refresh_token_seconds,
        now: identity.clock.now().timestamp_millis(),
    };
    let seen = Sighting {
        user_agent,
        origin,
        at: mint.now,
    };
    let context = Arc::clone(identity);
    let outcome = identity
        .store
        .write(move |tx| settle(issue(tx, &context, &mint, &claimed, &seen, &exchanged)))
        .await?;
    metrics::exchanged(identity, grant, outcome.as_ref().err());
    if let Err(Refusal::InvalidGrant(_)) = outcome {
        // If the credential was presented twice, its tokens are revoked now.
        identity.token_cache.refresh(identity).await?;
    }
    let issued = outcome?;

    let access = &issued.access;
    Ok(responses::CreateTokenOk {
        cache_control: NO_STORE.into(),
        body: types::TokenResponse {
            access_token: access.sign()?,
            token_type: types::TokenType::Bearer,
            expires_in: access.expires_in() as i32,
            scope: access.scope().to_owned(),
            refresh_token: issued.refresh_token,
        },
    })
}

/// Whether the user has simply not decided yet. Almost every poll is of this kind. Its time may be
/// lost in a power cut, so the request does not wait for the disk.
async fn is_early(
    identity: &Arc<Identity>,
    exchanged: &Exchanged,
    claimed: &Claimed,
) -> Result<bool, Refusal> {
    let (Exchanged::DeviceCode(code), Some(client)) = (exchanged, claimed.name_alone()) else {
        return Ok(false);
    };
    let (code, client) = (code.clone(), client.to_owned());
    let context = Arc::clone(identity);
    let now = identity.clock.now().timestamp_millis();
    identity
        .store
        .write_relaxed(move |tx| {
            let server_keys = &context.server_keys;
            Ok(grants::poll_in_time(tx, server_keys, &code, &client, now)?)
        })
        .await
}

/// Issues tokens to the client that the request identifies, for the credential in it.
fn issue(
    tx: &mut Tx<'_>,
    identity: &Identity,
    mint: &Mint,
    claimed: &Claimed,
    seen: &Sighting,
    exchanged: &Exchanged,
) -> Result<Issued, Refusal> {
    let client = identify(tx, identity, claimed, Required::Identification, mint.now)?;
    if !client.may_use(exchanged.grant()) {
        return Err(Refusal::UnauthorizedGrant);
    }
    match exchanged {
        Exchanged::DeviceCode(code) => redeem(tx, identity, mint, &client, seen, code),
        Exchanged::RefreshToken { token, scopes } => {
            refresh(tx, identity, mint, &client, seen, token, scopes.as_ref())
        }
    }
}

fn redeem(
    tx: &mut Tx<'_>,
    identity: &Identity,
    mint: &Mint,
    client: &Client,
    seen: &Sighting,
    device_code: &str,
) -> Result<Issued, Refusal> {
    let (server_keys, origin) = (&identity.server_keys, &seen.origin);
    let approved = grants::poll(tx, server_keys, device_code, &client.id, origin, mint.now)?;
    let scopes = still_permitted(&approved.scopes, client)?;
    // Before the approval: one without tokens would stay forever.
    let user = user(tx, &approved.user_id)?;
    let approval = &approved.grant_id;
    tokens::approve(
        tx,
        approval,
        &client.id,
        &approved.user_id,
        &scopes,
        mint.now,
    )?;
    let keys = &identity.keys;
    let access = tokens::issue_access(tx, keys, mint, client, &user, &scopes, approval)?;
    let refresh_token = match scopes.has(Scope::OfflineAccess) {
        true => Some(tokens::issue_refresh(tx, server_keys, mint, approval)?),
        false => None,
    };
    tokens::see(tx, approval, seen)?;
    let detail = format!("for user:{}, scope {scopes}", user.id);
    AuditContext::new(server_keys, Actor::Client(&client.id), origin, mint.now).record(
        tx,
        "identity.grant.redeemed",
        approval,
        &detail,
    )?;
    Ok(Issued {
        access,
        refresh_token,
    })
}

fn refresh(
    tx: &mut Tx<'_>,
    identity: &Identity,
    mint: &Mint,
    client: &Client,
    seen: &Sighting,
    token: &str,
    wanted: Option<&Scopes>,
) -> Result<Issued, Refusal> {
    let scopes = |approved: &Scopes| {
        let wanted = wanted.unwrap_or(approved);
        match wanted.is_subset(approved) {
            true => still_permitted(wanted, client),
            false => Err(tokens::UNAPPROVED),
        }
    };
    let (server_keys, id, origin) = (&identity.server_keys, &client.id, &seen.origin);
    let (spent, scopes) = tokens::spend(tx, server_keys, token, id, scopes, origin, mint.now)?;
    let approval = &spent.approval_id;
    let user = user(tx, &spent.user_id)?;
    let keys = &identity.keys;
    let access = tokens::issue_access(tx, keys, mint, client, &user, &scopes, approval)?;
    let refresh_token = Some(tokens::issue_successor(tx, server_keys, mint, &spent)?);
    tokens::see(tx, approval, seen)?;
    Ok(Issued {
        access,
        refresh_token,
    })
}

/// Those of the scopes that the client may still have: its roles can change after an approval.
fn still_permitted(scopes: &Scopes, client: &Client) -> Result<Scopes, Refusal> {
    let permitted = scopes.intersection(&client.scopes());
    match permitted.is_empty() {
        true => Err(Refusal::InvalidScope(
            "the client no longer has any of these scopes",
        )),
        false => Ok(permitted),
    }
}

fn user(tx: &mut Tx<'_>, id: &str) -> Result<User, Refusal> {
    User::by_id(tx, id)?.ok_or(Refusal::InvalidGrant(
        "the user who approved the request can no longer sign in",
    ))
}
