//! A document's responses to unknown paths, one for each prefix (`x-dropforge-not-found`).

use super::cursor::Cursor;
use super::lowering::Lowering;
use super::{responses, routes};
use crate::ir::{NotFound, Operation, Segment};

const KEY: &str = "x-dropforge-not-found";

pub(super) fn lower<'d>(
    lowering: &mut Lowering<'d>,
    root: &Cursor<'d>,
    base_path: &str,
    operations: &[Operation],
) -> Vec<NotFound> {
    let mut all = Vec::new();
    for (prefix, cursor) in root.members_of(KEY) {
        let span = lowering.key_span(&cursor);
        let full = format!("{base_path}{prefix}");
        let segments = routes::segments(lowering, &full, span);
        let is_literal = |segment: &Segment| matches!(segment, Segment::Literal(_));
        if !prefix.starts_with('/') || !segments.iter().all(is_literal) {
            lowering.refuse(
                "not-found",
                span,
                format!("`{prefix}` is not a prefix of paths"),
                "begin it with `/`, and write no parameters into it",
            );
            continue;
        }
        if !operations
            .iter()
            .any(|one| one.segments.starts_with(&segments))
        {
            lowering.warn(
                "not-found-unused",
                span,
                format!("no path of the document begins with `{prefix}`"),
                "write the beginning of a path of `paths`, in whole segments",
            );
        }
        let stem = match all.len() {
            0 => String::new(),
            count => format!("Below{}", count + 1),
        };
        let Some(response) = responses::refusal(lowering, &cursor, &stem, 404) else {
            continue;
        };
        all.push(NotFound {
            prefix: format!("/{}", full.trim_matches('/')),
            segments,
            origin: lowering.origin(&cursor),
            response,
            table: format!("NOT_FOUND_{}", all.len()),
        });
    }
    all
}
