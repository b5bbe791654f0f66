//! Panics as results.
//!
//! A generator must not panic on any document. To show that it does not, it
//! has to be run so that one that does is counted, and the run goes on.

use std::cell::RefCell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// What the panic that is being caught said; `None` while none is awaited.
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs `work`; a panic in it becomes its message and place, and prints nothing.
pub(crate) fn catch<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            let awaited = SAID.with_borrow_mut(|said| {
                if let Some(said) = said {
                    *said = info.to_string().replace('\n', " ");
                }
                said.is_some()
            });
            if !awaited {
                before(info);
            }
        }));
    });
    SAID.set(Some(String::new()));
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    let said = SAID.take().unwrap_or_default();
    result.map_err(|_| said)
}
