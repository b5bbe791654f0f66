//! Rewrites numeric `exclusiveMinimum` and `exclusiveMaximum` as a bound and a
//! flag.

use super::nodes::set;
use crate::document::{Entry, Kind, Node, Object};

pub(super) fn rewrite(schema: &mut Object) {
    bound(schema, "exclusiveMinimum", "minimum", |new, old| new >= old);
    bound(schema, "exclusiveMaximum", "maximum", |new, old| new <= old);
}

/// Chooses the narrower of two bounds, and the exclusive one of equal bounds.
fn bound(schema: &mut Object, exclusive: &str, inclusive: &str, wins: fn(f64, f64) -> bool) {
    let number = |key: &str| schema.get(key).and_then(Node::as_f64);
    let Some(new) = number(exclusive) else {
        return;
    };
    let old = number(inclusive);
    if let Some(bound) = schema.remove(exclusive)
        && old.is_none_or(|old| wins(new, old))
    {
        let span = bound.key_span;
        set(schema, inclusive, bound);
        set(schema, exclusive, Entry::at(span, Kind::Bool(true)));
    }
}
