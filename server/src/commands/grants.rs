//! `accord-server grants`

use accord_server::rights::{
    self, Facts, Listed, Principal, Reference, Resource, RightsError, Verb, operator,
};
use accord_server::store::Tx;
use clap::Subcommand;
use serde_json::json;

use super::options::{Options, audit_context};
use super::output::Output;

/// Manage grants: who may do what with compartments, service instances and projects.
#[derive(Subcommand)]
pub enum Grants {
    /// List all grants.
    List {
        #[command(flatten)]
        output: Output,
    },
    /// Set the verb that a user has on a resource; it replaces the previous one.
    Set {
        #[command(flatten)]
        place: Place,
        /// The permission of the user; each verb includes the ones before it.
        #[arg(value_enum)]
        verb: Grantable,
        #[command(flatten)]
        output: Output,
    },
    /// Remove the grant that a user has on a resource.
    Remove {
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        output: Output,
    },
    /// Explain the permissions of a user on a resource, with the reasons.
    Explain {
        #[command(flatten)]
        place: Place,
        #[command(flatten)]
        output: Output,
    },
}

/// A resource and a user.
#[derive(clap::Args)]
pub struct Place {
    /// compartment:ID, instance:NAME or project:INSTANCE/PROJECT; a name without a kind is a
    /// compartment. A grant on a service instance holds for all of its projects.
    resource: String,
    /// The user, by email address or id.
    principal: String,
}

impl Place {
    fn reference(&self) -> Reference {
        let Ok(reference) = self.resource.parse::<Reference>();
        reference
    }
}

/// The verbs that can be granted.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub enum Grantable {
    /// List API keys; list patterns.
    Inspect,
    /// Read one API key; read one pattern.
    Read,
    /// Change name, description and tags of API keys; create patterns.
    Use,
    /// Everything else with API keys; delete patterns.
    Manage,
}

/// Changes the database of a running service, which applies the change without a restart.
#[tokio::main]
pub async fn run(options: &Options, command: &Grants) -> anyhow::Result<()> {
    let app = options.open().await?;
    let trail = audit_context(&app);
    match command {
        Grants::List { output } => {
            let all = app.store.read(rights::list).await?;
            let row = |one: Listed| json!([one.resource, one.principal, one.email, one.verb]);
            let rows = all.into_iter().map(row);
            output.values(&["resource", "principal", "email", "verb"], rows)
        }
        Grants::Set {
            place,
            verb,
            output,
        } => {
            let verb = match verb {
                Grantable::Inspect => Verb::Inspect,
                Grantable::Read => Verb::Read,
                Grantable::Use => Verb::Use,
                Grantable::Manage => Verb::Manage,
            };
            let (reference, who) = (place.reference(), place.principal.clone());
            let write = move |tx: &mut Tx<'_>| operator::set(tx, &trail, &reference, &who, verb);
            let (resource, principal) = app.store.write(write).await?;
            let words = format!("{} may {} in {resource}.", principal.email, verb.as_str());
            let value = json!({
                "resource": resource.to_string(), "principal": principal.id,
                "email": principal.email, "verb": verb.as_str(),
            });
            output.one(&value, &words)
        }
        Grants::Remove { place, output } => {
            let (reference, who) = (place.reference(), place.principal.clone());
            let write = move |tx: &mut Tx<'_>| operator::unset(tx, &trail, &reference, &who);
            let removed = app.store.write(write).await?;
            let Some((resource, principal)) = removed else {
                anyhow::bail!(
                    "{} has no grant on {}; `accord-server grants list` lists all grants",
                    place.principal,
                    place.resource
                );
            };
            let words = format!("Removed the grant of {} on {resource}.", place.principal);
            let value = json!({
                "resource": resource.to_string(), "principal": principal, "verb": null,
            });
            output.one(&value, &words)
        }
        Grants::Explain { place, output } => {
            let (reference, who) = (place.reference(), place.principal.clone());
            let (resource, principal, facts) = app
                .store
                .read(move |tx: &mut Tx<'_>| {
                    let resource = reference.resolve(tx)?;
                    let principal = Principal::find(tx, &who)?;
                    let facts = rights::facts(tx, &resource, &principal.id)?;
                    Ok::<_, RightsError>((resource, principal, facts))
                })
                .await?;
            let reasons = reasons(&facts, &resource, &principal);
            let verb = facts.verb().map(Verb::as_str);
            let head = match verb {
                Some(verb) => format!("{} may {verb} in {resource}.", principal.email),
                None => format!("{} may do nothing in {resource}.", principal.email),
            };
            let value = json!({
                "resource": resource.to_string(), "principal": principal.id,
                "email": principal.email, "verb": verb, "reasons": reasons,
            });
            let lines = reasons.iter().map(|reason| format!("\n  {reason}"));
            output.one(&value, &(head + &lines.collect::<String>()))
        }
    }
}

/// All reasons of the decision, as sentences.
fn reasons(facts: &Facts, resource: &Resource, principal: &Principal) -> Vec<String> {
    let mut reasons = Vec::new();
    let mut grant = |on: String, verb: Option<Verb>| {
        if let Some(verb) = verb {
            reasons.push(format!(
                "The user has a grant to {} on {on}.",
                verb.as_str()
            ));
        }
    };
    grant(resource.to_string(), facts.own);
    if let (Resource::Project { instance, .. }, inherited) = (resource, facts.inherited) {
        grant(format!("instance:{instance}"), inherited);
    }
    if reasons.is_empty() {
        reasons.push(format!(
            "The user has no grant. Add one with: accord-server grants set {resource} {} VERB",
            principal.email
        ));
    }
    if let Some(instance) = &facts.instance {
        let name = &instance.name;
        reasons.push(match (instance.owner, instance.is_member) {
            (None, _) => RightsError::NoOwner(name.clone()).to_string(),
            (Some(owner), true) => format!(
                "The user belongs to organization {owner}, which owns service instance {name}, or \
                 administers it."
            ),
            (Some(owner), false) => format!(
                "The user belongs to organization {}. Grants have no effect, because organization {owner} \
                 owns service instance {name}.",
                principal.organization
            ),
        });
    }
    reasons
}
