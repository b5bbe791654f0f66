//! The mailer: sends due mails of the outbox.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Deref;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ::metrics::counter;
use chrono::{DateTime, TimeDelta, Utc};
use futures::StreamExt as _;
use lettre::Message;

use super::message::{self, Link, MessageError};
use super::outbox::{self, Mail};
use super::transport::{SendError, Transport, TransportError};
use super::wording::{self, Facts, Kind};
use crate::identity::password_links::{self, PasswordLink};
use crate::kernel::{Kernel, ServerKeys, Short};
use crate::store::{StoreError, Tx};
use accord_base::area::Area;

/// How often the service checks the outbox.
const PAUSE: Duration = Duration::from_secs(1);

/// Maximum number of attempts. With the pauses between them, they take a little more than two days.
const ATTEMPTS: i64 = 18;

/// The longest pause between two attempts.
const MAX_PAUSE: TimeDelta = TimeDelta::hours(6);

/// How long a stop of the service waits for mails in delivery.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// Mails, by kind and outcome.
const MAILS: &str = "accord_mails_total";

/// Sends mail: a kernel and a transport.
pub struct Mailer {
    /// The transport.
    pub transport: Transport,
    /// Tasks that deliver hold a read lock, so that a stop can wait for them.
    pub delivering: tokio::sync::RwLock<()>,
    kernel: Arc<Kernel>,
}

impl Mailer {
    /// Reads the configuration, without opening a connection.
    ///
    /// # Errors
    ///
    /// When the configured mail server cannot be used.
    pub fn new(kernel: Arc<Kernel>) -> Result<Self, TransportError> {
        Ok(Mailer {
            transport: Transport::new(&kernel.config)?,
            delivering: tokio::sync::RwLock::default(),
            kernel,
        })
    }
}

impl Deref for Mailer {
    type Target = Kernel;

    fn deref(&self) -> &Kernel {
        &self.kernel
    }
}

/// Why a mail was not sent.
#[derive(Debug, thiserror::Error)]
enum DeliveryError {
    #[error(transparent)]
    Message(#[from] MessageError),
    #[error(transparent)]
    Send(#[from] SendError),
    #[error("its link no longer works: it was used, or it has expired")]
    LinkEnded,
}

impl DeliveryError {
    fn is_permanent(&self) -> bool {
        match self {
            DeliveryError::Send(error) => error.is_permanent(),
            DeliveryError::Message(_) | DeliveryError::LinkEnded => true,
        }
    }
}

impl From<askama::Error> for DeliveryError {
    fn from(error: askama::Error) -> Self {
        DeliveryError::Message(error.into())
    }
}

/// Sends due mails, until dropped.
pub async fn run(mailer: Arc<Mailer>) {
    let mut ticks = tokio::time::interval(PAUSE);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        // A separate task records mails in delivery even if the service stops.
        let round = tokio::spawn(deliver_due(Arc::clone(&mailer)));
        match round.await {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => tracing::warn!(%error, "mail cannot be read"),
            Err(error) => tracing::error!(%error, "mail cannot be sent"),
        }
    }
}

/// Waits for mails in delivery, with a timeout.
pub async fn finish(mailer: &Mailer) {
    let waited = tokio::time::timeout(STOP_TIMEOUT, mailer.delivering.write()).await;
    if waited.is_err() {
        tracing::warn!("stopped with mail in delivery: it will be sent again");
    }
}

/// Sends all due mails. Returns the number of sent ones.
///
/// # Errors
///
/// When the store fails. The failure of one mail is recorded with that mail.
pub async fn deliver_due(mailer: Arc<Mailer>) -> Result<usize, StoreError> {
    let _delivering = mailer.delivering.read().await;
    let mut sent = 0;
    while !mailer.is_stopping() {
        let now = mailer.clock.now();
        let none = mailer
            .store
            .read_one(move |tx| outbox::is_quiet(tx, now))
            .await
            .map_err(|error: StoreError| error)?;
        if none {
            break;
        }
        // Taken before the claim begins.
        let end = Instant::now() + outbox::CLAIM.to_std().unwrap_or_default();
        let claiming = Arc::clone(&mailer);
        let claimed = mailer
            .store
            .write_snapshot(move |tx| claim(tx, &claiming.server_keys, now))
            .await
            .map_err(|error: StoreError| error)?;
        // Without progress the next round waits for the next tick instead of spinning.
        if claimed.is_empty() {
            break;
        }
        sent += deliver(&mailer, claimed, end).await;
    }
    Ok(sent)
}

/// A mail with its link, and until when the link works.
type Due = (Mail, Option<(PasswordLink, Option<DateTime<Utc>>)>);

fn claim(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    now: DateTime<Utc>,
) -> Result<Vec<Due>, StoreError> {
    let claimed = outbox::claim(tx, now)?;
    let has_link = |mail: &Mail| mail.about.link_lifetime().is_some();
    let links = claimed.iter().filter(|mail| has_link(mail));
    let links: Vec<_> = links
        .flat_map(|mail| PasswordLink::each(server_keys, &mail.id))
        .collect();
    let mut known = HashMap::new();
    for (until, link) in password_links::open_until(tx, &links)?
        .into_iter()
        .zip(links)
    {
        let id = link.mail_id().to_owned();
        // At most one of the links of a mail was ever activated.
        match known.entry(id) {
            Entry::Vacant(place) => drop(place.insert((link, until))),
            Entry::Occupied(mut place) if until.is_some() => drop(place.insert((link, until))),
            Entry::Occupied(_) => {}
        }
    }
    let due = claimed.into_iter().map(|mail| {
        let link = known.remove(&mail.id);
        (mail, link)
    });
    Ok(due.collect())
}

/// Sends mails, and records the outcomes that are known at the same time together. Returns the
/// number of sent mails. The claim ends at `end`.
async fn deliver(mailer: &Mailer, claimed: Vec<Due>, end: Instant) -> usize {
    let mut messages = Vec::new();
    let mut mails = Vec::new();
    let mut unwritten = Vec::new();
    for (mail, link) in claimed {
        match written(mailer, &mail, link) {
            Ok(message) => {
                messages.push((mail.id.clone(), message));
                mails.push(Some(mail));
            }
            Err(error) => unwritten.push((mail, Err(error))),
        }
    }
    record_outcomes(mailer, unwritten).await;
    let mut sent = 0;
    let mut arrivals = pin!(
        mailer
            .transport
            .send_all(messages, end)
            .ready_chunks(mails.len().max(1))
    );
    while let Some(arrived) = arrivals.next().await {
        let outcomes: Vec<_> = arrived
            .into_iter()
            .filter_map(|(index, outcome)| {
                Some((mails[index].take()?, outcome.map_err(Into::into)))
            })
            .collect();
        sent += outcomes
            .iter()
            .filter(|(_, outcome)| outcome.is_ok())
            .count();
        record_outcomes(mailer, outcomes).await;
    }
    sent
}

/// The link is created here, and is not stored in plain text.
fn written(
    mailer: &Mailer,
    mail: &Mail,
    link: Option<(PasswordLink, Option<DateTime<Utc>>)>,
) -> Result<Message, DeliveryError> {
    let link = match link {
        None => None,
        Some((link, until)) => {
            let origin = mailer.urls().of(Area::Identity);
            let url = format!("{origin}/ui/v1/password?token={}", link.token());
            match until.filter(|until| *until > mailer.clock.now()) {
                Some(until) => Some(Link { url, until }),
                None => return Err(DeliveryError::LinkEnded),
            }
        }
    };
    let written = message::write(mail, link.as_ref())?;
    let from = &mailer.transport.from;
    let message = message::message(from, &mail.recipient, &mail.id, mail.created_at, written)?;
    Ok(message)
}

/// The problem of a mail, and the time of the next attempt if there is one.
struct Failure {
    id: String,
    problem: String,
    next_at: Option<DateTime<Utc>>,
}

/// Records the outcomes of mails.
async fn record_outcomes(mailer: &Mailer, outcomes: Vec<(Mail, Result<(), DeliveryError>)>) {
    if outcomes.is_empty() {
        return;
    }
    let now = mailer.clock.now();
    let (mut sent, mut failed, mut released) = (Vec::new(), Vec::new(), Vec::new());
    for (mail, outcome) in outcomes {
        let (kind, mut result) = (mail.about.kind(), "sent");
        match outcome {
            Ok(()) => sent.push(mail.id),
            Err(DeliveryError::Send(SendError::NotBegun)) => {
                released.push(mail.id);
                continue;
            }
            Err(error) => {
                let gives_up = error.is_permanent() || mail.attempts >= ATTEMPTS;
                tracing::warn!(mail = mail.id, error = %Short(&error), dead = gives_up, "a mail was not sent");
                result = if gives_up { "dead" } else { "failed" };
                failed.push(Failure {
                    id: mail.id,
                    problem: error.to_string(),
                    next_at: (!gives_up).then(|| now + pause(mail.attempts)),
                });
            }
        }
        mailer
            .metrics
            .record(|| counter!(MAILS, "kind" => kind, "outcome" => result).increment(1));
    }
    let recorded = mailer.store.write_snapshot(move |tx: &mut Tx<'_>| {
        outbox::mark_sent(tx, sent.iter(), now)?;
        outbox::release(tx, released.iter(), now)?;
        failed.iter().try_for_each(|failure| {
            outbox::mark_failed(tx, &failure.id, &failure.problem, failure.next_at, now)
        })
    });
    if let Err(error) = recorded.await.map_err(|error: StoreError| error) {
        tracing::warn!(%error, "cannot record the outcomes of mails: they will be sent again");
    }
}

/// Sends a test mail to this address at once.
///
/// # Errors
///
/// When the address is invalid, or the mail server rejects the mail or cannot be reached.
pub async fn send_test(mailer: &Mailer, recipient: &str) -> Result<(), TestError> {
    let written = wording::write(
        Kind::Test,
        "en",
        &Facts {
            name: recipient,
            ..Facts::default()
        },
    )
    .map_err(MessageError::from)?;
    let id = mailer.random.uuid().to_string();
    let now = mailer.clock.now();
    let message = message::message(&mailer.transport.from, recipient, &id, now, written)?;
    Ok(mailer.transport.send(&id, message).await?)
}

/// Why a test mail was not sent.
#[derive(Debug, thiserror::Error)]
pub enum TestError {
    /// The address is invalid.
    #[error(transparent)]
    Message(#[from] MessageError),
    /// The mail server rejects the mail, or cannot be reached.
    #[error(transparent)]
    Send(#[from] SendError),
}

/// The pause after an attempt: half a minute after the first, then twice as long each time.
fn pause(attempts: i64) -> TimeDelta {
    let doublings = u32::try_from(attempts.clamp(1, 16) - 1).unwrap_or_default();
    (TimeDelta::seconds(30) * 2_i32.pow(doublings)).min(MAX_PAUSE)
}

#[cfg(test)]
mod tests {
    use super::super::transport;
    use super::*;

    #[test]
    fn a_claim_outlasts_two_messages_one_after_the_other() {
        // Otherwise a round could make no progress.
        assert!(outbox::CLAIM.to_std().unwrap() >= 2 * transport::MAX_DURATION);
    }

    #[test]
    fn pauses_double_up_to_six_hours_and_reach_beyond_two_days() {
        let pauses: Vec<_> = (1..ATTEMPTS).map(pause).collect();
        assert_eq!(pauses[0], TimeDelta::seconds(30));
        assert_eq!(pauses[3], TimeDelta::seconds(240));
        assert_eq!(pauses.last(), Some(&MAX_PAUSE));
        let whole: TimeDelta = pauses.into_iter().sum();
        assert!(
            whole > TimeDelta::hours(48) && whole < TimeDelta::hours(60),
            "{whole}"
        );
    }
}
