//! `accord-server patterns`

use accord_server::patterns::catalog;
use accord_server::patterns::change::{self, Change, ChangeError, Values};
use accord_server::patterns::error::PatternError;
use accord_server::patterns::list::{self, Order, Selection};
use accord_server::patterns::pattern::{
    self, MAX_DESCRIPTION, MAX_GUIDELINES, Pattern, is_name, is_text,
};
use accord_server::store::Tx;
use anyhow::ensure;
use clap::Subcommand;
use serde_json::{Value, json};

use super::options::{Options, audit_context, operator};
use super::output::{Output, print_line};

/// Commands for agent patterns.
#[derive(Subcommand)]
pub enum Patterns {
    /// List the patterns of a project, by name.
    List {
        #[command(flatten)]
        project: Project,
        #[command(flatten)]
        output: Output,
    },
    /// Show one pattern.
    Show {
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        output: Output,
    },
    /// Lock a pattern, so that callers cannot change or delete it.
    Lock {
        #[command(flatten)]
        place: Place,
    },
    /// Unlock a pattern.
    Unlock {
        #[command(flatten)]
        place: Place,
        /// Unlock it even if another user locked it.
        #[arg(long)]
        force: bool,
    },
    /// Set values of a pattern.
    Set {
        #[command(flatten)]
        place: Place,
        /// Name.
        #[arg(long)]
        name: Option<String>,
        /// Description.
        #[arg(long)]
        description: Option<String>,
        /// Guidelines that the agent follows.
        #[arg(long)]
        guidelines: Option<String>,
        /// Most iterations of one run.
        #[arg(long, value_parser = clap::value_parser!(i32).range(1..))]
        max_iteration: Option<i32>,
        /// Only if this is still its revision, as `show` prints it.
        #[arg(long, value_name = "NUMBER")]
        revision: Option<i64>,
    },
}

/// A project.
#[derive(Clone, clap::Args)]
pub struct Project {
    /// Name of the service instance.
    instance: String,
    /// The project, by identifier or code.
    project: String,
}

impl Project {
    fn find(&self, tx: &mut Tx<'_>) -> Result<catalog::Project, PatternError> {
        catalog::project(tx, &self.instance, &self.project)
    }
}

/// A pattern of a project.
#[derive(Clone, clap::Args)]
pub struct Place {
    #[command(flatten)]
    project: Project,
    /// Code and version, with a bar between: 'ORDER_TRIAGE|01.00.0000'.
    id: String,
}

/// Changes the database of a running service, which uses the change at once.
#[tokio::main]
pub async fn run(options: &Options, command: &Patterns) -> anyhow::Result<()> {
    let app = options.open().await?;
    let (place, change, revision) = match command {
        Patterns::List { project, output } => {
            let project = project.clone();
            let all = Selection {
                limit: i32::MAX,
                offset: 0,
                order: Order::Name,
                filter: None,
                after: None,
            };
            let page = app.store.read(move |tx| {
                let project = project.find(tx)?;
                list::list(tx, project, &all)
            });
            return output.values(&COLUMNS, page.await?.patterns.iter().map(row));
        }
        Patterns::Show { place, output } => {
            let Place { project, id } = place.clone();
            let found = app
                .store
                .read(move |tx| {
                    let project = project.find(tx)?;
                    pattern::find(tx, &project, &id)
                })
                .await?;
            return output.values(&COLUMNS, [row(&found)]);
        }
        Patterns::Lock { place } => (place, Change::Lock, None),
        Patterns::Unlock { place, force: true } => (place, Change::ForceUnlock, None),
        Patterns::Unlock {
            place,
            force: false,
        } => (place, Change::Unlock, None),
        Patterns::Set {
            place,
            name,
            description,
            guidelines,
            max_iteration,
            revision,
        } => {
            let values = Values {
                name: name.clone(),
                description: description.clone(),
                guidelines: guidelines.clone(),
                max_iteration: *max_iteration,
            };
            ensure!(
                values != Values::default(),
                "nothing to set; --help lists the values"
            );
            ensure!(
                name.as_deref().is_none_or(is_name),
                "--name must have 1 to 255 characters, and no control characters"
            );
            for (option, text, longest) in [
                ("description", description, MAX_DESCRIPTION),
                ("guidelines", guidelines, MAX_GUIDELINES),
            ] {
                ensure!(
                    text.as_deref().is_none_or(|text| is_text(text, longest)),
                    "--{option} must have at most {longest} characters, and no NUL"
                );
            }
            (place, Change::Set(values), *revision)
        }
    };
    let Place { project, id } = place.clone();
    let action = match change {
        Change::Lock => "patterns.pattern.locked",
        Change::Unlock | Change::ForceUnlock => "patterns.pattern.unlocked",
        Change::Set(_) => "patterns.pattern.changed",
    };
    let trail = audit_context(&app);
    let changed = app
        .store
        .write(move |tx| {
            let project = project.find(tx)?;
            let (by, now) = (operator(), trail.time());
            let changed = change::apply(tx, &project, &id, &change, revision, &by, now)?;
            let subject = format!("{}/{}", changed.project.code, changed.id);
            trail.record(
                tx,
                action,
                &subject,
                &format!("revision {}", changed.revision),
            )?;
            Ok::<_, ChangeError>(changed)
        })
        .await?;
    print_line(&format!(
        "{} has revision {}{}.",
        changed.id,
        changed.revision,
        match &changed.lock {
            Some((by, _)) => format!(" and is locked by {by}"),
            None => String::new(),
        }
    ))
}

const COLUMNS: [&str; 8] = [
    "id",
    "name",
    "status",
    "max iteration",
    "locked by",
    "updated",
    "updated by",
    "revision",
];

fn row(pattern: &Pattern) -> Value {
    let (updated_at, updated_by) = &pattern.updated;
    json!([
        pattern.id.to_string(),
        pattern.name,
        pattern.status.as_str(),
        pattern.max_iteration,
        pattern.lock.as_ref().map(|(by, _)| by),
        updated_at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true),
        updated_by,
        pattern.revision,
    ])
}
