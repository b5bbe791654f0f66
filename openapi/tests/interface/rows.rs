//! The rows, area by area.

use serde_json::Value;

use super::page::Need::{Optional, Required, Unspecified};
use super::page::Page;

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";

/// Whether an enumeration, or what stands for one, has all of these.
fn names(all: &'static [&'static str]) -> impl Fn(&Value) -> bool {
    move |value| {
        let text = value.to_string();
        all.iter().all(|one| text.contains(one))
    }
}

pub fn accounts(page: &mut Page) {
    page.row("version 2026.01.28", "/info/version", |v| v == "2026.01.28");
    page.row("base path /api", "/servers/0/url", |v| {
        v == "{base_url}/api"
    });
    page.fields(
        "CreateUserRequest",
        &[
            ("hubUser", "HubUserRequest", Optional),
            ("collabUsers", "array of CollabUserRequest", Optional),
        ],
    );
    page.fields(
        "HubUserRequest",
        &[
            ("emailAddress", "string", Required),
            ("firstName", "string", Required),
            ("middleName", "string", Optional),
            ("lastName", "string", Required),
            ("language", "string", Required),
            ("hubOrganizationId", "int64", Required),
            ("setPassword", "boolean", Required),
            ("emailForCommunication", "string", Optional),
        ],
    );
    page.fields(
        "CollabUserRequest",
        &[
            ("appInstanceId", "int64", Required),
            ("collabOrganizationId", "int64", Required),
            ("projectIds", "array of string", Optional),
            ("userName", "string", Optional),
        ],
    );
    page.fields(
        "CreateUserResponse",
        &[
            ("hubUser", "HubUserResponse", Unspecified),
            ("collabUser", "array of CollabUserResponse", Unspecified),
        ],
    );
    page.fields(
        "HubUserResponse",
        &[
            ("firstName", "string", Unspecified),
            ("middleName", "string", Unspecified),
            ("lastName", "string", Unspecified),
            ("emailAddress", "string", Unspecified),
            ("displayName", "string", Unspecified),
            ("organizationId", "int64", Unspecified),
            ("emailForCommunication", "string", Unspecified),
        ],
    );
    page.fields(
        "CollabUserResponse",
        &[
            ("accountLinked", "boolean", Unspecified),
            ("appInstanceId", "int64", Unspecified),
            ("collabOrganizationId", "int64", Unspecified),
            ("userId", "string", Unspecified),
            ("userName", "string", Unspecified),
            ("location", "string", Unspecified),
            ("region", "string", Unspecified),
            ("projectIds", "array of string", Unspecified),
            ("errorDescription", "string", Unspecified),
            ("hasLinkedAccounts", "boolean", Unspecified),
            ("communicationEmail", "string", Unspecified),
        ],
    );
    page.fields(
        "PatchUserRequest",
        &[
            ("hubUser", "HubUserDetailsRequest", Unspecified),
            ("collabUsers", "CollabUserDetailsRequest", Unspecified),
        ],
    );
    page.field(
        "HubUserDetailsRequest",
        ("emailAddress", "string", Required),
    );
    page.fields(
        "CollabUserDetailsRequest",
        &[
            ("appInstanceId", "digits", Required),
            ("collabOrganizationId", "digits", Required),
            ("userName", "string", Optional),
            ("communicationEmail", "string", Required),
            ("language", "string", Required),
            ("projectIds", "array of string", Optional),
        ],
    );
    page.fields(
        "OrganizationDetails",
        &[
            ("id", "int64", Unspecified),
            ("name", "string", Unspecified),
            ("tradingName", "string", Unspecified),
        ],
    );
    page.fields(
        "ApplicationInstance",
        &[
            ("id", "int64", Unspecified),
            ("name", "string", Unspecified),
            ("region", "string", Unspecified),
            ("baseUrl", "string", Unspecified),
        ],
    );
    for (method, request) in [("post", "CreateUserRequest"), ("patch", "PatchUserRequest")] {
        let operation = page.operation(method, "/api/user");
        page.body(&operation, "requestBody", (JSON, request));
        page.body(&operation, "responses/200", (JSON, "CreateUserResponse"));
        page.statuses(&operation, &[200, 400, 401, 500]);
        page.security(&operation, "bearer");
    }
    for (path, element) in [
        ("/api/user/organizations", "array of OrganizationDetails"),
        ("/api/user/appinstance", "array of ApplicationInstance"),
    ] {
        let operation = page.operation("get", path);
        let body = format!("{operation}/requestBody");
        let schema = format!("{body}/content/application~1json/schema");
        page.row("the body is an object", &schema, |schema| {
            schema["type"] == "object"
        });
        page.row("of any fields", &schema, |schema| {
            let limits = ["required", "properties"];
            let limited = limits.iter().any(|limit| schema.get(limit).is_some());
            !limited
                && schema
                    .get("additionalProperties")
                    .is_none_or(|more| more == true)
        });
        // What is no object is no body: decision A1.
        page.row("the body is optional", &body, |body| {
            body["required"] != true && body["x-dropforge-lenient"] == true
        });
        page.body(&operation, "responses/200", (JSON, element));
        page.statuses(&operation, &[200, 500]);
        page.security(&operation, "bearer");
    }
}

pub fn inference(page: &mut Page) {
    page.row("version segment 20231130", "/servers/0/url", |v| {
        v == "{inference_url}/20231130"
    });
    for (path, request, fields) in [
        (
            "/20231130/actions/v1/chat/completions",
            "ChatCompletionRequest",
            ("messages", "array of ChatMessage"),
        ),
        (
            "/20231130/actions/v1/responses",
            "ModelResponseRequest",
            ("input", "string"),
        ),
    ] {
        let operation = page.operation("post", path);
        page.body(&operation, "requestBody", (JSON, request));
        page.field(request, ("model", "string", Required));
        page.field(request, (fields.0, fields.1, Required));
        page.body(&operation, "responses/200", (JSON, "object"));
        // A secret that is revoked or deactivated is rejected.
        page.statuses(&operation, &[200, 401]);
        page.security(&operation, "bearer");
    }
    page.fields(
        "ChatMessage",
        &[
            ("role", "string", Unspecified),
            ("content", "string", Unspecified),
        ],
    );
    let family = "/paths/~1actions~1v1~1responses/post/responses/400";
    page.row(
        "one model family is refused",
        family,
        names(&["unsupported_model"]),
    );
    let state = page.operation("post", "/20231130/apikeys/{apiKeyId}/actions/setstate");
    let id = format!("{state}/operationId");
    page.row("operation SetApiKeyState", &id, |id| id == "setApiKeyState");
    // Two secrets, each with a name and an expiration date, shown once.
    let secrets = "/components/schemas/CreateApiKeyDetails/properties/keyDetails";
    page.row("a key has two secrets", secrets, |v| v["maxItems"] == 2);
    page.fields(
        "KeyDetails",
        &[
            ("keyName", "string", Required),
            ("timeExpiry", "date-time", Unspecified),
        ],
    );
    let shown = "/components/schemas/IssuedApiKeyItem/allOf/1/properties/key";
    page.row("a secret is shown once, as a string", shown, |v| {
        v["type"] == "string"
    });
    let states = "/components/schemas/SecretState/enum";
    page.row(
        "the states of a secret",
        states,
        names(&["STANDBY", "ACTIVE", "DEACTIVATED", "REVOKED"]),
    );
    let targets = "/components/schemas/SecretTargetState/enum";
    page.row(
        "activate, deactivate, revoke",
        targets,
        names(&["ACTIVE", "DEACTIVATED", "REVOKED"]),
    );
    let create = page.operation("post", "/20231130/apikeys");
    let limit = format!("{create}/responses/400");
    page.row(
        "100 keys, limit api-key-count",
        &limit,
        names(&["api-key-count", "100"]),
    );
}

pub fn identity(page: &mut Page) {
    const GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";
    let device = page.operation("post", "/oauth2/v1/device");
    page.security(&device, "none");
    page.body(&device, "requestBody", (FORM, "DeviceAuthorizationRequest"));
    page.fields(
        "DeviceAuthorizationRequest",
        &[
            ("response_type", "string", Unspecified),
            ("scope", "string", Unspecified),
            ("client_id", "string", Unspecified),
        ],
    );
    let fields = "/components/schemas/DeviceAuthorizationRequest/allOf/1/properties";
    let constant = format!("{fields}/response_type");
    page.row(
        "the constant device_code",
        &constant,
        names(&["device_code"]),
    );
    page.body(&device, "responses/200", (JSON, "DeviceAuthorization"));
    page.fields(
        "DeviceAuthorization",
        &[
            ("device_code", "string", Unspecified),
            ("user_code", "string", Unspecified),
            ("verification_uri", "string", Unspecified),
            ("expires_in", "integer", Unspecified),
        ],
    );
    page.statuses(&device, &[200]);

    let token = page.operation("post", "/oauth2/v1/token");
    page.body(&token, "requestBody", (FORM, "TokenRequest"));
    page.fields(
        "TokenRequest",
        &[
            ("grant_type", "string", Required),
            ("device_code", "string", Unspecified),
            ("client_id", "string", Unspecified),
            ("client_assertion_type", "string", Unspecified),
            ("client_assertion", "string", Unspecified),
        ],
    );
    let request = "/components/schemas/TokenRequest";
    let grant = page.property(request, "grant_type");
    page.row(format!("the constant {GRANT}"), &grant, names(&[GRANT]));
    page.security(&token, "basic");
    let assertion = page.property(request, "client_assertion_type");
    for kind in ["jwt-bearer", "saml2-bearer"] {
        let urn = format!("urn:ietf:params:oauth:client-assertion-type:{kind}");
        let holds = |value: &Value| value.to_string().contains(&urn);
        page.row(format!("client assertion {kind}"), &assertion, holds);
    }
    page.body(&token, "responses/200", (JSON, "TokenResponse"));
    page.field("TokenResponse", ("access_token", "string", Unspecified));
    page.statuses(&token, &[200]);
}

pub fn patterns(page: &mut Page) {
    const VENDOR: &str = "application/vnd.accord.model+json;type=singular";
    const PLAIN: &str = "application/json;charset=utf-8";
    const BASE: &str = "/ic/api/integration/v1/projects/{projectId}/ai/patterns";
    page.fields(
        "AgentPattern",
        &[
            ("code", "string", Unspecified),
            ("created", "date-time", Unspecified),
            ("createdBy", "string", Unspecified),
            ("createdDate", "date-time", Unspecified),
            ("dependencies", "PatternDependencies", Unspecified),
            ("description", "string", Unspecified),
            ("guidelines", "string", Unspecified),
            ("id", "string", Unspecified),
            ("lastUpdated", "date-time", Unspecified),
            ("lastUpdatedBy", "string", Unspecified),
            ("lockedBy", "string", Unspecified),
            ("lockedDate", "date-time", Unspecified),
            ("lockedFlag", "boolean", Unspecified),
            ("maxIteration", "int32", Unspecified),
            ("name", "string", Unspecified),
            ("patternRoles", "array", Unspecified),
            ("projectId", "string", Unspecified),
            ("recipeSource", "string", Unspecified),
            ("status", "string", Unspecified),
            ("updateBy", "string", Unspecified),
            ("updatedDate", "date-time", Unspecified),
            ("usageCount", "int32", Unspecified),
            ("version", "string", Unspecified),
        ],
    );
    let source = "/components/schemas/AgentPattern/properties/recipeSource/enum";
    page.row("recipeSource is System or Store", source, |v| {
        *v == serde_json::json!(["System", "Store"])
    });
    page.fields(
        "Integration",
        &[
            ("code", "string", Unspecified),
            ("name", "string", Unspecified),
            ("status", "string", Unspecified),
            ("type", "string", Unspecified),
            ("version", "string", Unspecified),
        ],
    );
    page.fields(
        "CreatePatternRequest",
        &[
            ("patternCode", "string", Unspecified),
            ("patternVersion", "string", Unspecified),
            ("projectCode", "string", Unspecified),
            ("id", "uuid", Unspecified),
        ],
    );
    // The page's request has all fields of a pattern; the service ignores those that only it sets.
    let request = "/components/schemas/CreatePatternRequest/properties";
    for name in [
        "code",
        "created",
        "createdBy",
        "createdDate",
        "dependencies",
        "description",
        "guidelines",
        "lastUpdated",
        "lastUpdatedBy",
        "lockedBy",
        "lockedDate",
        "lockedFlag",
        "maxIteration",
        "name",
        "patternRoles",
        "projectId",
        "recipeSource",
        "status",
        "updateBy",
        "updatedDate",
        "usageCount",
        "version",
    ] {
        let at = format!("{request}/{name}");
        let says = format!("a request may have {name}");
        page.row(says, &at, Value::is_object);
    }
    let version = "/components/schemas/CreatePatternRequest/properties/patternVersion";
    page.row("a version is of dotted numbers", version, |v| {
        v["pattern"]
            .as_str()
            .is_some_and(|pattern| pattern.contains(r"\."))
    });

    let create = page.operation("post", &format!("{BASE}/accelerators/archive"));
    page.body(&create, "requestBody", (JSON, "CreatePatternRequest"));
    page.statuses(&create, &[200, 500]);
    let get = page.operation("get", &format!("{BASE}/{{id}}"));
    page.parameter(&get, ("path", "id", "string"));
    page.statuses(&get, &[200, 404, 500]);
    let id = "/components/schemas/AgentPattern/properties/id";
    page.row("an id is code|version", id, names(&["|"]));
    for operation in [&create, &get] {
        page.parameter(operation, ("path", "projectId", "string"));
        page.parameter(operation, ("query", "integrationInstance", "string"));
        for media_type in [VENDOR, PLAIN] {
            page.body(operation, "responses/200", (media_type, "AgentPattern"));
        }
        page.security(operation, "bearer");
    }
}
