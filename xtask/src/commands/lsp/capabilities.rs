//! The capabilities that the server reports to the editor.

use gen_lsp_types::{
    CodeActionKind, CodeActionOptions, CodeLensOptions, CompletionOptions, ExecuteCommandOptions,
    InitializeResult, PositionEncodingKind, SaveOptions, ServerCapabilities, ServerInfo,
    TextDocumentSyncKind, TextDocumentSyncOptions,
};
use serde_json::{Value, json};

use super::{completion, lenses};

/// The result of `initialize`.
pub(super) fn result() -> Value {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::Full),
        save: Some(SaveOptions::default().into()),
        ..TextDocumentSyncOptions::default()
    };
    let completion = CompletionOptions {
        trigger_characters: Some(completion::TRIGGERS.map(str::to_owned).to_vec()),
        ..CompletionOptions::default()
    };
    let actions = CodeActionOptions {
        code_action_kinds: Some(vec![CodeActionKind::QuickFix]),
        ..CodeActionOptions::default()
    };
    let commands = ExecuteCommandOptions {
        commands: vec![lenses::OPEN.to_owned()],
        ..ExecuteCommandOptions::default()
    };
    let capabilities = ServerCapabilities {
        position_encoding: Some(PositionEncodingKind::UTF16),
        text_document_sync: Some(sync.into()),
        completion_provider: Some(completion),
        hover_provider: Some(true.into()),
        definition_provider: Some(true.into()),
        references_provider: Some(true.into()),
        document_symbol_provider: Some(true.into()),
        code_action_provider: Some(actions.into()),
        code_lens_provider: Some(CodeLensOptions::default()),
        execute_command_provider: Some(commands),
        ..ServerCapabilities::default()
    };
    let info = ServerInfo {
        name: "accord".to_owned(),
        version: Some(env!("CARGO_PKG_VERSION").to_owned()),
    };
    json!(InitializeResult {
        capabilities,
        server_info: Some(info),
    })
}
