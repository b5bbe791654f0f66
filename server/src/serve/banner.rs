//! The banner of a started service: its addresses, and commands to try.

use std::fmt::Write as _;

use super::Area;
use crate::accounts::demo::ADMINISTRATOR_EMAIL;
use crate::app::App;
use crate::demo;
use crate::identity::demo as clients;
use crate::inference::demo::COMPARTMENT;

/// The banner.
pub fn banner(app: &App) -> String {
    let mut text = format!("\nAccord {}\n\n", env!("CARGO_PKG_VERSION"));
    // Writing into a string cannot fail.
    let _ = write_addresses(&mut text, app);
    if app.has_demo() {
        let _ = write_examples(&mut text, app);
    }
    text.push('\n');
    text
}

fn write_addresses(text: &mut String, app: &App) -> std::fmt::Result {
    let urls = app.urls();
    match Area::ALL.iter().all(|&area| urls.of(area) == urls.main()) {
        true => writeln!(text, "  {:<10} {}", "service", urls.main())?,
        false => {
            for area in Area::ALL {
                writeln!(text, "  {:<10} {}", area.name(), urls.of(area))?;
            }
        }
    }
    writeln!(
        text,
        "  {:<10} {}/ui/v1",
        "console",
        urls.of(Area::Identity)
    )?;
    writeln!(text, "  {:<10} {}/docs", "documents", urls.main())?;
    let server = &app.config.server;
    let health = match server.ops_listen {
        Some(address) => format!("{}://{address}", server.tls.scheme()),
        None => urls.main().to_owned(),
    };
    writeln!(text, "  {:<10} {health}/readyz, /metrics", "health")?;
    writeln!(text, "  {:<10} {}", "data", app.store.description())?;
    writeln!(
        text,
        "  {:<10} {}",
        "mail",
        app.mail.transport.description()
    )
}

fn write_examples(text: &mut String, app: &App) -> std::fmt::Result {
    let accord = format!("cargo accord{}", app.urls().client_options());
    let password = demo::PASSWORD;
    writeln!(text)?;
    writeln!(
        text,
        "Try it, as {ADMINISTRATOR_EMAIL} with the password {password}:"
    )?;
    writeln!(text)?;
    writeln!(text, "  {accord} login")?;
    writeln!(
        text,
        "  {accord} keys create first --compartment {COMPARTMENT} --save"
    )?;
    writeln!(text, "  {accord} chat Hello")?;
    writeln!(text)?;
    writeln!(
        text,
        "OAuth clients: {} (public), {} (secret {}), {} (key {}, its kid is {})",
        clients::PUBLIC,
        clients::CONFIDENTIAL,
        clients::SECRET,
        clients::ASSERTION,
        clients::robot_key_file(&app.identity).display(),
        clients::ASSERTION
    )
}
