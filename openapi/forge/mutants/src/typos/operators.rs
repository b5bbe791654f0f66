//! The edits of one key.

use std::ops::Range;

use dropforge::document::{Kind, Node};
use dropforge::structure::KeyPlace;
use dropforge::structure::key::ValueType;

use super::layout::{Layout, STEP};
use super::slip::Slip;

type Edits = Vec<(Range<usize>, String)>;

/// Calls `found` with every edit of a key.
pub(super) fn all(layout: &Layout<'_>, place: &KeyPlace<'_>, found: &mut dyn FnMut(Slip, Edits)) {
    misspell(layout, place, found);
    duplicate(layout, place, found);
    indent(layout, place, found);
    tab(layout, place, found);
    dashes(layout, place, found);
    value(layout, place, found);
    drop_key(layout, place, found);
}

/// The key without quotes.
fn name(layout: &Layout<'_>, place: &KeyPlace<'_>) -> Range<usize> {
    let Range { start, end } = place.span.start..place.span.end;
    match layout.text[start..end].starts_with(['\'', '"']) {
        true => start + 1..end - 1,
        false => start..end,
    }
}

fn misspell(layout: &Layout<'_>, place: &KeyPlace<'_>, found: &mut dyn FnMut(Slip, Edits)) {
    let range = name(layout, place);
    let letters: Vec<char> = layout.text[range.clone()].chars().collect();
    if letters.len() < 2 {
        return;
    }
    // Which letter depends on the place, so that each one is tried somewhere.
    let at = range.start % letters.len();
    let mut write = |slip, letters: Vec<char>| {
        found(slip, vec![(range.clone(), letters.into_iter().collect())]);
    };
    let mut dropped = letters.clone();
    dropped.remove(at);
    write(Slip::LetterDropped, dropped);
    let mut doubled = letters.clone();
    doubled.insert(at, letters[at]);
    write(Slip::LetterDoubled, doubled);
    let mut swapped = letters.clone();
    swapped.swap(at, (at + 1) % letters.len());
    write(Slip::LettersSwapped, swapped);
    let mut replaced = letters.clone();
    replaced[at] = match letters[at] {
        'z' => 'y',
        letter @ 'a'..='y' => char::from_u32(letter as u32 + 1).unwrap_or('x'),
        _ => 'q',
    };
    write(Slip::LetterReplaced, replaced);
}

fn duplicate(layout: &Layout<'_>, place: &KeyPlace<'_>, found: &mut dyn FnMut(Slip, Edits)) {
    let at = place.span.start;
    let key = &layout.text[at..place.span.end];
    let again = match layout.is_block_key(at) {
        true => format!("{key}: x\n{}", " ".repeat(layout.column(at))),
        false => format!("{key}: x, "),
    };
    found(Slip::KeyDuplicated, vec![(at..at, again)]);
}

fn indent(layout: &Layout<'_>, place: &KeyPlace<'_>, found: &mut dyn FnMut(Slip, Edits)) {
    let at = place.span.start;
    if layout.is_flow(at) || !layout.is_first(at) {
        return;
    }
    let line = layout.line_start(at);
    let block = layout.block(at);
    let mut lines = vec![line];
    let mut next = layout.next_line(line);
    while next < block.end {
        lines.push(next);
        next = layout.next_line(next);
    }
    lines.retain(|line| {
        !layout.text[*line..layout.next_line(*line)]
            .trim()
            .is_empty()
    });
    let right = |start: usize| (start..start, " ".repeat(STEP));
    let left = |start: usize| (start..start + STEP, String::new());
    let is_deep = layout.column(at) >= STEP;
    found(Slip::LineIndented, vec![right(line)]);
    if is_deep {
        found(Slip::LineIndented, vec![left(line)]);
    }
    if lines.len() > 1 {
        found(
            Slip::BlockIndented,
            lines.iter().copied().map(right).collect(),
        );
        if is_deep {
            found(
                Slip::BlockIndented,
                lines.iter().copied().map(left).collect(),
            );
        }
    }
}

fn tab(layout: &Layout<'_>, place: &KeyPlace<'_>, found: &mut dyn FnMut(Slip, Edits)) {
    let at = place.span.start;
    found(Slip::Tab, vec![(at..at, "\t".to_owned())]);
    if layout.is_first(at) && layout.column(at) >= STEP {
        found(Slip::Tab, vec![(at - STEP..at, "\t".to_owned())]);
    }
}

/// Whether the values of a key are checked by their type.
fn is_typed(place: &KeyPlace<'_>) -> bool {
    place
        .key
        .is_none_or(|key| key.name == "default" || !matches!(key.value_type, ValueType::Any))
}

fn dashes(layout: &Layout<'_>, place: &KeyPlace<'_>, found: &mut dyn FnMut(Slip, Edits)) {
    let elements = place.value.as_array().unwrap_or_default();
    if !is_typed(place) {
        return;
    }
    for element in elements {
        let at = element.span.start;
        let line = layout.line_start(at);
        let before = &layout.text[line..at];
        if layout.is_flow(at) || before.trim() != "-" {
            continue;
        }
        let dash = line + before.len() - before.trim_start().len();
        found(Slip::DashDropped, vec![(dash..dash + 1, " ".to_owned())]);
        found(Slip::DashDropped, vec![(dash..at, String::new())]);
    }
}

fn value(layout: &Layout<'_>, place: &KeyPlace<'_>, found: &mut dyn FnMut(Slip, Edits)) {
    let value = place.value;
    if !is_typed(place) {
        return;
    }
    let range = value.span.start..value.span.end;
    let written = &layout.text[range.clone()];
    match &value.kind {
        Kind::Array(elements) => {
            let first = elements.first();
            let of = |node: &Node| layout.text[node.span.start..node.span.end].to_owned();
            let is_scalar = |node: &&Node| node.as_object().is_none() && node.as_array().is_none();
            let first = first.filter(is_scalar).map(of);
            if written.starts_with('[') {
                let scalar = first.unwrap_or_else(|| "none".to_owned());
                found(Slip::ScalarForList, vec![(range, scalar)]);
            } else if let Some(first) = first {
                let lines = place.span.end..layout.block_end(place.span.start);
                found(Slip::ScalarForList, vec![(lines, format!(": {first}\n"))]);
            }
            if matches!(place.key.map(|key| key.value_type), Some(ValueType::Values)) {
                elements
                    .iter()
                    .for_each(|element| quote(layout, element, found));
            }
        }
        Kind::Object(_) => {}
        _ if written.contains('\n') || written.starts_with(['|', '>']) => {}
        _ if layout.is_block_scalar(place.span.end) => {}
        _ => {
            found(Slip::ListForScalar, vec![(range, format!("[{written}]"))]);
            quote(layout, value, found);
        }
    }
}

fn quote(layout: &Layout<'_>, node: &Node, found: &mut dyn FnMut(Slip, Edits)) {
    if let Kind::Bool(_) | Kind::Number(_) = node.kind {
        let range = node.span.start..node.span.end;
        let quoted = format!("'{}'", &layout.text[range.clone()]);
        found(Slip::Quoted, vec![(range, quoted)]);
    }
}

/// Drops a key without which the document is invalid.
fn drop_key(layout: &Layout<'_>, place: &KeyPlace<'_>, found: &mut dyn FnMut(Slip, Edits)) {
    let Some(key) = place.key else { return };
    let of = |names: &[&str]| names.contains(&place.object.section);
    let is_needed = key.is_required
        || key.name == dropforge::structure::REQUIRED_SCOPES
        || key.name == "schema" && of(&["Parameter Object", "Header Object"]);
    let at = place.span.start;
    if !is_needed {
        return;
    }
    if !layout.is_flow(at) {
        if layout.is_first(at) {
            found(Slip::KeyDropped, vec![(layout.block(at), String::new())]);
        } else if layout.is_block_key(at) {
            // The first key behind a dash: the next key takes its place.
            let end = layout.block_end(at);
            let next = end + layout.column(at);
            let is_next = layout
                .text
                .get(end..next)
                .is_some_and(|text| text.trim().is_empty());
            if is_next {
                found(Slip::KeyDropped, vec![(at..next, String::new())]);
            }
        }
        return;
    }
    let end = place.value.span.end;
    // An alias has the position of its anchor.
    if end < at {
        return;
    }
    let behind = &layout.text[end..];
    let range = match behind.trim_start().starts_with(',') {
        true => {
            let comma = behind.find(',').unwrap_or_default();
            let space = behind[comma + 1..].len() - behind[comma + 1..].trim_start().len();
            at..end + comma + 1 + space
        }
        false => {
            let before = layout.text[..at].trim_end();
            before.len() - usize::from(before.ends_with(','))..end
        }
    };
    found(Slip::KeyDropped, vec![(range, String::new())]);
}
