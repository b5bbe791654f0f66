// Creates an agent pattern, and says why the service refuses it.
use accord_client::{
    Accord, explain,
    patterns::{
        CreatePatternFromAcceleratorError,
        types::{CreatePatternRequest, CreatePatternRequestRequired},
    },
    uuid::Uuid,
};

pub async fn pattern(
    accord: &Accord,
    instance: &str,
    project: &str,
    accelerator: Uuid,
) -> Result<String, String> {
    let request = CreatePatternRequest::new(CreatePatternRequestRequired {
        id: accelerator,
        pattern_code: "ORDER_TRIAGE".to_owned(),
        pattern_version: "01.00.0000".to_owned(),
        project_code: project.to_owned(),
    })
    .description("Sorts incoming orders.");
    let create = accord.patterns().create_pattern_from_accelerator();
    let create = create.integration_instance(instance).project_id(project);
    match create.body(request).call().await {
        Ok(created) => Ok(created.id.clone()),
        // One variant for each status that the document lists.
        Err(CreatePatternFromAcceleratorError::Conflict(body)) => {
            Err(format!("there is one already: {}", body.detail))
        }
        Err(other) => Err(explain(&other)),
    }
}
