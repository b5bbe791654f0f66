//! `accord-server audit`

use std::fmt::Write as _;
use std::sync::Arc;

use accord_server::audit::{self, Entry, Filter, Head};
use accord_server::store::{StoreError, Tx};
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
        /// Only what this actor did, as the list shows it.
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
    events: i64,
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
            let filter = Filter {
                action,
                actor,
                subject,
            };
            let read = move |tx: &mut Tx<'_>| audit::list(tx, &filter, limit);
            let entries = app.store.read::<_, StoreError, _>(read).await?;
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
            let audit::Verified { head, unsealed } = app.store.read(read).await?;
            let mut words = match head.number {
                0 => "There are no events yet.".to_owned(),
                number => format!("{number} events, none changed. The trail ends at\n{head}"),
            };
            if unsealed > 0 {
                // These events were recorded after this command had sealed all others.
                write!(words, "\n{unsealed} more since, none changed.")?;
            }
            let verified = Verified {
                events: head.number,
                unsealed,
                head: head.to_string(),
            };
            output.one(&verified, &words)
        }
    }
}
