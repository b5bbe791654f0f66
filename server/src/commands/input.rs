//! Input of commands: values of the operator, and lines with a secret.

use std::io::{BufRead, IsTerminal};
use std::path::Path;

use anyhow::Context as _;
use zeroize::Zeroizing;

/// Asks for a value on the terminal. Fails without a terminal, and names the flag.
pub fn ask(question: &str, flag: &str) -> anyhow::Result<String> {
    anyhow::ensure!(
        std::io::stdin().is_terminal(),
        "cannot ask for a value without a terminal; add {flag}"
    );
    eprint!("{question}: ");
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    let value = line.trim();
    anyhow::ensure!(!value.is_empty(), "no value was entered; add {flag}");
    Ok(value.to_owned())
}

/// Rejects what cannot be an email address.
pub fn check_email(email: &str) -> anyhow::Result<()> {
    anyhow::ensure!(
        email.contains('@') && !email.contains(char::is_whitespace),
        "{email} is not an email address"
    );
    Ok(())
}

/// Asks for confirmation on the terminal. Fails without a terminal, and says what to add.
pub fn confirmed(question: &str, instead: &str) -> anyhow::Result<bool> {
    anyhow::ensure!(
        std::io::stdin().is_terminal(),
        "cannot ask for confirmation without a terminal; add {instead}"
    );
    eprint!("{question} [y/N] ");
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

/// Reads a secret: the first line of a file, or of standard input. `name` is its name for people.
pub fn read_secret(file: Option<&Path>, name: &str) -> anyhow::Result<Zeroizing<String>> {
    let mut line = Zeroizing::new(String::new());
    match file {
        Some(path) => {
            let file = std::fs::File::open(path).with_context(|| path.display().to_string())?;
            let read = std::io::BufReader::new(file).read_line(&mut line);
            read.with_context(|| path.display().to_string())?;
        }
        None => {
            if std::io::stdin().is_terminal() {
                eprintln!("Enter the {name}. The terminal shows it:");
            }
            std::io::stdin().lock().read_line(&mut line)?;
        }
    }
    let end = line.trim_end_matches(['\r', '\n']).len();
    line.truncate(end);
    Ok(line)
}
