//! Signing in.

use std::sync::Arc;

use askama::Template;
use dropshot::{Body, HttpError, RequestContext, UntypedBody, endpoint};
use http::{Response, StatusCode};

use super::answer::{Answer, Frame, PageError, respond};
use super::visit::{Visit, set_cookie};
use crate::app::App;
use crate::identity::metrics;
use crate::identity::sessions::{self, SessionKey};
use crate::identity::throttle;
use crate::identity::user_code::UserCode;
use crate::identity::users::User;
use crate::store::StoreError;

#[derive(Template)]
#[template(path = "identity/signin.html")]
struct SignInPage {
    frame: Frame,
    user_code: Option<String>,
    username: String,
    problem: Option<String>,
}

/// The form.
#[endpoint { method = GET, path = "/ui/v1/signin", unpublished = true }]
pub async fn show(rqctx: RequestContext<Arc<App>>) -> Result<Response<Body>, HttpError> {
    respond(form_page(&rqctx).await)
}

/// Name and password.
#[endpoint { method = POST, path = "/ui/v1/signin", unpublished = true }]
pub async fn submit(
    rqctx: RequestContext<Arc<App>>,
    body: UntypedBody,
) -> Result<Response<Body>, HttpError> {
    respond(sign_in(&rqctx, &body).await)
}

async fn form_page(rqctx: &RequestContext<Arc<App>>) -> Result<Answer, PageError> {
    let visit = Visit::of(rqctx).await?;
    let code = visit.query("user_code").and_then(UserCode::parse);
    if visit.user.is_some() {
        return Ok(to_device(code.as_ref()));
    }
    let page = SignInPage {
        frame: visit.frame(),
        user_code: code.map(|code| code.as_str().to_owned()),
        username: String::new(),
        problem: None,
    };
    visit.page(StatusCode::OK, &page)
}

async fn sign_in(
    rqctx: &RequestContext<Arc<App>>,
    body: &UntypedBody,
) -> Result<Answer, PageError> {
    let visit = Visit::of(rqctx).await?;
    let form = visit.form(body)?;
    let code = form.user_code();
    let refuse = |status, problem: String| {
        let page = SignInPage {
            frame: visit.frame(),
            user_code: code.as_ref().map(|code| code.as_str().to_owned()),
            username: form.get("username").chars().take(320).collect(),
            problem: Some(problem),
        };
        visit.page(status, &page)
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
            let problem = format!("Too many attempts. Try again in {seconds} seconds.");
            let answer = refuse(StatusCode::TOO_MANY_REQUESTS, problem)?;
            metrics::sign_in(&visit.app, "throttled");
            return Ok(answer.retry_after(seconds));
        }
    };
    let (user, hash) = known.map_or((None, None), |(user, hash)| (Some(user), hash));
    let right = visit.app.identity.passwords.verify(password, hash).await?;
    match user {
        Some(user) if right => start(&visit, user, subjects, code).await,
        known => {
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

/// Starts a session under a new key: what anybody may have put into the browser
/// before is worth nothing.
async fn start(
    visit: &Visit,
    user: User,
    subjects: [String; 2],
    code: Option<UserCode>,
) -> Result<Answer, PageError> {
    let key = SessionKey::new(visit.app.random.token());
    let (before, mac) = (visit.mac(), key.mac(&visit.app.pepper));
    let (origin, now) = (visit.origin.clone(), visit.now);
    let trace = visit.trace().of_user(&user.id);
    let seconds = visit.app.config.identity.session_seconds;
    visit
        .app
        .store
        .write(move |tx| -> Result<(), StoreError> {
            throttle::forgive(tx, &subjects[..1])?;
            throttle::pardon(tx, &subjects[1..])?;
            sessions::end(tx, before)?;
            sessions::start(tx, mac, &user.id, &origin, now, now + seconds * 1000)?;
            trace.record(tx, "identity.session.started", &user.id, "password")
        })
        .await?;
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
    [
        format!("signin name {mac}"),
        format!("signin address {}", visit.origin),
    ]
}

fn to_device(code: Option<&UserCode>) -> Answer {
    Answer::see_other(match code {
        Some(code) => format!("/ui/v1/device?user_code={}", code.as_str()),
        None => "/ui/v1/device".to_owned(),
    })
}
