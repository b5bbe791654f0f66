//! Clients: a document is lowered to what progenitor takes, progenitor makes a client of it, and what was lowered is
//! given back beside that client.
//!
//! - [`lower`]: the document to a document, a pass per file, each change of meaning in the [`report`];
//! - [`progenitor`]: the lowered document to code;
//! - [`give`]: the code that gives back errors by status, event streams, optional bodies, open enumerations;
//! - [`splice`]: how the two go together;
//! - [`places`]: where in the document each item comes from;
//! - [`crates`]: the crates that the code names, through `dropforge_client`.

mod crates;
mod give;
mod lower;
mod places;
mod progenitor;
pub mod report;
mod splice;

use crate::document::{Diagnostic, Diagnostics, Document};
use proc_macro2::TokenStream;
use report::LossReport;

/// A client and what it leaves out.
#[derive(Debug)]
pub struct ClientOutput {
    /// The contents of a module. It names no crate but `dropforge_client`.
    pub tokens: TokenStream,
    /// Every place of the document whose meaning the client changes.
    pub report: LossReport,
}

/// Makes a client of a document.
///
/// # Errors
///
/// Everything that a client cannot be made of, with its position; no document makes it panic.
pub fn generate(document: &Document) -> Result<ClientOutput, Diagnostics> {
    let mut lowered = lower::lower(document)?;
    let tokens = progenitor::generate(&mut lowered).map_err(|refusals| {
        let mut diagnostics = Diagnostics::default();
        for refusal in refusals {
            let span = document.at(&refusal.pointer).unwrap_or(&document.root).span;
            let message = format!("no client can be made of this: {}", refusal.message);
            diagnostics.push(Diagnostic::error("client-unsupported", span, message));
        }
        diagnostics.sort();
        diagnostics
    })?;
    let tokens = give::back(&lowered, tokens).map_err(|message| {
        Diagnostics::from(Diagnostic::error(
            "client-unsupported",
            document.root.span,
            message,
        ))
    })?;
    Ok(ClientOutput {
        tokens: crates::through_library(places::mark(tokens, document)),
        report: lowered.report,
    })
}
