//! Numbers: types, bounds and multiples, exactly.
//!
//! JSON has one kind of number. A value is an integer of up to 64 bits if it is written as one,
//! else a binary fraction. A bound is an integer of up to 128 bits or a binary fraction. A
//! comparison of fractions alone would call 9007199254740993 equal to its neighbor.

use std::cmp::Ordering;

use serde_json::{Number as JsonNumber, Value};

use super::checker::Checker;
use crate::table::{Number, NumberFormat, NumberRules};
use crate::violation::Keyword;

impl Checker<'_> {
    pub(super) fn number(&mut self, rules: &NumberRules, value: &JsonNumber) {
        let NumberRules {
            minimum,
            maximum,
            multiple_of,
            format,
        } = rules;
        let value = exact(value);
        if let Some((bound, exclusive)) = *minimum {
            let ordering = compare(value, bound);
            if ordering == Ordering::Less || (exclusive && ordering == Ordering::Equal) {
                self.fail(Keyword::Minimum, || {
                    let than = if exclusive {
                        "greater than"
                    } else {
                        "at least"
                    };
                    format!("must be {than} {}", text(bound))
                });
            }
        }
        if let Some((bound, exclusive)) = *maximum {
            let ordering = compare(value, bound);
            if ordering == Ordering::Greater || (exclusive && ordering == Ordering::Equal) {
                self.fail(Keyword::Maximum, || {
                    let than = if exclusive { "less than" } else { "at most" };
                    format!("must be {than} {}", text(bound))
                });
            }
        }
        if let Some(divisor) = *multiple_of
            && !is_multiple(value, divisor)
        {
            self.fail(Keyword::MultipleOf, || {
                format!("must be a multiple of {}", text(divisor))
            });
        }
        if let Some(format) = *format
            && !fits(value, format)
        {
            self.fail(Keyword::Format, || {
                format!("is out of the range of {}", name(format))
            });
        }
    }
}

/// Whether a number has no fraction.
pub(super) fn is_integer(number: &JsonNumber) -> bool {
    !number.is_f64() || number.as_f64().is_some_and(|float| float.fract() == 0.0)
}

/// Converts a number of a value into a number of a document.
pub(super) fn exact(number: &JsonNumber) -> Number {
    if let Some(integer) = number.as_i64() {
        Number::Integer(integer.into())
    } else if let Some(integer) = number.as_u64() {
        Number::Integer(integer.into())
    } else {
        Number::Float(number.as_f64().unwrap_or(f64::NAN))
    }
}

/// Compares two numbers by value.
pub(super) fn compare(left: Number, right: Number) -> Ordering {
    match (left, right) {
        (Number::Integer(left), Number::Integer(right)) => left.cmp(&right),
        (Number::Float(left), Number::Float(right)) => {
            left.partial_cmp(&right).unwrap_or(Ordering::Equal)
        }
        (Number::Integer(left), Number::Float(right)) => compare_mixed(left, right),
        (Number::Float(left), Number::Integer(right)) => compare_mixed(right, left).reverse(),
    }
}

/// 2 to the 127th, past every `i128`.
const PAST_I128: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;

fn compare_mixed(integer: i128, float: f64) -> Ordering {
    if float >= PAST_I128 {
        return Ordering::Less;
    }
    if float < -PAST_I128 {
        return Ordering::Greater;
    }
    // In range, so the conversion of the integer part is exact.
    let whole = float.floor();
    integer.cmp(&(whole as i128)).then(if float > whole {
        Ordering::Less
    } else {
        Ordering::Equal
    })
}

/// Whether `value` divided by `divisor` is an integer. Both count as the decimal numbers that they
/// are written as: 0.3 is a multiple of 0.1.
fn is_multiple(value: Number, divisor: Number) -> bool {
    if let (Number::Integer(value), Number::Integer(divisor)) = (value, divisor) {
        return divisor == 0 || value % divisor == 0;
    }
    let (Some(value), Some(divisor)) = (Decimal::of(value), Decimal::of(divisor)) else {
        return false;
    };
    value.is_multiple_of(&divisor)
}

/// `digits` times ten to the `exponent`.
struct Decimal {
    digits: i128,
    exponent: i32,
}

impl Decimal {
    /// None for a number past what can be held exactly.
    fn of(number: Number) -> Option<Self> {
        let written = match number {
            Number::Integer(digits) => {
                return Some(Decimal {
                    digits,
                    exponent: 0,
                });
            }
            // The shortest text that represents the number: at most 17 digits.
            Number::Float(float) if float.is_finite() => format!("{float:e}"),
            Number::Float(_) => return None,
        };
        let (mantissa, exponent) = written.split_once('e')?;
        let fraction = mantissa
            .split_once('.')
            .map_or(0, |(_, fraction)| fraction.len());
        Some(Decimal {
            digits: mantissa.replace('.', "").parse().ok()?,
            exponent: exponent.parse::<i32>().ok()? - i32::try_from(fraction).ok()?,
        })
    }

    fn is_multiple_of(&self, divisor: &Decimal) -> bool {
        if self.digits == 0 || divisor.digits == 0 {
            return true;
        }
        let shift = self.exponent - divisor.exponent;
        if shift >= 0 {
            // digits * 10^shift, modulo the divisor.
            let modulus = divisor.digits.unsigned_abs();
            let mut remainder = self.digits.unsigned_abs() % modulus;
            for _ in 0..shift {
                if remainder == 0 {
                    return true;
                }
                let Some(next) = remainder.checked_mul(10) else {
                    return false;
                };
                remainder = next % modulus;
            }
            return remainder == 0;
        }
        // The divisor has fewer decimal places, so the value's further places must be zeros.
        let mut digits = self.digits;
        for _ in shift..0 {
            if digits % 10 != 0 {
                return false;
            }
            digits /= 10;
        }
        digits % divisor.digits == 0
    }
}

fn fits(value: Number, format: NumberFormat) -> bool {
    let within = |least: i128, most: i128| {
        compare(value, Number::Integer(least)) != Ordering::Less
            && compare(value, Number::Integer(most)) != Ordering::Greater
    };
    match format {
        NumberFormat::Int8 => within(i8::MIN.into(), i8::MAX.into()),
        NumberFormat::Int16 => within(i16::MIN.into(), i16::MAX.into()),
        NumberFormat::Int32 => within(i32::MIN.into(), i32::MAX.into()),
        NumberFormat::Uint8 => within(0, u8::MAX.into()),
        NumberFormat::Uint16 => within(0, u16::MAX.into()),
        NumberFormat::Uint32 => within(0, u32::MAX.into()),
        NumberFormat::Uint64 => within(0, u64::MAX.into()),
        // The least integer is parsed as an integer. A float of this value was rounded from beyond.
        NumberFormat::Int64 => {
            let rounded = matches!(value, Number::Float(float) if float == i64::MIN as f64);
            within(i64::MIN.into(), i64::MAX.into()) && !rounded
        }
        NumberFormat::Float => {
            let most = f64::from(f32::MAX);
            compare(value, Number::Float(most)) != Ordering::Greater
                && compare(value, Number::Float(-most)) != Ordering::Less
        }
        NumberFormat::Double => true,
    }
}

fn name(format: NumberFormat) -> &'static str {
    match format {
        NumberFormat::Int8 => "int8",
        NumberFormat::Int16 => "int16",
        NumberFormat::Int32 => "int32",
        NumberFormat::Int64 => "int64",
        NumberFormat::Uint8 => "uint8",
        NumberFormat::Uint16 => "uint16",
        NumberFormat::Uint32 => "uint32",
        NumberFormat::Uint64 => "uint64",
        NumberFormat::Float => "float",
        NumberFormat::Double => "double",
    }
}

fn text(number: Number) -> String {
    match number {
        Number::Integer(integer) => integer.to_string(),
        Number::Float(float) => float.to_string(),
    }
}

/// The integer that a number with a fraction of zero, such as `1.0`, represents, if it fits 64
/// bits.
fn without_fraction(number: &JsonNumber) -> Option<JsonNumber> {
    let float = number.as_f64().filter(|_| number.is_f64())?;
    if float.fract() != 0.0 {
        return None;
    }
    let integer = float as i128;
    let signed = i64::try_from(integer).map(JsonNumber::from);
    signed
        .or_else(|_| u64::try_from(integer).map(JsonNumber::from))
        .ok()
}

/// Writes numbers without a fraction as integers, if they fit 64 bits.
pub(super) fn normalize(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(integer) = without_fraction(number) {
                *number = integer;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(normalize),
        Value::Object(members) => members.values_mut().for_each(normalize),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn number(value: Value) -> Number {
        match value {
            Value::Number(number) => exact(&number),
            other => panic!("{other} is no number"),
        }
    }

    #[test]
    fn what_is_below_the_least_integer_does_not_pass_for_it() {
        let of = |text: &str| number(serde_json::from_str(text).unwrap());
        assert!(fits(of("-9223372036854775808"), NumberFormat::Int64));
        assert!(!fits(of("-9223372036854775809"), NumberFormat::Int64));
        assert!(!fits(of("9223372036854775808"), NumberFormat::Int64));
    }

    #[test]
    fn a_format_of_integers_is_limited_on_both_sides() {
        let of = |text: String| number(serde_json::from_str(&text).unwrap());
        for (format, least, most) in [
            (NumberFormat::Int8, i128::from(i8::MIN), i128::from(i8::MAX)),
            (NumberFormat::Int16, i16::MIN.into(), i16::MAX.into()),
            (NumberFormat::Int32, i32::MIN.into(), i32::MAX.into()),
            (NumberFormat::Int64, i64::MIN.into(), i64::MAX.into()),
            (NumberFormat::Uint8, 0, u8::MAX.into()),
            (NumberFormat::Uint16, 0, u16::MAX.into()),
            (NumberFormat::Uint32, 0, u32::MAX.into()),
            (NumberFormat::Uint64, 0, u64::MAX.into()),
        ] {
            for (value, expected) in [
                (least - 1, false),
                (least, true),
                (most, true),
                (most + 1, false),
            ] {
                let is_valid = fits(of(value.to_string()), format);
                assert_eq!(is_valid, expected, "{value} as {}", name(format));
            }
        }
    }

    #[test]
    fn numbers_compare_exactly_where_fractions_would_not() {
        let big = Number::Integer(9_007_199_254_740_993);
        assert_eq!(
            compare(big, Number::Float(9_007_199_254_740_992.0)),
            Ordering::Greater
        );
        assert_eq!(
            compare(Number::Integer(1), Number::Float(1.5)),
            Ordering::Less
        );
        assert_eq!(
            compare(Number::Float(-1.5), Number::Integer(-1)),
            Ordering::Less
        );
        assert_eq!(
            compare(Number::Float(2.0), Number::Integer(2)),
            Ordering::Equal
        );
        assert_eq!(
            compare(Number::Integer(i128::MAX), Number::Float(1e300)),
            Ordering::Less
        );
        assert_eq!(
            compare(Number::Integer(i128::MIN), Number::Float(-1e300)),
            Ordering::Greater
        );
    }

    #[test]
    fn multiples_are_those_of_the_decimal_numbers_written() {
        for (value, divisor, expected) in [
            (json!(0.3), json!(0.1), true),
            (json!(0.35), json!(0.1), false),
            (json!(4.5), json!(1.5), true),
            (json!(1e3), json!(0.01), true),
            (json!(7), json!(0.5), true),
            (json!(7.25), json!(0.5), false),
            (json!(1e30), json!(7), false),
            (json!(0), json!(0.3), true),
            (json!(-9), json!(3), true),
            (json!(1e-9), json!(1), false),
        ] {
            let multiple = is_multiple(number(value.clone()), number(divisor.clone()));
            assert_eq!(multiple, expected, "{value} by {divisor}");
        }
    }

    #[test]
    fn integers_written_as_fractions_become_integers() {
        let mut value = json!([1.0, {"a": -2e3}, 1.5, 1e300, 1.8446744073709552e19]);
        normalize(&mut value);
        assert_eq!(
            value,
            json!([1, {"a": -2000}, 1.5, 1e300, 1.8446744073709552e19])
        );
    }
}
