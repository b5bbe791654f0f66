//! The directory as a file.

use accord_server::accounts::manifest::{Action, Manifest, ManifestError, Plan};
use accord_server::accounts::users::{self, User};
use accord_server::rights;
use accord_server::store::StoreError;

use crate::harness::{Database, Server, both_databases, run_with};

const FILE: &str = r#"
[[organizations]]
id = 1
name = "East Mills AB"
trading_name = "East Mills"
city = "Lund"
state = "Scania"
country = "Sweden"

[[instances]]
id = 10
name = "Collab East"
region = "eu-east"
base_url = "https://east.collab.example/login"

[[collab_organizations]]
id = 100
instance = 10
organization = 1
name = "East Mills"
projects = [{ id = "P-1", name = "One" }, { id = "P-2", name = "Two" }]
"#;

fn read(text: &str) -> Manifest {
    toml::from_str(text).unwrap()
}

async fn export(server: &Server) -> Manifest {
    server.read(Manifest::export).await
}

async fn plan(server: &Server, manifest: &Manifest, remove: bool) -> Result<Plan, ManifestError> {
    let manifest = manifest.clone();
    server
        .app()
        .store
        .read(move |tx| manifest.plan(tx, remove))
        .await
}

async fn plan_error(server: &Server, manifest: &Manifest) -> String {
    plan(server, manifest, false).await.unwrap_err().to_string()
}

async fn carry_out(
    server: &Server,
    manifest: &Manifest,
    remove: bool,
    plan: &Plan,
) -> Result<(), ManifestError> {
    let (manifest, plan) = (manifest.clone(), plan.clone());
    let applied = server
        .app()
        .store
        .write(move |tx| manifest.apply(tx, remove, &plan));
    applied.await
}

async fn apply(server: &Server, manifest: &Manifest, remove: bool) -> Result<Plan, ManifestError> {
    let plan = plan(server, manifest, remove).await?;
    carry_out(server, manifest, remove, &plan).await?;
    Ok(plan)
}

/// Adds a user of organization 3104, as the API does.
async fn add_ana(server: &Server) {
    let now = server.app().clock.now();
    let write = server.app().store.write(move |tx| {
        let user = User {
            id: "ana".into(),
            email_address: "ana@north.example".into(),
            first_name: "Ana".into(),
            middle_name: None,
            last_name: "North".into(),
            language: "en".into(),
            organization_id: 3104,
            communication_email: "ana@north.example".into(),
        };
        users::insert(tx, &user, now, Some("somebody"))
    });
    assert!(
        write
            .await
            .unwrap_or_else(|error: StoreError| panic!("{error}"))
    );
}

#[test]
fn what_is_exported_applies_to_an_empty_store_and_comes_out_the_same() {
    for database in [Database::Sqlite, Database::Postgres] {
        run_with(async move || {
            let full = Server::start(database).await;
            let exported = export(&full).await;
            assert_eq!(full.stop().await, Vec::<String>::new());
            let text = toml::to_string(&exported).unwrap();
            let empty =
                Server::start_with(database, |layer| layer.demo.enabled = Some(false)).await;
            assert_eq!(export(&empty).await, Manifest::default());
            let plan = apply(&empty, &read(&text), false).await.unwrap();
            assert_eq!(plan.steps.len(), 3 + 3 + 4 + 4 + 3);
            // Administrators wait until they are users.
            let waiting: Vec<_> = plan.waiting.iter().map(|one| one.organization).collect();
            assert_eq!(waiting, [3104, 3190]);
            assert!(
                plan.waiting
                    .iter()
                    .all(|one| one.email == "ana@north.example")
            );
            add_ana(&empty).await;
            let plan = apply(&empty, &read(&text), false).await.unwrap();
            let subjects: Vec<_> = plan
                .steps
                .iter()
                .map(|step| step.subject.as_str())
                .collect();
            assert_eq!(
                subjects,
                [3104, 3190]
                    .map(|id| { format!("administrator ana@north.example of organization {id}") })
            );
            assert_eq!(export(&empty).await, exported);
            let again = apply(&empty, &exported, true).await.unwrap();
            assert_eq!((again.steps.len(), again.unchanged), (0, 19));
            empty
        });
    }
}

both_databases! {
    async fn a_file_creates_and_changes_and_leaves_alone_what_it_does_not_name(server: Server) {
        let before = export(&server).await;
        let planned = apply(&server, &read(FILE), false).await.unwrap();
        assert!(planned.steps.iter().all(|step| step.action == Action::Create));
        assert_eq!((planned.steps.len(), planned.unnamed), (5, 19));
        let changed = read(&FILE.replace("eu-east", "eu-far-east").replace("Two", "Second"));
        let planned = apply(&server, &changed, false).await.unwrap();
        let steps: Vec<_> = planned.steps.iter().map(|step| step.subject.as_str()).collect();
        assert_eq!(steps, ["instance 10", "project 100 \"P-2\""]);
        let change = ("region", "\"eu-east\"".to_owned(), "\"eu-far-east\"".to_owned());
        assert_eq!(planned.steps[0].action, Action::Change(vec![change]));
        assert_eq!(planned.unchanged, 3);
        // Removal only when said, and then of everything that is not named.
        let removed = apply(&server, &before, true).await.unwrap();
        assert!(removed.steps.iter().all(|step| step.action == Action::Remove));
        assert_eq!(export(&server).await, before);
    }

    async fn what_is_in_use_stays_and_nothing_else_is_done_then(server: Server) {
        let before = export(&server).await;
        let refused = apply(&server, &read(FILE), true).await;
        assert!(matches!(refused, Err(ManifestError::Refused { .. })), "{refused:?}");
        assert_eq!(export(&server).await, before);
        let nowhere = read(&FILE.replace("instance = 10", "instance = 11"));
        let text = apply(&server, &nowhere, false).await.unwrap_err().to_string();
        assert!(text.contains("neither in the file nor in the store"), "{text}");
        assert_eq!(export(&server).await, before);
        let mut same = before.clone();
        let mut project = same.design_instances[0].projects[0].clone();
        project.id = "other".into();
        same.design_instances[0].projects.push(project);
        let text = apply(&server, &same, false).await.unwrap_err().to_string();
        assert_eq!(text, "design project \"other\": another project of its instance has the same code");
        assert_eq!(export(&server).await, before);
        let mut twice = read(FILE);
        twice.organizations.push(twice.organizations[0].clone());
        let text = plan(&server, &twice, false).await.unwrap_err().to_string();
        assert_eq!(text, "organization 1 is in the file twice");
    }

    async fn a_file_gives_and_takes_administrators_and_owners(server: Server) {
        let before = export(&server).await;
        let owner = |manifest: &Manifest| manifest.design_instances[0].organization;
        assert_eq!(owner(&before), Some(3104));
        let mut file = before.clone();
        let ben = "Ben@North.example".to_owned();
        file.organizations[2].administrators = Some(vec![ben.clone(), "new@south.example".into()]);
        file.design_instances[0].organization = Some(4210);
        let plan = apply(&server, &file, false).await.unwrap();
        let subjects: Vec<_> = plan.steps.iter().map(|step| step.subject.as_str()).collect();
        assert_eq!(subjects, [
            "design instance \"design-eu-1\"", "administrator ben@north.example of organization 4210",
        ]);
        assert_eq!((plan.waiting.len(), plan.waiting[0].email.as_str()), (1, "new@south.example"));
        let now = export(&server).await;
        assert_eq!(now.organizations[2].administrators, Some(vec!["ben@north.example".into()]));
        assert_eq!(owner(&now), Some(4210));
        // A file of earlier versions has neither, and takes nothing away.
        let mut old = now.clone();
        old.organizations.iter_mut().for_each(|one| one.administrators = None);
        old.design_instances[0].organization = None;
        assert_eq!(apply(&server, &old, true).await.unwrap().steps.len(), 0);
        // What a list does not name goes only when removal is asked for.
        assert_eq!(apply(&server, &before, false).await.unwrap().unnamed, 1);
        let removed = apply(&server, &before, true).await.unwrap();
        assert_eq!(removed.steps[0].action, Action::Remove);
        assert_eq!(export(&server).await, before);
        let mut twice = before.clone();
        twice.organizations[0].administrators = Some(vec![ben.clone(), ben.to_lowercase()]);
        let text = plan_error(&server, &twice).await;
        assert_eq!(text, "administrator ben@north.example of organization 3104 is in the file twice");
    }

    async fn grants_go_with_the_instance_that_they_are_on(server: Server) {
        let mut file = export(&server).await;
        file.design_instances.clear();
        apply(&server, &file, true).await.unwrap();
        let grants = server.read(rights::list).await;
        assert!(grants.iter().all(|one| one.resource.starts_with("compartment:")), "{grants:?}");
    }

    async fn a_plan_is_carried_out_only_while_it_is_the_one_that_was_shown(server: Server) {
        let manifest = read(FILE);
        let shown = plan(&server, &manifest, false).await.unwrap();
        apply(&server, &read(&FILE.replace("Lund", "Malm\u{f6}")), false).await.unwrap();
        let outdated = carry_out(&server, &manifest, false, &shown).await;
        assert!(matches!(outdated, Err(ManifestError::Outdated)), "{outdated:?}");
    }
}
