//! `accord-server init`

use std::path::PathBuf;

use accord_server::accounts::users::User;
use accord_server::area::Area;
use accord_server::identity::passwords;
use accord_server::kernel::Urls;
use accord_server::setup::{self, COMPARTMENT, Setup};
use accord_server::store::Tx;
use clap::Args;
use serde_json::json;

use super::input::{ask, check_email, read_secret};
use super::options::{Options, audit_context};
use super::output::Output;

/// The first user and organization.
#[derive(Args)]
pub struct Init {
    /// Email address of the administrator, the name to sign in with.
    #[arg(long, value_name = "EMAIL")]
    email: Option<String>,
    /// First name of the administrator.
    #[arg(long, value_name = "NAME")]
    first_name: Option<String>,
    /// Last name of the administrator.
    #[arg(long, value_name = "NAME")]
    last_name: Option<String>,
    /// Language of mail to the administrator.
    #[arg(long, default_value = "en")]
    language: String,
    /// Name of the organization.
    #[arg(long, value_name = "NAME")]
    organization: Option<String>,
    /// File whose first line is the administrator's password [default: standard input].
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
}

/// Writes the first contents of an empty database, and prints the next commands.
#[tokio::main]
pub async fn run(options: &Options, command: &Init) -> anyhow::Result<()> {
    let value = |given: &Option<String>, question: &str, flag: &str| match given {
        Some(value) => Ok(value.clone()),
        None => ask(question, flag),
    };
    let email = value(
        &command.email,
        "Email address of the administrator",
        "--email",
    )?;
    check_email(&email)?;
    let first_name = value(&command.first_name, "First name", "--first-name")?;
    let last_name = value(&command.last_name, "Last name", "--last-name")?;
    let organization = value(
        &command.organization,
        "Name of the organization",
        "--organization",
    )?;
    let password = read_secret(
        command.password_file.as_deref(),
        "password of the administrator",
    )?;
    passwords::check(&password, &email)?;

    let app = options.open().await?;
    let by = audit_context(&app);
    let setup = Setup {
        organization,
        administrator: User {
            id: app.random.uuid().to_string(),
            communication_email: email.clone(),
            email_address: email.clone(),
            first_name,
            middle_name: None,
            last_name,
            language: command.language.clone(),
            organization_id: setup::ORGANIZATION,
        },
        password_hash: passwords::hash(&password)?,
        access_token_seconds: app.config.identity.access_token_seconds,
    };
    let id = setup.administrator.id.clone();
    let write = move |tx: &mut Tx<'_>| setup::write(tx, &by, &setup);
    app.store.write(write).await?;

    let urls = Urls::planned(&app.config.server);
    let shown = json!({
        "user": id, "email": email, "organization": setup::ORGANIZATION,
        "client_id": setup::CLIENT, "compartment": COMPARTMENT,
    });
    command.output.one(&shown, &next_steps(&email, &urls))
}

/// The commands from here to the first chat.
fn next_steps(email: &str, urls: &Urls) -> String {
    let options = urls.client_options();
    let console = urls.of(Area::Identity);
    format!(
        "The database is ready. Start the service with `accord-server serve`, and sign in as {email}:\n\n  \
         accord{options} login\n  \
         accord{options} keys create first --compartment {COMPARTMENT} --save\n  \
         accord{options} chat Hello\n\n\
         Or create the key in a browser: {console}/ui/v1"
    )
}
