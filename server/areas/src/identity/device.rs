//! The device authorization endpoint (RFC 8628, sections 3.1 and 3.2).

use std::net::IpAddr;
use std::sync::Arc;

use accord_identity_server::{responses, types};

use super::clients::{Claimed, Client, Credentials, Grant, Required, identify};
use super::endpoints;
use super::error::{Refusal, settle};
use super::grants::NewGrant;
use super::metrics;
use super::quota::{Quotas, Uses};
use super::rejections::NO_STORE;
use super::scopes::{Scope, Scopes};
use super::user_code::UserCode;
use crate::identity::Identity;
use crate::kernel::proxies::counted_as;
use crate::store::{StoreError, Tx};

/// The maximum of user codes that are tried. The chance that the first one is in use is one in
/// millions.
const CANDIDATES: usize = 3;

/// Issues a pair of codes to a device.
///
/// # Errors
///
/// The errors of the document.
pub async fn authorize(
    identity: &Arc<Identity>,
    credentials: Option<Credentials>,
    origin: IpAddr,
    request: types::DeviceAuthorizationRequest,
) -> Result<responses::CreateDeviceAuthorizationOk, Refusal> {
    // The document lists one response type, which is also the default.
    let requested = requested(request.scope)?;
    let claimed = Claimed::new(
        credentials,
        request.client_id,
        request.client_assertion_type,
        request.client_assertion,
        request.client_secret,
    );
    let random = identity.random.as_ref();
    let device_code = random.token();
    let config = &identity.config.identity;
    let quotas = Quotas::new(config, &counted_as(origin), claimed.name().as_deref());
    // Most requests of a flood end here, and do not delay others that write.
    let first = quotas.clone();
    let now = identity.clock.now().timestamp_millis();
    let read = move |tx: &mut Tx<'_>| first.admit(tx, now);
    admitted(identity.store.read::<_, StoreError, _>(read).await?)?;
    let context = Arc::clone(identity);
    let request = Request {
        claimed,
        requested,
        quotas,
        id: random.uuid().to_string(),
        device_code: device_code.clone(),
        candidates: std::array::from_fn(|_| UserCode::random(random)),
        origin: origin.to_string(),
    };
    let user_code = identity
        .store
        .write_in_turn(&identity.device_requests, move |tx| {
            settle(request.begin(tx, &context))
        })
        .await??;
    metrics::grant(identity, "started");

    let verification_uri = endpoints::verification(identity);
    Ok(responses::CreateDeviceAuthorizationOk {
        cache_control: NO_STORE.into(),
        body: types::DeviceAuthorization {
            device_code,
            user_code: user_code.as_str().to_owned(),
            verification_uri_complete: format!(
                "{verification_uri}?user_code={}",
                user_code.as_str()
            ),
            verification_uri,
            expires_in: config.device_code_seconds as i32,
            interval: config.poll_seconds as i32,
        },
    })
}

/// A request whose address and client have not used up their quotas.
struct Request {
    claimed: Claimed,
    requested: Option<Scopes>,
    quotas: Quotas,
    id: String,
    device_code: String,
    candidates: [UserCode; CANDIDATES],
    origin: String,
}

impl Request {
    /// Begins the grant, and returns its user code.
    fn begin(&self, tx: &mut Tx<'_>, identity: &Identity) -> Result<UserCode, Refusal> {
        // The turn and other transactions may have taken seconds.
        let now = identity.clock.now().timestamp_millis();
        let config = &identity.config.identity;
        let uses = admitted(self.quotas.admit(tx, now)?)?;
        uses.take_from_address(tx)?;
        let client = identify(tx, identity, &self.claimed, Required::Name, now)?;
        let grant = NewGrant {
            id: self.id.clone(),
            device_code: self.device_code.clone(),
            scopes: granted(&client, self.requested.as_ref())?,
            client_id: client.id,
            origin: self.origin.clone(),
            created_at: now,
            expires_at: now + config.device_code_seconds * 1000,
            interval: config.poll_seconds,
        };
        let user_code = grant.insert(tx, &identity.server_keys, &self.candidates)?;
        uses.take_from_client(tx)?;
        Ok(user_code)
    }
}

/// The uses of an admitted request. Rejects one that has to wait.
fn admitted(admission: Result<Uses, i64>) -> Result<Uses, Refusal> {
    admission.map_err(|seconds| Refusal::TooManyRequests { seconds })
}

fn requested(scope: Option<String>) -> Result<Option<Scopes>, Refusal> {
    scope
        .filter(|scope| !scope.is_empty())
        .map(|scope| Scopes::parse(&scope))
        .transpose()
        .map_err(|_| {
            Refusal::InvalidScope("the scope is not a list of names separated by single spaces")
        })
}

/// The part of the requested scope that the client may have. A client that requests no scope gets
/// all of its scopes, except `offline_access`.
fn granted(client: &Client, requested: Option<&Scopes>) -> Result<Scopes, Refusal> {
    if !client.may_use(Grant::DeviceCode) {
        return Err(Refusal::UnauthorizedClient);
    }
    let allowed = client.scopes();
    let granted = match requested {
        Some(requested) => requested.intersection(&allowed),
        None => allowed.without(Scope::OfflineAccess),
    };
    match granted.is_empty() {
        true => Err(Refusal::InvalidScope(
            "the client is not allowed any of these scopes",
        )),
        false => Ok(granted),
    }
}
