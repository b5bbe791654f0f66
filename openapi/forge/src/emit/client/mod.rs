//! Clients: writes the IR as the subset of OpenAPI that progenitor supports, generates a client with progenitor, and
//! restores the other features beside that client.
//!
//! - [`subset`]: the IR to a document for progenitor, one idea per file; unsupported features are in the [`report`];
//! - [`progenitor`]: that document to code;
//! - [`restore`]: code for errors by status, event streams, optional bodies, open enumerations, parameters in every
//!   style, forms of several parts;
//! - [`splice`]: inserts this code into progenitor's;
//! - [`thin`]: shortens the code of progenitor and typify;
//! - [`usage`]: the documentation of methods;
//! - [`places`]: the place in the document of each item;
//! - [`crates`]: the crates that the code names, through `dropforge_client`.

mod crates;
mod places;
mod progenitor;
pub mod report;
mod restore;
mod splice;
mod subset;
mod thin;
mod usage;

use crate::document::{Diagnostic, Diagnostics, Document};
use crate::lower;
use crate::stack::on_deep_stack;
use proc_macro2::TokenStream;
use quote::ToTokens;
use report::LossReport;

/// A client and its losses.
#[derive(Debug)]
pub struct ClientOutput {
    /// The contents of a module. It names no crate but `dropforge_client`.
    pub tokens: TokenStream,
    /// Every place of the document that the client does not implement exactly.
    pub report: LossReport,
    /// The features of the document without generated code.
    pub warnings: Diagnostics,
}

/// Returns the document for progenitor, so that progenitor alone can be measured on it.
///
/// # Errors
///
/// Every invalid or unsupported part of the document, with its position.
pub fn lowered(document: &Document) -> Result<serde_json::Value, Diagnostics> {
    let lowered = lower::lower(document, "client")?;
    Ok(subset::write(&lowered.api).root)
}

/// Generates a client of a document.
///
/// # Errors
///
/// Every invalid or unsupported part of the document, with its position. No document causes a panic.
pub fn generate(document: &Document) -> Result<ClientOutput, Diagnostics> {
    on_deep_stack(|| generate_here(document))
}

fn generate_here(document: &Document) -> Result<ClientOutput, Diagnostics> {
    let lowered = lower::lower(document, "client")?;
    let mut subset = subset::write(&lowered.api);
    let tokens = progenitor::generate(&mut subset).map_err(|refusals| {
        let mut diagnostics = Diagnostics::default();
        for refusal in refusals {
            let span = document.at(&refusal.pointer).unwrap_or(&document.root).span;
            let message = format!("no client can be made of this: {}", refusal.message);
            diagnostics.push(Diagnostic::error("client-unsupported", span, message));
        }
        diagnostics.sort();
        diagnostics
    })?;
    let tokens = restore::restore(&lowered.api, &subset, tokens).map_err(|message| {
        Diagnostics::from(Diagnostic::error(
            "client-unsupported",
            document.root.span,
            message,
        ))
    })?;
    let mut file = syn::parse2::<syn::File>(tokens).map_err(|error| {
        let message = format!("the code of the client is not valid Rust: {error}");
        Diagnostics::from(Diagnostic::error(
            "client-unsupported",
            document.root.span,
            message,
        ))
    })?;
    thin::thin(&mut file.items);
    usage::document(&mut file.items, &subset.operations);
    places::mark(&mut file, document);
    Ok(ClientOutput {
        tokens: crates::through_library(file.into_token_stream()),
        report: subset.report,
        warnings: lowered.warnings,
    })
}
