//! Changing a password, for whoever is signed in and knows the old one.

use std::sync::Arc;

use askama::Template;
use dropshot::{Body, HttpError, RequestContext, UntypedBody, endpoint};
use http::{Response, StatusCode};

use super::answer::{Answer, Frame, Notice, PageError, respond};
use super::visit::{Form, Visit, set_cookie};
use crate::app::App;
use crate::identity::passwords;
use crate::identity::sessions::{self, SessionKey};
use crate::identity::throttle;
use crate::identity::users::User;
use crate::store::{StoreError, Tx};

#[derive(Template)]
#[template(path = "identity/change.html")]
struct ChangePage {
    frame: Frame,
    username: String,
    /// What is wrong with the present password.
    present: Option<String>,
    /// What is wrong with the new one.
    problem: Option<String>,
}

/// The form.
#[endpoint { method = GET, path = "/ui/v1/account/password", unpublished = true }]
pub async fn show(rqctx: RequestContext<Arc<App>>) -> Result<Response<Body>, HttpError> {
    respond(&rqctx, form_page(&rqctx)).await
}

/// The present password and the new one.
#[endpoint { method = POST, path = "/ui/v1/account/password", unpublished = true }]
pub async fn submit(
    rqctx: RequestContext<Arc<App>>,
    body: UntypedBody,
) -> Result<Response<Body>, HttpError> {
    respond(&rqctx, change(&rqctx, &body)).await
}

async fn form_page(rqctx: &RequestContext<Arc<App>>) -> Result<Answer, PageError> {
    let visit = Visit::of(rqctx).await?;
    match visit.user.clone() {
        Some(user) => refuse(&visit, user, StatusCode::OK, None, None),
        None => Ok(Answer::see_other("/ui/v1/signin")),
    }
}

async fn change(rqctx: &RequestContext<Arc<App>>, body: &UntypedBody) -> Result<Answer, PageError> {
    let visit = Visit::of(rqctx).await?;
    let form = visit.form(body)?;
    let Some(user) = visit.user.clone() else {
        return Ok(Answer::see_other("/ui/v1/signin"));
    };
    let problem = match passwords::fit(form.get("password"), &user.username) {
        Err(unfit) => Some(unfit.to_string()),
        Ok(()) if form.get("password") != form.get("again") => {
            Some("The two passwords are not the same.".to_owned())
        }
        Ok(()) => None,
    };
    if problem.is_some() {
        return refuse(&visit, user, StatusCode::BAD_REQUEST, None, problem);
    }
    match knows_present(&visit, &user, &form).await? {
        Known::Yes => {}
        Known::No => {
            let present = Some("This is not your present password.".to_owned());
            return refuse(&visit, user, StatusCode::BAD_REQUEST, present, None);
        }
        Known::Wait(seconds) => {
            let present = format!("Too many attempts. Try again in {seconds} seconds.");
            let status = StatusCode::TOO_MANY_REQUESTS;
            let answer = refuse(&visit, user, status, Some(present), None)?;
            return Ok(answer.retry_after(seconds));
        }
    }
    replace(visit, user, form.get("password")).await
}

enum Known {
    Yes,
    No,
    /// Asked too often; so many seconds to wait.
    Wait(i64),
}

/// Whether the present password is right. Guesses are counted before they are
/// looked at, as at the door.
async fn knows_present(visit: &Visit, user: &User, form: &Form) -> Result<Known, PageError> {
    let subjects = [format!("password user {}", user.id)];
    let counted = subjects.clone();
    let (name, now) = (user.username.clone(), visit.now);
    let store = &visit.app.store;
    let attempt = move |tx: &mut Tx<'_>| -> Result<_, StoreError> {
        if let Some(seconds) = throttle::wait(tx, &counted, now)? {
            return Ok(Err(seconds));
        }
        throttle::fail(tx, throttle::PASSWORDS, &counted, now)?;
        Ok(Ok(User::by_username(tx, &name)?.and_then(|(_, hash)| hash)))
    };
    let hash = match store.write(attempt).await? {
        Ok(hash) => hash,
        Err(seconds) => return Ok(Known::Wait(seconds)),
    };
    let passwords = &visit.app.identity.passwords;
    if !passwords.verify(form.get("present"), hash).await? {
        return Ok(Known::No);
    }
    let forgive = move |tx: &mut Tx<'_>| throttle::forgive(tx, &subjects);
    store.write::<_, StoreError, _>(forgive).await?;
    Ok(Known::Yes)
}

/// Sets the password. Every session ends, and this browser gets a new one.
async fn replace(mut visit: Visit, user: User, password: &str) -> Result<Answer, PageError> {
    let app = Arc::clone(&visit.app);
    let hash = app.identity.passwords.hash(password).await?;
    let key = SessionKey::new(app.random.token());
    let mac = key.mac(&app.pepper);
    let seconds = app.config.identity.session_seconds;
    let trace = visit.trace();
    let write = move |tx: &mut Tx<'_>| -> Result<(), StoreError> {
        User::set_password(tx, &user.id, &hash)?;
        sessions::end_all(tx, &user.id)?;
        let until = trace.now + seconds * 1000;
        sessions::start(tx, mac, &user.id, &trace.origin, trace.now, until)?;
        trace.record(tx, "identity.password.set", &user.id, "by its user")
    };
    app.store.write(write).await?;
    let cookie = set_cookie(&app, &key, Some(seconds));
    visit.renew(key);
    let page = Notice {
        frame: visit.frame(),
        heading: "Password changed",
        text: "Other browsers are signed out. Devices that you have approved stay connected.",
        link: Some(("/ui/v1/account", "Back to your account")),
    };
    Ok(visit.page(StatusCode::OK, &page)?.with_cookie(Some(cookie)))
}

fn refuse(
    visit: &Visit,
    user: User,
    status: StatusCode,
    present: Option<String>,
    problem: Option<String>,
) -> Result<Answer, PageError> {
    let page = ChangePage {
        frame: visit.frame(),
        username: user.username,
        present,
        problem,
    };
    visit.page(status, &page)
}
