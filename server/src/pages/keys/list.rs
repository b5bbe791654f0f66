//! The list of API keys, by compartment.

use askama::Template;
use chrono::{DateTime, Utc};
use http::StatusCode;

use super::slot::{Filled, last_use};
use crate::inference::keys::access::Verb;
use crate::inference::keys::key::Key;
use crate::inference::keys::list::{self, Query, SortBy};
use crate::pages::caller::Caller;
use crate::pages::page_request::PageRequest;
use crate::pages::response::{Frame, PageError, PageResponse, query_of};

/// The maximum number of keys of one compartment and region on a page.
const LIMIT: i64 = 50;

#[derive(Template)]
#[template(path = "console/keys.html")]
struct KeysPage {
    frame: Frame,
    done: Option<&'static str>,
    groups: Vec<Group>,
    /// Whether the keys of several regions are shown.
    has_regions: bool,
    /// Whether only one compartment of several is shown.
    is_part: bool,
}

/// The keys of a compartment.
struct Group {
    compartment: String,
    can_create: bool,
    can_read: bool,
    /// The number of models that its new keys may call.
    models: usize,
    keys: Vec<Row>,
    /// The queries of links to further keys.
    more: Vec<String>,
}

/// A key in the list.
struct Row {
    id: String,
    name: String,
    region: String,
    secrets: Vec<Filled>,
    last_use: String,
}

impl Row {
    fn of(key: &Key, now: DateTime<Utc>) -> Row {
        let last = key.secrets.iter().filter_map(|secret| secret.last_used_at);
        Row {
            id: key.id.clone(),
            name: key.display_name.clone(),
            region: key.region.clone(),
            secrets: key.secrets.iter().map(|one| Filled::of(one, now)).collect(),
            last_use: last_use(last.max(), now),
        }
    }
}

/// The list: of one compartment if the query names one, or else of all.
///
/// # Errors
///
/// When nobody is signed in, the user may not see the compartment, or the store fails.
pub async fn show(request: PageRequest) -> Result<PageResponse, PageError> {
    let caller = Caller::of(&request).await?;
    let inference = &request.app.inference;
    let regions: Vec<&str> = inference.regions.all().collect();
    let wanted = request.query("compartment");
    let mut groups = Vec::new();
    for (compartment, verb) in &caller.compartments {
        if wanted.is_some_and(|wanted| wanted != compartment) {
            continue;
        }
        let mut group = Group {
            compartment: compartment.clone(),
            can_create: *verb >= Verb::Manage,
            can_read: *verb >= Verb::Read,
            models: inference
                .admission
                .callable_models(inference, compartment, None)
                .await?,
            keys: Vec::new(),
            more: Vec::new(),
        };
        for region in &regions {
            let one = request.query("region");
            if one.is_some_and(|one| one != *region) {
                continue;
            }
            let query = Query {
                compartment_id: compartment.clone(),
                lifecycle: None,
                display_name: None,
                id: None,
                limit: LIMIT,
                page: wanted.and(request.query("page")).map(str::to_owned),
                sort_by: SortBy::Created,
                descending: true,
            };
            let page = list::list(inference, &caller.manager_in(region), query).await?;
            group
                .keys
                .extend(page.keys.iter().map(|key| Row::of(key, page.at)));
            group.more.extend(page.next.map(|next| {
                query_of(&[
                    ("compartment", compartment.as_str()),
                    ("region", *region),
                    ("page", next.as_str()),
                ])
            }));
        }
        groups.push(group);
    }
    // Someone who creates their first key here wants to call a model with it.
    groups.sort_by_key(|group| group.models == 0);
    if wanted.is_some() && groups.is_empty() {
        return Err(PageError::Unknown);
    }
    let page = KeysPage {
        frame: request.frame(),
        done: match request.query("done") {
            Some("deleted") => Some("The API key is deleted. Its secrets are no longer accepted."),
            _ => None,
        },
        groups,
        has_regions: regions.len() > 1,
        is_part: wanted.is_some(),
    };
    request.page(StatusCode::OK, &page)
}
