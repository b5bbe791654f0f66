//! Every example through the types that were generated for it, on both sides.
//!
//! That an example keeps its schema is one thing, which `no_rule_has_anything_to_say`
//! holds to; that the generated types read and write it without loss is another.
//! The server's types have to give back exactly what they read. The client's
//! have to read it, and to read again what they write: they may be looser, as
//! their loss reports say.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::documents;

/// Reads a value as a type and writes it again.
fn through<T: DeserializeOwned + Serialize>(value: &Value) -> Result<Value, String> {
    // From text, as from the wire.
    let read: T = serde_json::from_str(&value.to_string()).map_err(|error| error.to_string())?;
    serde_json::to_value(read).map_err(|error| error.to_string())
}

type Through = fn(&Value) -> Result<Value, String>;

/// The generated types of a body: its schema, the server's, and the client's.
struct Types {
    area: &'static str,
    schema: &'static str,
    server: Through,
    client: Through,
}

/// The types of the bodies of an area. Lists and free objects have no type of
/// their own in the client; what they are there is said after the arrow.
macro_rules! types {
    ($($area:ident { $($schema:ident $(=> $client:ty)?),* $(,)? })*) => {
        &[$($(Types {
            area: stringify!($area),
            schema: stringify!($schema),
            server: through::<accord::$area::server::types::$schema>,
            client: through::<types!(@client $area $schema $($client)?)>,
        }),*),*]
    };
    (@client $area:ident $schema:ident $client:ty) => { $client };
    (@client $area:ident $schema:ident) => { accord::$area::client::types::$schema };
}

const TYPES: &[Types] = types! {
    accounts {
        CreateUserRequest, CreateUserResponse, OAuthError, PatchUserRequest,
        RequestContext => serde_json::Map<String, Value>,
        OrganizationDetailsList => Vec<accord::accounts::client::types::OrganizationDetails>,
        UserAppInstanceResponse => Vec<accord::accounts::client::types::ApplicationInstance>,
    }
    identity {
        AuthorizationServerMetadata, DeviceAuthorization, DeviceAuthorizationRequest,
        Introspection, IntrospectionRequest, JwkSet, OAuthError, RevocationRequest, TokenRequest,
        TokenResponse,
    }
    inference {
        ApiError, ApiKey, ApiKeyCollection, ChangeApiKeyCompartmentDetails, ChatCompletion,
        ChatCompletionEvent, ChatCompletionRequest, CreateApiKeyDetails, InferenceError,
        IssuedApiKey, Model, ModelList, ModelResponse, ModelResponseEvent, ModelResponseRequest, RenewApiKeyDetails,
        SetApiKeyStateDetails, UpdateApiKeyDetails, UsageCollection,
    }
    patterns { AgentPattern, AgentPatternList, CreatePatternRequest, Problem }
};

/// One value that a document gives as an example of a named schema.
struct Example {
    area: &'static str,
    schema: String,
    at: String,
    value: Value,
}

/// All examples of bodies.
fn examples() -> Vec<Example> {
    let mut examples = Vec::new();
    for document in &accord::DOCUMENTS {
        // Whole streams stand in keys of the generator.
        let json = documents::load(&documents::path(document.area)).to_json();
        collect(document.area, &json, &json, "", &mut examples);
    }
    examples
}

/// Looks for media types: wherever there is a `schema` beside `examples`.
fn collect(area: &'static str, root: &Value, value: &Value, at: &str, examples: &mut Vec<Example>) {
    let reference = value["schema"]["$ref"].as_str();
    if let (Some(reference), Some(named)) = (reference, value["examples"].as_object()) {
        let schema = reference.rsplit('/').next().unwrap_or_default();
        let streams = value["x-dropforge-stream"]["examples"].as_object();
        for (name, example) in named.iter().chain(streams.into_iter().flatten()) {
            let at = format!("{area}.yaml#{at}/examples/{name}");
            let shared = example["$ref"].as_str().and_then(|r| r.strip_prefix('#'));
            let example = shared.and_then(|at| root.pointer(at)).unwrap_or(example);
            // Each event of a stream is a value.
            let values = match example["value"].as_str() {
                Some(stream) => stream
                    .lines()
                    .filter_map(|line| line.strip_prefix("data: "))
                    .filter(|data| *data != "[DONE]")
                    .map(|data| serde_json::from_str(data).unwrap())
                    .collect(),
                None => vec![example["value"].clone()],
            };
            examples.extend(values.into_iter().map(|value| Example {
                area,
                schema: schema.to_owned(),
                at: at.clone(),
                value,
            }));
        }
        return;
    }
    for (key, value) in value.as_object().into_iter().flatten() {
        let key = key.replace('~', "~0").replace('/', "~1");
        collect(area, root, value, &format!("{at}/{key}"), examples);
    }
}

#[test]
fn every_example_passes_through_the_types_of_both_sides() {
    let examples = examples();
    let mut wrong = Vec::new();
    for Example {
        area,
        schema,
        at,
        value,
    } in &examples
    {
        let known = TYPES.iter().find(|t| t.area == *area && t.schema == schema);
        let Some(types) = known else {
            wrong.push(format!("{at}: `{schema}` is missing in this test"));
            continue;
        };
        match (types.server)(value) {
            Ok(back) if back == *value => {}
            Ok(back) => wrong.push(format!("{at}: the server makes of it {back}")),
            Err(error) => wrong.push(format!("{at}: the server cannot read it: {error}")),
        }
        let read = (types.client)(value);
        match read.and_then(|back| Ok((back.clone(), (types.client)(&back)?))) {
            Ok((once, twice)) if once == twice => {}
            Ok((once, twice)) => wrong.push(format!("{at}: the client makes {twice} of {once}")),
            Err(error) => wrong.push(format!("{at}: the client cannot read it: {error}")),
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
    for types in TYPES {
        let used = |e: &Example| e.area == types.area && e.schema == types.schema;
        let (area, schema) = (types.area, types.schema);
        assert!(
            examples.iter().any(used),
            "{area} has no example of {schema}"
        );
    }
}
