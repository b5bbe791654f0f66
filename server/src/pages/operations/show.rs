//! The page of operations.

use askama::Template;
use http::StatusCode;

use super::audit::{self, EVENTS, Event, Verification};
use super::figures::Figures;
use super::operator::require_operator;
use super::upstreams::{self, Upstream};
use crate::audit::{Filter, list};
use crate::kernel::keyring::replicas::{self, Replica};
use crate::mail::outbox::{self, Mail, State};
use crate::pages::page_request::{Form, PageRequest};
use crate::pages::response::{Frame, PageError, PageResponse};
use crate::pages::texts::english;
use crate::store::{StoreError, Tx};

/// The maximum number of mails of each state on the page.
const MAILS: i64 = 10;

#[derive(Template)]
#[template(path = "console/operations.html")]
struct OperationsPage {
    frame: Frame,
    version: &'static str,
    /// The identifier of this replica.
    replica: String,
    figures: Figures,
    upstreams: Vec<Upstream>,
    replicas: Vec<Running>,
    mails: [i64; 3],
    problems: Vec<Waiting>,
    events: Vec<Event>,
    verification: Option<Verification>,
}

impl OperationsPage {
    /// Whether the form has a problem.
    fn is_wrong(&self) -> bool {
        matches!(self.verification, Some(Verification::Unreadable))
    }
}

/// A replica with a recent announcement.
struct Running {
    id: String,
    seen: String,
    key: String,
    is_this: bool,
}

/// A mail that was not sent.
struct Waiting {
    kind: &'static str,
    recipient: String,
    state: &'static str,
    created: String,
    attempts: i64,
    problem: String,
}

/// The page.
///
/// # Errors
///
/// When nobody is signed in, the user is not an operator, or the store fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    require_operator(&request).await?;
    page(&request, None).await
}

/// Verifies the audit trail.
///
/// # Errors
///
/// When nobody is signed in, the user is not an operator, or the store fails.
pub async fn verify(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    require_operator(&request).await?;
    let verification = audit::verify(&request, form.get("kept")).await?;
    page(&request, Some(verification)).await
}

async fn page(
    request: &PageRequest,
    verification: Option<Verification>,
) -> Result<PageResponse, PageError> {
    let app = &request.app;
    let now = request.now;
    let read = move |tx: &mut Tx<'_>| -> Result<_, StoreError> {
        let mut unsent = outbox::list(tx, Some(State::Dead), MAILS)?.readable;
        unsent.append(&mut outbox::list(tx, Some(State::Waiting), MAILS)?.readable);
        Ok((
            replicas::list(tx, now)?,
            outbox::counts(tx)?,
            unsent,
            list(tx, &Filter::default(), EVENTS)?,
        ))
    };
    let (running, mails, unsent, mut events) = app.store.read(read).await?;
    events.reverse();
    let status = match &verification {
        Some(Verification::Unreadable) => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    };
    let this = &app.replica;
    let page = OperationsPage {
        frame: request.frame(),
        version: env!("CARGO_PKG_VERSION"),
        figures: Figures::of(&app.metrics.render()),
        upstreams: upstreams::all(&app.inference),
        replicas: running
            .into_iter()
            .map(
                |Replica {
                     id, uses, seen_at, ..
                 }| Running {
                    is_this: id == *this,
                    id,
                    seen: english().age(now - seen_at),
                    key: uses.to_string(),
                },
            )
            .collect(),
        mails,
        problems: unsent.into_iter().map(|mail| waiting(mail, now)).collect(),
        events: events.into_iter().map(Event::of).collect(),
        replica: this.clone(),
        verification,
    };
    request.page(status, &page)
}

fn waiting(mail: Mail, now: i64) -> Waiting {
    Waiting {
        kind: mail.about.kind(),
        recipient: mail.recipient,
        state: mail.state.as_str(),
        created: english().age(now - mail.created_at.timestamp_millis()),
        attempts: mail.attempts,
        problem: mail.problem.unwrap_or_default(),
    }
}
