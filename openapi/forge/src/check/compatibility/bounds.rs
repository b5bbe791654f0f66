//! Bounds of numbers, strings, arrays and objects, and other rules of one value.

use std::cmp::Ordering;
use std::fmt;

use super::comparison::{Class, Comparison, Shift};
use crate::check::document_index::{Direction, LocatedNode};
use crate::structure::{comparable, integer_range};

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
            let least = |place: &LocatedNode<'d>| Limit::of(place, key).unwrap_or(Limit::ZERO);
            self.bound(key, (least(old), least(new)), false, new, direction);
        }
        for key in LARGEST {
            let none = Limit::none(f64::INFINITY);
            let most = |place: &LocatedNode<'d>| Limit::of(place, key).unwrap_or(none);
            self.bound(key, (most(old), most(new)), true, new, direction);
        }
        for (key, exclusive, largest) in [
            ("minimum", "exclusiveMinimum", false),
            ("maximum", "exclusiveMaximum", true),
        ] {
            let (before, was_excluded) = Limit::of_numbers(old, key, exclusive, largest);
            let (now, is_excluded) = Limit::of_numbers(new, key, exclusive, largest);
            if before != now {
                self.bound(key, (before, now), largest, new, direction);
            } else if was_excluded != is_excluded && now.value.is_finite() {
                let (shift, what) = match is_excluded {
                    true => (Shift::Narrower, "is not allowed itself"),
                    false => (Shift::Wider, "is allowed itself"),
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
        (before, now): (Limit, Limit),
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
        let message = match (before.value.is_finite(), now.value.is_finite()) {
            (false, _) => format!("`{key}` {now} is new"),
            (_, false) => format!("`{key}` {before} was removed"),
            _ => format!("`{key}` is {now}, not {before}"),
        };
        let place = new.get_or_self(key);
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
            let value = comparable(place.node.get(key)?);
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
        let place = new.get_or_self(key);
        self.shifted(shift, direction, &place, message);
    }

    /// The default of an absent value.
    fn default_value(
        &mut self,
        old: &LocatedNode<'d>,
        new: &LocatedNode<'d>,
        direction: Direction,
    ) {
        let default = |place: &LocatedNode<'d>| place.node.get("default").map(comparable);
        if default(old) == default(new) {
            return;
        }
        let (class, reason) = match direction {
            Direction::Request => (
                Class::BreaksClients,
                "requests without it mean something else now",
            ),
            Direction::Response => (
                Class::Documentation,
                "responses have the same values, or none",
            ),
        };
        let place = new.get_or_self("default");
        let message = self.in_direction(direction, "the default changed");
        self.changed(class, &place, message, reason);
    }
}

/// A limit of values. Integers are compared exactly, since floats lose digits above 2^53.
#[derive(Clone, Copy)]
struct Limit {
    value: f64,
    integer: Option<i128>,
}

impl Limit {
    const ZERO: Limit = Limit {
        value: 0.0,
        integer: Some(0),
    };

    /// No limit: an infinite value.
    fn none(value: f64) -> Limit {
        Limit {
            value,
            integer: None,
        }
    }

    fn of(place: &LocatedNode<'_>, key: &str) -> Option<Limit> {
        let node = place.node.get(key)?;
        let (signed, unsigned) = (node.as_i64(), node.as_u64());
        Some(Limit {
            value: node.as_f64()?,
            integer: signed.map(i128::from).or(unsigned.map(i128::from)),
        })
    }

    /// A `minimum` or `maximum`, and whether it is not allowed itself. Integers above 5 are those
    /// from 6 on.
    fn of_numbers(
        place: &LocatedNode<'_>,
        key: &str,
        exclusive: &str,
        largest: bool,
    ) -> (Limit, bool) {
        let (infinity, step) = match largest {
            true => (f64::INFINITY, -1),
            false => (f64::NEG_INFINITY, 1),
        };
        let mut limit = Limit::of(place, key).unwrap_or(Limit::none(infinity));
        let is_excluded = place.node.flag(exclusive);
        if is_excluded
            && place.text("type") == Some("integer")
            && let Some(integer) = limit.integer
        {
            let next = integer + step;
            limit.integer = Some(next);
            limit.value = next as f64;
            return (limit, false);
        }
        (limit, is_excluded)
    }
}

impl PartialEq for Limit {
    fn eq(&self, other: &Limit) -> bool {
        self.partial_cmp(other) == Some(Ordering::Equal)
    }
}

impl PartialOrd for Limit {
    fn partial_cmp(&self, other: &Limit) -> Option<Ordering> {
        match (self.integer, other.integer) {
            (Some(own), Some(other)) => Some(own.cmp(&other)),
            _ => self.value.partial_cmp(&other.value),
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.integer {
            Some(integer) => write!(f, "{integer}"),
            None => write!(f, "{}", self.value),
        }
    }
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
        (Some(before), Some(now)) if is_multiple(before, now) => Shift::Wider,
        (Some(before), Some(now)) if is_multiple(now, before) => Shift::Narrower,
        _ => Shift::Aside,
    }
}

/// Whether a number is a multiple of another one. 0.3 is one of 0.1, though their floats have a
/// remainder.
fn is_multiple(number: f64, of: f64) -> bool {
    const MAX_RATIO: f64 = 1e9;
    let ratio = number / of;
    let difference = (ratio - ratio.round()).abs();
    number % of == 0.0 || ratio < MAX_RATIO && difference <= f64::EPSILON * ratio
}
