//! `accord-server server-keys`

use std::sync::Arc;

use accord_server::app::App;
use accord_server::audit;
use accord_server::kernel::keyring::{self, KeySource, replicas};
use accord_server::kernel::server_keys::KeyName;
use accord_server::rotation::{self, Need, RotationError};
use accord_server::store::{StoreError, Tx};
use clap::Subcommand;
use serde::Serialize;

use super::options::{Options, audit_context};
use super::output::{Output, time};

/// Commands for the server keys. To replace the one in use: `add`, `promote`
/// when every replica holds the new one, `retire` when nothing needs the old one.
#[derive(Subcommand)]
pub enum ServerKeys {
    /// List the server keys, the oldest first, and the data that still needs each of them.
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Add a key to the key file of this machine, to be promoted later. Replicas that share
    /// the file read it; copy it to others.
    Add {
        #[command(flatten)]
        output: Output,
    },
    /// Promote a key to the current one. Existing hashes stay valid, and replicas follow without
    /// a restart.
    Promote {
        /// The name of the key, as `list` shows it.
        key: KeyName,
        /// Promote it even if a running replica lacks it. That replica rejects the
        /// hashes of others.
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        output: Output,
    },
    /// Invalidate a key that is no longer the current one. It stays in the key file,
    /// marked, so that the audit trail of its time can be verified.
    Retire {
        /// The name of the key, as `list` shows it.
        key: KeyName,
        /// Retire it even if data needs it, after a compromise.
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        output: Output,
    },
}

#[derive(Serialize)]
struct Line {
    key: String,
    /// new, current, old or retired.
    state: &'static str,
    /// Whether this machine has it.
    is_here: bool,
    /// The number of running replicas that have it, and of those that make hashes with it.
    held_by: usize,
    used_by: usize,
    promoted_at: Option<i64>,
    retired_at: Option<i64>,
    needed_by: Vec<Need>,
}

/// Changes the database of a running service, which follows by itself.
#[tokio::main]
pub async fn run(options: &Options, command: &ServerKeys) -> anyhow::Result<()> {
    let app = options.open().await?;
    match command {
        ServerKeys::List { output } => list(&app, output).await,
        ServerKeys::Add { output } => add(&app, output).await,
        ServerKeys::Promote { key, force, output } => promote(&app, *key, *force, output).await,
        ServerKeys::Retire { key, force, output } => retire(&app, *key, *force, output).await,
    }
}

async fn list(app: &Arc<App>, output: &Output) -> anyhow::Result<()> {
    let ring = app.server_keys.ring();
    let here: Vec<_> = ring.keys().iter().map(|one| one.name()).collect();
    let now = app.clock.now().timestamp_millis();
    let lines = app.store.read(move |tx| lines(tx, &here, now)).await?;
    let columns = [
        "KEY",
        "STATE",
        "SINCE",
        "HERE",
        "HELD BY",
        "USED BY",
        "NEEDED BY",
    ];
    output.rows(columns, &lines, |line| {
        [
            line.key.clone(),
            line.state.to_owned(),
            time(line.retired_at.or(line.promoted_at)),
            if line.is_here { "yes" } else { "no" }.to_owned(),
            line.held_by.to_string(),
            line.used_by.to_string(),
            rotation::in_words(&line.needed_by),
        ]
    })
}

/// The current key, the new ones, the old ones and the retired ones.
fn lines(tx: &mut Tx<'_>, here: &[KeyName], now: i64) -> Result<Vec<Line>, StoreError> {
    let promoted = keyring::promoted(tx)?;
    let current = promoted.last().map(|one| one.name);
    let replicas = replicas::list(tx, now)?;
    let gone = promoted.iter().map(|one| one.name);
    let gone = gone.filter(|name| !here.contains(name));
    let mut lines = Vec::new();
    for name in here.iter().copied().chain(gone) {
        let known = promoted.iter().find(|one| one.name == name);
        let retired_at = known.and_then(|one| one.retired_at);
        let needed_by = match retired_at {
            None => rotation::needs(tx, name, now)?,
            Some(_) => Vec::new(),
        };
        lines.push(Line {
            key: name.to_string(),
            state: match known {
                _ if retired_at.is_some() => "retired",
                _ if current == Some(name) => "current",
                Some(_) => "old",
                None => "new",
            },
            is_here: here.contains(&name),
            held_by: replicas
                .iter()
                .filter(|one| one.held.contains(&name))
                .count(),
            used_by: replicas.iter().filter(|one| one.uses == name).count(),
            promoted_at: known.map(|one| one.promoted_at),
            retired_at,
            needed_by,
        });
    }
    const ORDER: [&str; 4] = ["current", "new", "old", "retired"];
    lines.sort_by_key(|line| ORDER.iter().position(|state| *state == line.state));
    Ok(lines)
}

async fn add(app: &Arc<App>, output: &Output) -> anyhow::Result<()> {
    let file = match &app.key_source {
        KeySource::File(file) if !file.is_mounted() => file,
        KeySource::File(file) => anyhow::bail!(
            "the service does not write {}, the file of server.key_file: add a line to its source (32 \
             random bytes in base64: openssl rand -base64 32). Running replicas read the file again",
            file.path().display()
        ),
        KeySource::Configuration(_) => anyhow::bail!(
            "the server key is in the configuration: put another one behind it, after a comma \
             (32 random bytes in base64: openssl rand -base64 32), and restart one replica after \
             the other"
        ),
    };
    let new = file.new_key(app.random.as_ref())?;
    let key = new.name();
    let trail = audit_context(app);
    let write = move |tx: &mut Tx<'_>| trail.record(tx, "server.key.added", &key.to_string(), "");
    // The event is first, so that no key is without one. An event without a key does no harm.
    app.store.write(write).await?;
    new.save()?;
    let words = format!(
        "{key} is added to {}. When every replica holds it (server-keys list):\n\
         accord-server server-keys promote {key}",
        file.path().display()
    );
    output.one(&named(key), &words)
}

async fn promote(app: &Arc<App>, key: KeyName, force: bool, output: &Output) -> anyhow::Result<()> {
    let ring = app.server_keys.ring();
    let old = ring.current();
    let is_new = ring
        .keys()
        .iter()
        .any(|one| one.name() == key && !one.is_retired);
    if !is_new {
        return Err(RotationError::Unknown(key).into());
    }
    // The audit trail depends on the order of the keys in the file.
    if ring.position(key) < ring.position(old) {
        return Err(RotationError::NotNew(key).into());
    }
    let trail = audit_context(app);
    let write = move |tx: &mut Tx<'_>| {
        rotation::promote(tx, key, force, trail.now())?;
        trail.record(tx, "server.key.promoted", &key.to_string(), "")?;
        Ok::<_, RotationError>(())
    };
    app.store.write(write).await?;
    let words = format!(
        "{key} is the current server key. When nothing needs the old one (server-keys list):\n\
         accord-server server-keys retire {old}"
    );
    output.one(&named(key), &words)
}

async fn retire(app: &Arc<App>, key: KeyName, force: bool, output: &Output) -> anyhow::Result<()> {
    // Events recorded under this key are sealed while it is still accepted.
    audit::seal_all(&app.kernel).await?;
    let trail = audit_context(app);
    let signing = Arc::clone(&app.identity.keys);
    let write = move |tx: &mut Tx<'_>| {
        rotation::retire(tx, &signing, trail.server_keys(), key, force, trail.now())?;
        trail.record(tx, "server.key.retired", &key.to_string(), "")?;
        Ok::<_, RotationError>(())
    };
    let retired = app.store.write(write).await;
    // An earlier run may have ended between the database and the file.
    if let KeySource::File(file) = &app.key_source
        && !file.is_mounted()
        && matches!(retired, Ok(()) | Err(RotationError::Retired(_)))
    {
        file.retire(key)?;
    }
    retired?;
    let words = match &app.key_source {
        KeySource::File(file) if !file.is_mounted() => {
            format!(
                "{key} is retired, and marked so in {}.",
                file.path().display()
            )
        }
        KeySource::File(file) => {
            let path = file.path().display();
            format!("{key} is retired. Write `retired` before it in the source of {path}.")
        }
        KeySource::Configuration(_) => {
            format!("{key} is retired. In the configuration, write `retired` before it.")
        }
    };
    output.one(&named(key), &words)
}

fn named(key: KeyName) -> serde_json::Value {
    serde_json::json!({"key": key.to_string()})
}
