//! Colors of the output.

use std::env;

/// Whether output gets colors, as cargo decides it: by `CARGO_TERM_COLOR`, then `NO_COLOR`, then whether
/// the output is a terminal.
pub(crate) fn is_wanted(is_terminal: bool) -> bool {
    match env::var("CARGO_TERM_COLOR").as_deref() {
        Ok("always") => true,
        Ok("never") => false,
        _ => is_terminal && env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    }
}
