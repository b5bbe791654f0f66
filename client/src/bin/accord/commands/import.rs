//! Many users from a file.
//!
//! Each row has an idempotency key that is computed from what the row says, and a journal beside the file names the
//! rows that are done. An import that was interrupted, at whatever point, is therefore started again as it was: rows
//! of the journal are passed over, and a row whose answer got lost is answered as before instead of being done twice.

use crate::output::{Output, failed};
use accord_client::{Accord, accounts::types};
use anyhow::Context as _;
use clap::Args;
use futures::StreamExt as _;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::{Deserialize, Serialize};
use std::{
    collections::HashSet,
    fs::{File, OpenOptions},
    io::{BufRead as _, BufReader, IsTerminal as _, Write as _},
    path::{Path, PathBuf},
};

/// Create hub users from a CSV file; an interrupted import goes on where it stopped
#[derive(Args)]
#[command(after_help = "\
The first line names the columns: emailAddress, firstName, lastName, language, hubOrganizationId; and, where
wanted, middleName, setPassword (true or false), emailForCommunication, and collab, which is
APP:ORG[:PROJECT,…], several of them separated by semicolons.

Rows that are done are noted in FILE.done, rows that failed in FILE.failed.csv, with the reason; that file can
be mended and imported.")]
pub struct Import {
    /// The file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Requests at once
    #[arg(long, value_name = "NUMBER", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..=64))]
    at_once: u16,
}

/// A line of the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Line {
    email_address: String,
    first_name: String,
    #[serde(default)]
    middle_name: Option<String>,
    last_name: String,
    language: String,
    hub_organization_id: i64,
    #[serde(default)]
    set_password: Option<bool>,
    #[serde(default)]
    email_for_communication: Option<String>,
    #[serde(default)]
    collab: Option<String>,
    /// Why it failed: written into a report, and passed over when that is imported.
    #[serde(default)]
    reason: Option<String>,
}

/// What became of an import.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Summary {
    created: usize,
    done_before: usize,
    failed: usize,
}

impl Line {
    /// The same for the same content, on every machine: 128-bit FNV-1a.
    fn key(&self) -> String {
        let content = (
            &self.email_address,
            (&self.first_name, &self.middle_name, &self.last_name),
            &self.language,
            self.hub_organization_id,
            self.set_password,
            &self.email_for_communication,
            &self.collab,
        );
        let text = format!("{content:?}");
        let hash = text.bytes().fold(
            0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128,
            |hash, byte| {
                (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
            },
        );
        format!("import-{hash:032x}")
    }

    fn request(&self) -> Result<types::CreateUserRequest, String> {
        let profiles = self.collab.iter().flat_map(|collab| collab.split(';'));
        let profiles = profiles
            .filter(|profile| !profile.trim().is_empty())
            .map(|profile| super::users::collab(profile.trim()))
            .collect::<Result<Vec<_>, _>>()?;
        let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        Ok(types::CreateUserRequest {
            hub_user: Some(types::HubUserRequest {
                email_address: self.email_address.clone(),
                email_for_communication: given(&self.email_for_communication),
                first_name: self.first_name.clone(),
                hub_organization_id: self.hub_organization_id,
                language: self.language.clone(),
                last_name: self.last_name.clone(),
                middle_name: given(&self.middle_name),
                set_password: self.set_password.unwrap_or(false),
            }),
            collab_users: (!profiles.is_empty()).then_some(profiles),
        })
    }
}

impl Import {
    pub async fn run(self, accord: &Accord, output: &Output) -> anyhow::Result<()> {
        let name = self.file.display();
        // All of it is read first: a file that is wrong somewhere is not begun.
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .from_path(&self.file)
            .with_context(|| name.to_string())?;
        let lines = reader.deserialize().collect::<Result<Vec<Line>, _>>();
        let lines = lines.with_context(|| name.to_string())?;

        let journal_path = beside(&self.file, "done");
        let done = journal(&journal_path)?;
        let mut journal = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&journal_path)
            .with_context(|| journal_path.display().to_string())?;
        let mut summary = Summary::default();
        let total = lines.len();
        let waiting: Vec<Line> = lines
            .into_iter()
            .filter(|line| !done.contains(&line.key()))
            .collect();
        summary.done_before = total - waiting.len();

        let bar = progress(total, summary.done_before);
        let report_path = beside(&self.file, "failed.csv");
        let mut report = None;
        let mut answers = futures::stream::iter(waiting)
            .map(|line| create(accord, line))
            .buffer_unordered(usize::from(self.at_once));
        while let Some((mut line, outcome)) = answers.next().await {
            if !matches!(outcome, Outcome::Failed(_)) {
                writeln!(journal, "{}", line.key())?;
            }
            match outcome {
                Outcome::Created => summary.created += 1,
                // A user is there, though not with everything: doing it again would not help.
                Outcome::Failed(reason) | Outcome::Partly(reason) => {
                    summary.failed += 1;
                    line.reason = Some(reason);
                    let writer = match &mut report {
                        Some(writer) => writer,
                        None => report.insert(
                            csv::Writer::from_path(&report_path)
                                .with_context(|| report_path.display().to_string())?,
                        ),
                    };
                    writer.serialize(&line)?;
                    writer.flush()?;
                }
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        self.tell(output, &summary, &report_path)
    }

    fn tell(&self, output: &Output, summary: &Summary, report: &Path) -> anyhow::Result<()> {
        let counts = [
            ("created", Some(summary.created.to_string())),
            ("done before", Some(summary.done_before.to_string())),
            ("failed", Some(summary.failed.to_string())),
        ];
        output.one(summary, &counts)?;
        match summary.failed {
            0 => Ok(()),
            failed => anyhow::bail!("{failed} rows failed; {} says why", report.display()),
        }
    }
}

enum Outcome {
    Created,
    Partly(String),
    Failed(String),
}

async fn create(accord: &Accord, line: Line) -> (Line, Outcome) {
    let request = match line.request() {
        Ok(request) => request,
        Err(problem) => return (line, Outcome::Failed(problem)),
    };
    let call = accord
        .accounts()
        .create_user()
        .idempotency_key(line.key())
        .body(request);
    let outcome = match call.call().await {
        Ok(created) => {
            let profiles = created.collab_user.iter();
            let problems: Vec<_> = profiles
                .filter_map(|profile| profile.error_description.as_deref())
                .collect();
            match problems.is_empty() {
                true => Outcome::Created,
                false => Outcome::Partly(format!("created, but: {}", problems.join("; "))),
            }
        }
        Err(error) => Outcome::Failed(format!("{:#}", failed(error))),
    };
    (line, outcome)
}

fn beside(file: &Path, extension: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

/// Keys of the rows that are done. A line that was cut short by a crash matches no row.
fn journal(path: &Path) -> anyhow::Result<HashSet<String>> {
    match File::open(path) {
        Ok(file) => Ok(BufReader::new(file).lines().collect::<Result<_, _>>()?),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(HashSet::new()),
        Err(error) => Err(error).with_context(|| path.display().to_string()),
    }
}

fn progress(total: usize, done: usize) -> ProgressBar {
    let target = match std::io::stderr().is_terminal() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let bar = ProgressBar::with_draw_target(Some(total as u64), target);
    let template = "{bar:40} {pos}/{len} users, {per_sec}, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_position(done as u64);
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<Line> {
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        reader
            .deserialize()
            .collect::<Result<_, _>>()
            .expect("rows")
    }

    const ROWS: &str = "\
emailAddress,firstName,lastName,language,hubOrganizationId,setPassword,collab
mira@north.example,Mira,Lund,en,3104,true,\"71:5201:LOCK-1,HARBOUR-2; 72:5202\"
piet@north.example,Piet,Vos,nl,3104,,
";

    #[test]
    fn a_row_becomes_a_request_and_columns_may_be_missing_or_empty() {
        let rows = lines(ROWS);
        let first = rows[0].request().expect("a request");
        assert_eq!(first.collab_users.map_or(0, |profiles| profiles.len()), 2);
        assert!(
            first
                .hub_user
                .is_some_and(|user| user.set_password && user.middle_name.is_none())
        );
        assert_eq!(rows[1].request().expect("a request").collab_users, None);
    }

    #[test]
    fn a_key_follows_from_what_the_row_says_and_not_from_why_it_failed() {
        let rows = lines(ROWS);
        let mut again = rows[0].clone();
        again.reason = Some("it rained".into());
        assert_eq!(rows[0].key(), again.key());
        assert_ne!(rows[0].key(), rows[1].key());
        assert_eq!(rows[0].key().len(), 39);
    }
}
