//! Many users from a file.
//!
//! Each row has an idempotency key that is computed from its content, and a journal beside the file names the rows that
//! are done. So an interrupted import can be started again unchanged: the command skips the rows of the journal. A row
//! whose response was lost gets the same response again, and its user is not created twice.

use crate::failure::failed;
use crate::output::{Output, note};
use accord_client::{Accord, OperationError as _, accounts::types, concerns_credentials};
use anyhow::Context as _;
use clap::Args;
use futures_util::StreamExt as _;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use serde::{Deserialize, Serialize};
use std::{
    collections::HashSet,
    fs::{File, OpenOptions},
    io::{self, IsTerminal as _, Read as _, Write as _},
    path::{Path, PathBuf},
};

/// Create hub users from a CSV file; an interrupted import can be resumed
#[derive(Args)]
#[command(after_help = "\
The first line names the columns:
  emailAddress, firstName, lastName, language, hubOrganizationId
and, where they are of use:
  middleName
  setPassword             true or false
  emailForCommunication   another address for emails
  collab                  APP:ORG[:PROJECT,…]; several of them separated by semicolons

The command lists rows that are done in FILE.done, and rows that failed in FILE.failed.csv, with the
reason. Correct that file and import it. The import stops when the service refuses the login; log in
and start it again.")]
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
    /// Why the row failed: a column of the report, which an import ignores.
    #[serde(default)]
    reason: Option<String>,
}

/// The outcome of an import.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct Summary {
    created: usize,
    done_before: usize,
    /// Rows that are equal to an earlier row of the file, and are not sent.
    repeated: usize,
    failed: usize,
    /// Rows that were not tried, because the import stopped.
    left: usize,
}

/// The maximum of consecutive rows that the user has no right to. The import then stops, because
/// the user probably has no right to any.
const MAX_REFUSALS: usize = 20;

impl Line {
    /// A hash of the content that is the same on every machine: 128-bit FNV-1a.
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
            .map(|profile| super::collab::collab(profile.trim()))
            .collect::<Result<Vec<_>, _>>()?;
        let given = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        let mut hub_user = types::HubUserRequest::new(types::HubUserRequestRequired {
            email_address: self.email_address.clone(),
            first_name: self.first_name.clone(),
            hub_organization_id: self.hub_organization_id,
            language: self.language.clone(),
            last_name: self.last_name.clone(),
            set_password: self.set_password.unwrap_or(false),
        });
        hub_user.email_for_communication = given(&self.email_for_communication);
        hub_user.middle_name = given(&self.middle_name);
        let mut request = types::CreateUserRequest::new().hub_user(hub_user);
        request.collab_users = (!profiles.is_empty()).then_some(profiles);
        Ok(request)
    }
}

impl Import {
    pub async fn run(self, accord: &Accord, output: &Output) -> anyhow::Result<()> {
        let lines = self.lines()?;
        let mut journal = Journal::open(beside(&self.file, "done"))?;
        let mut summary = Summary::default();
        let waiting = summary.waiting(lines, &journal.done);
        let bar = progress(waiting.len());
        let mut report = Report::new(beside(&self.file, "failed.csv"));
        let mut stopped = None;
        let mut refusals = 0;
        let mut outcomes = futures_util::stream::iter(waiting)
            .map(|line| create(accord, line))
            .buffer_unordered(usize::from(self.at_once));
        while let Some((mut line, outcome)) = outcomes.next().await {
            refusals = match outcome {
                Outcome::Unauthorized(_) => refusals + 1,
                _ => 0,
            };
            match outcome {
                Outcome::Stop(error) => {
                    stopped = Some(error);
                    break;
                }
                Outcome::Created => {
                    journal.add(&line)?;
                    summary.created += 1;
                }
                Outcome::Failed(error) | Outcome::Unauthorized(error) => {
                    summary.failed += 1;
                    line.reason = Some(error.to_string());
                    report.add(&line)?;
                    if refusals == MAX_REFUSALS {
                        stopped = Some(error);
                        summary.left -= 1;
                        break;
                    }
                }
            }
            summary.left -= 1;
            bar.inc(1);
        }
        bar.finish_and_clear();
        if summary.failed == 0 && summary.left == 0 {
            remove(&report.path)?;
        }
        print_summary(output, &summary, &report.path)?;
        match stopped {
            Some(error) => Err(error.context(format!(
                "the import stopped, and {} left",
                rows(summary.left, "row is", "rows are")
            ))),
            None => Ok(()),
        }
    }

    /// The rows of the file. The whole file is read first, so that an import of an invalid file does not begin.
    fn lines(&self) -> anyhow::Result<Vec<Line>> {
        let name = self.file.display();
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .from_path(&self.file)
            .with_context(|| name.to_string())?;
        // The iterator of rows ignores an error of the first line.
        let columns = reader.headers().with_context(|| name.to_string())?;
        if columns.is_empty() {
            anyhow::bail!("{name} is empty; its first line names the columns (see --help)");
        }
        let lines = reader.deserialize().collect::<Result<Vec<Line>, _>>();
        let lines = lines.with_context(|| name.to_string())?;
        if lines.is_empty() {
            note(format!("note: {name} has no rows"));
        }
        Ok(lines)
    }
}

impl Summary {
    /// The rows that are neither in the journal nor equal to an earlier row. Counts all rows.
    fn waiting(&mut self, lines: Vec<Line>, done: &HashSet<String>) -> Vec<Line> {
        let mut seen = HashSet::new();
        let mut waiting = Vec::new();
        for line in lines {
            let key = line.key();
            if done.contains(&key) {
                self.done_before += 1;
            } else if seen.insert(key) {
                waiting.push(line);
            } else {
                self.repeated += 1;
            }
        }
        self.left = waiting.len();
        waiting
    }
}

/// The file of the rows that are done.
struct Journal {
    path: PathBuf,
    file: File,
    /// The keys of the rows that earlier runs have done.
    done: HashSet<String>,
}

impl Journal {
    fn open(path: PathBuf) -> anyhow::Result<Self> {
        let open = || -> io::Result<(File, HashSet<String>)> {
            let mut options = OpenOptions::new();
            let mut file = options.create(true).read(true).append(true).open(&path)?;
            let mut text = String::new();
            file.read_to_string(&mut text)?;
            // A crash may have truncated the last line, which then matches no row. The next key is not a part of it.
            if !text.is_empty() && !text.ends_with('\n') {
                file.write_all(b"\n")?;
            }
            Ok((file, text.lines().map(str::to_owned).collect()))
        };
        let (file, done) = open().with_context(|| path.display().to_string())?;
        Ok(Self { path, file, done })
    }

    fn add(&mut self, line: &Line) -> anyhow::Result<()> {
        let written = self.file.write_all(format!("{}\n", line.key()).as_bytes());
        written.with_context(|| self.path.display().to_string())
    }
}

/// The file of the rows that failed, which the first of them creates.
struct Report {
    path: PathBuf,
    writer: Option<csv::Writer<File>>,
}

impl Report {
    fn new(path: PathBuf) -> Self {
        Self { path, writer: None }
    }

    fn add(&mut self, line: &Line) -> anyhow::Result<()> {
        let writer = match &mut self.writer {
            Some(writer) => writer,
            None => self.writer.insert(
                csv::Writer::from_path(&self.path)
                    .with_context(|| self.path.display().to_string())?,
            ),
        };
        writer.serialize(line)?;
        writer.flush()?;
        Ok(())
    }
}

/// Prints the counts.
///
/// # Errors
///
/// When rows failed, and no row is left.
fn print_summary(output: &Output, summary: &Summary, report: &Path) -> anyhow::Result<()> {
    let more = |count: usize| (count > 0).then(|| count.to_string());
    let counts = [
        ("created", Some(summary.created.to_string())),
        ("done before", Some(summary.done_before.to_string())),
        ("repeated", more(summary.repeated)),
        ("failed", Some(summary.failed.to_string())),
        ("left", more(summary.left)),
    ];
    output.one(summary, &counts)?;
    match (summary.failed, summary.left) {
        (failed @ 1.., 0) => anyhow::bail!(
            "{} failed; {} says why",
            rows(failed, "row", "rows"),
            report.display()
        ),
        // The caller reports another error.
        _ => Ok(()),
    }
}

fn rows(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Removes the report of an earlier import, whose rows are done. While rows are left, the report stays: the user may
/// have corrected rows in it.
fn remove(report: &Path) -> anyhow::Result<()> {
    match std::fs::remove_file(report) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| report.display().to_string())
        }
        _ => Ok(()),
    }
}

enum Outcome {
    Created,
    /// Also of a user who lacks a profile. The row is not done: the next import reports it again.
    Failed(anyhow::Error),
    /// The user has no right to the organization or profile of the row.
    Unauthorized(anyhow::Error),
    /// The import cannot continue.
    Stop(anyhow::Error),
}

async fn create(accord: &Accord, line: Line) -> (Line, Outcome) {
    let request = match line.request() {
        Ok(request) => request,
        Err(problem) => return (line, Outcome::Failed(anyhow::Error::msg(problem))),
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
                false => Outcome::Failed(anyhow::anyhow!("created, but: {}", problems.join("; "))),
            }
        }
        Err(error) if concerns_credentials(&error) => Outcome::Stop(failed(error)),
        Err(error) if error.status().is_some_and(|status| status.as_u16() == 401) => {
            Outcome::Unauthorized(failed(error))
        }
        Err(error) => Outcome::Failed(failed(error)),
    };
    (line, outcome)
}

fn beside(file: &Path, extension: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

/// Shows the progress of the rows that this run sends.
fn progress(total: usize) -> ProgressBar {
    let target = match std::io::stderr().is_terminal() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let bar = ProgressBar::with_draw_target(Some(total as u64), target);
    styled(bar)
}

fn styled(bar: ProgressBar) -> ProgressBar {
    // The bar takes the remaining width of the terminal.
    let template = "{wide_bar} {pos}/{len} users, {rate}, {eta} left";
    if let Ok(style) = ProgressStyle::with_template(template) {
        let rate = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
            // A closed terminal cannot show progress.
            let _ = write!(out, "{:.0}/s", state.per_sec());
        };
        bar.set_style(style.with_key("rate", rate));
    }
    bar
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::Terminal;

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
    fn a_file_whose_first_line_cannot_be_read_is_an_error_and_not_empty() {
        let folder = tempfile::tempdir().expect("a directory");
        let file = folder.path().join("people.csv");
        std::fs::write(&file, b"emailAddress,\xff\n").expect("a file");
        for file in [folder.path().to_owned(), file] {
            let error = Import { file, at_once: 1 }.lines().expect_err("no columns");
            assert!(!error.to_string().contains("is empty"), "{error}");
        }
    }

    #[test]
    fn a_key_after_a_truncated_line_of_the_journal_is_found_again() {
        let folder = tempfile::tempdir().expect("a directory");
        let path = folder.path().join("people.csv.done");
        let rows = lines(ROWS);
        for row in &rows {
            let mut journal = Journal::open(path.clone()).expect("a journal");
            journal.add(row).expect("a key");
            // A crash.
            journal.file.write_all(b"import-12").expect("a beginning");
        }
        let journal = Journal::open(path).expect("a journal");
        assert!(rows.iter().all(|row| journal.done.contains(&row.key())));
    }

    #[test]
    fn the_progress_fits_a_line_and_has_no_decimals() {
        let terminal = Terminal::default();
        let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        let bar = styled(ProgressBar::with_draw_target(Some(6_000), target));
        bar.inc(4_000);
        bar.force_draw();
        let drawn = terminal.text();
        assert!(drawn.contains("4000/6000 users, "), "{drawn:?}");
        assert!(drawn.contains("/s, "), "{drawn:?}");
        assert!(drawn.trim_end().ends_with(" left"), "{drawn:?}");
        assert!(!drawn.contains('.'), "{drawn:?}");
        assert!(drawn.chars().count() <= 60, "{drawn:?}");
    }

    #[test]
    fn a_key_depends_on_the_content_of_the_row_and_not_on_its_failure() {
        let rows = lines(ROWS);
        let mut again = rows[0].clone();
        again.reason = Some("it rained".into());
        assert_eq!(rows[0].key(), again.key());
        assert_ne!(rows[0].key(), rows[1].key());
        assert_eq!(rows[0].key().len(), 39);
    }
}
