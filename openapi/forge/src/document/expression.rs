//! Regular expressions of ECMA 262, which OpenAPI prescribes.

use regress::{Error, Regex};

/// Compiles an expression with the flag `u`, or else without it.
///
/// # Errors
///
/// When it is invalid with and without the flag.
pub(crate) fn compile(source: &str) -> Result<Regex, Error> {
    Regex::with_flags(source, "u").or_else(|_| Regex::new(source))
}
