//! The rows, area by area.

use serde_json::Value;

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
        "hubUser: HubUserRequest?, collabUsers: array of CollabUserRequest?",
    );
    page.fields(
        "HubUserRequest",
        "emailAddress: string!, firstName: string!, middleName: string?, \
         lastName: string!, language: string!, hubOrganizationId: int64!, \
         setPassword: boolean!, emailForCommunication: string?",
    );
    page.fields(
        "CollabUserRequest",
        "appInstanceId: int64!, collabOrganizationId: int64!, \
         projectIds: array of string?, userName: string?",
    );
    page.fields(
        "CreateUserResponse",
        "hubUser: HubUserResponse, collabUser: array of CollabUserResponse",
    );
    page.fields(
        "HubUserResponse",
        "firstName: string, middleName: string, lastName: string, emailAddress: string, \
         displayName: string, organizationId: int64, emailForCommunication: string",
    );
    page.fields(
        "CollabUserResponse",
        "accountLinked: boolean, appInstanceId: int64, collabOrganizationId: int64, \
         userId: string, userName: string, location: string, region: string, \
         projectIds: array of string, errorDescription: string, \
         hasLinkedAccounts: boolean, communicationEmail: string",
    );
    page.fields(
        "PatchUserRequest",
        "hubUser: HubUserDetailsRequest, collabUsers: CollabUserDetailsRequest",
    );
    page.fields("HubUserDetailsRequest", "emailAddress: string!");
    page.fields(
        "CollabUserDetailsRequest",
        "appInstanceId: digits!, collabOrganizationId: digits!, userName: string?, \
         communicationEmail: string!, language: string!, projectIds: array of string?",
    );
    page.fields(
        "OrganizationDetails",
        "id: int64, name: string, tradingName: string",
    );
    page.fields(
        "ApplicationInstance",
        "id: int64, name: string, region: string, baseUrl: string",
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
    for (path, request, field) in [
        (
            "/20231130/actions/v1/chat/completions",
            "ChatCompletionRequest",
            "messages: array of ChatMessage!",
        ),
        (
            "/20231130/actions/v1/responses",
            "ModelResponseRequest",
            "input: string!",
        ),
    ] {
        let operation = page.operation("post", path);
        page.body(&operation, "requestBody", (JSON, request));
        page.fields(request, "model: string!");
        page.fields(request, field);
        page.body(&operation, "responses/200", (JSON, "object"));
        // A secret that is revoked or deactivated is rejected.
        page.statuses(&operation, &[200, 401]);
        page.security(&operation, "bearer");
    }
    page.fields("ChatMessage", "role: string, content: string");
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
    page.fields("KeyDetails", "keyName: string!, timeExpiry: date-time");
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
        "response_type: string, scope: string, client_id: string",
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
        "device_code: string, user_code: string, verification_uri: string, \
         expires_in: integer",
    );
    page.statuses(&device, &[200]);

    let token = page.operation("post", "/oauth2/v1/token");
    page.body(&token, "requestBody", (FORM, "TokenRequest"));
    page.fields(
        "TokenRequest",
        "grant_type: string!, device_code: string, client_id: string, \
         client_assertion_type: string, client_assertion: string",
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
    page.fields("TokenResponse", "access_token: string");
    page.statuses(&token, &[200]);
}

pub fn patterns(page: &mut Page) {
    const VENDOR: &str = "application/vnd.accord.model+json;type=singular";
    const PLAIN: &str = "application/json;charset=utf-8";
    const BASE: &str = "/ic/api/integration/v1/projects/{projectId}/ai/patterns";
    page.fields(
        "AgentPattern",
        "code: string, created: date-time, createdBy: string, createdDate: date-time, \
         dependencies: PatternDependencies, description: string, guidelines: string, \
         id: string, lastUpdated: date-time, lastUpdatedBy: string, lockedBy: string, \
         lockedDate: date-time, lockedFlag: boolean, maxIteration: int32, name: string, \
         patternRoles: array, projectId: string, recipeSource: string, status: string, \
         updateBy: string, updatedDate: date-time, usageCount: int32, version: string",
    );
    let source = "/components/schemas/AgentPattern/properties/recipeSource/enum";
    page.row("recipeSource is System or Store", source, |v| {
        *v == serde_json::json!(["System", "Store"])
    });
    page.fields(
        "Integration",
        "code: string, name: string, status: string, type: string, version: string",
    );
    page.fields(
        "CreatePatternRequest",
        "patternCode: string, patternVersion: string, projectCode: string, id: uuid",
    );
    // The page's request has all fields of a pattern; the service ignores those that only it sets.
    let request = "/components/schemas/CreatePatternRequest/properties";
    let fields = "code created createdBy createdDate dependencies description guidelines lastUpdated \
                 lastUpdatedBy lockedBy lockedDate lockedFlag maxIteration name patternRoles \
                 projectId recipeSource status updateBy updatedDate usageCount version";
    for name in fields.split(' ') {
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
