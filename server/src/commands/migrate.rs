//! `accord-server migrate`

use accord_server::demo;
use accord_server::kernel::check_database;
use accord_server::store::{self, MigrationMode, Store};
use clap::{ArgGroup, Args};
use serde_json::json;

use super::options::Options;
use super::output::Output;

/// Migrations of the database.
#[derive(Args)]
#[command(group = ArgGroup::new("mode").required(true))]
pub struct Migrate {
    /// List the missing migrations, and change nothing.
    #[arg(long, group = "mode")]
    plan: bool,
    /// Apply the missing migrations.
    #[arg(long, group = "mode")]
    apply: bool,
    #[command(flatten)]
    output: Output,
}

/// Lists missing migrations, and applies them on request.
#[tokio::main]
pub async fn run(options: &Options, command: &Migrate) -> anyhow::Result<()> {
    let config = options.load()?;
    if command.apply {
        check_database(&config)?;
    }
    let (url, pool) = (config.database_url(), (&config.database).into());
    let missing = store::missing_migrations(url.expose(), &pool).await?;
    if command.apply {
        // Without the server key: a job that migrates needs no secrets, and must not create any.
        let store = Store::open_with(url.expose(), &pool, MigrationMode::Apply).await?;
        demo::leave_out(&store).await?;
    }
    let (name, heading) = match command.apply {
        true => ("applied", "Applied these migrations:"),
        false => ("missing", "The database lacks these migrations:"),
    };
    let lines: String = missing.iter().map(|name| format!("\n  {name}")).collect();
    let words = match missing.is_empty() {
        true => "The database is up to date.".to_owned(),
        false => format!("{heading}{lines}"),
    };
    command.output.one(&json!({ name: missing }), &words)
}
