//! Tries one document: whether each side is generated, refused or fails, and whether its code works.

use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use dropforge::document::{Diagnostics, Document, METHODS, Source};
use dropforge::emit::client;
use dropforge::quarantine::{self, LeftOut};
use dropforge::{Purpose, lower};
use proc_macro2::TokenStream;

use super::compile::{Build, Workbench};
use crate::panics;
use crate::project::Sides;

/// The outcome of a document on one side.
pub(super) enum Outcome {
    Generated {
        warnings: Diagnostics,
        /// The outcome of compiling the code, if it was compiled.
        build: Option<Build>,
    },
    Refused(Diagnostics),
    /// A defect of the generator, not of the document.
    Defect(String),
    /// This side was not requested.
    Skipped,
}

impl Outcome {
    pub(super) fn build(&self) -> Option<&Build> {
        match self {
            Outcome::Generated { build, .. } => build.as_ref(),
            _ => None,
        }
    }

    pub(super) fn does_not_work(&self) -> bool {
        self.build().is_some_and(|build| build.result.is_err())
    }
}

/// One document with its outcomes.
pub(super) struct Row {
    pub(super) source: Source,
    pub(super) operations: usize,
    pub(super) milliseconds: u128,
    pub(super) server: Outcome,
    pub(super) client: Outcome,
    /// The operations and components that were left out.
    pub(super) left_out: Vec<LeftOut>,
}

impl Row {
    /// Whether the generator failed on a side, or its code does not work.
    pub(super) fn has_defect(&self) -> bool {
        let mut sides = self.sides().into_iter();
        sides.any(|(_, outcome)| matches!(outcome, Outcome::Defect(_)) || outcome.does_not_work())
    }

    /// Both sides, with their names.
    pub(super) fn sides(&self) -> [(&'static str, &Outcome); 2] {
        [("server", &self.server), ("client", &self.client)]
    }
}

/// Tries a document. References may lead to all files below `root`, or by default below the folder of the document.
///
/// # Errors
///
/// When the file cannot be read, or cargo cannot be run.
pub(super) fn try_document(
    path: &Path,
    root: Option<&Path>,
    sides: Sides,
    keep_going: bool,
    workbench: Option<&mut Workbench>,
) -> anyhow::Result<Row> {
    std::fs::File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let name = path.file_name().unwrap_or(path.as_os_str());
    let name = name.to_string_lossy();
    let started = Instant::now();
    // Neither side is tried if the document cannot be loaded.
    let row = |source, outcome: &dyn Fn() -> Outcome| {
        let of = |wanted| if wanted { outcome() } else { Outcome::Skipped };
        Row {
            source,
            operations: 0,
            milliseconds: started.elapsed().as_millis(),
            server: of(sides.server),
            client: of(sides.client),
            left_out: Vec::new(),
        }
    };
    let load = || match root {
        Some(root) => Document::load_file_within(path, root),
        None => Document::load_file_as(&name, path),
    };
    match panics::catch(load) {
        Ok(Ok(document)) => try_loaded(document, started, sides, keep_going, workbench),
        Ok(Err(refused)) => {
            let diagnostics = refused.diagnostics;
            Ok(row(refused.source, &|| {
                Outcome::Refused(diagnostics.clone())
            }))
        }
        Err(panic) => {
            let source = Source::new(&*name, "");
            Ok(row(source, &|| Outcome::Defect(panic.clone())))
        }
    }
}

/// Tries a document that was loaded.
fn try_loaded(
    mut document: Document,
    started: Instant,
    sides: Sides,
    keep_going: bool,
    workbench: Option<&mut Workbench>,
) -> anyhow::Result<Row> {
    let source = document.source.clone();
    let mut left_out = Vec::new();
    if keep_going && let Ok(Ok(kept)) = panics::catch(|| keep_both(&document)) {
        document = kept.document;
        left_out = kept.left_out;
    }
    let purpose = match workbench {
        Some(_) => Purpose::Prototype,
        None => Purpose::Complete,
    };
    let (mut server, server_code) = outcome(sides.server, || {
        let generated = dropforge::generate_server_for(&document, "document", purpose)?;
        Ok((generated.tokens, generated.warnings))
    });
    // The features that a client lacks are in its loss report, and are not warnings.
    let (mut client, client_code) = outcome(sides.client, || {
        Ok((client::generate(&document)?.tokens, Diagnostics::default()))
    });
    let milliseconds = started.elapsed().as_millis();
    if let Some(workbench) = workbench {
        if let (Outcome::Generated { build, .. }, Some(tokens)) = (&mut server, server_code)
            && let Ok(lowered) = lower::lower(&document, "document")
        {
            *build = Some(workbench.server(&lowered.api, &dropforge::pretty(tokens))?);
        }
        if let (Outcome::Generated { build, .. }, Some(tokens)) = (&mut client, client_code) {
            *build = Some(workbench.client(&dropforge::pretty(tokens))?);
        }
    }
    Ok(Row {
        source,
        operations: count_operations(&document),
        milliseconds,
        server,
        client,
        left_out,
    })
}

/// Leaves out the operations that one of the sides refuses.
fn keep_both(document: &Document) -> Result<quarantine::Quarantined<()>, Diagnostics> {
    quarantine::keep_going(document, |document| {
        lower::lower(document, "document")?;
        client::generate(document).map(|_| ())
    })
}

/// Generates one side, and parses its code. Returns the code beside the outcome.
fn outcome(
    wanted: bool,
    generate: impl FnOnce() -> Result<(TokenStream, Diagnostics), Diagnostics>,
) -> (Outcome, Option<TokenStream>) {
    if !wanted {
        return (Outcome::Skipped, None);
    }
    let tried = panics::catch(|| {
        let (tokens, warnings) = generate()?;
        Ok::<_, Diagnostics>((syn::parse2::<syn::File>(tokens.clone()), tokens, warnings))
    });
    let outcome = match tried {
        Err(panic) => Outcome::Defect(panic),
        Ok(Err(diagnostics)) if diagnostics.is_empty() => {
            Outcome::Defect("refused without a reason".into())
        }
        Ok(Err(diagnostics)) => Outcome::Refused(diagnostics),
        Ok(Ok((Err(error), ..))) => {
            Outcome::Defect(format!("the output is not valid Rust: {error}"))
        }
        Ok(Ok((Ok(_), tokens, warnings))) => {
            return (
                Outcome::Generated {
                    warnings,
                    build: None,
                },
                Some(tokens),
            );
        }
    };
    (outcome, None)
}

/// The number of operations of a document.
pub(in crate::commands) fn count_operations(document: &Document) -> usize {
    let paths = document.at("/paths").and_then(|paths| paths.as_object());
    paths.map_or(0, |paths| {
        paths
            .iter()
            .filter_map(|(_, item)| item.value.as_object())
            .flat_map(|item| item.keys())
            .filter(|key| METHODS.contains(key))
            .count()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_that_cannot_be_loaded_is_not_counted_for_a_side_that_was_not_requested() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.yaml");
        std::fs::write(&path, "openapi: [\n").expect("a file");
        let sides = Sides {
            server: true,
            client: false,
        };
        let row = try_document(&path, None, sides, false, None).expect("a row");
        assert!(matches!(row.server, Outcome::Refused(_)));
        assert!(matches!(row.client, Outcome::Skipped));
    }
}
