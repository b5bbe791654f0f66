//! The items of a streamed response, and their events.
//!
//! Only one message or reasoning item is open at a time. Calls may arrive interleaved and are
//! completed at the end. A call is announced when its first arguments arrive, or when another item
//! begins: some model servers send its id and its name in several pieces.
//!
//! Each item is found by an index or a map. The size of all items in JSON is bounded, as that of a
//! whole response is, because a model server decides it. The last events repeat the content four
//! times, so the end of a stream takes up to about eight times the bound in memory.

use std::borrow::Cow;
use std::collections::HashMap;

use bytes::Bytes;
use serde_json::{Value, json};

use super::resource::{ItemKind, call_id};
use crate::inference::gateway::response::MAX_RESPONSE_BYTES;

/// The overhead of an item beside its content, in memory and in events, in bytes.
const ITEM_OVERHEAD: usize = 4 << 10;

/// The error that a response has become larger than [`MAX_RESPONSE_BYTES`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Excess;

/// Numbered events, written one after the other.
#[derive(Debug, Default)]
pub struct Events {
    number: u64,
    out: String,
}

impl Events {
    /// Writes an event.
    pub fn write(&mut self, name: &str, members: Value) {
        let mut data = json!({"type": name, "sequence_number": self.number});
        self.number += 1;
        if let (Some(data), Value::Object(members)) = (data.as_object_mut(), members) {
            data.extend(members);
        }
        self.out
            .push_str(&format!("event: {name}\ndata: {data}\n\n"));
    }

    /// Writes a comment, so that the caller sees that the stream continues.
    pub fn beat(&mut self) {
        self.out.push_str(": keep-alive\n\n");
    }

    /// Takes the bytes that were written since the last call.
    pub fn take(&mut self) -> Bytes {
        std::mem::take(&mut self.out).into()
    }
}

/// A piece of a call.
#[derive(Debug, Default)]
pub struct CallPiece<'a> {
    /// The index from the model server, if it sends one.
    pub number: Option<u64>,
    /// The position among the calls of this chunk.
    pub position: usize,
    /// The number of calls in this chunk.
    pub count: usize,
    /// The id, or a repetition of it, or nothing.
    pub id: &'a str,
    /// The name, a piece of it, a repetition of it, or nothing.
    pub name: &'a str,
    /// The added arguments.
    pub arguments: Cow<'a, str>,
}

#[derive(Debug)]
struct Item {
    kind: ItemKind,
    id: String,
    content: String,
    annotations: Vec<Value>,
    is_announced: bool,
    /// The whole item, once it is done.
    done: Option<Value>,
}

impl Item {
    fn is_nameless_call(&self) -> bool {
        matches!(&self.kind, ItemKind::Call { name, .. } if name.is_empty())
    }
}

/// The items so far.
#[derive(Debug, Default)]
pub struct Items {
    /// The unique part of all ids.
    pub unique: String,
    list: Vec<Item>,
    /// The open message or reasoning item.
    open: Option<usize>,
    /// Calls by the model server's index.
    by_number: HashMap<u64, usize>,
    /// Calls without such an index, by their ids.
    by_id: HashMap<String, usize>,
    /// All calls without such an index, in their order.
    unnumbered: Vec<usize>,
    /// The bytes of all items in JSON.
    size: usize,
    /// The number of visits to items, to announce or to close them.
    #[cfg(test)]
    pub visits: usize,
}

impl Items {
    /// Adds text to the open item of this kind.
    ///
    /// # Errors
    ///
    /// When the response becomes too large.
    pub fn text(&mut self, kind: ItemKind, text: &str, events: &mut Events) -> Result<(), Excess> {
        self.grow(escaped_length(text))?;
        let index = self.opened(kind, events)?;
        let item = &mut self.list[index];
        item.content.push_str(text);
        let (name, more) = match item.kind {
            ItemKind::Refusal => ("response.refusal.delta", json!({"delta": text})),
            ItemKind::Reasoning => ("response.reasoning_text.delta", json!({"delta": text})),
            _ => (
                "response.output_text.delta",
                json!({"delta": text, "logprobs": []}),
            ),
        };
        self.write(index, Some(0), name, more, events);
        Ok(())
    }

    /// Adds an annotation to the message. After a call, this begins a second message without text,
    /// while the translation of a whole response adds it to the last text.
    ///
    /// # Errors
    ///
    /// When the response becomes too large.
    pub fn annotate(&mut self, annotation: Value, events: &mut Events) -> Result<(), Excess> {
        self.grow(annotation.to_string().len())?;
        let index = self.opened(ItemKind::Text, events)?;
        let annotations = &mut self.list[index].annotations;
        let more = json!({"annotation_index": annotations.len(), "annotation": annotation});
        annotations.push(annotation);
        let name = "response.output_text.annotation.added";
        self.write(index, Some(0), name, more, events);
        Ok(())
    }

    /// The open item of this kind, or a new one.
    fn opened(&mut self, kind: ItemKind, events: &mut Events) -> Result<usize, Excess> {
        if let Some(open) = self.open.filter(|open| self.list[*open].kind == kind) {
            return Ok(open);
        }
        let index = self.add(kind, events)?;
        self.announce(index, events);
        self.open = Some(index);
        Ok(index)
    }

    /// Adds a piece of a call.
    ///
    /// # Errors
    ///
    /// When the response becomes too large.
    pub fn call(&mut self, piece: &CallPiece<'_>, events: &mut Events) -> Result<(), Excess> {
        for text in [piece.id, piece.name, &piece.arguments] {
            self.grow(escaped_length(text))?;
        }
        let index = match self.find(piece) {
            Some(index) => index,
            None => {
                let kind = ItemKind::Call {
                    call_id: String::new(),
                    name: String::new(),
                };
                let index = self.add(kind, events)?;
                match piece.number {
                    Some(number) => drop(self.by_number.insert(number, index)),
                    None => self.unnumbered.push(index),
                }
                index
            }
        };
        self.set_names(index, piece);
        if !piece.arguments.is_empty() {
            self.announce(index, events);
            self.list[index].content.push_str(&piece.arguments);
            let more = json!({"delta": piece.arguments});
            let name = "response.function_call_arguments.delta";
            self.write(index, None, name, more, events);
        }
        Ok(())
    }

    /// Ends every open item with this status, and returns all items.
    pub fn finish(&mut self, status: &str, events: &mut Events) -> Vec<Value> {
        for index in 0..self.list.len() {
            self.close(index, status, events);
        }
        let items = std::mem::take(&mut self.list).into_iter();
        items.filter_map(|item| item.done).collect()
    }

    /// Whether a call has no name, so that the caller cannot execute it.
    pub fn has_nameless_call(&self) -> bool {
        self.list.iter().any(Item::is_nameless_call)
    }

    /// Counts bytes of the items.
    fn grow(&mut self, bytes: usize) -> Result<(), Excess> {
        self.size += bytes;
        match self.size > MAX_RESPONSE_BYTES {
            true => Err(Excess),
            false => Ok(()),
        }
    }

    /// Counts a visit of an item, for the test of a response's cost.
    fn visit(&mut self) {
        #[cfg(test)]
        {
            self.visits += 1;
        }
    }

    /// The call that a piece belongs to. Model servers that do not number calls send them whole, or
    /// continue the last one.
    fn find(&self, piece: &CallPiece<'_>) -> Option<usize> {
        if let Some(number) = piece.number {
            let found = self.by_number.get(&number).copied();
            return found.filter(|index| !self.is_another(*index, piece));
        }
        let last = self.unnumbered.last().copied();
        if !piece.id.is_empty() {
            return self.by_id.get(piece.id).copied();
        }
        if !piece.name.is_empty() {
            let is_nameless = |index: &usize| self.list[*index].is_nameless_call();
            return last.filter(|index| piece.count == 1 && is_nameless(index));
        }
        match piece.count {
            1 => last,
            _ => self.unnumbered.get(piece.position).copied(),
        }
    }

    /// Whether a piece begins another call than the one with its number: some model servers number
    /// all their calls 0.
    fn is_another(&self, index: usize, piece: &CallPiece<'_>) -> bool {
        match &self.list[index].kind {
            ItemKind::Call { call_id, .. } => {
                !piece.name.is_empty()
                    && !piece.id.is_empty()
                    && !call_id.is_empty()
                    && call_id != piece.id
            }
            _ => false,
        }
    }

    /// Sets the id and the name from a piece. An announced id does not change.
    fn set_names(&mut self, index: usize, piece: &CallPiece<'_>) {
        let item = &mut self.list[index];
        let ItemKind::Call { call_id, name } = &mut item.kind else {
            return;
        };
        if call_id.is_empty() && !piece.id.is_empty() {
            piece.id.clone_into(call_id);
            if piece.number.is_none() {
                self.by_id.insert(piece.id.to_owned(), index);
            }
        }
        if name.is_empty() || (item.content.is_empty() && name != piece.name) {
            name.push_str(piece.name);
        }
    }

    /// Adds an item, after it has closed the open one and announced the last one.
    fn add(&mut self, kind: ItemKind, events: &mut Events) -> Result<usize, Excess> {
        if let Some(open) = self.open.take() {
            self.close(open, "completed", events);
        }
        self.grow(ITEM_OVERHEAD)?;
        let index = self.list.len();
        // Items are announced in their order.
        if let Some(last) = index.checked_sub(1) {
            self.announce(last, events);
        }
        self.list.push(Item {
            kind,
            id: format!("item_{}_{index}", self.unique),
            content: String::new(),
            annotations: Vec::new(),
            is_announced: false,
            done: None,
        });
        Ok(index)
    }

    /// Writes the events of a new item, unless they were written.
    fn announce(&mut self, index: usize, events: &mut Events) {
        self.visit();
        let item = &mut self.list[index];
        if std::mem::replace(&mut item.is_announced, true) {
            return;
        }
        let part = match &mut item.kind {
            ItemKind::Call { call_id: id, .. } => {
                if id.is_empty() {
                    *id = call_id(&self.unique, index);
                }
                None
            }
            text => Some(text.part("", &[])),
        };
        let item = item.kind.item(&item.id, "in_progress", None, &[]);
        let added = json!({"output_index": index, "item": item});
        events.write("response.output_item.added", added);
        if let Some(part) = part {
            let name = "response.content_part.added";
            self.write(index, Some(0), name, json!({"part": part}), events);
        }
    }

    /// Writes the events of a whole item, unless they were written.
    fn close(&mut self, index: usize, status: &str, events: &mut Events) {
        self.visit();
        if self.list[index].done.is_some() {
            return;
        }
        self.announce(index, events);
        let item = &mut self.list[index];
        let content = std::mem::take(&mut item.content);
        let annotations = std::mem::take(&mut item.annotations);
        let whole = item
            .kind
            .item(&item.id, status, Some(&content), &annotations);
        let (part, name, more) = match &item.kind {
            ItemKind::Call { name, .. } => (
                None,
                "response.function_call_arguments.done",
                json!({"name": name, "arguments": content}),
            ),
            text => {
                let part = Some(text.part(&content, &annotations));
                match text {
                    ItemKind::Refusal => {
                        (part, "response.refusal.done", json!({"refusal": content}))
                    }
                    ItemKind::Reasoning => (
                        part,
                        "response.reasoning_text.done",
                        json!({"text": content}),
                    ),
                    _ => (
                        part,
                        "response.output_text.done",
                        json!({"text": content, "logprobs": []}),
                    ),
                }
            }
        };
        let at = part.is_some().then_some(0);
        self.write(index, at, name, more, events);
        if let Some(part) = part {
            let name = "response.content_part.done";
            self.write(index, at, name, json!({"part": part}), events);
        }
        let done = json!({"output_index": index, "item": whole});
        events.write("response.output_item.done", done);
        self.list[index].done = Some(whole);
    }

    /// Writes an event about an item, and about its part if it has any.
    fn write(&self, index: usize, part: Option<u64>, name: &str, more: Value, events: &mut Events) {
        let mut members = json!({"item_id": self.list[index].id, "output_index": index});
        if let Some(part) = part {
            members["content_index"] = part.into();
        }
        if let (Some(members), Value::Object(more)) = (members.as_object_mut(), more) {
            members.extend(more);
        }
        events.write(name, members);
    }
}

/// The length of a text in JSON, without the quotation marks.
fn escaped_length(text: &str) -> usize {
    let escaped = |byte: u8| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 0x08 | 0x0c => 2_usize,
        0..0x20 => 6,
        _ => 1,
    };
    text.bytes().map(escaped).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_a_text_is_that_of_its_json() {
        for text in (0..0x100_u32).filter_map(char::from_u32) {
            let json = Value::from(text.to_string()).to_string();
            assert_eq!(
                escaped_length(&text.to_string()),
                json.len() - 2,
                "{text:?}"
            );
        }
    }
}
