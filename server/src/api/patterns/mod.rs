//! Translates between the operations of the patterns document and the area.

mod problem;

use std::sync::Arc;

use accord_patterns_server::{
    API, CreatePatternFromAcceleratorError, CreatePatternFromAcceleratorResponse,
    DeletePatternError, DeletePatternResponse, GetPatternError, GetPatternResponse,
    ListPatternsError, ListPatternsResponse, Patterns, Security, parameters, responses, types,
};
use dropforge_runtime::{Bearer, Call, Denied, Rejection, Reply};

use crate::api::call::audit_context;
use crate::app::App;
use crate::identity::{Subject, verify_bearer};
use crate::patterns::accelerator::{Integration, RecipeSource, Role};
use crate::patterns::catalog;
use crate::patterns::change;
use crate::patterns::id::PatternId;
use crate::patterns::list::{self, Cursor, Filter, Order, Page, Selection};
use crate::patterns::pattern::{self, NewPattern, Pattern, Status};
use crate::rights::Verb;

/// The area, as an implementation of the generated trait.
pub struct Service;

impl Security for Service {
    type Context = Arc<App>;
    type AccessToken = Subject;

    async fn access_token(
        call: &Call<Arc<App>>,
        credentials: Bearer,
        scopes: &'static [&'static str],
    ) -> Result<Subject, Denied> {
        verify_bearer(&call.context().identity, &credentials, scopes).await
    }

    fn reject(call: &Call<Arc<App>>, rejection: Rejection) -> Reply {
        problem::reply(call, rejection)
    }
}

impl Patterns for Service {
    async fn list_patterns(
        call: Call<Arc<App>>,
        caller: Subject,
        parameters: parameters::ListPatterns,
    ) -> Result<ListPatternsResponse, ListPatternsError> {
        let parameters::ListPatterns {
            accord_request_id: _,
            project_id,
            integration_instance,
            limit,
            offset,
            order_by,
            q,
            page,
        } = parameters;
        let filter = match q {
            Some(text) => Some(Filter::parse(&text).ok_or_else(problem::bad_filter)?),
            None => None,
        };
        let order = match order_by {
            types::PatternOrder::Time => Order::Time,
            types::PatternOrder::Name => Order::Name,
        };
        if page.is_some() && offset > 0 {
            return Err(problem::page_with_offset().into());
        }
        let after = match page {
            Some(text) => Some(Cursor::parse(&text, order).ok_or_else(problem::bad_page)?),
            None => None,
        };
        let selection = Selection {
            limit,
            offset,
            order,
            filter,
            after,
        };
        let instance = integration_instance.clone();
        let page = call
            .context()
            .store
            .read(move |tx| {
                let user = &caller.user_id;
                let project =
                    catalog::project_for(tx, user, Verb::Inspect, &instance, &project_id)?;
                list::list(tx, project, &selection)
            })
            .await
            .map_err(|error| problem::refuse::<ListPatternsError>(&call, error))?;
        let accord_next_page = page.next.as_ref().map(Cursor::to_string);
        let body = agent_pattern_list(page, limit, &integration_instance);
        Ok(responses::ListPatternsOk {
            accord_next_page,
            body,
        }
        .into())
    }

    async fn create_pattern_from_accelerator(
        call: Call<Arc<App>>,
        caller: Subject,
        parameters: parameters::CreatePatternFromAccelerator,
        body: types::CreatePatternRequest,
    ) -> Result<CreatePatternFromAcceleratorResponse, CreatePatternFromAcceleratorError> {
        let parameters::CreatePatternFromAccelerator {
            accord_request_id: _,
            project_id,
            integration_instance,
        } = parameters;
        let new = new_pattern(body);
        let instance = integration_instance.clone();
        let trail = audit_context(&call, &caller);
        let pattern = call
            .context()
            .store
            .write(move |tx| {
                let place = [instance.as_str(), project_id.as_str()];
                pattern::create_for(tx, &trail, &caller.user_id, place, &new)
            })
            .await
            .map_err(|error| {
                problem::refuse_create::<CreatePatternFromAcceleratorError>(&call, error)
            })?;
        pattern::count(&call.context().metrics, "created");
        let e_tag = etag(&pattern);
        let body = agent_pattern(pattern, &integration_instance);
        Ok(responses::CreatePatternFromAcceleratorOk { e_tag, body }.into())
    }

    async fn get_pattern(
        call: Call<Arc<App>>,
        caller: Subject,
        parameters: parameters::GetPattern,
    ) -> Result<GetPatternResponse, GetPatternError> {
        let parameters::GetPattern {
            accord_request_id: _,
            project_id,
            id,
            integration_instance,
        } = parameters;
        let instance = integration_instance.clone();
        let pattern = call
            .context()
            .store
            .read(move |tx| {
                let user = &caller.user_id;
                let project = catalog::project_for(tx, user, Verb::Read, &instance, &project_id)?;
                pattern::find(tx, &project, &id)
            })
            .await
            .map_err(|error| problem::refuse::<GetPatternError>(&call, error))?;
        let e_tag = etag(&pattern);
        let body = agent_pattern(pattern, &integration_instance);
        Ok(responses::GetPatternOk { e_tag, body }.into())
    }

    async fn delete_pattern(
        call: Call<Arc<App>>,
        caller: Subject,
        parameters: parameters::DeletePattern,
    ) -> Result<DeletePatternResponse, DeletePatternError> {
        let parameters::DeletePattern {
            accord_request_id: _,
            project_id,
            id,
            integration_instance,
            if_match,
        } = parameters;
        let trail = audit_context(&call, &caller);
        call.context()
            .store
            .write(move |tx| {
                let (user, instance) = (&caller.user_id, &integration_instance);
                let project = catalog::project_for(tx, user, Verb::Manage, instance, &project_id)?;
                let seen = |found: &Pattern| match &if_match {
                    Some(etags) => matches(etags, found),
                    None => true,
                };
                let gone = change::delete(tx, &project, &id, seen)?;
                let subject = format!("{}/{}", gone.project.code, gone.id);
                trail.record(tx, "patterns.pattern.deleted", &subject, "")?;
                Ok(())
            })
            .await
            .map_err(|error| problem::refuse_change::<DeletePatternError>(&call, error))?;
        pattern::count(&call.context().metrics, "deleted");
        Ok(responses::DeletePatternOk {}.into())
    }
}

/// The time of the creation is part of it, because a deleted pattern can be created again.
fn etag(pattern: &Pattern) -> String {
    let (created, _) = &pattern.created;
    let (created, revision) = (created.timestamp_millis(), pattern.revision);
    format!("\"{created:x}-{revision}\"")
}

/// Whether `If-Match` lists the etag of this pattern (RFC 9110, section 13.1.1).
fn matches(etags: &str, pattern: &Pattern) -> bool {
    let own = etag(pattern);
    let mut listed = etags.split(',').map(|one| one.trim_matches([' ', '\t']));
    listed.any(|one| one == "*" || one == own)
}

fn new_pattern(body: types::CreatePatternRequest) -> NewPattern {
    let types::CreatePatternRequest {
        pattern_code,
        pattern_version,
        project_code,
        id,
        name,
        description,
        guidelines,
        max_iteration,
        code: _,
        version: _,
        project_id: _,
        status: _,
        recipe_source: _,
        usage_count: _,
        locked_flag: _,
        locked_by: _,
        locked_date: _,
        created: _,
        created_by: _,
        created_date: _,
        last_updated: _,
        last_updated_by: _,
        update_by: _,
        updated_date: _,
        pattern_roles: _,
        dependencies: _,
    } = body;
    NewPattern {
        id: PatternId {
            code: pattern_code,
            version: pattern_version,
        },
        project_code,
        accelerator: id,
        name,
        description,
        guidelines,
        max_iteration,
    }
}

fn agent_pattern_list(page: Page, limit: i32, instance: &str) -> types::AgentPatternList {
    types::AgentPatternList {
        has_more: page.next.is_some(),
        items: page
            .patterns
            .into_iter()
            .map(|pattern| agent_pattern(pattern, instance))
            .collect(),
        limit,
        project_id: page.project.id,
        total_results: i32::try_from(page.total).unwrap_or(i32::MAX),
    }
}

/// `instance` is the one in the request's path.
fn agent_pattern(pattern: Pattern, instance: &str) -> types::AgentPattern {
    let link = self_link(&pattern, instance);
    let Pattern {
        id,
        project,
        name,
        description,
        guidelines,
        status,
        recipe_source,
        max_iteration,
        usage_count,
        lock,
        created,
        updated,
        roles,
        integrations,
        revision: _,
    } = pattern;
    let (locked_by, locked_date) = lock.unzip();
    types::AgentPattern {
        id: id.to_string(),
        code: id.code,
        version: id.version,
        name,
        description,
        guidelines,
        project_id: project.id,
        status: match status {
            Status::Configured => types::PatternStatus::Configured,
            Status::Activated => types::PatternStatus::Activated,
        },
        recipe_source: match recipe_source {
            RecipeSource::System => types::RecipeSource::System,
            RecipeSource::Store => types::RecipeSource::Store,
        },
        max_iteration,
        usage_count,
        locked_flag: locked_by.is_some(),
        locked_by,
        locked_date,
        created: created.0,
        created_by: created.1,
        created_date: created.0,
        last_updated: updated.0,
        last_updated_by: updated.1.clone(),
        update_by: updated.1,
        updated_date: updated.0,
        pattern_roles: roles.into_iter().map(pattern_role).collect(),
        dependencies: types::PatternDependencies {
            integrations: integrations.into_iter().map(integration).collect(),
            project: types::PatternDependencyProject {
                code: project.code,
                name: project.name,
                version: project.version,
            },
        },
        links: vec![link],
    }
}

fn pattern_role(role: Role) -> types::PatternRole {
    types::PatternRole {
        role: role.role,
        connection_list: role
            .connections
            .into_iter()
            .map(|connection| types::PatternRoleConnection {
                code: connection.code,
                name: connection.name,
            })
            .collect(),
    }
}

fn integration(integration: Integration) -> types::Integration {
    types::Integration {
        code: integration.code,
        name: integration.name,
        status: integration.status,
        type_: integration.kind,
        version: integration.version,
    }
}

fn self_link(pattern: &Pattern, instance: &str) -> types::PatternLink {
    let encode = |text: &str| {
        // A space is `+` in a form, and `%20` is valid everywhere.
        let form: String = url::form_urlencoded::byte_serialize(text.as_bytes()).collect();
        form.replace('+', "%20")
    };
    types::PatternLink {
        rel: "self".into(),
        href: format!(
            "{}/projects/{}/ai/patterns/{}?integrationInstance={}",
            API.base_path,
            encode(&pattern.project.code),
            encode(&pattern.id.to_string()),
            encode(instance),
        ),
    }
}
