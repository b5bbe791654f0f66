//! The latest events of the audit trail, and its verification.

use std::sync::Arc;

use chrono::DateTime;

use crate::audit::{self, Entry, Head, VerifyError};
use crate::pages::page_request::PageRequest;
use crate::pages::response::PageError;
use crate::store::Tx;

/// The number of events on the page.
pub const EVENTS: i64 = 20;

/// An event for people.
#[derive(Debug)]
pub struct Event {
    /// Its place in the trail; empty until it is sealed.
    pub number: String,
    /// The time.
    pub time: String,
    /// The actor.
    pub actor: String,
    /// The action.
    pub action: String,
    /// The subject and the details.
    pub subject: String,
    /// The origin of the request.
    pub origin: String,
}

impl Event {
    /// The event of an entry.
    pub fn of(entry: Entry) -> Event {
        let Entry {
            number,
            at,
            actor,
            action,
            subject,
            origin,
            detail,
        } = entry;
        Event {
            number: number.map_or(String::new(), |number| number.to_string()),
            time: time(at),
            actor,
            action,
            subject: match detail.is_empty() {
                true => subject,
                false => format!("{subject}: {detail}"),
            },
            origin,
        }
    }
}

/// A time in Unix milliseconds, for people.
fn time(at: i64) -> String {
    let time = DateTime::from_timestamp_millis(at).unwrap_or_default();
    time.format("%-d %b %Y %H:%M:%S").to_string()
}

/// The outcome of a verification.
#[derive(Debug)]
pub enum Verification {
    /// No event was changed.
    Whole(Whole),
    /// What is wrong, as a sentence.
    Broken(String),
    /// Why this replica cannot verify the trail.
    Unverified(String),
    /// The end of the trail that the user has entered cannot be read.
    Unreadable,
}

/// An unchanged trail.
#[derive(Debug)]
pub struct Whole {
    /// The number of events.
    pub events: i64,
    /// The number of pruned events, and the time of the last of them.
    pub pruned: Option<(i64, String)>,
    /// The end of the trail.
    pub head: String,
}

impl Whole {
    fn of(verified: &audit::Verified) -> Whole {
        let anchor = verified.anchor.as_ref();
        Whole {
            events: verified.events(),
            pruned: anchor.map(|anchor| (anchor.head.number, time(anchor.at))),
            head: verified.head.to_string(),
        }
    }
}

/// Verifies the whole trail, and that it still contains the end of an earlier verification.
///
/// # Errors
///
/// When the store fails.
pub async fn verify(request: &PageRequest, kept: &str) -> Result<Verification, PageError> {
    let kept = match kept.trim() {
        "" => None,
        text => match text.parse::<Head>() {
            Ok(head) => Some(head),
            Err(_) => return Ok(Verification::Unreadable),
        },
    };
    audit::seal_all(&request.app.kernel).await?;
    let kernel = Arc::clone(&request.app.kernel);
    let read = move |tx: &mut Tx<'_>| audit::verify(tx, &kernel.server_keys, kept.as_ref());
    match request.app.store.read(read).await {
        Ok(verified) => Ok(Verification::Whole(Whole::of(&verified))),
        Err(VerifyError::Store(error)) => Err(error.into()),
        Err(VerifyError::Broken(broken)) => Ok(Verification::Broken(format!("Found: {broken}."))),
        Err(
            error @ (VerifyError::KeyMissing { .. }
            | VerifyError::AnchorKeyMissing(_)
            | VerifyError::Pruned { .. }),
        ) => Ok(Verification::Unverified(format!("{error}."))),
    }
}
