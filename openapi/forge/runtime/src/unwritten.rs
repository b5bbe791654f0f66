//! Operations of a prototype whose methods are not implemented yet.

use std::any::Any;
use std::panic::resume_unwind;

/// The panic payload of an operation that is not implemented.
struct Unwritten {
    operation: &'static str,
}

/// The body of an operation's method until the method is implemented: the server responds with 501
/// ([`Rejection::NotImplemented`](crate::Rejection::NotImplemented)).
///
/// Unwinds as [`unimplemented!`] does, so that it fits every return type, but prints no message.
pub fn not_implemented<T>(operation: &'static str) -> T {
    resume_unwind(Box::new(Unwritten { operation }))
}

/// The operation that is not implemented, if that is why a handler panicked.
pub(crate) fn operation(panic: &(dyn Any + Send)) -> Option<&'static str> {
    panic
        .downcast_ref::<Unwritten>()
        .map(|unwritten| unwritten.operation)
}
