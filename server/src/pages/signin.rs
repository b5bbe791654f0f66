//! Signing in.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use dropshot::{Body, HttpError, RequestContext, UntypedBody, endpoint};
use http::{Response, StatusCode};

use super::answer::{Answer, Frame, PageError, respond};
use super::passkeys::{self, Sealed};
use super::visit::{Form, Visit, set_cookie};
use crate::app::App;
use crate::identity::device_cookie::Owner;
use crate::identity::metrics;
use crate::identity::sessions::{self, NewSession, Proof, SessionKey};
use crate::identity::throttle::{self, Limit, Subject};
use crate::identity::user_code::UserCode;
use crate::identity::users::User;
use crate::kernel::texts::Seconds;
use crate::store::{StoreError, Tx};

#[derive(Template)]
#[template(path = "identity/signin.html")]
struct SignInPage {
    frame: Frame,
    user_code: Option<String>,
    username: String,
    problem: Option<String>,
    passkey: Option<Sealed>,
}

/// The form.
#[endpoint { method = GET, path = "/ui/v1/signin", unpublished = true }]
pub async fn show(rqctx: RequestContext<Arc<App>>) -> Result<Response<Body>, HttpError> {
    respond(&rqctx, form_page(&rqctx)).await
}

/// Name and password.
#[endpoint { method = POST, path = "/ui/v1/signin", unpublished = true }]
pub async fn submit(
    rqctx: RequestContext<Arc<App>>,
    body: UntypedBody,
) -> Result<Response<Body>, HttpError> {
    respond(&rqctx, sign_in(&rqctx, &body)).await
}

async fn form_page(rqctx: &RequestContext<Arc<App>>) -> Result<Answer, PageError> {
    let visit = Visit::of(rqctx).await?;
    let code = visit.query("user_code").and_then(UserCode::parse);
    if visit.user.is_some() {
        return Ok(to_device(code.as_ref()));
    }
    page(&visit, StatusCode::OK, code.as_ref(), "", None)
}

fn page(
    visit: &Visit,
    status: StatusCode,
    code: Option<&UserCode>,
    username: &str,
    problem: Option<String>,
) -> Result<Answer, PageError> {
    let page = SignInPage {
        frame: visit.frame(),
        user_code: code.map(|code| code.as_str().to_owned()),
        username: username.chars().take(320).collect(),
        problem,
        passkey: passkeys::offer(visit),
    };
    let answer = visit.page(status, &page)?;
    Ok(match page.passkey {
        Some(_) => answer.with_passkeys(),
        None => answer,
    })
}

async fn sign_in(
    rqctx: &RequestContext<Arc<App>>,
    body: &UntypedBody,
) -> Result<Answer, PageError> {
    let visit = Visit::of(rqctx).await?;
    let form = visit.form(body)?;
    let code = form.user_code();
    let refuse = |status, problem: String| {
        let username = form.get("username");
        page(&visit, status, code.as_ref(), username, Some(problem))
    };
    let (username, password) = (form.get("username"), form.get("password"));
    if username.is_empty() || password.is_empty() {
        let problem = "Enter your email address and your password.".to_owned();
        return refuse(StatusCode::BAD_REQUEST, problem);
    }

    let attempt = Attempt::of(&visit, username).await?;
    let (user, hash) = (attempt.user.clone(), attempt.hash.clone());
    // Held until the attempt is decided.
    let _turn = visit.app.identity.attempts.enter(attempt.first()).await;
    match attempt.admit(&visit).await? {
        Admission::Now => {}
        Admission::After(delay) => tokio::time::sleep(delay).await,
        Admission::Refused(seconds) => {
            metrics::sign_in(&visit.app, "throttled");
            let answer = refuse(StatusCode::TOO_MANY_REQUESTS, too_many(seconds))?;
            return Ok(answer.retry_after(seconds));
        }
    }
    let passwords = &visit.app.identity.passwords;
    let right = passwords.verify(password, hash.clone()).await?;
    match (user, hash) {
        (Some(user), Some(hash)) if right => start(&visit, user, Proof::Password(hash), code).await,
        (known, _) => {
            failed(&visit, known, attempt.counted).await?;
            let problem = "The email address or the password is wrong.".to_owned();
            refuse(StatusCode::BAD_REQUEST, problem)
        }
    }
}

/// What stands between an attempt and the password that it is compared with.
///
/// A browser in which the user has signed in before has a limit of its own. For
/// all others, wrong passwords count for their address and for the name: the
/// address is shut out for a while, and attempts at the name are delayed. So
/// strangers who guess at a name cost its owner seconds, and whoever guesses from
/// a shared address costs those seconds of waiting who come without a cookie or a
/// passkey.
struct Attempt {
    user: Option<User>,
    hash: Option<String>,
    /// Of which a failure is counted.
    counted: Vec<Subject>,
}

/// Whether an attempt is looked at.
enum Admission {
    Now,
    After(Duration),
    /// So many seconds to wait before trying again.
    Refused(i64),
}

impl Attempt {
    async fn of(visit: &Visit, username: &str) -> Result<Attempt, PageError> {
        let config = &visit.app.config.identity;
        let limit = Limit::passwords(config);
        let name = username.to_owned();
        let find = move |tx: &mut Tx<'_>| User::by_username(tx, &name);
        let known = visit.app.store.read::<_, StoreError, _>(find).await?;
        let (user, hash) = known.map_or((None, None), |(user, hash)| (Some(user), hash));
        let strangers = [
            Subject::new(format!("signin address {}", visit.network), limit),
            Subject::new(name_subject(visit, username), limit),
        ];
        let attempt = |counted: Vec<Subject>| Attempt {
            user: user.clone(),
            hash: hash.clone(),
            counted,
        };
        let lifetime = config.device_cookie_days * 86_400_000;
        let browser = user.as_ref().zip(hash.as_ref()).and_then(|(user, hash)| {
            let owner = Owner {
                user_id: &user.id,
                password_hash: hash,
            };
            let cookie = visit.device_cookie();
            cookie.of(&visit.app.server_keys, owner, visit.now, lifetime)
        });
        if let Some(browser) = browser {
            let own = attempt(vec![Subject::new(
                format!("signin device {browser}"),
                limit,
            )]);
            if !matches!(own.admit(visit).await?, Admission::Refused(_)) {
                return Ok(own);
            }
        }
        Ok(attempt(strangers.into()))
    }

    /// The browser or the address.
    fn first(&self) -> &Subject {
        &self.counted[0]
    }

    async fn admit(&self, visit: &Visit) -> Result<Admission, PageError> {
        let (subjects, now) = (self.counted.clone(), visit.now);
        let longest = visit.app.config.identity.password_delay_seconds;
        let read = move |tx: &mut Tx<'_>| -> Result<Admission, StoreError> {
            if let Some(seconds) = throttle::wait(tx, &subjects[..1], now)? {
                return Ok(Admission::Refused(seconds));
            }
            let failures = match subjects.get(1) {
                Some(name) => throttle::failures(tx, name, now)?,
                None => 0,
            };
            Ok(
                match delay(failures, subjects[0].limit().failures, longest) {
                    0 => Admission::Now,
                    seconds => Admission::After(Duration::from_secs(seconds)),
                },
            )
        };
        Ok(visit.app.store.read::<_, StoreError, _>(read).await?)
    }
}

/// Seconds by which an attempt is delayed at a name that was guessed at so often:
/// none within the limit, then one, and twice as many with each limit more.
fn delay(failures: i64, limit: i64, longest: i64) -> u64 {
    let over = failures / limit.max(1);
    match over {
        ..=0 => 0,
        over => u64::try_from(longest)
            .unwrap_or(0)
            .min(1 << (over - 1).min(30)),
    }
}

/// Counts a failure. What was typed for a name is not kept: it can be a password.
async fn failed(
    visit: &Visit,
    known: Option<User>,
    counted: Vec<Subject>,
) -> Result<(), StoreError> {
    metrics::sign_in(&visit.app, "failed");
    let (trace, now) = (visit.trace(), visit.now);
    let subject = known.map_or("unknown".to_owned(), |user| user.id);
    visit
        .app
        .store
        .write(move |tx| {
            throttle::fail(tx, &counted, now)?;
            trace.record(tx, "identity.sign_in.failed", &subject, "")
        })
        .await
}

/// Refuses a passkey. Nobody guesses one, so that no limit refuses this way to sign in; the
/// limit of the address only keeps a flood out of the audit trail.
///
/// # Errors
///
/// When the store fails.
pub async fn refuse_passkey(
    visit: &Visit,
    form: &Form,
    problem: &str,
) -> Result<Answer, PageError> {
    let limit = Limit::passwords(&visit.app.config.identity);
    let counted = vec![Subject::new(
        format!("passkey address {}", visit.network),
        limit,
    )];
    let (subjects, now) = (counted.clone(), visit.now);
    let read = move |tx: &mut Tx<'_>| throttle::wait(tx, &subjects, now);
    match visit.app.store.read::<_, StoreError, _>(read).await? {
        None => failed(visit, None, counted).await?,
        Some(_) => metrics::sign_in(&visit.app, "failed"),
    }
    let (status, code) = (StatusCode::BAD_REQUEST, form.user_code());
    page(visit, status, code.as_ref(), "", Some(problem.to_owned()))
}

/// Signs the owner of a passkey in.
///
/// # Errors
///
/// When the store fails.
pub async fn start_with_passkey(
    visit: &Visit,
    form: &Form,
    user: User,
    passkey: Vec<u8>,
) -> Result<Answer, PageError> {
    start(visit, user, Proof::Passkey(passkey), form.user_code()).await
}

/// Starts a session under a new key: what anybody may have put into the browser
/// before is worth nothing. The browser is one in which this user has signed in
/// from now on.
async fn start(
    visit: &Visit,
    user: User,
    proof: Proof,
    code: Option<UserCode>,
) -> Result<Answer, PageError> {
    let key = SessionKey::new(visit.app.random.token());
    let (before, mac) = (visit.mac(), key.mac(&visit.app.server_keys));
    let (origin, now) = (visit.origin.clone(), visit.now);
    let trace = visit.trace().of_user(&user.id);
    let seconds = visit.app.config.identity.session_seconds;
    let device = known_browser(visit, &user, &proof).await?;
    let means = proof.word();
    let session = NewSession {
        mac,
        user_id: user.id,
        proof,
        origin,
        now,
        expires_at: now + seconds * 1000,
    };
    let started = visit
        .app
        .store
        .write(move |tx| -> Result<bool, StoreError> {
            if !sessions::start(tx, &session)? {
                return Ok(false);
            }
            sessions::end(tx, before)?;
            trace.record(tx, "identity.session.started", &session.user_id, means)?;
            Ok(true)
        })
        .await?;
    if !started {
        return Ok(Answer::see_other("/ui/v1/signin"));
    }
    metrics::sign_in(&visit.app, "succeeded");
    let cookie = set_cookie(&visit.app, &key, Some(seconds));
    Ok(to_device(code.as_ref())
        .with_cookie(Some(cookie))
        .with_cookie(device))
}

/// The cookie by which the browser is known for the user from now on. There is none for who has
/// no password: it only lets a browser try one.
async fn known_browser(
    visit: &Visit,
    user: &User,
    proof: &Proof,
) -> Result<Option<String>, StoreError> {
    let hash = match proof {
        Proof::Password(hash) => Some(hash.clone()),
        // No cookie is made, so nothing need be read for one.
        Proof::Passkey(_) if visit.app.config.identity.device_cookie_days == 0 => None,
        Proof::Passkey(_) => {
            let name = user.username.clone();
            let find = move |tx: &mut Tx<'_>| User::by_username(tx, &name);
            let known = visit.app.store.read::<_, StoreError, _>(find).await?;
            known.and_then(|(_, hash)| hash)
        }
    };
    Ok(hash.and_then(|hash| {
        visit.renewed_device_cookie(Owner {
            user_id: &user.id,
            password_hash: &hash,
        })
    }))
}

/// A name that is tried, as a keyed hash: it can be anything that was typed.
fn name_subject(visit: &Visit, username: &str) -> String {
    let name = username.trim().to_lowercase();
    let mac = visit
        .app
        .server_keys
        .mac("identity signin name", name.as_bytes());
    let mac: String = mac.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("signin name {mac}")
}

fn too_many(seconds: i64) -> String {
    format!("Too many attempts. Try again in {}.", Seconds(seconds))
}

fn to_device(code: Option<&UserCode>) -> Answer {
    Answer::see_other(match code {
        Some(code) => format!("/ui/v1/device?user_code={}", code.as_str()),
        None => "/ui/v1/device".to_owned(),
    })
}
