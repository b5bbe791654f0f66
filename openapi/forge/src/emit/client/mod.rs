//! Clients: writes the IR as the subset of OpenAPI that progenitor supports, generates a client with progenitor, and
//! restores the other features beside that client.
//!
//! - [`subset`]: the IR to a document for progenitor, one idea per file; unsupported features are in the [`report`];
//! - [`progenitor`]: that document to code;
//! - [`output`]: the parts of this code that restored code uses;
//! - [`restore`]: code for errors by status, event streams, optional bodies, open enumerations, parameters in every
//!   style, forms of several parts;
//! - [`thin`]: shortens the code of progenitor and typify;
//! - [`usage`]: the documentation of methods;
//! - [`places`]: the place in the document of each item;
//! - [`items`]: finds parts of generated code;
//! - [`crates`]: the crates that the code names, through `dropforge_client`.

mod crates;
mod items;
mod output;
mod places;
mod progenitor;
pub mod report;
mod restore;
mod subset;
mod thin;
mod usage;

use super::comment;
use crate::document::{Diagnostic, Diagnostics, Document};
use crate::ir::Api;
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
    /// The documentation of the module in Markdown: the title of the document and the beginning of its description, up to
    /// the first heading.
    pub summary: String,
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
    let unsupported = |message: String| {
        let error = Diagnostic::error("client-unsupported", document.root.span, message);
        Diagnostics::from(error)
    };
    let tokens = output::with_library_calls(tokens);
    let mut file = syn::parse2::<syn::File>(tokens).map_err(|error| {
        unsupported(format!("the code of progenitor is not valid Rust: {error}"))
    })?;
    restore::restore(&lowered.api, &subset, &mut file.items).map_err(unsupported)?;
    thin::thin(&mut file.items);
    usage::document(&mut file.items, &subset.operations);
    places::mark(&mut file, document, &lowered.api);
    Ok(ClientOutput {
        tokens: crates::through_library(file.into_token_stream()),
        summary: summary(&lowered.api),
        report: subset.report,
        warnings: lowered.warnings,
    })
}

/// The title and the beginning of the description.
fn summary(api: &Api) -> String {
    let lines = api.description.iter().flat_map(|text| text.lines());
    let beginning: Vec<&str> = lines.take_while(|line| !line.starts_with('#')).collect();
    let text = format!("{}.\n\n{}", api.title, beginning.join("\n"));
    comment::description(text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_ends_before_the_first_heading() {
        let text = "openapi: 3.0.3\ninfo:\n  title: Notes\n  version: '1'\n  description: |\n    Write notes.\n\n    \
                    Read them.\n\n    ## Quick start\n\n    Run it.\npaths: {}\n";
        let document = Document::load("test.yaml", text).expect("YAML");
        let client = generate(&document).expect("a client");
        assert_eq!(client.summary, "Notes.\n\nWrite notes.\n\nRead them.");
    }

    #[test]
    fn the_summary_closes_a_block_of_code() {
        let text = "openapi: 3.0.3\ninfo:\n  title: Notes\n  version: '1'\n  description: |\n    Run it:\n\n    \
                    ```sh\n    # Log in.\n    ```\npaths: {}\n";
        let document = Document::load("test.yaml", text).expect("YAML");
        let client = generate(&document).expect("a client");
        assert_eq!(client.summary, "Notes.\n\nRun it:\n\n```sh\n```");
    }

    /// The code of a client whose schema `Thing` has these properties.
    fn client_of(properties: &str) -> String {
        let text = format!(
            "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths:\n  /a:\n    get:\n      responses:\n        \
             '200':\n          description: A\n          content: {{application/json: \
             {{schema: {{$ref: '#/components/schemas/Thing'}}}}}}\ncomponents:\n  schemas:\n    \
             Address: {{type: string, allOf: [{{pattern: a}}, {{pattern: b}}]}}\n    \
             Thing: {{type: object, properties: {{{properties}}}}}\n"
        );
        let document = Document::load("test.yaml", &text).expect("YAML");
        crate::pretty(generate(&document).expect("a client").tokens)
    }

    #[test]
    fn compositions_that_only_restrict_a_scalar_have_its_type() {
        let code = client_of(
            "address: {$ref: '#/components/schemas/Address'}, \
             bare: {allOf: [{type: string, pattern: a}, {type: string, pattern: b}]}, \
             count: {type: integer, oneOf: [{minimum: 5}, {maximum: 1}]}",
        );
        for field in [
            "pub address: ::std::option::Option<::std::string::String>,",
            "pub bare: ::std::option::Option<::std::string::String>,",
            "pub count: ::std::option::Option<i64>,",
        ] {
            assert!(code.contains(field), "{field}");
        }
    }

    #[test]
    fn a_property_may_have_the_name_of_a_function_of_progenitor() {
        let code = client_of("fromResponse: {type: string}, encodePath: {type: string}");
        for field in [
            "pub from_response: ::std::option::Option<::std::string::String>,",
            "pub encode_path: ::std::option::Option<::std::string::String>,",
        ] {
            assert!(code.contains(field), "{field}");
        }
    }

    #[test]
    fn formats_that_servers_do_not_check_decide_no_type() {
        let code = client_of(
            "address: {type: string, format: ip}, count: {type: integer, format: uint}, \
             size: {type: integer, format: int}, total: {type: integer, format: uint64}",
        );
        for field in [
            "pub address: ::std::option::Option<::std::string::String>,",
            "pub count: ::std::option::Option<i64>,",
            "pub size: ::std::option::Option<i64>,",
            "pub total: ::std::option::Option<u64>,",
        ] {
            assert!(code.contains(field), "{field}");
        }
    }
}
