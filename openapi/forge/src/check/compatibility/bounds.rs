//! Bounds of numbers, strings, arrays and objects, and other rules of one value.

use super::comparison::{Class, Comparison, Shift};
use crate::check::document_index::{Direction, LocatedNode};
use crate::document::Node;
use crate::structure::integer_range;

/// Keywords that set a minimum, and those that set a maximum.
const SMALLEST: [&str; 3] = ["minLength", "minItems", "minProperties"];
const LARGEST: [&str; 3] = ["maxLength", "maxItems", "maxProperties"];

impl<'d> Comparison<'d> {
    pub(super) fn bounds(
        &mut self,
        old: &LocatedNode<'d>,
        new: &LocatedNode<'d>,
        direction: Direction,
    ) {
        for key in SMALLEST {
            let least = |place: &LocatedNode<'d>| number(place, key).unwrap_or(0.0);
            self.bound(key, (least(old), least(new)), false, new, direction);
        }
        for key in LARGEST {
            let most = |place: &LocatedNode<'d>| number(place, key).unwrap_or(f64::INFINITY);
            self.bound(key, (most(old), most(new)), true, new, direction);
        }
        for (key, flag, largest) in [
            ("minimum", "exclusiveMinimum", false),
            ("maximum", "exclusiveMaximum", true),
        ] {
            let none = if largest {
                f64::INFINITY
            } else {
                f64::NEG_INFINITY
            };
            let limit = |place: &LocatedNode<'d>| number(place, key).unwrap_or(none);
            let excluded = |place: &LocatedNode<'d>| {
                place.node.get(flag).and_then(Node::as_bool) == Some(true)
            };
            if limit(old) != limit(new) {
                self.bound(key, (limit(old), limit(new)), largest, new, direction);
            } else if excluded(old) != excluded(new) && limit(new) != none {
                let (shift, what) = if excluded(new) {
                    (Shift::Narrower, "is not allowed itself")
                } else {
                    (Shift::Wider, "is allowed itself")
                };
                self.shifted(shift, direction, new, format!("the {key} {what}"));
            }
        }
        for key in ["pattern", "format", "multipleOf", "uniqueItems"] {
            self.rule(key, old, new, direction);
        }
        self.default_value(old, new, direction);
    }

    fn bound(
        &mut self,
        key: &str,
        (before, now): (f64, f64),
        largest: bool,
        new: &LocatedNode<'d>,
        direction: Direction,
    ) {
        if before == now {
            return;
        }
        let shift = if (now < before) == largest {
            Shift::Narrower
        } else {
            Shift::Wider
        };
        let message = match (before.is_finite(), now.is_finite()) {
            (false, _) => format!("`{key}` {now} is new"),
            (_, false) => format!("`{key}` {before} was removed"),
            _ => format!("`{key}` is {now}, not {before}"),
        };
        let place = new.get(key).unwrap_or(new.clone());
        self.shifted(shift, direction, &place, message);
    }

    /// A rule that is present or absent. Two of them are not compared.
    fn rule(
        &mut self,
        key: &str,
        old: &LocatedNode<'d>,
        new: &LocatedNode<'d>,
        direction: Direction,
    ) {
        let rule = |place: &LocatedNode<'d>| {
            let value = place.node.get(key)?.to_json();
            // `uniqueItems: false` is the default.
            (value != serde_json::Value::Bool(false)).then_some(value)
        };
        let (before, now) = (rule(old), rule(new));
        let (shift, message) = match (&before, &now) {
            (before, now) if before == now => return,
            (None, Some(now)) => (Shift::Narrower, format!("`{key}` is {now}")),
            (Some(before), None) => (Shift::Wider, format!("`{key}` is no longer {before}")),
            (Some(before), Some(now)) => {
                let shift = match key {
                    "format" => formats(before.as_str(), now.as_str()),
                    "multipleOf" => multiples(before.as_f64(), now.as_f64()),
                    _ => Shift::Aside,
                };
                (shift, format!("`{key}` is {now}, not {before}"))
            }
            (None, None) => return,
        };
        let place = new.get(key).unwrap_or(new.clone());
        self.shifted(shift, direction, &place, message);
    }

    /// The default of an absent value.
    fn default_value(
        &mut self,
        old: &LocatedNode<'d>,
        new: &LocatedNode<'d>,
        direction: Direction,
    ) {
        let default = |place: &LocatedNode<'d>| place.node.get("default").map(Node::to_json);
        if direction == Direction::Request && default(old) != default(new) {
            let place = new.get("default").unwrap_or(new.clone());
            self.changed(
                Class::BreaksClients,
                &place,
                "in requests, the default changed".to_owned(),
                "requests without it mean something else now",
            );
        }
    }
}

fn number(place: &LocatedNode<'_>, key: &str) -> Option<f64> {
    place.node.get(key).and_then(Node::as_f64)
}

/// Compares formats: every `int32` is an `int64`.
fn formats(before: Option<&str>, now: Option<&str>) -> Shift {
    let (Some(before), Some(now)) = (before, now) else {
        return Shift::Aside;
    };
    match (integer_range(before), integer_range(now), before, now) {
        (Some(before), Some(now), ..) if now.0 <= before.0 && before.1 <= now.1 => Shift::Wider,
        (Some(before), Some(now), ..) if before.0 <= now.0 && now.1 <= before.1 => Shift::Narrower,
        (.., "float", "double") => Shift::Wider,
        (.., "double", "float") => Shift::Narrower,
        _ => Shift::Aside,
    }
}

/// Every multiple of 6 is a multiple of 3.
fn multiples(before: Option<f64>, now: Option<f64>) -> Shift {
    match (before, now) {
        (Some(before), Some(now)) if before % now == 0.0 => Shift::Wider,
        (Some(before), Some(now)) if now % before == 0.0 => Shift::Narrower,
        _ => Shift::Aside,
    }
}
