//! `accord-server mail`

use std::io::Write;

use accord_server::app::App;
use accord_server::identity::password_links::PasswordLink;
use accord_server::mail::delivery::TestError;
use accord_server::mail::outbox::{self, State};
use accord_server::mail::{message, send_test};
use accord_server::store::StoreError;
use anyhow::{Context as _, bail};
use chrono::{DateTime, SecondsFormat, Utc};
use clap::{Subcommand, ValueEnum};

use super::options::{Options, audit_context};
use super::output::{Output, print, print_line, printable, printable_lines};

/// Commands for mail.
#[derive(Subcommand)]
pub enum Mail {
    /// List mail, the newest first.
    List {
        /// Only mail in this state.
        #[arg(long, value_enum)]
        state: Option<StateFilter>,
        /// Maximum number of mails.
        #[arg(long, default_value_t = 50, value_name = "NUMBER")]
        limit: u32,
        #[command(flatten)]
        output: Output,
    },
    /// Show one mail: its state and its text, without its link.
    Show {
        /// Identifier, as in the list.
        id: String,
    },
    /// Send a mail again, with a new link; the old link stops working.
    Resend {
        /// Identifier, as in the list.
        id: String,
    },
    /// Send a test mail at once, and show whether the mail server accepted it.
    Test {
        /// Address to send it to.
        address: String,
    },
}

/// The state of a mail.
#[derive(Clone, Copy, ValueEnum)]
pub enum StateFilter {
    /// Waiting to be sent.
    Waiting,
    /// Accepted by the mail server.
    Sent,
    /// Failed permanently.
    Dead,
}

/// Changes the database of a running service, which sends the waiting mail.
#[tokio::main]
pub async fn run(options: &Options, command: &Mail) -> anyhow::Result<()> {
    let app = options.open().await?;
    match command {
        Mail::List {
            state,
            limit,
            output,
        } => list(&app, *state, *limit, output).await,
        Mail::Show { id } => show(&app, id.clone()).await,
        Mail::Resend { id } => resend(&app, id.clone()).await,
        Mail::Test { address } => {
            let way = app.mail.transport.description();
            match send_test(&app.mail, address).await {
                // The mail server has no part in it.
                Err(error @ TestError::Message(_)) => return Err(error.into()),
                sent => sent.context(way.clone())?,
            }
            print_line(&format!("Sent to {address}, {way}."))
        }
    }
}

async fn list(
    app: &App,
    state: Option<StateFilter>,
    limit: u32,
    output: &Output,
) -> anyhow::Result<()> {
    let state = state.map(|state| match state {
        StateFilter::Waiting => State::Waiting,
        StateFilter::Sent => State::Sent,
        StateFilter::Dead => State::Dead,
    });
    let listed = app
        .store
        .read(move |tx| outbox::list(tx, state, i64::from(limit)))
        .await?;
    let columns = [
        "MAIL",
        "KIND",
        "STATE",
        "ASKED FOR",
        "ATTEMPTS",
        "RECIPIENT",
    ];
    output.rows(columns, &listed.readable, |mail| {
        [
            mail.id.clone(),
            mail.about.kind().to_owned(),
            mail.state.as_str().to_owned(),
            time(mail.created_at),
            mail.attempts.to_string(),
            mail.recipient.clone(),
        ]
    })?;
    for id in listed.unreadable {
        // The standard error may be closed.
        _ = writeln!(
            std::io::stderr(),
            "left out: mail {id}, which another version of the service has written"
        );
    }
    Ok(())
}

async fn show(app: &App, id: String) -> anyhow::Result<()> {
    let wanted = id.clone();
    let found = app.store.read(move |tx| outbox::find(tx, &wanted)).await?;
    let Some(mail) = found else {
        bail!("there is no mail {id}; `mail list` lists them");
    };
    let mut lines = vec![
        format!("mail       {}", mail.id),
        format!("kind       {}", mail.about.kind()),
        format!(
            "recipient  {} ({})",
            printable(&mail.recipient),
            printable(&mail.name)
        ),
        format!("language   {}", printable(&mail.language)),
        format!("created    {}", time(mail.created_at)),
        format!("state      {}", mail.state.as_str()),
        format!("attempts   {}", mail.attempts),
    ];
    if mail.state == State::Waiting {
        lines.push(format!("next       {}", time(mail.next_at)));
    }
    if let Some(sent_at) = mail.sent_at {
        lines.push(format!("sent       {}", time(sent_at)));
    }
    if let Some(problem) = &mail.problem {
        lines.push(format!("problem    {}", printable(problem)));
    }
    let hidden = message::Link {
        url: "(a link that only its recipient may know)".into(),
        until: mail.created_at + mail.about.link_lifetime().unwrap_or_default(),
    };
    let written = message::write(&mail, Some(&hidden))?;
    print(&format!(
        "{}\n\n{}\n\n{}\n",
        lines.join("\n"),
        printable(&written.subject),
        printable_lines(&written.text)
    ))
}

async fn resend(app: &App, id: String) -> anyhow::Result<()> {
    let new = app.random.uuid().to_string();
    let link = PasswordLink::new(&app.server_keys, &new);
    let (wanted, trail) = (id.clone(), audit_context(app));
    let found = app
        .store
        .write(move |tx| {
            let found = outbox::resend(tx, trail.server_keys(), &wanted, &link, trail.time())?;
            if found {
                trail.record(tx, "accounts.mail.resent", &wanted, link.mail_id())?;
            }
            Ok::<_, StoreError>(found)
        })
        .await?;
    if !found {
        bail!("there is no mail {id}; `mail list` lists them");
    }
    print_line(&format!(
        "Queued again as {new}. A running service sends it."
    ))
}

fn time(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Secs, true)
}
