//! The outbox: mail to send, as rows.
//!
//! A mail is posted in the transaction of the change that it is about, so an account never lacks
//! its mail, and a mail never lacks its account. A due row is claimed by the replica that sends it,
//! and ends as sent or as dead. A claim expires, so that another replica sends the mail of a
//! crashed one.

use std::sync::LazyLock;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use crate::identity::password_links::{LINK_LIFETIME, PasswordLink, RESET_LIFETIME};
use crate::kernel::ServerKeys;
use crate::params;
use crate::store::{BATCH, Row, StoreError, Tx, Value, batches, places};

/// The duration of a claim. A replica does not start to send a mail whose claim might expire before
/// the mail is sent or fails.
pub const CLAIM: TimeDelta = TimeDelta::minutes(5);

/// The subject of a mail.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum About {
    /// An account was created, and its user must set a password.
    SetPassword {
        /// Name of its organization.
        organization: String,
    },
    /// Somebody requested a link to set another password.
    ResetPassword,
    /// A passkey was added to an account.
    PasskeyAdded {
        /// The name of the passkey.
        passkey: String,
    },
    /// Passkeys of an account were removed.
    PasskeysRemoved {
        /// The names of the passkeys.
        passkeys: Vec<String>,
    },
    /// A profile was created with invitations to projects.
    Invited {
        /// Name of the hub organization that invites.
        organization: String,
        /// Address of its application instance.
        address: String,
        /// The projects.
        projects: Vec<Project>,
    },
}

/// A project to which a user is invited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Project {
    /// Its identifier.
    pub id: String,
    /// Its name.
    pub name: String,
}

impl About {
    /// The kind, in one word.
    pub fn kind(&self) -> &'static str {
        match self {
            About::SetPassword { .. } => "set-password",
            About::ResetPassword => "reset-password",
            About::PasskeyAdded { .. } => "passkey-added",
            About::PasskeysRemoved { .. } => "passkeys-removed",
            About::Invited { .. } => "invited",
        }
    }

    /// How long the link in the mail sets a password. `None` for a mail without such a link.
    pub fn link_lifetime(&self) -> Option<TimeDelta> {
        match self {
            About::SetPassword { .. } => Some(LINK_LIFETIME),
            About::ResetPassword => Some(RESET_LIFETIME),
            About::PasskeyAdded { .. } | About::PasskeysRemoved { .. } | About::Invited { .. } => {
                None
            }
        }
    }
}

/// The state of a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It is due for its first attempt, or a later one.
    Waiting,
    /// The mail server accepted it.
    Sent,
    /// It could not be sent, and is not retried.
    Dead,
}

impl State {
    /// The state in one word.
    pub fn as_str(self) -> &'static str {
        match self {
            State::Waiting => "waiting",
            State::Sent => "sent",
            State::Dead => "dead",
        }
    }

    /// A condition on the rows in this state.
    fn condition(self) -> &'static str {
        match self {
            State::Waiting => "m.sent_at IS NULL AND m.dead_at IS NULL",
            State::Sent => "m.sent_at IS NOT NULL",
            State::Dead => "m.dead_at IS NOT NULL",
        }
    }
}

/// The condition that a mail of a known id still waits. It differs from the one of the index of
/// waiting mail, because a database with outdated statistics would scan that index for the id.
const OPEN: &str = "COALESCE(sent_at, dead_at) IS NULL";

/// A mail to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMail<'a> {
    /// Identifier, from which its link is computed if it has one.
    pub id: &'a str,
    /// The account that it is about.
    pub user_id: &'a str,
    /// Address of the recipient.
    pub recipient: &'a str,
    /// Language of the mail.
    pub language: &'a str,
    /// The subject of the mail.
    pub about: About,
}

/// A mail of the outbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mail {
    /// Identifier.
    pub id: String,
    /// The account that it is about.
    pub user_id: String,
    /// Name of its user.
    pub name: String,
    /// The username.
    pub username: String,
    /// Address of the recipient.
    pub recipient: String,
    /// Language of the mail.
    pub language: String,
    /// The subject of the mail.
    pub about: About,
    /// The state of the mail.
    pub state: State,
    /// When the mail was posted.
    pub created_at: DateTime<Utc>,
    /// When the next attempt is due.
    pub next_at: DateTime<Utc>,
    /// The number of attempts.
    pub attempts: i64,
    /// The problem of the last attempt.
    pub problem: Option<String>,
    /// When it was sent.
    pub sent_at: Option<DateTime<Utc>>,
}

const COLUMNS: &str = "m.id, m.user_id, u.first_name, u.last_name, u.email_address, m.recipient, \
     m.language, m.about, m.created_at, m.next_at, m.attempts, m.problem, m.sent_at, m.dead_at";

const FROM: &str = "FROM mail_outbox m JOIN hub_users u ON u.id = m.user_id";

fn mail(row: &Row) -> Result<Mail, StoreError> {
    let (first_name, last_name): (String, String) = (row.get(2)?, row.get(3)?);
    let about: String = row.get(7)?;
    let sent_at: Option<DateTime<Utc>> = row.get(12)?;
    let dead_at: Option<DateTime<Utc>> = row.get(13)?;
    Ok(Mail {
        id: row.get(0)?,
        user_id: row.get(1)?,
        name: format!("{first_name} {last_name}"),
        username: row.get(4)?,
        recipient: row.get(5)?,
        language: row.get(6)?,
        about: serde_json::from_str(&about).map_err(|_| StoreError::Column {
            index: 7,
            expected: "the subject of a mail",
            found: "another text",
        })?,
        state: match (sent_at, dead_at) {
            (Some(_), _) => State::Sent,
            (None, Some(_)) => State::Dead,
            (None, None) => State::Waiting,
        },
        created_at: row.get(8)?,
        next_at: row.get(9)?,
        attempts: row.get(10)?,
        problem: row.get(11)?,
        sent_at,
    })
}

/// Mails, each of which may have been written by another version of the service.
#[derive(Debug, Default)]
pub struct Mails {
    /// Those that this version knows.
    pub readable: Vec<Mail>,
    /// The identifiers of the others.
    pub unreadable: Vec<String>,
}

fn read(rows: &[Row]) -> Result<Mails, StoreError> {
    let mut mails = Mails::default();
    for row in rows {
        match mail(row) {
            Ok(mail) => mails.readable.push(mail),
            Err(_) => mails.unreadable.push(row.get(0)?),
        }
    }
    Ok(mails)
}

/// Puts a mail into the outbox. For one with a link to set a password, see [`post_with_link`].
pub fn post(tx: &mut Tx<'_>, new: &NewMail<'_>, now: DateTime<Utc>) -> Result<(), StoreError> {
    let about = serde_json::to_string(&new.about)
        .map_err(|error| StoreError::Statement(format!("mail_outbox.about: {error}")))?;
    tx.add(
        "INSERT INTO mail_outbox \
         (id, kind, user_id, recipient, language, about, created_at, next_at, attempts) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7, 0)",
        params![
            new.id,
            new.about.kind(),
            new.user_id,
            new.recipient,
            new.language,
            about,
            now
        ],
    )?;
    Ok(())
}

/// Posts a notification to a user about the user's own account, to its address and in its language.
/// `id` is the identifier of the mail.
pub fn notify(
    tx: &mut Tx<'_>,
    id: &str,
    user_id: &str,
    about: About,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let Some((recipient, language)) = recipient(tx, user_id)? else {
        return Ok(());
    };
    let new = NewMail {
        id,
        user_id,
        recipient: &recipient,
        language: &language,
        about,
    };
    post(tx, &new, now)
}

/// The address and the language of a user.
fn recipient(tx: &mut Tx<'_>, user_id: &str) -> Result<Option<(String, String)>, StoreError> {
    let row = tx.query_opt(
        "SELECT communication_email, language FROM hub_users WHERE id = $1",
        params![user_id],
    )?;
    row.map(|row| Ok((row.get(0)?, row.get(1)?))).transpose()
}

/// Posts a mail with a link to set another password to a user, and activates the link.
pub fn post_reset(
    tx: &mut Tx<'_>,
    link: &PasswordLink,
    user_id: &str,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let Some((recipient, language)) = recipient(tx, user_id)? else {
        return Ok(());
    };
    let new = NewMail {
        id: link.mail_id(),
        user_id,
        recipient: &recipient,
        language: &language,
        about: About::ResetPassword,
    };
    post_with_link(tx, link, &new, now)
}

/// Puts a mail into the outbox, and activates its link to set a password if it has one.
pub fn post_with_link(
    tx: &mut Tx<'_>,
    link: &PasswordLink,
    new: &NewMail<'_>,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    post(tx, new, now)?;
    match new.about.link_lifetime() {
        Some(lifetime) => link.open(tx, new.user_id, now, lifetime),
        None => Ok(()),
    }
}

/// Deletes all mail to a user, sent or not. Returns the identifiers.
pub fn erase(tx: &mut Tx<'_>, user_id: &str) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT id FROM mail_outbox WHERE user_id = $1";
    let rows = tx.query(sql, params![user_id])?;
    let ids = rows
        .iter()
        .map(|row| row.get(0))
        .collect::<Result<_, _>>()?;
    let sql = "DELETE FROM mail_outbox WHERE user_id = $1";
    tx.execute(sql, params![user_id])?;
    Ok(ids)
}

/// One mail.
pub fn find(tx: &mut Tx<'_>, id: &str) -> Result<Option<Mail>, StoreError> {
    tx.query_opt(
        &format!("SELECT {COLUMNS} {FROM} WHERE m.id = $1"),
        params![id],
    )?
    .map(|row| mail(&row))
    .transpose()
}

/// The newest mail first, of one state or of all.
pub fn list(tx: &mut Tx<'_>, state: Option<State>, limit: i64) -> Result<Mails, StoreError> {
    let condition = state.map_or("1 = 1", State::condition);
    let sql = format!(
        "SELECT {COLUMNS} {FROM} WHERE {condition} ORDER BY m.created_at DESC, m.id DESC LIMIT $1"
    );
    read(&tx.query(&sql, params![limit])?)
}

/// The numbers of waiting, sent and dead mails.
pub fn counts(tx: &mut Tx<'_>) -> Result<[i64; 3], StoreError> {
    // A mail is sent or dead, never both.
    let sql = "SELECT COUNT(*) - COUNT(sent_at) - COUNT(dead_at), COUNT(sent_at), COUNT(dead_at) \
               FROM mail_outbox";
    let row = tx.query_opt(sql, &[])?;
    row.map_or(Ok([0; 3]), |row| {
        Ok([row.get(0)?, row.get(1)?, row.get(2)?])
    })
}

/// The number of unsent mails, and the creation time of the oldest one in Unix milliseconds.
pub fn waiting(tx: &mut Tx<'_>) -> Result<(i64, Option<i64>), StoreError> {
    let row = tx.query_opt(
        "SELECT COUNT(*), MIN(created_at) FROM mail_outbox \
         WHERE sent_at IS NULL AND dead_at IS NULL",
        params![],
    )?;
    row.map_or(Ok((0, None)), |row| Ok((row.get(0)?, row.get(1)?)))
}

/// Whether no mail is due.
pub fn is_quiet(tx: &mut Tx<'_>, now: DateTime<Utc>) -> Result<bool, StoreError> {
    let due = "SELECT 1 FROM mail_outbox \
               WHERE sent_at IS NULL AND dead_at IS NULL AND next_at <= $1 LIMIT 1";
    Ok(!tx.exists(due, params![now])?)
}

/// Claims a batch of due mail, the longest waiting first, and counts the attempt. No other replica
/// gets it until the claim expires.
pub fn claim(tx: &mut Tx<'_>, now: DateTime<Utc>) -> Result<Vec<Mail>, StoreError> {
    static DUE: LazyLock<String> = LazyLock::new(|| {
        let condition = State::Waiting.condition();
        // The inner query limits the lookup of users to the batch.
        format!(
            "SELECT {COLUMNS} FROM (SELECT * FROM mail_outbox m \
             WHERE {condition} AND m.next_at <= $1 ORDER BY m.next_at, m.id LIMIT {BATCH}) m \
             JOIN hub_users u ON u.id = m.user_id ORDER BY m.next_at, m.id"
        )
    });
    static CLAIM_THEM: LazyLock<String> = LazyLock::new(|| {
        let ids = places(2);
        format!("UPDATE mail_outbox SET next_at = $1, attempts = attempts + 1 WHERE id IN ({ids})")
    });
    let rows = tx.query(&DUE, params![now])?;
    let ids = rows.iter().map(|row| row.get(0));
    let ids: Vec<String> = ids.collect::<Result<_, _>>()?;
    add_for_each(tx, &CLAIM_THEM, now + CLAIM, ids.iter())?;
    let mut due = read(&rows)?;
    // It stays, and delays no other mail.
    for id in due.unreadable {
        tracing::error!(%id, "cannot read a mail, which another version may have written");
    }
    for mail in &mut due.readable {
        mail.attempts += 1;
    }
    Ok(due.readable)
}

/// Marks mails as sent.
pub fn mark_sent<'a>(
    tx: &mut Tx<'_>,
    ids: impl Iterator<Item = &'a String>,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    static SENT: LazyLock<String> = LazyLock::new(|| {
        let ids = places(2);
        format!(
            "UPDATE mail_outbox SET sent_at = $1, problem = NULL WHERE id IN ({ids}) AND {OPEN}"
        )
    });
    add_for_each(tx, &SENT, now, ids)
}

/// Adds a statement about a time and mails, once for each batch.
fn add_for_each<'a>(
    tx: &mut Tx<'_>,
    sql: &str,
    time: DateTime<Utc>,
    ids: impl Iterator<Item = &'a String>,
) -> Result<(), StoreError> {
    let ids: Vec<Value> = ids.map(Value::from).collect();
    for mut values in batches(&ids) {
        values.insert(0, time.into());
        tx.add(sql, &values)?;
    }
    Ok(())
}

/// Releases claimed mail that was not sent: it is due at once, and the attempt does not count.
pub fn release<'a>(
    tx: &mut Tx<'_>,
    ids: impl Iterator<Item = &'a String>,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    static RELEASED: LazyLock<String> = LazyLock::new(|| {
        let ids = places(2);
        format!(
            "UPDATE mail_outbox SET next_at = $1, attempts = attempts - 1 \
             WHERE id IN ({ids}) AND {OPEN}"
        )
    });
    add_for_each(tx, &RELEASED, now, ids)
}

/// Records a problem and the time of the next attempt; without such a time the mail is dead.
pub fn mark_failed(
    tx: &mut Tx<'_>,
    id: &str,
    problem: &str,
    next_at: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> Result<(), StoreError> {
    let dead_at = next_at.is_none().then_some(now);
    tx.add(
        &format!(
            "UPDATE mail_outbox SET problem = $2, next_at = $3, dead_at = $4 \
         WHERE id = $1 AND {OPEN}"
        ),
        params![id, problem, next_at.unwrap_or(now), dead_at],
    )?;
    Ok(())
}

/// Posts a mail again, under the identifier of `link`. The earlier mail becomes dead if it was not
/// sent, and its link no longer works. Returns whether the mail exists.
pub fn resend(
    tx: &mut Tx<'_>,
    server_keys: &ServerKeys,
    id: &str,
    link: &PasswordLink,
    now: DateTime<Utc>,
) -> Result<bool, StoreError> {
    let Some(mail) = find(tx, id)? else {
        return Ok(false);
    };
    let problem = format!("sent again as {}", link.mail_id());
    mark_failed(tx, id, &problem, None, now)?;
    let new = NewMail {
        id: link.mail_id(),
        user_id: &mail.user_id,
        recipient: &mail.recipient,
        language: &mail.language,
        about: mail.about,
    };
    if new.about.link_lifetime().is_some() {
        for link in PasswordLink::each(server_keys, id) {
            link.close(tx, now)?;
        }
    }
    post_with_link(tx, link, &new, now)?;
    Ok(true)
}
