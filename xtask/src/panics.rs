//! Panics as results.
//!
//! A generator must not panic on any document. A run over many documents counts
//! a panic as a defect, and continues.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// The message of the caught panic; `None` unless [`catch`] runs.
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `work`; a panic in it becomes its message and place, and prints nothing.
pub(crate) fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let awaited = PANIC.with_borrow_mut(|message| {
                if let Some(message) = message {
                    *message = info.to_string().replace('\n', " ");
                }
                message.is_some()
            });
            if !awaited {
                before(info);
            }
        }));
    });
    // An outer call may be waiting for its own panic.
    let outer = PANIC.replace(Some(String::new()));
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    let message = PANIC.replace(outer).unwrap_or_default();
    result.map_err(|_| message)
}

/// Hides the panic of `println!` when the reader of the output has ended, as in `cargo xtask lint | head`. The program
/// ends nevertheless.
pub(crate) fn hide_closed_output() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let text = info.payload().downcast_ref::<String>();
        let closed = "failed printing to stdout: Broken pipe";
        if !text.is_some_and(|text| text.starts_with(closed)) {
            before(info);
        }
    }));
}

#[cfg(test)]
mod tests {
    use super::catch;

    #[test]
    fn a_panic_after_an_inner_call_has_its_message() {
        let caught: Result<(), String> = catch(|| {
            let inner: Result<(), String> = catch(|| panic!("one"));
            assert!(inner.is_err_and(|message| message.contains("one")));
            panic!("two");
        });
        let message = caught.expect_err("a panic");
        assert!(
            message.contains("two") && !message.contains("one"),
            "{message}"
        );
    }
}
