//! The whole way from a document to Rust source.

use crate::document::{Diagnostics, Document};
use crate::{emit, lower};
use proc_macro2::TokenStream;

/// What was generated from a document, and what its author should know.
#[derive(Debug, Clone)]
pub struct Generated {
    /// The contents of a module.
    pub tokens: TokenStream,
    /// What the document says that the generated code does not honour.
    pub warnings: Diagnostics,
}

/// Generates the server's half of a document. `name` is the area's name.
///
/// # Errors
///
/// Everything that is wrong with the document or not supported, with positions.
pub fn generate_server(document: &Document, name: &str) -> Result<Generated, Diagnostics> {
    let lowered = lower::lower(document, name)?;
    Ok(Generated {
        tokens: emit::server::emit(&lowered.api),
        warnings: lowered.warnings,
    })
}

/// Returns every error and warning of the generator about a document, in the document's order:
/// of the server, and with the feature `client` also of the client. Code is generated exactly if
/// none of them is an error.
pub fn diagnose(document: &Document) -> Diagnostics {
    let mut diagnostics = match lower::lower(document, "document") {
        Ok(lowered) => lowered.warnings,
        Err(diagnostics) => diagnostics,
    };
    // What is wrong for the server is wrong for the client, in the same words.
    #[cfg(feature = "client")]
    if !diagnostics.has_errors()
        && let Err(of_client) = emit::client::generate(document)
    {
        diagnostics.extend(of_client);
    }
    diagnostics.sort();
    diagnostics
}

/// Lays tokens out as a person would, with the document's line behind each item;
/// unformatted where they are no valid Rust, so that the compiler's message still
/// has something to point at.
pub fn pretty(tokens: TokenStream) -> String {
    match syn::parse2(tokens.clone()) {
        Ok(file) => emit::places::comments(&prettyplease::unparse(&file)),
        Err(_) => tokens.to_string(),
    }
}
