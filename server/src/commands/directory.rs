//! `accord-server apply` and `accord-server export`

use std::path::PathBuf;
use std::sync::Arc;

use accord_server::accounts::manifest::{Action, Manifest, ManifestError, Plan, Waiting};
use accord_server::demo;
use accord_server::kernel::{Kernel, SystemClock, SystemRandom};
use anyhow::{Context as _, bail};

use super::input::confirmed;
use super::options::{Options, audit_context};
use super::output::{print, print_line};

/// A directory to apply.
#[derive(clap::Args)]
pub struct Apply {
    /// The file, as `accord-server export` writes one.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Show what would be done, and do nothing.
    #[arg(long)]
    dry_run: bool,
    /// Apply without confirmation.
    #[arg(long, short)]
    yes: bool,
    /// Remove entries that the file does not name.
    #[arg(long)]
    remove: bool,
}

async fn open(options: &Options) -> anyhow::Result<Kernel> {
    let config = options.load()?;
    let kernel = Kernel::open(config, Arc::new(SystemClock), Arc::new(SystemRandom)).await?;
    demo::leave_out(&kernel.store).await?;
    Ok(kernel)
}

/// Changes the database of a running service.
#[tokio::main]
pub async fn apply(options: &Options, apply: &Apply) -> anyhow::Result<()> {
    let path = apply.file.display();
    let text = std::fs::read_to_string(&apply.file).with_context(|| path.to_string())?;
    let manifest: Manifest = toml::from_str(&text).with_context(|| path.to_string())?;
    let kernel = open(options).await?;
    let remove = apply.remove;
    let plan = {
        let manifest = manifest.clone();
        let planned = kernel.store.read(move |tx| manifest.plan(tx, remove)).await;
        planned.with_context(|| path.to_string())?
    };
    print(&shown(&plan))?;
    if plan.steps.is_empty() {
        return print_line("Nothing to do.");
    }
    if apply.dry_run {
        return Ok(());
    }
    if !apply.yes && !confirmed("Do this?", "--yes, or --dry-run to only show the changes")? {
        bail!("nothing was done");
    }
    let applied = plan.clone();
    let trail = audit_context(&kernel);
    kernel
        .store
        .write(move |tx| {
            manifest.apply(tx, remove, &applied)?;
            let detail = applied.summary();
            trail.record(tx, "accounts.directory.applied", "directory", &detail)?;
            for step in &applied.steps {
                if let Some((instance, organization)) = step.owner() {
                    let detail = format!("organization {organization}");
                    trail.record(tx, "patterns.instance.owned", instance, &detail)?;
                }
                let Some((organization, user)) = step.administrator() else {
                    continue;
                };
                let action = match step.action {
                    Action::Remove => "accounts.administrator.removed",
                    Action::Create | Action::Change(_) => "accounts.administrator.added",
                };
                trail.record(tx, action, user, &format!("organization {organization}"))?;
            }
            Ok::<_, ManifestError>(())
        })
        .await
        .with_context(|| format!("{path}: nothing was done"))?;
    print_line("Done.")
}

/// Prints the directory as a file.
#[tokio::main]
pub async fn export(options: &Options) -> anyhow::Result<()> {
    let kernel = open(options).await?;
    let manifest = kernel.store.read(Manifest::export).await?;
    print(&toml::to_string(&manifest)?)
}

/// The changes of a plan, as lines for people.
fn shown(plan: &Plan) -> String {
    let mut text = String::new();
    for step in &plan.steps {
        match &step.action {
            Action::Create => text += &format!("+ {}\n", step.subject),
            Action::Remove => text += &format!("- {}\n", step.subject),
            Action::Change(changes) => {
                text += &format!("~ {}\n", step.subject);
                for (name, now, then) in changes {
                    text += &format!("    {name}: {now} -> {then}\n");
                }
            }
        }
    }
    for Waiting {
        organization,
        email,
    } in &plan.waiting
    {
        text += &format!(
            "? administrator {email} of organization {organization}: there is no such user yet. Add \
             the user with `accord-server users add`, then apply the file again.\n"
        );
    }
    let count = |is: fn(&Action) -> bool| plan.steps.iter().filter(|step| is(&step.action)).count();
    text + &format!(
        "{} to create, {} to change, {} to remove; {} unchanged, {} not in the file\n",
        count(|action| matches!(action, Action::Create)),
        count(|action| matches!(action, Action::Change(_))),
        count(|action| matches!(action, Action::Remove)),
        plan.unchanged,
        plan.unnamed
    )
}
