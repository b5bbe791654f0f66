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
    const AREA: &str = "accounts";
    page.row(AREA, "version 2026.01.28", "/info/version", |v| {
        v == "2026.01.28"
    });
    page.row(AREA, "base path /api", "/servers/0/url", |v| {
        v == "{base_url}/api"
    });
    page.fields(
        AREA,
        "CreateUserRequest",
        &[
            ("hubUser", "HubUserRequest", Optional),
            ("collabUsers", "array of CollabUserRequest", Optional),
        ],
    );
    page.fields(
        AREA,
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
        AREA,
        "CollabUserRequest",
        &[
            ("appInstanceId", "int64", Required),
            ("collabOrganizationId", "int64", Required),
            ("projectIds", "array of string", Optional),
            ("userName", "string", Optional),
        ],
    );
    page.fields(
        AREA,
        "CreateUserResponse",
        &[
            ("hubUser", "HubUserResponse", Unspecified),
            ("collabUser", "array of CollabUserResponse", Unspecified),
        ],
    );
    page.fields(
        AREA,
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
        AREA,
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
        AREA,
        "PatchUserRequest",
        &[
            ("hubUser", "HubUserDetailsRequest", Unspecified),
            ("collabUsers", "CollabUserDetailsRequest", Unspecified),
        ],
    );
    page.field(
        AREA,
        "HubUserDetailsRequest",
        ("emailAddress", "string", Required),
    );
    page.fields(
        AREA,
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
        AREA,
        "OrganizationDetails",
        &[
            ("id", "int64", Unspecified),
            ("name", "string", Unspecified),
            ("tradingName", "string", Unspecified),
        ],
    );
    page.fields(
        AREA,
        "ApplicationInstance",
        &[
            ("id", "int64", Unspecified),
            ("name", "string", Unspecified),
            ("region", "string", Unspecified),
            ("baseUrl", "string", Unspecified),
        ],
    );
    for (method, request) in [("post", "CreateUserRequest"), ("patch", "PatchUserRequest")] {
        let operation = page.operation(AREA, method, "/api/user");
        page.body(AREA, &operation, "requestBody", (JSON, request));
        page.body(
            AREA,
            &operation,
            "responses/200",
            (JSON, "CreateUserResponse"),
        );
        page.statuses(AREA, &operation, &[200, 400, 401, 500]);
        page.security(AREA, &operation, "bearer");
    }
    for (path, element) in [
        ("/api/user/organizations", "array of OrganizationDetails"),
        ("/api/user/appinstance", "array of ApplicationInstance"),
    ] {
        let operation = page.operation(AREA, "get", path);
        let body = format!("{operation}/requestBody");
        let schema = format!("{body}/content/application~1json/schema");
        page.row(AREA, "the body is an object", &schema, |schema| {
            schema["type"] == "object"
        });
        page.row(AREA, "of any fields", &schema, |schema| {
            let limits = ["required", "properties"];
            let limited = limits.iter().any(|limit| schema.get(limit).is_some());
            !limited
                && schema
                    .get("additionalProperties")
                    .is_none_or(|more| more == true)
        });
        // What is no object is no body: decision A1.
        page.row(AREA, "the body is optional", &body, |body| {
            body["required"] != true && body["x-dropforge-lenient"] == true
        });
        page.body(AREA, &operation, "responses/200", (JSON, element));
        page.statuses(AREA, &operation, &[200, 500]);
        page.security(AREA, &operation, "bearer");
    }
}

pub fn inference(page: &mut Page) {
    const AREA: &str = "inference";
    page.row(AREA, "version segment 20231130", "/servers/0/url", |v| {
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
        let operation = page.operation(AREA, "post", path);
        page.body(AREA, &operation, "requestBody", (JSON, request));
        page.field(AREA, request, ("model", "string", Required));
        page.field(AREA, request, (fields.0, fields.1, Required));
        page.body(AREA, &operation, "responses/200", (JSON, "object"));
        // A secret that is revoked or deactivated is rejected.
        page.statuses(AREA, &operation, &[200, 401]);
        page.security(AREA, &operation, "bearer");
    }
    page.fields(
        AREA,
        "ChatMessage",
        &[
            ("role", "string", Unspecified),
            ("content", "string", Unspecified),
        ],
    );
    let family = "/paths/~1actions~1v1~1responses/post/responses/400";
    page.row(
        AREA,
        "one model family is refused",
        family,
        names(&["unsupported_model"]),
    );
    let state = page.operation(
        AREA,
        "post",
        "/20231130/apikeys/{apiKeyId}/actions/setstate",
    );
    let id = format!("{state}/operationId");
    page.row(AREA, "operation SetApiKeyState", &id, |id| {
        id == "setApiKeyState"
    });
    // Two secrets, each with a name and an expiration date, shown once.
    let secrets = "/components/schemas/CreateApiKeyDetails/properties/keyDetails";
    page.row(AREA, "a key has two secrets", secrets, |v| {
        v["maxItems"] == 2
    });
    page.fields(
        AREA,
        "KeyDetails",
        &[
            ("keyName", "string", Required),
            ("timeExpiry", "date-time", Unspecified),
        ],
    );
    let shown = "/components/schemas/IssuedApiKeyItem/allOf/1/properties/key";
    page.row(AREA, "a secret is shown once, as a string", shown, |v| {
        v["type"] == "string"
    });
    let states = "/components/schemas/SecretState/enum";
    page.row(
        AREA,
        "the states of a secret",
        states,
        names(&["STANDBY", "ACTIVE", "DEACTIVATED", "REVOKED"]),
    );
    let targets = "/components/schemas/SecretTargetState/enum";
    page.row(
        AREA,
        "activate, deactivate, revoke",
        targets,
        names(&["ACTIVE", "DEACTIVATED", "REVOKED"]),
    );
    let create = page.operation(AREA, "post", "/20231130/apikeys");
    let limit = format!("{create}/responses/400");
    page.row(
        AREA,
        "100 keys, limit api-key-count",
        &limit,
        names(&["api-key-count", "100"]),
    );
}

pub fn identity(page: &mut Page) {
    const AREA: &str = "identity";
    const GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";
    let device = page.operation(AREA, "post", "/oauth2/v1/device");
    page.security(AREA, &device, "none");
    page.body(
        AREA,
        &device,
        "requestBody",
        (FORM, "DeviceAuthorizationRequest"),
    );
    page.fields(
        AREA,
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
        AREA,
        "the constant device_code",
        &constant,
        names(&["device_code"]),
    );
    page.body(
        AREA,
        &device,
        "responses/200",
        (JSON, "DeviceAuthorization"),
    );
    page.fields(
        AREA,
        "DeviceAuthorization",
        &[
            ("device_code", "string", Unspecified),
            ("user_code", "string", Unspecified),
            ("verification_uri", "string", Unspecified),
            ("expires_in", "integer", Unspecified),
        ],
    );
    page.statuses(AREA, &device, &[200]);

    let token = page.operation(AREA, "post", "/oauth2/v1/token");
    page.body(AREA, &token, "requestBody", (FORM, "TokenRequest"));
    page.fields(
        AREA,
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
    let grant = page.property(AREA, request, "grant_type");
    page.row(
        AREA,
        format!("the constant {GRANT}"),
        &grant,
        names(&[GRANT]),
    );
    page.security(AREA, &token, "basic");
    let assertion = page.property(AREA, request, "client_assertion_type");
    for kind in ["jwt-bearer", "saml2-bearer"] {
        let urn = format!("urn:ietf:params:oauth:client-assertion-type:{kind}");
        let holds = |value: &Value| value.to_string().contains(&urn);
        page.row(AREA, format!("client assertion {kind}"), &assertion, holds);
    }
    page.body(AREA, &token, "responses/200", (JSON, "TokenResponse"));
    page.field(
        AREA,
        "TokenResponse",
        ("access_token", "string", Unspecified),
    );
    page.statuses(AREA, &token, &[200]);
}

pub fn patterns(page: &mut Page) {
    const AREA: &str = "patterns";
    const VENDOR: &str = "application/vnd.accord.model+json;type=singular";
    const PLAIN: &str = "application/json;charset=utf-8";
    const BASE: &str = "/ic/api/integration/v1/projects/{projectId}/ai/patterns";
    page.fields(
        AREA,
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
    page.row(AREA, "recipeSource is System or Store", source, |v| {
        *v == serde_json::json!(["System", "Store"])
    });
    page.fields(
        AREA,
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
        AREA,
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
        page.row(AREA, says, &at, Value::is_object);
    }
    let version = "/components/schemas/CreatePatternRequest/properties/patternVersion";
    page.row(AREA, "a version is of dotted numbers", version, |v| {
        v["pattern"]
            .as_str()
            .is_some_and(|pattern| pattern.contains(r"\."))
    });

    let create = page.operation(AREA, "post", &format!("{BASE}/accelerators/archive"));
    page.body(AREA, &create, "requestBody", (JSON, "CreatePatternRequest"));
    page.statuses(AREA, &create, &[200, 500]);
    let get = page.operation(AREA, "get", &format!("{BASE}/{{id}}"));
    page.parameter(AREA, &get, ("path", "id", "string"));
    page.statuses(AREA, &get, &[200, 404, 500]);
    let id = "/components/schemas/AgentPattern/properties/id";
    page.row(AREA, "an id is code|version", id, names(&["|"]));
    for operation in [&create, &get] {
        page.parameter(AREA, operation, ("path", "projectId", "string"));
        page.parameter(AREA, operation, ("query", "integrationInstance", "string"));
        for media_type in [VENDOR, PLAIN] {
            page.body(
                AREA,
                operation,
                "responses/200",
                (media_type, "AgentPattern"),
            );
        }
        page.security(AREA, operation, "bearer");
    }
}
