//! What is printed when the service listens: where it is, and what to try.

use std::fmt::Write as _;

use super::Area;
use crate::app::App;

/// The banner.
pub fn banner(app: &App) -> String {
    let urls = app.urls();
    let mut text = format!("\nAccord {}\n\n", env!("CARGO_PKG_VERSION"));
    let mut line = |what: &str, value: &str| {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "  {what:<10} {value}");
    };
    for area in Area::ALL {
        line(area.name(), urls.of(area));
    }
    line("documents", &format!("{}/docs", urls.main()));
    line("health", &format!("{}/readyz", urls.main()));
    line("data", app.store.description());
    text.push('\n');
    text
}
