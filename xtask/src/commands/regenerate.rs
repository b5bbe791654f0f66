//! `regenerate`: rewrites committed files that are derived from others.
//!
//! [`of_documents`], [`of_tests`], [`of_manifests`] and [`of_programs`] list each file with its content
//! and its origin. Add a file there, and this command rewrites it, and `--check` names it if it is
//! stale.
//!
//! The command does not replace a released form by another one of the same revision, because
//! clients may rely on it: see [`Arguments::unreleased`].

mod access;
mod clauses;
mod constructs;
mod programs;
mod summary;
mod untested;

use std::path::PathBuf;

use anyhow::Context;
use dropforge::check::{published, release};
use dropforge::document::Document;

use crate::{Outcome, files, licenses, repository};

/// Rewrite committed files that are derived from others
///
/// These are the released form of each document, and the loss report of its client
/// (openapi/published); the table of operations in the README; the page of supported
/// constructs (openapi/forge/CONSTRUCTS.md); the tables of RFC clauses
/// and of access in the server's tests; the references of the two command lines; the
/// third-party packages of the service with their licenses (server/deploy/THIRD-PARTY.md). Files
/// that are up to date stay untouched.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask regenerate               rewrite stale files
  cargo xtask regenerate --check       only name stale files
  cargo xtask regenerate --documents   only files derived from documents: nothing is built

Exit code: 0 when all is up to date (with --check) or has been rewritten,
1 when --check found something stale or a changed document needs a higher
revision (cargo xtask diff --write), 2 when a document cannot be loaded or a program cannot be
built.")]
pub(crate) struct Arguments {
    /// Write nothing; fail if a file is stale, and name it
    #[arg(long)]
    check: bool,
    /// Leave out files derived from the programs
    #[arg(long)]
    documents: bool,
    /// Replace the released form even if that breaks callers, because nobody relies on it yet
    #[arg(long)]
    unreleased: bool,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<Outcome> {
    let mut documents = Vec::new();
    for path in repository::documents()? {
        documents.push((repository::area(&path), repository::load(&path)?));
    }
    if !arguments.check && !arguments.unreleased && unrevised(&documents)? {
        return Ok(Outcome::Failure);
    }
    let mut stale = write(arguments, of_documents(&documents)?)?;
    if !arguments.documents {
        stale |= write(arguments, of_tests(&documents)?)?;
        stale |= write(arguments, of_manifests()?)?;
        stale |= write(arguments, of_programs()?)?;
    }
    if arguments.check && stale {
        println!("run `cargo xtask regenerate`, and review the changes");
        return Ok(Outcome::Failure);
    }
    if !stale {
        println!("all files are up to date");
    }
    Ok(Outcome::Success)
}

/// Prints the documents that changed without the required revision. Returns whether there are
/// any.
fn unrevised(documents: &[(String, Document)]) -> anyhow::Result<bool> {
    let mut any = false;
    for (area, document) in documents {
        let released = repository::released(area)?;
        let findings = release::check(released.as_ref(), document);
        print!("{}", findings.render(&document.source));
        any |= !findings.is_empty();
    }
    if any {
        println!(
            "nothing is rewritten; --unreleased rewrites it, if nobody relies on the released form yet"
        );
    }
    Ok(any)
}

/// Rewrites stale files, or names them with `--check`. Returns whether there are any.
fn write(arguments: &Arguments, derived: Vec<Derived>) -> anyhow::Result<bool> {
    let mut stale = false;
    for Derived { path, content, of } in derived {
        let name = repository::relative(&path).display().to_string();
        // An unreadable file is rewritten, or the write fails with the reason.
        if std::fs::read_to_string(&path).is_ok_and(|present| present == content) {
            continue;
        }
        stale = true;
        if arguments.check {
            println!("stale: {name} (made of {of})");
            continue;
        }
        files::write(&path, content)?;
        println!("rewrote {name} (made of {of})");
    }
    Ok(stale)
}

/// A committed file that is derived from others.
struct Derived {
    path: PathBuf,
    content: String,
    /// Its origin, for people.
    of: String,
}

/// The files that are derived from the documents.
fn of_documents(documents: &[(String, Document)]) -> anyhow::Result<Vec<Derived>> {
    let mut all = Vec::new();
    for (area, document) in documents {
        all.push(Derived {
            path: repository::root().join(format!("openapi/published/{area}.json")),
            content: published::canonical(document),
            of: document.source.name.clone(),
        });
        let client = dropforge::emit::client::generate(document)
            .map_err(|diagnostics| anyhow::anyhow!(diagnostics.render(&document.source)))?;
        all.push(Derived {
            path: repository::root().join(format!("openapi/published/{area}.loss.md")),
            content: client.report.to_markdown(),
            of: document.source.name.clone(),
        });
    }
    all.push(Derived {
        path: repository::root().join("openapi/forge/CONSTRUCTS.md"),
        content: constructs::page()?,
        of: "the tables of OpenAPI's objects, and golden code".to_owned(),
    });
    let path = repository::root().join("README.md");
    let readme = std::fs::read_to_string(&path).context("cannot read README.md")?;
    all.push(Derived {
        content: summary::insert(&readme, documents)?,
        path,
        of: "the operations of all documents".to_owned(),
    });
    Ok(all)
}

/// The files that are derived from the tests.
fn of_tests(documents: &[(String, Document)]) -> anyhow::Result<Vec<Derived>> {
    Ok(vec![
        Derived {
            path: repository::root().join("server/CLAUSES.md"),
            content: clauses::page()?,
            of: "the tests of RFC clauses".to_owned(),
        },
        Derived {
            path: repository::root().join("server/ACCESS.md"),
            content: access::page(documents)?,
            of: "the tests of foreign callers".to_owned(),
        },
    ])
}

/// The files that are derived from the manifests of dependencies.
fn of_manifests() -> anyhow::Result<Vec<Derived>> {
    Ok(vec![Derived {
        path: repository::root().join("server/deploy/THIRD-PARTY.md"),
        content: licenses::page()?,
        of: "the manifests of all dependencies".to_owned(),
    }])
}

/// The files that are derived from the programs.
fn of_programs() -> anyhow::Result<Vec<Derived>> {
    let references = programs::references()?.into_iter();
    Ok(references
        .map(|reference| Derived {
            path: repository::root()
                .join(reference.folder)
                .join("COMMANDS.md"),
            content: reference.content,
            of: "the help of the program".to_owned(),
        })
        .collect())
}
