//! Signing in.

use std::sync::Arc;

use askama::Template;
use dropshot::{Body, HttpError, RequestContext, UntypedBody, endpoint};
use http::{Response, StatusCode};

use super::answer::{Answer, Frame, PageError, respond};
use super::passkeys::{self, Sealed};
use super::visit::{Form, Visit, set_cookie};
use crate::app::App;
use crate::identity::metrics;
use crate::identity::sessions::{self, NewSession, Proof, SessionKey};
use crate::identity::throttle;
use crate::identity::user_code::UserCode;
use crate::identity::users::User;
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

    // Counted before the password is looked at, so that many tries at once are
    // no way around the limit.
    let subjects = subjects(&visit, username);
    let counted = subjects.clone();
    let name = username.to_owned();
    let now = visit.now;
    let attempt = visit
        .app
        .store
        .write(move |tx| -> Result<_, StoreError> {
            if let Some(seconds) = throttle::wait(tx, &counted, now)? {
                return Ok(Err(seconds));
            }
            throttle::fail(tx, throttle::PASSWORDS, &counted, now)?;
            User::by_username(tx, &name).map(Ok)
        })
        .await?;
    let known = match attempt {
        Ok(known) => known,
        Err(seconds) => {
            metrics::sign_in(&visit.app, "throttled");
            let answer = refuse(StatusCode::TOO_MANY_REQUESTS, too_many(seconds))?;
            return Ok(answer.retry_after(seconds));
        }
    };
    let (user, hash) = known.map_or((None, None), |(user, hash)| (Some(user), hash));
    let passwords = &visit.app.identity.passwords;
    let right = passwords.verify(password, hash.clone()).await?;
    match (user, hash) {
        (Some(user), Some(hash)) if right => {
            let proof = Proof::Password(hash);
            start(&visit, user, proof, Some(subjects), code).await
        }
        (known, _) => {
            failed(&visit, known).await?;
            let problem = "The email address or the password is wrong.".to_owned();
            refuse(StatusCode::BAD_REQUEST, problem)
        }
    }
}

/// What was typed for a name is not kept: it can be a password.
async fn failed(visit: &Visit, known: Option<User>) -> Result<(), StoreError> {
    metrics::sign_in(&visit.app, "failed");
    let trace = visit.trace();
    let subject = known.map_or("unknown".to_owned(), |user| user.id);
    visit
        .app
        .store
        .write(move |tx| trace.record(tx, "identity.sign_in.failed", &subject, ""))
        .await
}

/// The refusal, when too many attempts have come from this address. Otherwise
/// one more is counted.
///
/// # Errors
///
/// When the store fails.
pub async fn too_many_from_here(visit: &Visit, form: &Form) -> Result<Option<Answer>, PageError> {
    let subjects = [address(visit)];
    let now = visit.now;
    let count = move |tx: &mut Tx<'_>| -> Result<_, StoreError> {
        let wait = throttle::wait(tx, &subjects, now)?;
        if wait.is_none() {
            throttle::fail(tx, throttle::PASSWORDS, &subjects, now)?;
        }
        Ok(wait)
    };
    let Some(seconds) = visit.app.store.write(count).await? else {
        return Ok(None);
    };
    metrics::sign_in(&visit.app, "throttled");
    let (status, code) = (StatusCode::TOO_MANY_REQUESTS, form.user_code());
    let answer = page(visit, status, code.as_ref(), "", Some(too_many(seconds)))?;
    Ok(Some(answer.retry_after(seconds)))
}

/// Refuses a passkey.
///
/// # Errors
///
/// When the store fails.
pub async fn refuse_passkey(
    visit: &Visit,
    form: &Form,
    problem: &str,
) -> Result<Answer, PageError> {
    failed(visit, None).await?;
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
    let proof = Proof::Passkey(passkey);
    start(visit, user, proof, None, form.user_code()).await
}

/// Starts a session under a new key: what anybody may have put into the browser
/// before is worth nothing. `limited` is who was limited for trying a name.
async fn start(
    visit: &Visit,
    user: User,
    proof: Proof,
    limited: Option<[String; 2]>,
    code: Option<UserCode>,
) -> Result<Answer, PageError> {
    let key = SessionKey::new(visit.app.random.token());
    let (before, mac) = (visit.mac(), key.mac(&visit.app.pepper));
    let (origin, now) = (visit.origin.clone(), visit.now);
    let trace = visit.trace().of_user(&user.id);
    let seconds = visit.app.config.identity.session_seconds;
    let (forgiven, pardoned) = match limited {
        Some([name, address]) => (vec![name], address),
        None => (Vec::new(), address(visit)),
    };
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
            throttle::forgive(tx, &forgiven)?;
            throttle::pardon(tx, std::slice::from_ref(&pardoned))?;
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
    Ok(to_device(code.as_ref()).with_cookie(Some(cookie)))
}

/// Who is limited: the name that is tried, and the address that tries. The name
/// stands there as a keyed hash, since it can be anything that was typed.
fn subjects(visit: &Visit, username: &str) -> [String; 2] {
    let name = username.trim().to_lowercase();
    let mac = visit
        .app
        .pepper
        .mac("identity signin name", name.as_bytes());
    let mac: String = mac.iter().map(|byte| format!("{byte:02x}")).collect();
    [format!("signin name {mac}"), address(visit)]
}

fn address(visit: &Visit) -> String {
    format!("signin address {}", visit.origin)
}

fn too_many(seconds: i64) -> String {
    format!("Too many attempts. Try again in {seconds} seconds.")
}

fn to_device(code: Option<&UserCode>) -> Answer {
    Answer::see_other(match code {
        Some(code) => format!("/ui/v1/device?user_code={}", code.as_str()),
        None => "/ui/v1/device".to_owned(),
    })
}
