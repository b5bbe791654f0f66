//! The page of usage, and its download.

use askama::Template;
use chrono::{Days, NaiveDate};
use http::StatusCode;

use super::chart::Chart;
use super::csv;
use super::sums::{Adder, grouped};
use crate::inference::admission::period::Period;
use crate::inference::admission::usage::Counts;
use crate::inference::keys::budget::{self, Budget};
use crate::inference::keys::usage::{self, Query, Sum};
use crate::pages::caller::Caller;
use crate::pages::day::day;
use crate::pages::page_request::PageRequest;
use crate::pages::response::{Frame, PageError, PageResponse};

/// Rows that are read at once.
const ROWS: i64 = 10_000;

/// The numbers of days that can be chosen.
const SPANS: [u64; 3] = [7, 30, 90];

#[derive(Template)]
#[template(path = "console/usage.html")]
struct UsagePage {
    frame: Frame,
    compartments: Vec<String>,
    compartment: String,
    span: u64,
    spans: [u64; 3],
    charts: Vec<Chart>,
    total: Line,
    keys: Vec<Line>,
    models: Vec<Line>,
    budgets: Vec<Left>,
}

/// Usage of a key or a model.
struct Line {
    name: String,
    requests: String,
    errors: String,
    input: String,
    output: String,
    tokens: String,
}

impl Line {
    fn of(name: &str, counts: &Counts) -> Line {
        Line {
            name: name.to_owned(),
            requests: grouped(counts.requests),
            errors: grouped(counts.errors),
            input: grouped(counts.tokens.input),
            output: grouped(counts.tokens.output),
            tokens: grouped(counts.tokens.total()),
        }
    }
}

/// The rest of the budget of a key.
struct Left {
    name: String,
    left: String,
    tokens: String,
    period: &'static str,
    next: String,
    /// The part that is used, in percent.
    percent: i64,
}

impl Left {
    fn of(budget: &Budget) -> Left {
        let used = budget.used.clamp(0, budget.tokens.max(0));
        let percent = i128::from(used) * 100 / i128::from(budget.tokens.max(1));
        Left {
            name: budget.display_name.clone(),
            left: grouped(budget.tokens - used),
            tokens: grouped(budget.tokens),
            period: match budget.period {
                Period::Day => "day",
                Period::Month => "month",
            },
            next: day(budget.next.date_naive()),
            percent: i64::try_from(percent).unwrap_or(100),
        }
    }
}

/// The compartment and the days of a page.
struct View {
    caller: Caller,
    compartment: String,
    first: NaiveDate,
    last: NaiveDate,
    span: u64,
}

/// Finds the compartment and the days that the query names, by default the first compartment and
/// thirty days. `None` if the user has no compartment.
async fn view(request: &PageRequest) -> Result<Option<View>, PageError> {
    let caller = Caller::of(request).await?;
    let compartment = match request.query("compartment") {
        Some(wanted) if caller.verb(wanted).is_some() => wanted.to_owned(),
        Some(_) => return Err(PageError::Unknown),
        None => match caller.compartments.first() {
            Some((first, _)) => first.clone(),
            None => return Ok(None),
        },
    };
    let span = request.query("days").and_then(|days| days.parse().ok());
    let span = span.filter(|span| SPANS.contains(span)).unwrap_or(30);
    let last = request.app.clock.now().date_naive();
    let first = last.checked_sub_days(Days::new(span - 1)).unwrap_or(last);
    Ok(Some(View {
        caller,
        compartment,
        first,
        last,
        span,
    }))
}

/// Reads the rows of a page. `take` gets them one after the other.
async fn read(
    request: &PageRequest,
    view: &View,
    mut take: impl FnMut(Sum),
) -> Result<(), PageError> {
    let inference = &request.app.inference;
    for region in inference.regions.all() {
        let manager = view.caller.manager_in(region);
        let mut page = None;
        loop {
            let query = Query {
                compartment_id: view.compartment.clone(),
                key_id: None,
                model: None,
                first_day: Some(view.first),
                last_day: Some(view.last),
                limit: ROWS,
                page,
                descending: false,
            };
            let read = usage::list(inference, &manager, query).await?;
            read.sums.into_iter().for_each(&mut take);
            page = read.next;
            if page.is_none() {
                break;
            }
        }
    }
    Ok(())
}

/// The budgets of the keys in a compartment.
async fn budgets(request: &PageRequest, view: &View) -> Result<Vec<Budget>, PageError> {
    let inference = &request.app.inference;
    let mut budgets = Vec::new();
    for region in inference.regions.all() {
        let manager = view.caller.manager_in(region);
        budgets.append(&mut budget::list(inference, &manager, &view.compartment).await?);
    }
    Ok(budgets)
}

/// The page.
///
/// # Errors
///
/// When nobody is signed in, the user may not see the compartment, or the store fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    let Some(view) = view(&request).await? else {
        let page = NoUsagePage {
            frame: request.frame(),
        };
        return request.page(StatusCode::OK, &page);
    };
    let mut adder = Adder::new(view.first, view.span);
    read(&request, &view, |row| adder.add(row)).await?;
    let sums = adder.sums();
    let budgets = budgets(&request, &view).await?;
    let days = |values: fn(&Counts) -> [i64; 2]| -> Vec<_> {
        let days = sums.days.iter();
        days.map(|(day, counts)| (*day, values(counts))).collect()
    };
    let token_days = days(|counts| [counts.tokens.input, counts.tokens.output]);
    let request_days =
        days(|counts| [counts.requests.saturating_sub(counts.errors), counts.errors]);
    let page = UsagePage {
        frame: request.frame(),
        compartments: view
            .caller
            .compartments
            .iter()
            .map(|(id, _)| id.clone())
            .collect(),
        compartment: view.compartment,
        span: view.span,
        spans: SPANS,
        charts: vec![
            Chart::of("tokens", "Tokens per day", ["Input", "Output"], &token_days),
            Chart::of(
                "requests",
                "Requests per day",
                ["Successful", "Failed"],
                &request_days,
            ),
        ],
        total: Line::of("Total", &sums.total),
        keys: sums
            .keys
            .iter()
            .map(|(_, name, sum)| Line::of(name, sum))
            .collect(),
        models: sums
            .models
            .iter()
            .map(|(name, sum)| Line::of(name, sum))
            .collect(),
        budgets: budgets.iter().map(Left::of).collect(),
    };
    request.page(StatusCode::OK, &page)
}

#[derive(Template)]
#[template(path = "console/no_usage.html")]
struct NoUsagePage {
    frame: Frame,
}

/// The rows behind the page, as a file.
///
/// # Errors
///
/// As for the page.
pub async fn download(request: PageRequest) -> Result<PageResponse, PageError> {
    let view = view(&request).await?.ok_or(PageError::Unknown)?;
    let mut rows = Vec::new();
    read(&request, &view, |row| rows.push(row)).await?;
    let name = format!("usage-{}-{}-days.csv", view.first, view.span);
    Ok(PageResponse::csv(&name, csv::write(&rows)))
}
