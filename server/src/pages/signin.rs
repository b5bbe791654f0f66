//! The page for signing in.

use std::time::Duration;

use askama::Template;
use http::StatusCode;

use super::after::After;
use super::assets::{PASSKEYS, REVEAL};
use super::attempts::name_mac;
use super::page_request::{Form, PageRequest, set_cookie};
use super::passkeys::{self, Sealed};
use super::response::{Frame, PageError, PageResponse};
use crate::accounts::demo::ADMINISTRATOR_EMAIL;
use crate::app::App;
use crate::demo;
use crate::identity::device_cookie::Owner;
use crate::identity::metrics;
use crate::identity::sessions::{self, Proof, SessionKey};
use crate::identity::throttle::{self, Limit, Subject};
use crate::identity::users::User;
use crate::store::{StoreError, Tx};

#[derive(Template)]
#[template(path = "identity/signin.html")]
struct SignInPage {
    frame: Frame,
    after: After,
    username: String,
    problem: Option<String>,
    passkey: Option<Sealed>,
    /// Name and password of the demo.
    demo: Option<(&'static str, &'static str)>,
}

/// What signs in to a store with the demo catalog that only this machine can reach.
fn demo_of(app: &App) -> Option<(&'static str, &'static str)> {
    let is_shown = app.has_demo() && !app.config.demo.anywhere;
    is_shown.then_some((ADMINISTRATOR_EMAIL, demo::PASSWORD))
}

/// The form.
///
/// # Errors
///
/// When the template fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    let after = request.after();
    if request.user.is_some() {
        return Ok(PageResponse::see_other(after.address()));
    }
    page(&request, StatusCode::OK, after, "", None)
}

fn page(
    request: &PageRequest,
    status: StatusCode,
    after: After,
    username: &str,
    problem: Option<String>,
) -> Result<PageResponse, PageError> {
    let page = SignInPage {
        frame: request.translated_frame(),
        after,
        username: username.chars().take(320).collect(),
        problem,
        passkey: passkeys::offer(request),
        demo: demo_of(&request.app),
    };
    let response = request.translated_page(status, &page)?;
    Ok(match page.passkey {
        Some(_) => response.with_scripts(&[REVEAL, PASSKEYS]),
        None => response.with_scripts(&[REVEAL]),
    })
}

/// Name and password.
///
/// # Errors
///
/// When the store fails, or the stored hash cannot be read.
pub async fn submit(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    let after = form.after();
    let texts = request.texts();
    let refuse = |status, problem: String| {
        let username = form.get("username");
        page(&request, status, after.clone(), username, Some(problem))
    };
    let (username, password) = (form.get("username"), form.get("password"));
    if username.is_empty() || password.is_empty() {
        let problem = texts.sign_in.empty.clone();
        return refuse(StatusCode::BAD_REQUEST, problem);
    }

    let attempt = Attempt::of(&request, username).await?;
    let (user, hash) = (attempt.user.clone(), attempt.hash.clone());
    // The turn is held until the attempt is decided.
    let _turn = request.app.identity.attempts.enter(attempt.first()).await;
    match attempt.admit(&request).await? {
        Admission::Now => {}
        Admission::After(delay) => tokio::time::sleep(delay).await,
        Admission::Refused(seconds) => {
            metrics::sign_in(&request.app, "throttled");
            let problem = texts.too_many_attempts(seconds);
            let response = refuse(StatusCode::TOO_MANY_REQUESTS, problem)?;
            return Ok(response.retry_after(seconds));
        }
    }
    let passwords = &request.app.identity.passwords;
    let right = passwords.verify(password, hash.clone()).await?;
    match (user, hash) {
        (Some(user), Some(hash)) if right => {
            start(&request, user, Proof::Password(hash), after).await
        }
        (known, _) => {
            failed(&request, known, attempt.counted).await?;
            let problem = texts.sign_in.wrong.clone();
            refuse(StatusCode::BAD_REQUEST, problem)
        }
    }
}

/// The checks before the service compares a password.
///
/// A browser in which the user has signed in before has a limit of its own. For all others,
/// wrong passwords count for their address and for the name: the service blocks the address
/// for a while, and delays attempts at the name. So an attacker who guesses the password of
/// a name delays its owner by seconds. An attacker at a shared address blocks only the users
/// there who have neither the cookie of a known browser nor a passkey.
struct Attempt {
    user: Option<User>,
    hash: Option<String>,
    /// The subjects for which a failure counts.
    counted: Vec<Subject>,
}

/// Whether the password of an attempt is checked.
enum Admission {
    Now,
    After(Duration),
    /// The seconds to wait before the next attempt.
    Refused(i64),
}

impl Attempt {
    async fn of(request: &PageRequest, username: &str) -> Result<Attempt, PageError> {
        let config = &request.app.config.identity;
        let limit = Limit::passwords(config);
        let name = username.to_owned();
        let find = move |tx: &mut Tx<'_>| User::by_username(tx, &name);
        let known = request.app.store.read(find).await?;
        let (user, hash) = known.map_or((None, None), |(user, hash)| (Some(user), hash));
        let strangers = [
            Subject::new(format!("signin address {}", request.network), limit),
            Subject::new(
                format!("signin name {}", name_mac(request, username)),
                limit,
            ),
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
            let cookie = request.device_cookie();
            cookie.of(&request.app.server_keys, owner, request.now, lifetime)
        });
        if let Some(browser) = browser {
            let own = attempt(vec![Subject::new(
                format!("signin device {browser}"),
                limit,
            )]);
            if !matches!(own.admit(request).await?, Admission::Refused(_)) {
                return Ok(own);
            }
        }
        Ok(attempt(strangers.into()))
    }

    /// The browser or the address.
    fn first(&self) -> &Subject {
        &self.counted[0]
    }

    async fn admit(&self, request: &PageRequest) -> Result<Admission, PageError> {
        // An attempt may have waited for its turn, so this is not the time of the request.
        let now = request.app.clock.now().timestamp_millis();
        let subjects = self.counted.clone();
        let longest = request.app.config.identity.password_delay_seconds;
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
        Ok(request.app.store.read(read).await?)
    }
}

/// The delay in seconds of an attempt for a name with so many failures: none within the limit, then
/// one second, doubled with each further multiple of the limit.
fn delay(failures: i64, limit: i64, longest: i64) -> u64 {
    let over = failures / limit.max(1);
    match over {
        ..=0 => 0,
        over => u64::try_from(longest)
            .unwrap_or(0)
            .min(1 << (over - 1).min(30)),
    }
}

/// Counts a failure. The typed name is not stored, because it can be a password.
async fn failed(
    request: &PageRequest,
    known: Option<User>,
    counted: Vec<Subject>,
) -> Result<(), StoreError> {
    metrics::sign_in(&request.app, "failed");
    let trail = request.trail();
    let now = request.app.clock.now().timestamp_millis();
    let subject = known.map_or("unknown".to_owned(), |user| user.id);
    request
        .app
        .store
        .write(move |tx| {
            throttle::fail(tx, &counted, now)?;
            trail.record(tx, "identity.sign_in.failed", &subject, "")
        })
        .await
}

/// Refuses a passkey. Passkeys cannot be guessed, so sign-in with one has no limit. The limit of
/// the address only protects the audit trail from a flood.
///
/// # Errors
///
/// When the store fails.
pub async fn refuse_passkey(
    request: &PageRequest,
    form: &Form,
    problem: &str,
) -> Result<PageResponse, PageError> {
    let limit = Limit::passwords(&request.app.config.identity);
    let counted = vec![Subject::new(
        format!("passkey address {}", request.network),
        limit,
    )];
    let (subjects, now) = (counted.clone(), request.now);
    let read = move |tx: &mut Tx<'_>| throttle::wait(tx, &subjects, now);
    match request.app.store.read(read).await? {
        None => failed(request, None, counted).await?,
        Some(_) => metrics::sign_in(&request.app, "failed"),
    }
    let after = form.after();
    let problem = Some(problem.to_owned());
    page(request, StatusCode::BAD_REQUEST, after, "", problem)
}

/// Signs the owner of a passkey in.
///
/// # Errors
///
/// When the store fails.
pub async fn start_with_passkey(
    request: &PageRequest,
    form: &Form,
    user: User,
    passkey: Vec<u8>,
) -> Result<PageResponse, PageError> {
    let after = form.after();
    start(request, user, Proof::Passkey(passkey), after).await
}

/// Starts a session under a new key, so that a key planted in the browser is useless. From now on,
/// the browser is known for this user.
async fn start(
    request: &PageRequest,
    user: User,
    proof: Proof,
    after: After,
) -> Result<PageResponse, PageError> {
    let key = SessionKey::new(request.app.random.token());
    let before = request.mac();
    let trail = request.trail().of_user(&user.id);
    let seconds = request.app.config.identity.session_seconds;
    let device = known_browser(request, &user, &proof).await?;
    let means = proof.word();
    let session = request.new_session(&key, user.id, proof);
    let started = request
        .app
        .store
        .write(move |tx| -> Result<bool, StoreError> {
            if !sessions::start(tx, &session)? {
                return Ok(false);
            }
            sessions::end(tx, before)?;
            trail.record(tx, "identity.session.started", &session.user_id, means)?;
            Ok(true)
        })
        .await?;
    if !started {
        return Ok(PageResponse::see_other("/ui/v1/signin"));
    }
    metrics::sign_in(&request.app, "succeeded");
    let cookie = set_cookie(&request.app, &key, Some(seconds));
    Ok(PageResponse::see_other(after.address())
        .with_cookie(Some(cookie))
        .with_cookie(device))
}

/// The cookie by which the browser is known for the user from now on. A user without a password
/// gets none, because the cookie only permits attempts at a password.
async fn known_browser(
    request: &PageRequest,
    user: &User,
    proof: &Proof,
) -> Result<Option<String>, StoreError> {
    let hash = match proof {
        Proof::Password(hash) => Some(hash.clone()),
        // There will be no cookie, so its data need not be read.
        Proof::Passkey(_) if request.app.config.identity.device_cookie_days == 0 => None,
        Proof::Passkey(_) => {
            let name = user.username.clone();
            let find = move |tx: &mut Tx<'_>| User::by_username(tx, &name);
            let known = request.app.store.read(find).await?;
            known.and_then(|(_, hash)| hash)
        }
    };
    Ok(hash.and_then(|hash| {
        request.renewed_device_cookie(Owner {
            user_id: &user.id,
            password_hash: &hash,
        })
    }))
}
