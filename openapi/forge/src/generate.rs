//! The whole way from a document to Rust source.

use crate::document::{Diagnostics, Document};
use crate::stack::on_deep_stack;
use crate::{emit, lower};
use proc_macro2::TokenStream;

/// What was generated from a document, and what its author should know.
#[derive(Debug, Clone)]
pub struct Generated {
    /// The contents of a module.
    pub tokens: TokenStream,
    /// Findings about keys of the document that the generated code does not implement.
    pub warnings: Diagnostics,
}

/// What a server is generated for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Purpose {
    /// The trait's methods have no bodies: the compiler names those that are missing.
    #[default]
    Complete,
    /// The trait's methods have bodies that answer 501 with the operation's name, so that the server starts before they
    /// are written. The contract tests leave out what such a server cannot do yet.
    Prototype,
}

/// Generates the server's half of a document. `name` is the area's name.
///
/// # Errors
///
/// Everything that is wrong with the document or not supported, with positions.
pub fn generate_server(document: &Document, name: &str) -> Result<Generated, Diagnostics> {
    generate_server_for(document, name, Purpose::Complete)
}

/// Generates the server's half of a document for a purpose. `name` is the area's name.
///
/// # Errors
///
/// Everything that is wrong with the document or not supported, with positions.
pub fn generate_server_for(
    document: &Document,
    name: &str,
    purpose: Purpose,
) -> Result<Generated, Diagnostics> {
    let mut lowered = lower::lower(document, name)?;
    lowered.api.is_prototype = purpose == Purpose::Prototype;
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
/// unformatted where they are not valid Rust, so that the compiler's message still
/// has something to point at.
pub fn pretty(tokens: TokenStream) -> String {
    on_deep_stack(|| match syn::parse2(tokens.clone()) {
        Ok(file) => emit::places::comments(&prettyplease::unparse(&file)),
        Err(_) => tokens.to_string(),
    })
}
