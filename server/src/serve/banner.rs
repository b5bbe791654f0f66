//! The banner of a started service: its addresses, and commands to try.

use std::fmt::Write as _;

use super::Area;
use crate::accounts::demo::ADMINISTRATOR_EMAIL;
use crate::app::App;
use crate::demo;
use crate::identity::demo as clients;
use crate::inference::demo::COMPARTMENT;
use crate::setup;

/// The banner. It says what to do next: for the demo catalog and for an empty database.
pub async fn banner(app: &App) -> String {
    let mut text = format!("\nAccord {}\n\n", env!("CARGO_PKG_VERSION"));
    // Writing into a string cannot fail.
    let _ = write_addresses(&mut text, app);
    if app.has_demo() {
        let _ = write_examples(&mut text, app);
    } else if matches!(app.store.read(setup::is_empty).await, Ok(true)) {
        let _ = writeln!(
            text,
            "\nThe database is empty. With the same options, this creates an organization, its administrator\n\
             and a compartment for API keys:\n\n  {} init",
            command("accord-server")
        );
    }
    text.push('\n');
    text
}

/// How to call a program of the project: through cargo if cargo runs this one.
fn command(program: &str) -> String {
    match (std::env::var_os("CARGO_MANIFEST_DIR"), program) {
        (None, _) => program.to_owned(),
        (Some(_), "accord") => "cargo accord".to_owned(),
        (Some(_), _) => "cargo run --".to_owned(),
    }
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
    let accord = format!("{}{}", command("accord"), app.urls().client_options());
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
    if accord.starts_with("cargo ") {
        // The alias is quiet, because its arguments may have secrets.
        writeln!(
            text,
            "The first `cargo accord` compiles for a minute or two, without output.\n"
        )?;
    }
    write!(text, "Ctrl-C stops the service.")?;
    if app.config.database.url.is_none() {
        let directory = app.config.server.data_dir.display();
        write!(
            text,
            " To begin again, remove {directory} before the next start."
        )?;
    }
    writeln!(text, "\n")?;
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
