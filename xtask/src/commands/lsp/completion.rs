//! Completion of keys, references, scopes and media types.

use dropforge::document::{Cursor, Document};
use dropforge::structure::{Proposal, ProposalKind, Vocabulary};
use gen_lsp_types::{
    CompletionItem, CompletionItemKind, MarkupContent, MarkupKind, TextDocumentPositionParams,
    TextEdit,
};

use super::state::State;
use super::text::Text;

/// The words that fit a place.
pub(super) fn items(state: &mut State, at: &TextDocumentPositionParams) -> Vec<CompletionItem> {
    let Some(spot) = state.spot(at) else {
        return Vec::new();
    };
    let cursor = Cursor::new(&spot.text, spot.offset);
    let mut shared: Vec<(String, Document)> = Vec::new();
    for path in state.yaml() {
        let is_neighbor = path != spot.path && path.parent() == spot.path.parent();
        let name = path.file_name().and_then(|name| name.to_str());
        // Documents share the components of files that are not documents themselves.
        if let (true, Some(name), Some(document)) = (is_neighbor, name, state.written(&path))
            && document.root.get("openapi").is_none()
        {
            shared.push((name.to_owned(), Document::clone(&document)));
        }
    }
    let loaded = state.loaded.get(&spot.path).cloned();
    let vocabulary = Vocabulary {
        written: &spot.written,
        loaded: loaded.as_deref(),
        shared: &shared,
    };
    let typed = spot.text.get(cursor.start..spot.offset).unwrap_or_default();
    let line = spot.text[spot.offset..].lines().next().unwrap_or_default();
    let text = Text::new(&spot.text);
    let proposals = vocabulary.proposals(&cursor, typed).into_iter();
    let items = proposals.enumerate().map(|(index, proposal)| {
        let new_text = inserted(&proposal, &cursor, line);
        CompletionItem {
            kind: Some(match proposal.kind {
                ProposalKind::Reference => CompletionItemKind::Reference,
                ProposalKind::Value => CompletionItemKind::Value,
                _ => CompletionItemKind::Property,
            }),
            detail: Some(proposal.detail),
            documentation: (!proposal.documentation.is_empty()).then(|| {
                let markdown = MarkupContent::new(MarkupKind::Markdown, proposal.documentation);
                markdown.into()
            }),
            sort_text: Some(format!("{index:04}")),
            filter_text: Some(proposal.text.clone()),
            text_edit: Some(TextEdit::new(text.range(cursor.start, spot.offset), new_text).into()),
            label: proposal.text,
            ..CompletionItem::default()
        }
    });
    items.collect()
}

/// The text of a proposal with what belongs behind it. `line` is the line behind the cursor.
fn inserted(proposal: &Proposal, cursor: &Cursor, line: &str) -> String {
    let text = &proposal.text;
    let needs_quotes = match proposal.kind {
        ProposalKind::Reference => true,
        ProposalKind::Value => false,
        // A status is a string.
        _ => text.bytes().all(|byte| byte.is_ascii_digit()),
    };
    let text = match cursor.quote {
        Some(quote) if line.starts_with(quote) => return text.clone(),
        Some(quote) => format!("{text}{quote}"),
        None if needs_quotes => format!("\"{text}\""),
        None => text.clone(),
    };
    let indent = " ".repeat(cursor.column + 2);
    let has_value = line.trim_start().starts_with(':');
    match proposal.kind {
        ProposalKind::Reference | ProposalKind::Value => text,
        _ if has_value => text,
        ProposalKind::KeyOfObject if !cursor.is_flow => format!("{text}:\n{indent}"),
        ProposalKind::KeyOfList if !cursor.is_flow => format!("{text}:\n{indent}- "),
        _ => format!("{text}: "),
    }
}

/// The characters behind which completion is useful.
pub(super) const TRIGGERS: [&str; 6] = ["\"", "'", "#", "/", "$", "["];
