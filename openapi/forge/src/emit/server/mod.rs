//! The server's half of a document: types, responses, the traits to implement,
//! the tables that the runtime interprets, and the handlers between them.
//!
//! Emitted paths are absolute, so that no name of a document can shadow the names that its code
//! uses.

mod bodies;
mod contract;
mod debug;
mod default;
mod handlers;
mod impls;
mod parameters;
mod responses;
mod routes;
mod schemas;
mod security;
mod service;
mod structs;
mod tables;
mod text;
mod type_path;
mod types;

use crate::ir::Api;
use proc_macro2::TokenStream;
use quote::quote;

/// Emits the contents of the server module of a document.
pub fn emit(api: &Api) -> TokenStream {
    let types = types::emit(api);
    let parameters = parameters::emit(api);
    let bodies = bodies::emit(api);
    let responses = responses::emit(api);
    let security = security::emit(api);
    let service = service::emit(api);
    let schemas = schemas::emit(api);
    let tables = tables::emit(api);
    let handlers = handlers::emit(api);
    let routes = routes::emit(api);
    let contract = contract::emit(api);
    quote! {
        /// One type for each schema that has a name.
        pub mod types { #types }
        /// The parameters of each operation.
        pub mod parameters { #parameters }
        /// One type for each response.
        pub mod responses { #responses }
        #bodies
        #security
        #service
        #tables
        mod schemas { #schemas }
        #handlers
        #routes
        #contract
    }
}
