//! `accord-server audit`

use std::fmt::Write as _;
use std::sync::Arc;

use accord_server::audit::{self, Actor, Entry, Filter, Head};
use accord_server::rights::{Principal, RightsError};
use accord_server::store::Tx;
use clap::Subcommand;
use serde::Serialize;

use super::options::Options;
use super::output::{Output, time};

/// Commands for the audit trail.
#[derive(Subcommand)]
pub enum Audit {
    /// List the latest events: who did what, to what, when and from where.
    List {
        /// Maximum number of events.
        #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(i64).range(1..=100_000))]
        limit: i64,
        /// Only actions with this prefix, such as identity.session.
        #[arg(long, value_name = "PREFIX")]
        action: Option<String>,
        /// Only what this actor did, as the list shows it, or this user by email address.
        #[arg(long)]
        actor: Option<String>,
        /// Only events about this subject.
        #[arg(long)]
        subject: Option<String>,
        #[command(flatten)]
        output: Output,
    },
    /// Check that no event was changed, removed or added from outside, and print
    /// where the trail ends. Exits with 1 when one was.
    ///
    /// If `retention.audit_days` is set, the service prunes old events behind a sealed anchor. The
    /// check begins there, and prints how many events were pruned.
    ///
    /// Store the output elsewhere: given back with --kept, it proves later that the trail
    /// was not truncated.
    Verify {
        /// The end of the trail that an earlier run printed.
        #[arg(long, value_name = "NUMBER:SEAL")]
        kept: Option<Head>,
        #[command(flatten)]
        output: Output,
    },
}

#[derive(Serialize)]
struct Verified {
    /// The number of sealed events in the trail.
    events: i64,
    /// The number of pruned events, and the time of the last of them.
    pruned: i64,
    pruned_until: Option<i64>,
    unsealed: i64,
    head: String,
}

/// Runs the command on the database. A service may use the database at the same time.
#[tokio::main]
pub async fn run(options: &Options, command: Audit) -> anyhow::Result<()> {
    let app = options.open().await?;
    audit::seal_all(&app.kernel).await?;
    match command {
        Audit::List {
            limit,
            action,
            actor,
            subject,
            output,
        } => {
            let read = move |tx: &mut Tx<'_>| -> Result<_, RightsError> {
                let actor = actor.as_deref().map(|actor| shown(tx, actor));
                let filter = Filter {
                    action: action.clone(),
                    actor: actor.transpose()?,
                    subject: subject.clone(),
                };
                Ok(audit::list(tx, &filter, limit)?)
            };
            let entries = app.store.read(read).await?;
            let columns = [
                "NUMBER", "TIME", "ACTOR", "ACTION", "SUBJECT", "FROM", "DETAIL",
            ];
            output.rows(columns, &entries, |entry| {
                let Entry {
                    number,
                    at,
                    actor,
                    action,
                    subject,
                    origin,
                    detail,
                } = entry.clone();
                let number = number.map_or_else(String::new, |number| number.to_string());
                [
                    number,
                    time(Some(at)),
                    actor,
                    action,
                    subject,
                    origin,
                    detail,
                ]
            })
        }
        Audit::Verify { kept, output } => {
            let kernel = Arc::clone(&app.kernel);
            let read = move |tx: &mut Tx<'_>| audit::verify(tx, &kernel.server_keys, kept.as_ref());
            let verified = app.store.read(read).await?;
            let (events, pruned, head) = (verified.events(), verified.pruned(), &verified.head);
            let mut words = match head.number {
                0 => "There are no events yet.".to_owned(),
                _ => format!("{events} events, none changed."),
            };
            let pruned_until = verified.anchor.as_ref().map(|anchor| anchor.at);
            if let Some(at) = pruned_until {
                let until = time(Some(at));
                write!(
                    words,
                    " {pruned} before them were pruned, the last of {until}."
                )?;
            }
            if head.number > 0 {
                write!(words, " The trail ends at\n{head}")?;
            }
            if verified.unsealed > 0 {
                // These events were recorded after this command had sealed all others.
                write!(words, "\n{} more since, none changed.", verified.unsealed)?;
            }
            let verified = Verified {
                events,
                pruned,
                pruned_until,
                unsealed: verified.unsealed,
                head: head.to_string(),
            };
            output.one(&verified, &words)
        }
    }
}

/// The actor as the trail shows it. A text with `@` and without a kind is the email address of a user.
fn shown(tx: &mut Tx<'_>, actor: &str) -> Result<String, RightsError> {
    match actor.contains('@') && !actor.contains(':') {
        true => Ok(Actor::User(&Principal::find(tx, actor)?.id).to_string()),
        false => Ok(actor.to_owned()),
    }
}
