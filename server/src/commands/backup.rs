//! `accord-server backup` and `accord-server restore`

use std::path::{Path, PathBuf};

use accord_server::backup::{self, Contents};
use accord_server::kernel::{Clock, SystemClock, SystemRandom};
use anyhow::Context as _;
use clap::Args;
use serde_json::json;
use zeroize::Zeroizing;

use super::input::read_secret;
use super::options::Options;
use super::output::{Output, time};

/// An attacker with a copy of the file could guess a shorter passphrase.
const MIN_CHARACTERS: usize = 12;

/// Arguments of `backup`.
#[derive(Args)]
pub struct Backup {
    /// The file to create.
    file: PathBuf,
    #[command(flatten)]
    passphrase: Passphrase,
    #[command(flatten)]
    output: Output,
}

/// Arguments of `restore`.
#[derive(Args)]
pub struct Restore {
    /// The file that `backup` created.
    file: PathBuf,
    #[command(flatten)]
    passphrase: Passphrase,
    #[command(flatten)]
    output: Output,
}

#[derive(Args)]
struct Passphrase {
    /// File whose first line is the passphrase [default: standard input].
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
}

impl Passphrase {
    fn read(&self) -> anyhow::Result<Zeroizing<String>> {
        let line = read_secret(self.passphrase_file.as_deref(), "passphrase of the backup")?;
        anyhow::ensure!(
            line.chars().count() >= MIN_CHARACTERS,
            "the passphrase is too short: use at least {MIN_CHARACTERS} characters"
        );
        Ok(line)
    }
}

/// Creates a backup while the service may run.
pub fn create(options: &Options, command: &Backup) -> anyhow::Result<()> {
    let config = options.load()?;
    let passphrase = command.passphrase.read()?;
    let now = SystemClock.now().timestamp_millis();
    let contents = backup::create(&config, &SystemRandom, now, &passphrase, &command.file)?;
    let file = command.file.display();
    let words = match contents.database_bytes {
        Some(bytes) => format!("Saved the server keys and a database of {bytes} bytes in {file}."),
        None => format!(
            "Saved the server keys in {file}. Save the PostgreSQL database with pg_dump \
             --format=custom, and keep both files."
        ),
    };
    print(&command.output, &command.file, &contents, &words)
}

/// Restores a backup before the service starts.
pub fn restore(options: &Options, command: &Restore) -> anyhow::Result<()> {
    let config = options.load()?;
    // Otherwise an operator would type the passphrase for a file that is missing.
    std::fs::metadata(&command.file).with_context(|| command.file.display().to_string())?;
    let passphrase = command.passphrase.read()?;
    let contents = backup::restore(&config, &passphrase, &command.file)?;
    let made = time(Some(contents.created_at));
    let words = match contents.database_bytes {
        Some(_) => format!("Restored the server keys and the database as of {made}."),
        None => format!(
            "Restored the server keys as of {made}. Restore the PostgreSQL database with pg_restore."
        ),
    };
    print(&command.output, &command.file, &contents, &words)
}

fn print(output: &Output, file: &Path, contents: &Contents, words: &str) -> anyhow::Result<()> {
    let value = json!({
        "file": file,
        "version": contents.version,
        "created_at": contents.created_at,
        "keys_bytes": contents.keys_bytes,
        "database_bytes": contents.database_bytes,
    });
    output.one(&value, words)
}
