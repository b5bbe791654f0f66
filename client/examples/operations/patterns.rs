// Each operation of the patterns area. The client has an access token.
use accord_client::{
    Accord,
    patterns::{
        CreatePatternFromAcceleratorError, DeletePatternError, GetPatternError, ListPatternsError,
        types,
    },
};

/// The service instance and the project of the patterns.
const INSTANCE: &str = "design-eu-1";
const PROJECT: &str = "RETAIL";

/// The patterns of a project whose names contain a word, of all pages.
pub async fn list_patterns(
    accord: &Accord,
    word: &str,
) -> Result<Vec<types::AgentPattern>, ListPatternsError> {
    let patterns = accord.patterns().list_patterns();
    let patterns = patterns.integration_instance(INSTANCE).project_id(PROJECT);
    let patterns = patterns.q(format!("{{name: /{word}/}}"));
    patterns.items().collect_all().await
}

/// Creates a pattern from an accelerator, and returns its id.
pub async fn create_pattern_from_accelerator(
    accord: &Accord,
    accelerator: uuid::Uuid,
) -> Result<String, CreatePatternFromAcceleratorError> {
    let request = types::CreatePatternRequest::new(types::CreatePatternRequestRequired {
        id: accelerator,
        pattern_code: "ORDER_TRIAGE".to_owned(),
        pattern_version: "01.00.0000".to_owned(),
        project_code: PROJECT.to_owned(),
    });
    let create = accord.patterns().create_pattern_from_accelerator();
    let create = create.integration_instance(INSTANCE).project_id(PROJECT);
    Ok(create.body(request).call().await?.id.clone())
}

/// The guidelines of a pattern.
pub async fn get_pattern(accord: &Accord, id: &str) -> Result<String, GetPatternError> {
    let pattern = accord.patterns().get_pattern();
    let pattern = pattern.integration_instance(INSTANCE).project_id(PROJECT);
    Ok(pattern.id(id).call().await?.guidelines.clone())
}

/// Deletes a pattern.
pub async fn delete_pattern(accord: &Accord, id: &str) -> Result<(), DeletePatternError> {
    let delete = accord.patterns().delete_pattern();
    let delete = delete.integration_instance(INSTANCE).project_id(PROJECT);
    delete.id(id).call().await.map(|_| ())
}
