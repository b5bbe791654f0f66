//! Takes what is due from the outbox and sends it.

use std::sync::Arc;
use std::time::Duration;

use ::metrics::counter;
use chrono::TimeDelta;
use futures::StreamExt as _;

use super::Office;
use super::link::PasswordLink;
use super::message::{self, Link, MessageError};
use super::outbox::{self, About, Mail};
use super::transport::SendError;
use super::wording::{self, Facts, Kind};
use crate::area::Area;
use crate::store::{StoreError, Tx};

/// How often the outbox is looked into.
const PAUSE: Duration = Duration::from_secs(1);

/// Mails that are claimed together.
const BATCH: i64 = 32;

/// Mails that are on their way at once.
const AT_ONCE: usize = 4;

/// Attempts after which a mail is dead: with the pauses between them, a little
/// more than two days.
const ATTEMPTS: i64 = 18;

/// The longest pause between two attempts.
const LONGEST: TimeDelta = TimeDelta::hours(6);

/// How long the end waits for mails on their way.
const LAST: Duration = Duration::from_secs(5);

/// Mails, by kind and what became of them.
const MAILS: &str = "accord_mails_total";

/// Why a mail was not sent.
#[derive(Debug, thiserror::Error)]
enum DeliveryError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Message(#[from] MessageError),
    #[error(transparent)]
    Send(#[from] SendError),
    #[error("its link works no longer: it was used, or its time is over")]
    LinkEnded,
}

impl DeliveryError {
    fn is_permanent(&self) -> bool {
        match self {
            DeliveryError::Store(_) => false,
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

/// Sends what is due, until dropped.
pub async fn run(office: Arc<Office>) {
    let mut ticks = tokio::time::interval(PAUSE);
    ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        // In a task of its own: what is on its way arrives and is noted, even
        // when the service is told to stop.
        let round = tokio::spawn(deliver_due(Arc::clone(&office)));
        match round.await {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => tracing::warn!(%error, "mail cannot be read"),
            Err(error) => tracing::error!(%error, "mail cannot be sent"),
        }
    }
}

/// Waits for what is on its way, for a while.
pub async fn finish(office: &Office) {
    let waited = tokio::time::timeout(LAST, office.delivering.write()).await;
    if waited.is_err() {
        tracing::warn!("stopped with mail on its way: it will be sent again");
    }
}

/// Sends everything that is due; says how many mails left.
///
/// # Errors
///
/// When the store fails. What fails with one mail is noted with that mail.
pub async fn deliver_due(office: Arc<Office>) -> Result<usize, StoreError> {
    let _delivering = office.delivering.read().await;
    let mut left = 0;
    while !office.is_stopping() {
        let now = office.clock.now();
        let none = office
            .store
            .read(move |tx| outbox::is_quiet(tx, now))
            .await
            .map_err(|error: StoreError| error)?;
        if none {
            break;
        }
        let claimed = office
            .store
            .write(move |tx| outbox::claim(tx, now, BATCH))
            .await
            .map_err(|error: StoreError| error)?;
        let sent = futures::stream::iter(claimed)
            .map(|mail| deliver(&office, mail))
            .buffer_unordered(AT_ONCE);
        left += sent.filter(|sent| std::future::ready(*sent)).count().await;
    }
    Ok(left)
}

/// Sends one mail and notes what became of it; whether it left.
async fn deliver(office: &Office, mail: Mail) -> bool {
    let outcome = attempt(office, &mail).await;
    let now = office.clock.now();
    let id = mail.id.clone();
    let (noted, result) = match &outcome {
        Ok(()) => {
            let noted = office
                .store
                .write(move |tx: &mut Tx<'_>| outbox::mark_sent(tx, &id, now).map(drop))
                .await;
            (noted, "sent")
        }
        Err(error) => {
            let gives_up = error.is_permanent() || mail.attempts >= ATTEMPTS;
            let next_at = (!gives_up).then(|| now + pause(mail.attempts));
            let problem = error.to_string();
            tracing::warn!(mail = mail.id, %error, dead = gives_up, "a mail was not sent");
            let noted = office
                .store
                .write(move |tx| outbox::mark_failed(tx, &id, &problem, next_at, now))
                .await;
            (noted, if gives_up { "dead" } else { "failed" })
        }
    };
    office.metrics.record(|| {
        counter!(MAILS, "kind" => mail.about.kind(), "outcome" => result).increment(1);
    });
    if let Err(error) = noted.map_err(|error: StoreError| error) {
        tracing::warn!(mail = mail.id, %error, "what became of a mail cannot be noted");
    }
    outcome.is_ok()
}

async fn attempt(office: &Office, mail: &Mail) -> Result<(), DeliveryError> {
    let link = match mail.about {
        About::SetPassword { .. } => Some(link(office, mail).await?),
        About::AccountCreated { .. } | About::Invited { .. } => None,
    };
    let written = message::write(mail, link.as_ref())?;
    let from = &office.transport.from;
    let message = message::message(from, &mail.recipient, &mail.id, mail.created_at, written)?;
    office.transport.send(&mail.id, message).await?;
    Ok(())
}

/// The link is made here and is nowhere else in the clear.
async fn link(office: &Office, mail: &Mail) -> Result<Link, DeliveryError> {
    let link = PasswordLink::new(&office.pepper, &mail.id);
    let origin = office.urls().of(Area::Identity);
    let url = format!("{origin}/ui/v1/password?token={}", link.token());
    let until = office
        .store
        .read(move |tx| link.open_until(tx))
        .await
        .map_err(|error: StoreError| error)?;
    match until.filter(|until| *until > office.clock.now()) {
        Some(until) => Ok(Link { url, until }),
        None => Err(DeliveryError::LinkEnded),
    }
}

/// Sends a test to this address, at once.
///
/// # Errors
///
/// What the address or the mail server does not allow.
pub async fn send_test(office: &Office, recipient: &str) -> Result<(), TestError> {
    let written = wording::write(
        Kind::Test,
        "en",
        &Facts {
            name: recipient,
            ..Facts::default()
        },
    )
    .map_err(MessageError::from)?;
    let id = office.random.uuid().to_string();
    let now = office.clock.now();
    let message = message::message(&office.transport.from, recipient, &id, now, written)?;
    Ok(office.transport.send(&id, message).await?)
}

/// Why a test was not sent.
#[derive(Debug, thiserror::Error)]
pub enum TestError {
    /// The address cannot be written to.
    #[error(transparent)]
    Message(#[from] MessageError),
    /// The mail server refuses it, or cannot be reached.
    #[error(transparent)]
    Send(#[from] SendError),
}

/// Half a minute after the first attempt, and twice as long after each.
fn pause(attempts: i64) -> TimeDelta {
    let doublings = u32::try_from(attempts.clamp(1, 16) - 1).unwrap_or_default();
    (TimeDelta::seconds(30) * 2_i32.pow(doublings)).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_six_hours_and_reach_beyond_two_days() {
        let pauses: Vec<_> = (1..ATTEMPTS).map(pause).collect();
        assert_eq!(pauses[0], TimeDelta::seconds(30));
        assert_eq!(pauses[3], TimeDelta::seconds(240));
        assert_eq!(pauses.last(), Some(&LONGEST));
        let whole: TimeDelta = pauses.into_iter().sum();
        assert!(
            whole > TimeDelta::hours(48) && whole < TimeDelta::hours(60),
            "{whole}"
        );
    }
}
