//! The pages for entering a user code, and for approving or denying it (RFC
//! 8628, section 3.3).

use std::sync::Arc;

use askama::Template;
use http::StatusCode;

use super::after::Section;
use super::page_request::{Form, PageRequest};
use super::response::{Frame, Notice, PageError, PageResponse};
use super::texts::filled;
use crate::identity::grants::{Decision, Pending};
use crate::identity::metrics;
use crate::identity::scopes::Scopes;
use crate::identity::user_code::UserCode;
use crate::identity::user_code_entry::{Entered, Outcome, enter_in_session};
use crate::store::Tx;

#[derive(Template)]
#[template(path = "identity/code.html")]
struct CodePage {
    frame: Frame,
    user_code: String,
    problem: Option<String>,
}

#[derive(Template)]
#[template(path = "identity/consent.html")]
struct ConsentPage {
    frame: Frame,
    heading: String,
    user_code: UserCode,
    application: String,
    origin: String,
    age: String,
    scopes: Scopes,
}

/// The form for the code, with the code of the link filled in.
///
/// # Errors
///
/// When the template fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    let code = request.query("user_code").and_then(UserCode::parse);
    if request.user.is_none() {
        return Ok(to_sign_in(code.as_ref()));
    }
    let page = CodePage {
        frame: request.translated_frame(),
        user_code: code.map_or(String::new(), |code| code.to_string()),
        problem: None,
    };
    request.translated_page(StatusCode::OK, &page)
}

/// Accepts the code, and then the decision.
///
/// # Errors
///
/// When the store fails.
pub async fn submit(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    let code = form.user_code();
    let Some(user) = request.user.clone() else {
        return Ok(to_sign_in(code.as_ref()));
    };
    let decision = match form.get("action") {
        "" | "continue" => None,
        "approve" => Some(Decision::Approve),
        "deny" => Some(Decision::Deny),
        _ => return Err(PageError::Unreadable),
    };
    let texts = request.texts();
    let typed = form.get("user_code").chars().take(40).collect();
    // A text that cannot be a code is not looked up, and does not count as a guess.
    let Some(code) = code else {
        let problem = match form.get("user_code") {
            "" => texts.code.empty.clone(),
            _ => texts.code.malformed.clone(),
        };
        return refuse(&request, typed, StatusCode::BAD_REQUEST, problem);
    };

    let context = Arc::clone(&request.app);
    let entered = Entered {
        code: code.clone(),
        user_id: user.id,
        origin: request.origin.clone(),
        network: request.network.clone(),
        decision,
        now: request.now,
    };
    let session = request.mac();
    let enter = move |tx: &mut Tx<'_>| {
        let config = &context.config.identity;
        enter_in_session(tx, &context.server_keys, config, session, &entered)
    };
    let Some(outcome) = request.app.store.write(enter).await? else {
        return Ok(to_sign_in(Some(&code)));
    };
    match &outcome {
        Outcome::Wrong => metrics::wrong_code(&request.app),
        Outcome::Decided(Decision::Approve, _) => metrics::grant(&request.app, "approved"),
        Outcome::Decided(Decision::Deny, _) => metrics::grant(&request.app, "denied"),
        Outcome::Wait(_) | Outcome::Found(_) => {}
    }
    match outcome {
        Outcome::Wait(seconds) => {
            let problem = texts.too_many_codes(seconds);
            let status = StatusCode::TOO_MANY_REQUESTS;
            Ok(refuse(&request, typed, status, problem)?.retry_after(seconds))
        }
        Outcome::Wrong => {
            let problem = texts.code.wrong.clone();
            refuse(&request, typed, StatusCode::BAD_REQUEST, problem)
        }
        Outcome::Found(pending) => consent(&request, code, pending),
        Outcome::Decided(decision, application) => decided(&request, decision, &application),
    }
}

fn consent(
    request: &PageRequest,
    code: UserCode,
    pending: Pending,
) -> Result<PageResponse, PageError> {
    let texts = request.texts();
    let page = ConsentPage {
        frame: request.translated_frame(),
        heading: texts.approve(&pending.client_name),
        user_code: code,
        application: pending.client_name,
        // Behind an untrusted proxy all users have the proxy's address, so
        // equal addresses mean nothing.
        origin: match request.origin_is_known && pending.origin == request.origin {
            true => texts.same_origin(&pending.origin),
            false => pending.origin,
        },
        age: texts.recent_age(request.now - pending.created_at),
        scopes: pending.scopes,
    };
    request.translated_page(StatusCode::OK, &page)
}

fn decided(
    request: &PageRequest,
    decision: Decision,
    application: &str,
) -> Result<PageResponse, PageError> {
    let all = request.texts();
    let texts = &all.consent;
    let approved = filled(&texts.approved_text, application);
    let (heading, text) = match decision {
        Decision::Approve => (&texts.approved, &approved),
        Decision::Deny => (&texts.denied, &texts.denied_text),
    };
    let page = Notice {
        frame: request.translated_frame(),
        heading,
        text,
        link: Some(("/ui/v1/account", &all.frame.account)),
    };
    request.translated_page(StatusCode::OK, &page)
}

fn refuse(
    request: &PageRequest,
    typed: String,
    status: StatusCode,
    problem: String,
) -> Result<PageResponse, PageError> {
    let page = CodePage {
        frame: request.translated_frame(),
        user_code: typed,
        problem: Some(problem),
    };
    request.translated_page(status, &page)
}

/// The redirect keeps only a code, and only a valid one.
fn to_sign_in(code: Option<&UserCode>) -> PageResponse {
    PageResponse::see_other(match code {
        Some(code) => format!("/ui/v1/signin?user_code={}", code.as_str()),
        None => format!("/ui/v1/signin?to={}", Section::Device.as_str()),
    })
}
