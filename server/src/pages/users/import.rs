//! The form for many users at once, and its report.
//!
//! Each row is one request, and is done once: the same text can be sent again after an
//! interruption.

use askama::Template;
use http::StatusCode;

use super::administrator::{Administrator, problem, profile_problems};
use super::rows::{MAX_ROWS, Row};
use crate::pages::assets::CHOOSE_FILE;
use crate::pages::page_request::{Form, PageRequest};
use crate::pages::response::{Frame, PageError, PageResponse};

#[derive(Template)]
#[template(path = "console/import_users.html")]
struct ImportPage {
    frame: Frame,
    /// The text of the form: rows to import, or rows to correct.
    text: String,
    problem: Option<String>,
    report: Option<Report>,
    max_rows: usize,
}

impl ImportPage {
    /// Whether the text of the form has rows that failed.
    fn has_failures(&self) -> bool {
        let report = self.report.as_ref();
        report.is_some_and(|report| report.failed > 0)
    }
}

/// The reason of the rows after a failure of the service.
const NOT_DONE: &str = "The service failed before this row was done. Import the row again.";

/// What became of the rows.
#[derive(Debug, Default)]
struct Report {
    created: usize,
    done_before: usize,
    failed: usize,
    lines: Vec<Line>,
}

/// A row in the report.
#[derive(Debug)]
struct Line {
    number: usize,
    email: String,
    /// The word for the outcome, and a class of the stylesheet.
    outcome: (&'static str, &'static str),
    reason: String,
}

/// The form.
///
/// # Errors
///
/// When nobody is signed in, the user administers no organization, or the template fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    Administrator::of(&request).await?;
    page(&request, String::new(), None, None)
}

/// Creates the users.
///
/// # Errors
///
/// When nobody is signed in, the user administers no organization, or the store fails.
pub async fn submit(request: PageRequest, form: Form) -> Result<PageResponse, PageError> {
    let administrator = Administrator::of(&request).await?;
    let text = form.get("rows");
    let rows = match Row::read(text) {
        Ok(rows) => rows,
        Err(problem) => return page(&request, text.to_owned(), Some(problem), None),
    };
    let mut report = Report::default();
    let (mut failed, mut is_stopped) = (Vec::new(), false);
    for (index, mut row) in rows.into_iter().enumerate() {
        let outcome = match is_stopped {
            true => Outcome::Failed(NOT_DONE.to_owned()),
            false => match import(&request, &administrator, &row).await {
                Ok(outcome) => outcome,
                Err(error) if index == 0 => return Err(error),
                Err(error) => {
                    // The report says which users were created before.
                    tracing::error!(%error, "an import of users stopped");
                    is_stopped = true;
                    Outcome::Failed(NOT_DONE.to_owned())
                }
            },
        };
        let (word, reason) = match outcome {
            Outcome::Created(problems) => {
                report.created += 1;
                (("Created", "active"), problems)
            }
            Outcome::DoneBefore(problems) => {
                report.done_before += 1;
                (("Created before", "standby"), problems)
            }
            Outcome::Failed(reason) => {
                report.failed += 1;
                row.reason = Some(reason.clone());
                failed.push(row.clone());
                (("Failed", "revoked"), reason)
            }
        };
        report.lines.push(Line {
            number: index + 1,
            email: row.email_address,
            outcome: word,
            reason,
        });
    }
    let text = match failed.is_empty() {
        true => String::new(),
        false => Row::write(&failed).map_err(|_| PageError::Unreadable)?,
    };
    page(&request, text, None, Some(report))
}

/// The outcome of a row, with the problems of its profiles or the reason of its failure.
enum Outcome {
    Created(String),
    DoneBefore(String),
    Failed(String),
}

async fn import(
    request: &PageRequest,
    administrator: &Administrator,
    row: &Row,
) -> Result<Outcome, PageError> {
    let new = match row.user() {
        Ok(new) => new,
        Err(reason) => return Ok(Outcome::Failed(reason)),
    };
    match administrator.create(request, &row.key(), new).await {
        Ok((response, is_earlier)) => {
            let problems = profile_problems(&response).join(" ");
            Ok(match is_earlier {
                true => Outcome::DoneBefore(problems),
                false => Outcome::Created(problems),
            })
        }
        Err(error) => Ok(Outcome::Failed(problem(error)?.1)),
    }
}

fn page(
    request: &PageRequest,
    text: String,
    problem: Option<String>,
    report: Option<Report>,
) -> Result<PageResponse, PageError> {
    let status = match problem {
        Some(_) => StatusCode::BAD_REQUEST,
        None => StatusCode::OK,
    };
    let page = ImportPage {
        frame: request.frame(),
        text,
        problem,
        report,
        max_rows: MAX_ROWS,
    };
    Ok(request.page(status, &page)?.with_scripts(&[CHOOSE_FILE]))
}
