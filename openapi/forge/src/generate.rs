//! Generates Rust source from a document.

use crate::document::{Diagnostics, Document};
use crate::stack::on_deep_stack;
use crate::{emit, lower};
use proc_macro2::TokenStream;

/// The code generated from a document, with warnings for its author.
#[derive(Debug, Clone)]
pub struct Generated {
    /// The contents of a module.
    pub tokens: TokenStream,
    /// Findings about keys of the document that the generated code does not implement.
    pub warnings: Diagnostics,
}

/// The purpose of a generated server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Purpose {
    /// The trait's methods have no bodies: the compiler names those that are missing.
    #[default]
    Complete,
    /// The trait's methods have bodies that respond with 501 and the operation's name, so that the
    /// server starts before they are implemented. The contract tests omit all that such a server
    /// cannot do yet.
    Prototype,
}

/// Generates the server's half of a document. `name` is the area's name.
///
/// # Errors
///
/// All errors in the document and all unsupported keys, with positions.
pub fn generate_server(document: &Document, name: &str) -> Result<Generated, Diagnostics> {
    generate_server_for(document, name, Purpose::Complete)
}

/// Generates the server's half of a document for a purpose. `name` is the area's name.
///
/// # Errors
///
/// All errors in the document and all unsupported keys, with positions.
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
    // An error of the server is also one of the client, in the same words.
    #[cfg(feature = "client")]
    if !diagnostics.has_errors()
        && let Err(of_client) = emit::client::generate(document)
    {
        diagnostics.extend(of_client);
    }
    diagnostics.sort();
    diagnostics
}

/// Formats tokens as a person would, with the document's line after each item. Leaves tokens that
/// are not valid Rust unformatted, so that the compiler's message still points at something.
pub fn pretty(tokens: TokenStream) -> String {
    on_deep_stack(|| match syn::parse2(tokens.clone()) {
        Ok(file) => emit::places::comments(&prettyplease::unparse(&file)),
        Err(_) => tokens.to_string(),
    })
}
