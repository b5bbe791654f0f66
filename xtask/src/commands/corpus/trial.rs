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
    /// Both sides, with their names.
    pub(super) fn sides(&self) -> [(&'static str, &Outcome); 2] {
        [("server", &self.server), ("client", &self.client)]
    }
}

/// Tries a document.
///
/// # Errors
///
/// When the file cannot be read, or cargo cannot be run.
pub(super) fn try_document(
    path: &Path,
    sides: Sides,
    keep_going: bool,
    mut workbench: Option<&mut Workbench>,
) -> anyhow::Result<Row> {
    std::fs::File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let name = path.file_name().unwrap_or(path.as_os_str());
    let name = name.to_string_lossy();
    let mut source = Source::new(&*name, "");
    let started = Instant::now();
    let loaded = panics::catch(|| Document::load_file_as(&name, path));
    let mut milliseconds = None;
    let mut left_out = Vec::new();
    let (operations, server, client) = match loaded {
        Ok(Ok(mut document)) => {
            source = document.source.clone();
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
            milliseconds = Some(started.elapsed().as_millis());
            if let Some(workbench) = &mut workbench {
                if let (Outcome::Generated { build, .. }, Some(tokens)) = (&mut server, server_code)
                    && let Ok(lowered) = lower::lower(&document, "document")
                {
                    *build = Some(workbench.server(&lowered.api, &dropforge::pretty(tokens))?);
                }
                if let (Outcome::Generated { build, .. }, Some(tokens)) = (&mut client, client_code)
                {
                    *build = Some(workbench.client(&dropforge::pretty(tokens))?);
                }
            }
            (count_operations(&document), server, client)
        }
        // Neither side is tried if the document cannot be loaded.
        Ok(Err(refused)) => {
            source = refused.source;
            let diagnostics = refused.diagnostics;
            (
                0,
                Outcome::Refused(diagnostics.clone()),
                Outcome::Refused(diagnostics),
            )
        }
        Err(panic) => (0, Outcome::Defect(panic.clone()), Outcome::Defect(panic)),
    };
    Ok(Row {
        source,
        operations,
        milliseconds: milliseconds.unwrap_or_else(|| started.elapsed().as_millis()),
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
