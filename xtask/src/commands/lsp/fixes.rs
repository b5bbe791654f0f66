//! Quick fixes: the proposals of the findings.

use std::collections::HashMap;

use gen_lsp_types::{CodeAction, CodeActionKind, CodeActionParams, Range, TextEdit, WorkspaceEdit};

use super::client::Client;
use super::files;
use super::state::State;
use super::text::Text;

/// The quick fixes of the findings in a range.
pub(super) fn actions(
    state: &State,
    client: &Client,
    params: &CodeActionParams,
) -> Vec<CodeAction> {
    let uri = &params.text_document.uri;
    let Some(path) = files::path(uri) else {
        return Vec::new();
    };
    let Ok(text) = state.files.read(&path) else {
        return Vec::new();
    };
    let text = Text::new(&text);
    let mut actions: Vec<CodeAction> = Vec::new();
    for finding in client.findings(&path) {
        let Some(fix) = &finding.fix else {
            continue;
        };
        // The text may have changed since it was analyzed.
        if !touches(finding.shown.range, params.range) || text.between(fix.range) != fix.old {
            continue;
        }
        let edit = TextEdit::new(fix.range, fix.new.clone());
        let changes = HashMap::from([(uri.clone(), vec![edit])]);
        let edit = WorkspaceEdit {
            changes: Some(changes),
            ..WorkspaceEdit::default()
        };
        if actions
            .iter()
            .any(|known| known.edit.as_ref() == Some(&edit))
        {
            continue;
        }
        actions.push(CodeAction {
            title: format!("Change to `{}`", fix.new),
            kind: Some(CodeActionKind::QuickFix),
            diagnostics: Some(vec![finding.shown.clone()]),
            is_preferred: Some(true),
            edit: Some(edit),
            ..CodeAction::default()
        });
    }
    actions
}

fn touches(a: Range, b: Range) -> bool {
    a.start <= b.end && b.start <= a.end
}
