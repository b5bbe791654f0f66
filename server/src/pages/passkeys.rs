//! The page for adding and removing passkeys.
//!
//! The responses of authenticators are fields of forms, so they are bound to the browser
//! like all other forms.

use askama::Template;
use http::StatusCode;

use super::assets::{PASSKEYS, REVEAL};
use super::change::{PresentPassword, check_present};
use super::confirm;
use super::page_request::{Form, PageRequest};
use super::question::Question;
use super::response::{Frame, Notice, PageError, PageResponse};
use super::texts::filled;
use crate::identity::endpoints;
use crate::identity::passkeys::{
    self, Ceremony, Offer, Passkey, PasskeyError, Presented, RelyingParty,
};
use crate::identity::sessions::{self, Proof};
use crate::identity::throttle::{self, Limit, Subject};
use crate::identity::users::User;
use crate::mail::outbox::{self, About};
use crate::mail::passkeys::removed;
use crate::store::{StoreError, Tx};

/// The data of a page with which its browser begins a ceremony.
pub struct Sealed {
    /// The options, as JSON for the browser.
    pub options: String,
    /// The sealed state of the ceremony, which the browser returns with the response.
    pub ceremony: String,
}

#[derive(Template)]
#[template(path = "identity/passkeys.html")]
struct PasskeysPage {
    frame: Frame,
    username: String,
    done: Option<&'static str>,
    problem: Option<String>,
    passkeys: Vec<Entry>,
    adding: Adding,
}

impl PasskeysPage {
    /// Whether passkeys can be removed without a confirmation.
    fn can_remove(&self) -> bool {
        !matches!(self.adding, Adding::Confirm(_))
    }
}

struct Entry {
    id: String,
    name: String,
    added: String,
    used: String,
}

enum Adding {
    Possible(Sealed),
    /// The user signed in too long ago, and must confirm their identity before a passkey
    /// is added or removed. A user with a usable passkey can confirm with it.
    Confirm(Option<Sealed>),
    Full,
    Impossible,
}

/// The list.
///
/// # Errors
///
/// When nobody is signed in, or the store fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    page(&request, StatusCode::OK, None, None).await
}

/// Asks the user to confirm that a passkey is removed.
///
/// # Errors
///
/// When nobody is signed in, the user has no such passkey, or the store fails.
pub async fn removal(request: PageRequest) -> Result<PageResponse, PageError> {
    let user = request.signed_in()?;
    let list = move |tx: &mut Tx<'_>| passkeys::list_of(tx, &user.id);
    let passkeys = request.app.store.read(list).await?;
    let id = request.query("id").unwrap_or_default();
    let passkey = passkeys.into_iter().find(|passkey| passkey.id() == id);
    let passkey = passkey.ok_or(PageError::Unknown)?;
    let texts = request.texts();
    let age = texts.age(request.now - passkey.created_at);
    let page = Question {
        frame: request.translated_frame(),
        heading: filled(&texts.passkeys.question, &passkey.name),
        since: filled(&texts.passkeys.added, &age),
        warning: &texts.passkeys.warning,
        address: "/ui/v1/account/passkeys",
        id: passkey.id(),
        action: "remove",
        label: &texts.passkeys.remove,
    };
    request.translated_page(StatusCode::OK, &page)
}

/// Adds or removes a passkey.
///
/// # Errors
///
/// When nobody is signed in, or the store fails.
pub async fn submit(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    let user = request.signed_in()?;
    match form.get("action") {
        "add" => add(&request, user, &form).await,
        "remove" => remove(&request, user, form.get("id").to_owned()).await,
        "confirm" => confirm_with_password(&request, user, &form).await,
        "confirm-passkey" => confirm_with_passkey(&request, user, &form).await,
        _ => Err(PageError::Unreadable),
    }
}

/// The ceremony of the sign-in form, if passkeys are possible.
pub fn offer(request: &PageRequest) -> Option<Sealed> {
    let offer = party(request)?.offer_to_use();
    offer.ok().map(|offer| seal(request, offer))
}

/// The relying party of the passkeys, if passkeys are possible.
pub fn party(request: &PageRequest) -> Option<RelyingParty> {
    RelyingParty::of(endpoints::issuer(&request.app.identity))
}

fn seal(request: &PageRequest, offer: Offer) -> Sealed {
    Sealed {
        options: offer.options,
        ceremony: passkeys::seal(&request.app.server_keys, request.cookie(), &offer.ceremony),
    }
}

/// The ceremony of a form.
///
/// # Errors
///
/// When it is not of this browser.
pub fn ceremony(request: &PageRequest, form: &Form) -> Result<Ceremony, PageError> {
    passkeys::open(
        &request.app.server_keys,
        request.cookie(),
        form.get("ceremony"),
    )
    .ok_or(PageError::Foreign)
}

async fn add(request: &PageRequest, user: User, form: &Form) -> Result<PageResponse, PageError> {
    let party = party(request).ok_or(PageError::Unreadable)?;
    let texts = &request.texts().passkeys;
    let (mac, now) = (request.mac(), request.now);
    let read = move |tx: &mut Tx<'_>| sessions::is_fresh(tx, mac, now);
    if !request.app.store.read(read).await? {
        return unconfirmed(request, &texts.not_added).await;
    }
    let ceremony = ceremony(request, form)?;
    let name = form.get("name").trim().to_owned();
    if !passkeys::is_name(&name) {
        let length = passkeys::MAX_NAME_LENGTH.to_string();
        let problem = filled(&texts.name_problem, &length);
        return page(request, StatusCode::BAD_REQUEST, None, Some(problem)).await;
    }
    let new = match party.make(&user, &ceremony, form.get("credential")) {
        Ok(new) => new,
        Err(error) => {
            tracing::info!(%error, "a passkey was not added");
            let problem = texts.failed.clone();
            return page(request, StatusCode::BAD_REQUEST, None, Some(problem)).await;
        }
    };
    let (trail, mac, now) = (request.trail(), request.mac(), request.now);
    let mail_id = request.app.random.uuid().to_string();
    let write = move |tx: &mut Tx<'_>| -> Result<Added, StoreError> {
        // Checked in the transaction, so that a session that has ended in the meantime
        // cannot add a passkey.
        if !sessions::is_fresh(tx, mac, now)? {
            return Ok(Added::Unconfirmed);
        }
        let added = passkeys::use_up(tx, &ceremony, now)?
            && passkeys::list_of(tx, &user.id)?.len() < passkeys::MAX_PASSKEYS
            && passkeys::insert(tx, &new, &user.id, &name, now)?;
        if !added {
            return Ok(Added::Before);
        }
        trail.record(tx, "identity.passkey.added", &user.id, &name)?;
        let about = About::PasskeyAdded {
            passkey: name.clone(),
        };
        outbox::notify(tx, &mail_id, &user.id, about, trail.time())?;
        Ok(Added::Yes)
    };
    match request.app.store.write(write).await? {
        Added::Yes => changed(request, &texts.done).await,
        Added::Before => {
            let problem = texts.before.clone();
            page(request, StatusCode::CONFLICT, None, Some(problem)).await
        }
        Added::Unconfirmed => unconfirmed(request, &texts.not_added).await,
    }
}

async fn unconfirmed(request: &PageRequest, problem: &str) -> Result<PageResponse, PageError> {
    page(
        request,
        StatusCode::FORBIDDEN,
        None,
        Some(problem.to_owned()),
    )
    .await
}

/// The outcome of adding a passkey.
enum Added {
    Yes,
    Before,
    /// The user must confirm their identity first.
    Unconfirmed,
}

async fn remove(request: &PageRequest, user: User, id: String) -> Result<PageResponse, PageError> {
    let (trail, mac, now) = (request.trail(), request.mac(), request.now);
    let mail_id = request.app.random.uuid().to_string();
    let write = move |tx: &mut Tx<'_>| -> Result<Option<bool>, StoreError> {
        if !sessions::is_fresh(tx, mac, now)? {
            return Ok(None);
        }
        let names = passkeys::remove(tx, &user.id, &id)?.into_iter().collect();
        removed(tx, &trail, &user.id, &mail_id, names)?;
        let session = sessions::find(tx, std::slice::from_ref(&mac), now)?;
        Ok(Some(session.is_some()))
    };
    let Some(is_signed_in) = request.app.store.write(write).await? else {
        return unconfirmed(request, &request.texts().passkeys.not_removed).await;
    };
    let texts = request.texts();
    if !is_signed_in {
        let page = Notice {
            frame: Frame {
                user: None,
                ..request.translated_frame()
            },
            heading: &texts.passkeys.removed_here,
            text: &texts.passkeys.removed_here_text,
            link: Some(("/ui/v1/signin", &texts.sign_in.submit)),
        };
        let response = request.translated_page(StatusCode::OK, &page)?;
        return Ok(response.clearing_cache());
    }
    changed(request, &texts.passkeys.removed).await
}

/// The page after a change was made.
async fn changed(request: &PageRequest, done: &'static str) -> Result<PageResponse, PageError> {
    let shown = page(request, StatusCode::OK, Some(done), None).await;
    shown.map_err(PageError::after_change)
}

/// Confirms the identity of a user with the present password.
async fn confirm_with_password(
    request: &PageRequest,
    user: User,
    form: &Form,
) -> Result<PageResponse, PageError> {
    match check_present(request, &user, form).await? {
        PresentPassword::Right(hash) => confirm::renew(request, user, Proof::Password(hash)).await,
        PresentPassword::Wrong => {
            let problem = Some(request.texts().change.wrong.clone());
            page(request, StatusCode::BAD_REQUEST, None, problem).await
        }
        PresentPassword::Wait(seconds) => wait(request, seconds).await,
    }
}

/// The page for a user with too many failed attempts.
async fn wait(request: &PageRequest, seconds: i64) -> Result<PageResponse, PageError> {
    let (status, problem) = (
        StatusCode::TOO_MANY_REQUESTS,
        Some(request.texts().too_many_attempts(seconds)),
    );
    let response = page(request, status, None, problem).await?;
    Ok(response.retry_after(seconds))
}

/// Confirms the identity of a user with a passkey.
async fn confirm_with_passkey(
    request: &PageRequest,
    user: User,
    form: &Form,
) -> Result<PageResponse, PageError> {
    let party = party(request).ok_or(PageError::Unreadable)?;
    let ceremony = ceremony(request, form)?;
    // The limit of wrong passwords also limits failures, and so the entries of the audit
    // trail.
    let limit = Limit::passwords(&request.app.config.identity);
    let subject = [Subject::new(format!("passkey user {}", user.id), limit)];
    let (counted, now) = (subject.clone(), request.now);
    let waiting = move |tx: &mut Tx<'_>| throttle::wait(tx, &counted, now);
    if let Some(seconds) = request.app.store.read(waiting).await? {
        return wait(request, seconds).await;
    }
    let problem = match check(request, &party, ceremony, form.get("credential")).await? {
        Ok((owner, passkey)) if owner.id == user.id => {
            let reset = move |tx: &mut Tx<'_>| throttle::reset(tx, &subject);
            request.app.store.write(reset).await?;
            return confirm::renew(request, user, Proof::Passkey(passkey)).await;
        }
        Ok(_) => &request.texts().passkeys.foreign,
        Err(error) => {
            tracing::info!(%error, "a passkey was not accepted");
            &request.texts().sign_in.passkey_refused
        }
    };
    let trail = request.trail();
    let fail = move |tx: &mut Tx<'_>| -> Result<(), StoreError> {
        throttle::fail(tx, &subject, now)?;
        confirm::record_failure(tx, &trail, &user.id)
    };
    request.app.store.write(fail).await?;
    page(
        request,
        StatusCode::BAD_REQUEST,
        None,
        Some(problem.to_owned()),
    )
    .await
}

/// The page with the list, and a message about a change or a problem.
async fn page(
    request: &PageRequest,
    status: StatusCode,
    done: Option<&'static str>,
    problem: Option<String>,
) -> Result<PageResponse, PageError> {
    let user = request.signed_in()?;
    let (id, mac, now) = (user.id.clone(), request.mac(), request.now);
    let read = move |tx: &mut Tx<'_>| -> Result<_, StoreError> {
        let is_fresh = sessions::is_fresh(tx, mac, now)?;
        Ok((passkeys::list_of(tx, &id)?, is_fresh))
    };
    let (passkeys, is_fresh): (Vec<Passkey>, bool) = request.app.store.read(read).await?;
    let adding = match party(request) {
        party if !is_fresh && (party.is_some() || !passkeys.is_empty()) => {
            let party = party.filter(|_| !passkeys.is_empty());
            let offer = party.map(|party| party.offer_to_use()).transpose()?;
            Adding::Confirm(offer.map(|offer| seal(request, offer)))
        }
        None => Adding::Impossible,
        Some(_) if passkeys.len() >= passkeys::MAX_PASSKEYS => Adding::Full,
        Some(party) => Adding::Possible(seal(request, party.offer_to_make(&user, &passkeys)?)),
    };
    let scripts: &[&str] = match adding {
        Adding::Possible(_) => &[PASSKEYS],
        Adding::Confirm(Some(_)) => &[REVEAL, PASSKEYS],
        Adding::Confirm(None) => &[REVEAL],
        Adding::Full | Adding::Impossible => &[],
    };
    let texts = request.texts();
    let since = |sentence: &str, at: i64| filled(sentence, &texts.age(request.now - at));
    let page = PasskeysPage {
        frame: request.translated_frame(),
        username: user.username,
        done,
        problem,
        adding,
        passkeys: passkeys
            .iter()
            .map(|passkey| Entry {
                id: passkey.id(),
                name: passkey.name.clone(),
                added: since(&texts.passkeys.added, passkey.created_at),
                used: match passkey.used_at {
                    Some(at) => since(&texts.passkeys.used, at),
                    None => texts.passkeys.unused.clone(),
                },
            })
            .collect(),
    };
    let response = request.translated_page(status, &page)?;
    Ok(match scripts {
        [] => response,
        scripts => response.with_scripts(scripts),
    })
}

/// The user and the identifier of the presented passkey. A ceremony is valid for one
/// response only, right or wrong.
///
/// # Errors
///
/// When the store fails.
pub async fn check(
    request: &PageRequest,
    party: &RelyingParty,
    ceremony: Ceremony,
    credential: &str,
) -> Result<Result<(User, Vec<u8>), PasskeyError>, PageError> {
    let refused = |why: &str| PasskeyError::Refused(why.to_owned());
    let presented = match Presented::read(credential) {
        Ok(presented) => presented,
        Err(error) => return Ok(Err(error)),
    };
    let (id, now) = (presented.credential_id().to_vec(), request.now);
    let once = ceremony.clone();
    let find = move |tx: &mut Tx<'_>| -> Result<_, StoreError> {
        let fresh = passkeys::use_up(tx, &once, now)?;
        Ok(fresh.then_some(passkeys::find(tx, &id)?))
    };
    let passkey = match request.app.store.write(find).await? {
        None => return Ok(Err(refused("the ceremony was used before"))),
        Some(None) => return Ok(Err(refused("nobody has this passkey"))),
        Some(Some(passkey)) => passkey,
    };
    let after = match party.check(&passkey, &ceremony, &presented) {
        Ok(after) => after,
        Err(error) => return Ok(Err(error)),
    };
    let id = passkey.credential_id.clone();
    let use_passkey = move |tx: &mut Tx<'_>| -> Result<_, StoreError> {
        match passkeys::used(tx, &passkey, &after, now)? {
            true => User::by_id(tx, &passkey.user_id),
            false => Ok(None),
        }
    };
    let user = request.app.store.write(use_passkey).await?;
    Ok(user
        .map(|user| (user, id))
        .ok_or_else(|| refused("its user cannot sign in, or it was removed")))
}
