//! Typing mistakes, as edits of a document's text.
//!
//! They are made at every key that the specification or the generator defines, in the text of the
//! document. A key is misspelled, duplicated, indented by one step, or loses its dash. A value gets
//! brackets, quotes or a tab. The generator alone should notice each of them.

mod layout;
mod operators;
mod slip;

use std::ops::Range;

use dropforge::document::{Diagnostics, Document};
use dropforge::structure::{self, KeyPlace};

use layout::Layout;

pub use slip::Slip;

/// One edit of a text.
#[derive(Debug, Clone)]
pub struct Typo {
    /// The kind of edit.
    pub slip: Slip,
    /// The key, as a JSON Pointer to its value in the unchanged document.
    pub pointer: String,
    /// The offset of the key in the unchanged text.
    pub at: usize,
    /// The bytes that are replaced, from the last to the first, each with its replacement.
    edits: Vec<(Range<usize>, String)>,
}

impl Typo {
    /// The text with the edit. `None` if the edit does not change the text.
    pub fn apply(&self, text: &str) -> Option<String> {
        let mut edited = text.to_owned();
        for (range, replacement) in &self.edits {
            edited.replace_range(range.clone(), replacement);
        }
        (edited != text).then_some(edited)
    }
}

/// Every slip of a YAML text, in the order of its keys.
///
/// # Errors
///
/// Everything that is wrong with the text.
pub fn typos(name: &str, text: &str) -> Result<Vec<Typo>, Diagnostics> {
    let document = Document::read(name, text)?;
    let layout = Layout::new(text, &document.root);
    let mut found = Vec::new();
    for place in structure::keys(&document) {
        operators::all(&layout, &place, &mut |slip, edits| {
            found.push(typo(slip, &place, edits));
        });
    }
    found.retain(|typo| typo.apply(text).is_some());
    Ok(found)
}

fn typo(slip: Slip, place: &KeyPlace<'_>, mut edits: Vec<(Range<usize>, String)>) -> Typo {
    edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    Typo {
        slip,
        pointer: place.pointer.clone(),
        at: place.span.start,
        edits,
    }
}

#[cfg(test)]
mod tests;
