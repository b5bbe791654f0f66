//! `accord-server accelerators`

use std::io::Read as _;
use std::path::{Path, PathBuf};

use accord_server::patterns::accelerator;
use accord_server::patterns::accelerators::{self, Added, CatalogError};
use accord_server::patterns::package::{self, Package, PackageError};
use anyhow::{Context as _, bail};
use clap::Subcommand;
use uuid::Uuid;

use super::options::{Options, audit_context, operator};
use super::output::{Output, print, print_line, time};

/// Manage accelerators: add, list, show, remove.
#[derive(Subcommand)]
pub enum Accelerators {
    /// Add a package. An invalid package is rejected as a whole.
    Add {
        /// The package: a zip archive, as `accelerators format` describes it.
        file: PathBuf,
        /// Replace another version. Existing patterns keep their content.
        #[arg(long)]
        replace: bool,
    },
    /// List accelerators, with their versions and number of patterns.
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Show the content that a pattern gets from an accelerator.
    Show {
        /// Its identifier.
        id: Uuid,
        #[command(flatten)]
        output: Output,
    },
    /// Remove an accelerator without patterns.
    Remove {
        /// Its identifier.
        id: Uuid,
    },
    /// Print the format of a package.
    Format,
}

/// Changes the database of a running service, which uses the change at once.
#[tokio::main]
pub async fn run(options: &Options, command: &Accelerators) -> anyhow::Result<()> {
    match command {
        Accelerators::Add { file, replace } => {
            // The package is checked before the database is opened.
            let name = file.display();
            let package = read(file).with_context(|| name.to_string())?;
            let added = add(options, package, *replace).await;
            added.with_context(|| name.to_string())
        }
        Accelerators::List { output } => list(options, output).await,
        Accelerators::Show { id, output } => show(options, *id, output).await,
        Accelerators::Remove { id } => remove(options, *id).await,
        Accelerators::Format => print(package::FORMAT),
    }
}

async fn list(options: &Options, output: &Output) -> anyhow::Result<()> {
    let app = options.open().await?;
    let all = app.store.read(accelerators::list).await?;
    let columns = ["ID", "NAME", "VERSION", "SOURCE", "PATTERNS", "ADDED", "BY"];
    output.rows(columns, &all, |one| {
        [
            one.id.clone(),
            one.name.clone(),
            one.version.clone(),
            one.source.clone(),
            one.patterns.to_string(),
            time(Some(one.added_at)),
            one.added_by.clone().unwrap_or_else(|| "-".into()),
        ]
    })
}

async fn remove(options: &Options, id: Uuid) -> anyhow::Result<()> {
    let app = options.open().await?;
    let trail = audit_context(&app);
    let gone = app
        .store
        .write(move |tx| {
            let gone = accelerators::remove(tx, id)?;
            let subject = id.to_string();
            trail.record(tx, "patterns.accelerator.removed", &subject, &gone.name)?;
            Ok::<_, CatalogError>(gone)
        })
        .await?;
    print_line(&format!("Removed {}.", gone.name))
}

fn read(file: &Path) -> anyhow::Result<Package> {
    let mut archive = Vec::new();
    // One byte more than the limit shows that the file is too large.
    std::fs::File::open(file)?
        .take(package::MAX_BYTES as u64 + 1)
        .read_to_end(&mut archive)?;
    Package::read(&archive).map_err(|error: PackageError| {
        let hint = "`accord-server accelerators format` says how one is made";
        anyhow::Error::new(error).context(format!("no package of an accelerator ({hint})"))
    })
}

async fn add(options: &Options, package: Package, replace: bool) -> anyhow::Result<()> {
    let app = options.open().await?;
    let (name, version) = (package.name.clone(), package.version.clone());
    let id = package.id;
    let trail = audit_context(&app);
    let added = app
        .store
        .write(move |tx| {
            let added = accelerators::add(tx, &package, replace, &operator(), trail.time())?;
            if added != Added::Unchanged {
                let detail = format!("{} {}", package.name, package.version);
                let subject = package.id.to_string();
                trail.record(tx, "patterns.accelerator.added", &subject, &detail)?;
            }
            Ok::<_, CatalogError>(added)
        })
        .await?;
    print_line(&match added {
        Added::New => format!("Added {name} {version} as {id}."),
        Added::Replaced => format!("{name} {version} replaced the content of {id}."),
        Added::Unchanged => format!("{name} {version} exists already, with the same content."),
    })
}

async fn show(options: &Options, id: Uuid, output: &Output) -> anyhow::Result<()> {
    let app = options.open().await?;
    let Some(one) = app.store.read(move |tx| accelerator::find(tx, id)).await? else {
        bail!(CatalogError::Unknown(id));
    };
    let mut words = format!(
        "{} {}, {} ({})\n{}\n\nguidelines      {}\nmost iterations {}\n",
        one.name,
        one.version,
        one.recipe_source.as_str(),
        one.id,
        one.description,
        one.guidelines,
        one.max_iteration
    );
    for integration in &one.integrations {
        words += &format!(
            "integration     {} {}, {} ({}, {})\n",
            integration.code,
            integration.version,
            integration.name,
            integration.kind,
            integration.status
        );
    }
    for role in &one.roles {
        let codes: Vec<_> = role
            .connections
            .iter()
            .map(|one| one.code.as_str())
            .collect();
        words += &format!("role            {}: {}\n", role.role, codes.join(", "));
    }
    output.one(&one, words.trim_end())
}
