//! The lines of a document.

use crate::document::Source;
use crate::ir::Place;
use std::sync::Arc;

/// The offsets at which lines begin, for each file of a document. They give the line of an
/// offset without a scan of the text.
pub(crate) struct Lines(Vec<(Arc<str>, Vec<usize>)>);

impl Lines {
    pub(crate) fn of(source: &Source) -> Self {
        let files = source.files().map(|file| {
            let breaks = file.text.bytes().enumerate().filter(|(_, b)| *b == b'\n');
            let behind = breaks.map(|(i, _)| file.start + i + 1);
            let starts = std::iter::once(file.start).chain(behind);
            (Arc::from(file.name), starts.collect())
        });
        Lines(files.collect())
    }

    /// The place of an offset.
    pub(crate) fn place(&self, offset: usize) -> Place {
        let begins_before = |(_, starts): &&(Arc<str>, Vec<usize>)| starts[0] <= offset;
        let file = self.0.iter().take_while(begins_before).last();
        file.map_or_else(Place::default, |(name, starts)| Place {
            file: Arc::clone(name),
            line: starts.partition_point(|start| *start <= offset),
        })
    }
}
