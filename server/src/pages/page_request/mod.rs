//! A request for a page: the user and the address. The modules below read its cookies and its form.

mod cookies;
mod form;

use std::collections::HashMap;
use std::sync::Arc;

use askama::Template;
use dropshot::RequestContext;
use http::{HeaderMap, StatusCode};

use super::after::{After, Section};
use super::response::{Frame, PageError, PageResponse};
use super::texts::{self, Texts};
use crate::accounts::{administrators, operators};
use crate::app::App;
use crate::audit::{Actor, AuditContext};
use crate::identity::device_cookie::{DeviceCookie, Owner};
use crate::identity::sessions::{self, Found, NewSession, Proof, SessionKey};
use crate::identity::sighting::Sighting;
use crate::identity::user_agent;
use crate::identity::users::User;
use crate::kernel::{Mac, proxies};
use crate::store::{StoreError, Tx};
use cookies::{cookie, cookie_name};
use form::is_same_origin;

pub use cookies::set_cookie;
pub use form::Form;

/// A request for a page.
pub struct PageRequest {
    /// The context.
    pub app: Arc<App>,
    /// The user, when somebody is signed in.
    pub user: Option<User>,
    /// Whether the user administers an organization.
    is_administrator: bool,
    /// Whether the user is an operator.
    is_operator: bool,
    /// The caller's address.
    pub origin: String,
    /// The header `User-Agent`, if the caller sent one.
    user_agent: Option<String>,
    /// The network that limits count for this address.
    pub network: String,
    /// Whether `origin` is the caller's address rather than a proxy's.
    pub origin_is_known: bool,
    /// Now, in Unix milliseconds.
    pub now: i64,
    /// The host that the caller named.
    pub host: Option<String>,
    /// The value of the variable in the path of the page.
    variable: Option<String>,
    section: Section,
    key: SessionKey,
    /// The keyed hash under which the browser's session is stored, if it has one.
    mac: Mac,
    /// Whether the browser does not have the key yet.
    key_is_new: bool,
    headers: HeaderMap,
    query: HashMap<String, String>,
}

impl PageRequest {
    /// Finds the user and the address of a request.
    ///
    /// # Errors
    ///
    /// When a value of the query contains a NUL, as in a form, or the store fails.
    pub async fn of(
        rqctx: &RequestContext<Arc<App>>,
        variable: Option<String>,
    ) -> Result<PageRequest, PageError> {
        let app = Arc::clone(rqctx.context());
        let request = &rqctx.request;
        let now = app.clock.now().timestamp_millis();
        let known = cookie(request.headers(), cookie_name(&app)).and_then(SessionKey::parse);
        let session = match &known {
            Some(key) => session(&app, key, now).await?,
            None => None,
        };
        let key_is_new = known.is_none();
        let key = known.unwrap_or_else(|| SessionKey::new(app.random.token()));
        let query = request.uri().query().unwrap_or_default();
        let query: HashMap<_, _> = url::form_urlencoded::parse(query.as_bytes())
            .into_owned()
            .collect();
        if query.values().any(|value| value.contains('\0')) {
            return Err(PageError::Unreadable);
        }
        let peer = request.remote_addr().ip();
        let caller = app.proxies.caller(peer, request.headers());
        let seen = Sighting {
            user_agent: user_agent::of(request.headers()),
            origin: caller.address.to_string(),
            at: now,
        };
        let (mac, user, [is_administrator, is_operator]) = match session {
            Some((found, roles)) => {
                record(&app, &found, &seen).await;
                (found.mac, Some(found.user), roles)
            }
            None => (key.mac(&app.server_keys), None, [false; 2]),
        };
        Ok(PageRequest {
            user,
            is_administrator,
            is_operator,
            origin: seen.origin,
            user_agent: seen.user_agent,
            network: proxies::counted_as(caller.address),
            origin_is_known: !caller.is_proxy && app.knows_callers(),
            now,
            host: app.proxies.host(peer, request.headers(), request.uri()),
            variable,
            section: Section::of(request.uri().path()),
            key_is_new,
            mac,
            key,
            headers: request.headers().clone(),
            query,
            app,
        })
    }

    /// The same request after a change that may have ended the session.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn again(mut self) -> Result<PageRequest, PageError> {
        let session = session(&self.app, &self.key, self.now).await?;
        self.user = session.map(|(found, _)| found.user);
        Ok(self)
    }

    /// Reads the token cache again, so that a change that was made holds for access tokens at once.
    ///
    /// # Errors
    ///
    /// When the store fails.
    pub async fn refresh_tokens(&self) -> Result<(), PageError> {
        let identity = &self.app.identity;
        let refreshed = identity.token_cache.refresh(identity).await;
        refreshed.map_err(|error| PageError::from(error).after_change())
    }

    /// The user.
    ///
    /// # Errors
    ///
    /// [`PageError::SignedOut`] when nobody is signed in.
    pub fn signed_in(&self) -> Result<User, PageError> {
        let user = self.user.clone();
        user.ok_or(PageError::SignedOut(self.section))
    }

    /// The value of the variable in the path; empty when the path has none.
    pub fn variable(&self) -> &str {
        self.variable.as_deref().unwrap_or_default()
    }

    /// The page to open after signing in, by the query.
    pub fn after(&self) -> After {
        let parameter = |name| self.query(name).unwrap_or_default();
        After::of(parameter("user_code"), parameter("to"))
    }

    /// A parameter of the query.
    pub fn query(&self, name: &str) -> Option<&str> {
        self.query.get(name).map(String::as_str)
    }

    /// The context for events of the audit trail.
    pub fn trail(&self) -> AuditContext {
        let user = self.user.as_ref();
        let actor = user.map_or(Actor::Unknown, |user| Actor::User(&user.id));
        AuditContext::new(&self.app.server_keys, actor, &self.origin, self.now)
    }

    /// The keyed hash of the session cookie.
    pub fn mac(&self) -> Mac {
        self.mac
    }

    /// The value of the session cookie.
    pub fn cookie(&self) -> &str {
        self.key.expose()
    }

    /// The cookie that names the users who have signed in with this browser.
    pub fn device_cookie(&self) -> DeviceCookie {
        cookies::device_cookie(&self.app, &self.headers)
    }

    /// The device cookie with this user added. `None` if device cookies are disabled.
    pub fn renewed_device_cookie(&self, owner: Owner<'_>) -> Option<String> {
        cookies::renewed(&self.app, &self.device_cookie(), owner, self.now)
    }

    /// Reads a form of this server that was given to this browser.
    ///
    /// # Errors
    ///
    /// [`PageError::Unreadable`] when it is not a form, [`PageError::Foreign`] when it comes from
    /// elsewhere.
    pub fn form(&self, body: &[u8]) -> Result<Form, PageError> {
        let form = Form::read(&self.headers, body)?;
        if self.key_is_new || !is_same_origin(&self.app, &self.headers, self.host.as_ref()) {
            return Err(PageError::Foreign);
        }
        match self.key.owns(&self.app.server_keys, form.get("csrf_token")) {
            true => Ok(form),
            false => Err(PageError::Foreign),
        }
    }

    /// A session of this browser under a new key.
    pub fn new_session(&self, key: &SessionKey, user_id: String, proof: Proof) -> NewSession {
        let seconds = self.app.config.identity.session_seconds;
        NewSession {
            mac: key.mac(&self.app.server_keys),
            user_id,
            proof,
            seen: Sighting {
                user_agent: self.user_agent.clone(),
                origin: self.origin.clone(),
                at: self.now,
            },
            expires_at: self.now + seconds * 1000,
        }
    }

    /// Continues under a new key, which the caller sends to the browser.
    pub fn renew(&mut self, key: SessionKey) {
        self.mac = key.mac(&self.app.server_keys);
        self.key = key;
        self.key_is_new = false;
    }

    /// The texts in the language that the browser prefers.
    pub fn texts(&self) -> &'static Texts {
        texts::preferred(&self.headers)
    }

    /// The frame around a page in the language that the browser prefers.
    pub fn translated_frame(&self) -> Frame {
        Frame {
            texts: self.texts(),
            ..self.frame()
        }
    }

    /// The frame around the page.
    pub fn frame(&self) -> Frame {
        Frame {
            user: self.user.as_ref().map(|user| user.display_name.clone()),
            is_administrator: self.user.is_some() && self.is_administrator,
            is_operator: self.user.is_some() && self.is_operator,
            csrf_token: self.key.csrf_token(&self.app.server_keys),
            texts: texts::english(),
        }
    }

    /// A page for this browser, which gets its cookie with it.
    ///
    /// # Errors
    ///
    /// When the template fails.
    pub fn page(
        &self,
        status: StatusCode,
        template: &impl Template,
    ) -> Result<PageResponse, PageError> {
        let cookie = self
            .key_is_new
            .then(|| set_cookie(&self.app, &self.key, None));
        Ok(PageResponse::page(status, template)?.with_cookie(cookie))
    }

    /// The same for a page in the language that the browser prefers.
    ///
    /// # Errors
    ///
    /// When the template fails.
    pub fn translated_page(
        &self,
        status: StatusCode,
        template: &impl Template,
    ) -> Result<PageResponse, PageError> {
        Ok(self.page(status, template)?.translated())
    }
}

/// The session of a cookie, if it has one, and whether its user administers an organization and is
/// an operator.
async fn session(
    app: &App,
    key: &SessionKey,
    now: i64,
) -> Result<Option<(Found, [bool; 2])>, StoreError> {
    let macs = key.macs(&app.server_keys);
    let find = move |tx: &mut Tx<'_>| -> Result<_, StoreError> {
        let Some(found) = sessions::find(tx, &macs, now)? else {
            return Ok(None);
        };
        let roles = [
            administrators::administers_anything(tx, &found.user.id)?,
            operators::is_operator(tx, &found.user.id)?,
        ];
        Ok(Some((found, roles)))
    };
    app.store.read(find).await
}

/// Records that a session was used. A page does not need the record, so it is shown without it too.
async fn record(app: &App, found: &Found, seen: &Sighting) {
    if !seen.is_worth_recording(&found.seen) {
        return;
    }
    let (mac, seen) = (found.mac, seen.clone());
    let write = move |tx: &mut Tx<'_>| sessions::see(tx, mac, &seen);
    if let Err(error) = app.store.write_relaxed(write).await {
        tracing::warn!(%error, "cannot record when a session was last used");
    }
}
