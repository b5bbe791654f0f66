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
    PANIC.set(Some(String::new()));
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    let message = PANIC.take().unwrap_or_default();
    result.map_err(|_| message)
}
