//! Enums whose values have names, in the database or in a document.

/// Gives each value of an enum a name, and the enum `ALL`, `as_str` and `parse`.
///
/// ```
/// #[derive(Clone, Copy)]
/// enum Period { Day, Month }
/// accord_base::names! {
///     /// The name in the database.
///     Period { Day = "day", Month = "month" }
/// }
/// assert_eq!(Period::Day.as_str(), "day");
/// assert!(matches!(Period::parse("month"), Some(Period::Month)));
/// ```
#[macro_export]
macro_rules! names {
    ($(#[$doc:meta])+ $type:ident { $($value:ident = $name:literal),+ $(,)? }) => {
        impl $type {
            /// Every value, in the order of their declaration.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$value),+];

            $(#[$doc])+
            pub const fn as_str(self) -> &'static str {
                match self {
                    $($type::$value => $name,)+
                }
            }

            /// The value of this name.
            pub fn parse(name: &str) -> Option<$type> {
                $type::ALL.into_iter().find(|one| one.as_str() == name)
            }
        }
    };
}
