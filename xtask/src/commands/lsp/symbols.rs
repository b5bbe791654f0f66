//! The outline of a document: its operations by path, and its components by kind.

use dropforge::document::{Entry, Node};
use gen_lsp_types::{DocumentSymbol, SymbolKind, Uri};

use super::files;
use super::state::State;
use super::text::Text;

/// The outline of a file.
pub(super) fn outline(state: &mut State, uri: &Uri) -> Vec<DocumentSymbol> {
    let Some(document) = files::path(uri).and_then(|path| state.written(&path)) else {
        return Vec::new();
    };
    let text = Text::new(&document.source.text);
    let mut outline = Vec::new();
    for (path, entry) in entries(document.root.get("paths")) {
        let operations = entries(Some(&entry.value)).filter_map(|(method, operation)| {
            let id = operation.value.get("operationId")?.as_str()?;
            let mut symbol = symbol(id, operation, SymbolKind::Method, &text);
            symbol.detail = Some(method.to_uppercase());
            Some(symbol)
        });
        let mut symbol = symbol(path, entry, SymbolKind::Module, &text);
        symbol.children = Some(operations.collect());
        outline.push(symbol);
    }
    for (kind, entry) in entries(document.root.get("components")) {
        let components = entries(Some(&entry.value)).map(|(name, component)| {
            let mut symbol = symbol(name, component, symbol_kind(kind), &text);
            let properties = entries(component.value.get("properties"));
            let properties = properties
                .map(|(name, property)| self::symbol(name, property, SymbolKind::Field, &text));
            symbol.children = Some(properties.collect());
            symbol
        });
        let mut symbol = symbol(kind, entry, SymbolKind::Namespace, &text);
        symbol.children = Some(components.collect());
        outline.push(symbol);
    }
    if outline.is_empty() {
        for (name, entry) in entries(Some(&document.root)) {
            outline.push(symbol(name, entry, SymbolKind::Key, &text));
        }
    }
    outline
}

fn entries(node: Option<&Node>) -> impl Iterator<Item = (&str, &Entry)> {
    let object = node.and_then(Node::as_object).into_iter();
    object.flat_map(|object| object.iter())
}

fn symbol_kind(kind: &str) -> SymbolKind {
    match kind {
        "schemas" => SymbolKind::Struct,
        "securitySchemes" => SymbolKind::Key,
        _ => SymbolKind::Object,
    }
}

fn symbol(name: &str, entry: &Entry, kind: SymbolKind, text: &Text<'_>) -> DocumentSymbol {
    let key = entry.key_span;
    // A value that an alias repeats is elsewhere.
    let end = entry.value.span.end.max(key.end);
    let name = match name.trim().is_empty() {
        true => "(empty)",
        false => name,
    };
    DocumentSymbol::new(
        name.to_owned(),
        None,
        kind,
        None,
        None,
        text.range(key.start, end),
        text.range(key.start, key.end),
        None,
    )
}
