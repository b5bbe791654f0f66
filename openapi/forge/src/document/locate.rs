//! Finds the key or the value at an offset of a document.

use super::{Document, Kind, Node, Span, pointer};

/// The innermost key or value at an offset.
#[derive(Debug, Clone)]
pub struct Located<'d> {
    /// The JSON Pointer of the value.
    pub pointer: String,
    /// The value.
    pub node: &'d Node,
    /// The position of its key; `None` for an element of a list and for the root.
    pub key_span: Option<Span>,
    /// Whether the offset is in the key, and not in the value.
    pub is_key: bool,
}

impl Document {
    /// The innermost key or value at an offset. An offset behind the last character of a word
    /// belongs to that word.
    pub fn locate(&self, offset: usize) -> Located<'_> {
        let mut located = Located {
            pointer: String::new(),
            node: &self.root,
            key_span: None,
            is_key: false,
        };
        while let Some(inner) = inner(&located, offset) {
            located = inner;
            if located.is_key {
                break;
            }
        }
        located
    }
}

fn inner<'d>(outer: &Located<'d>, offset: usize) -> Option<Located<'d>> {
    match &outer.node.kind {
        Kind::Object(object) => object.iter().find_map(|(key, entry)| {
            let is_key = holds(entry.key_span, offset);
            (is_key || holds(entry.value.span, offset)).then(|| Located {
                pointer: pointer::join(&outer.pointer, key),
                node: &entry.value,
                key_span: Some(entry.key_span),
                is_key,
            })
        }),
        Kind::Array(elements) => {
            let mut elements = elements.iter().enumerate();
            elements.find_map(|(index, element)| {
                holds(element.span, offset).then(|| Located {
                    pointer: pointer::join(&outer.pointer, &index.to_string()),
                    node: element,
                    key_span: None,
                    is_key: false,
                })
            })
        }
        _ => None,
    }
}

fn holds(span: Span, offset: usize) -> bool {
    span.start <= offset && offset <= span.end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_leads_to_the_innermost_key_or_value() {
        let text = "info:\n  tags: [a, {name: bcd}]\n  title: T\n";
        let document = Document::read("a.yaml", text).expect("a document");
        let at = |word: &str| {
            let located = document.locate(text.find(word).expect("a word") + 1);
            (located.pointer, located.is_key)
        };
        assert_eq!(at("info"), ("/info".into(), true));
        assert_eq!(at("name"), ("/info/tags/1/name".into(), true));
        assert_eq!(at("bcd"), ("/info/tags/1/name".into(), false));
        assert_eq!(at("title"), ("/info/title".into(), true));
        assert_eq!(document.locate(text.len() + 9).pointer, "");
    }
}
