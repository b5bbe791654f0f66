"""What the documents cannot say, told to Schemathesis.

A document says which requests are well formed. Which organizations there are,
which names are taken and which codes were given out, it cannot say: requests
that are meant to be taken get such values here. Requests that are meant to be
refused are left alone.
"""

import itertools
import os

import requests
import schemathesis

NUMBERS = itertools.count(1)
PLACES = [(71, 5201), (72, 5202)]


def fresh(prefix):
    return f"{prefix}-{next(NUMBERS)}"


def account(**changes):
    """A hub user that does not exist yet, in an organization of the caller's."""
    return changes | {
        "emailAddress": f"{fresh('someone')}@north.example",
        "hubOrganizationId": 3104,
    }


def create_user(case):
    body = case.body
    body["hubUser"] = account(**(body.get("hubUser") or {"firstName": "Mira", "lastName": "Lund", "language": "en", "setPassword": False}))
    for profile, place in zip(body.get("collabUsers") or [], itertools.cycle(PLACES)):
        profile["appInstanceId"], profile["collabOrganizationId"] = place


def link_collab_profile(case):
    """The user exists, and has no profile in the place that is asked for."""
    user = account(firstName="Mira", lastName="Lund", language="en", setPassword=False)
    answer = requests.post(
        f"{case.operation.base_url}/user",
        json={"hubUser": user},
        headers={"authorization": f"Bearer {os.environ['ACCORD_TOKEN']}"},
        timeout=10,
    )
    answer.raise_for_status()
    profile = case.body["collabUsers"]
    case.body["hubUser"]["emailAddress"] = user["emailAddress"]
    place = PLACES[next(NUMBERS) % len(PLACES)]
    # The document takes numbers and texts of digits.
    for name, number in zip(("appInstanceId", "collabOrganizationId"), place):
        profile[name] = str(number) if isinstance(profile[name], str) else number
    if "userName" in profile:
        profile["userName"] = fresh("name")


def create_pattern(case):
    # Path and body name one project.
    case.body["projectCode"] = "RETAIL"


def list_anew(case):
    # A page is what the list before it answered.
    case.query.pop("page", None)


def create_key(case):
    for secret in case.body.get("keyDetails") or []:
        secret["timeExpiry"] = "2035-01-01T00:00:00Z"
        # The two of a key have different names.
        secret["keyName"] = fresh("secret")


def renew_key(case):
    case.body["details"]["timeExpiry"] = "2035-01-01T00:00:00Z"


def create_response(case):
    # The built-in models remember nothing.
    case.body.pop("previous_response_id", None)


def as_one_client(case):
    # A client identifies itself in one way: here with its secret.
    for name in ("client_id", "client_secret", "client_assertion", "client_assertion_type"):
        case.body.pop(name, None)


def create_device_authorization(case):
    as_one_client(case)
    # There are extensions of OAuth with other types, and scopes are names.
    case.body["response_type"] = "device_code"
    case.body["scope"] = "accounts.read offline_access"


# Operations whose event stream ends with a line that is not JSON.
TERMINATORS = {"createChatCompletion": "[DONE]"}
METHODS = {"get", "put", "post", "delete", "patch"}


def without_long_names(tags):
    """OpenAPI 3.0 cannot limit the names of members."""
    return {name: value for name, value in tags.items() if 1 <= len(name) <= 100}


def tag_key(case):
    if not isinstance(case.body, dict):
        return
    for member in ("freeformTags", "definedTags"):
        if member in case.body:
            case.body[member] = without_long_names(case.body[member])
    for namespace, tags in case.body.get("definedTags", {}).items():
        case.body["definedTags"][namespace] = without_long_names(tags)


PREPARE = {
    "createUser": create_user,
    "linkCollabProfile": link_collab_profile,
    "createPatternFromAccelerator": create_pattern,
    "listOrganizations": list_anew,
    "listApplicationInstances": list_anew,
    "listApiKeys": list_anew,
    "listPatterns": list_anew,
    "listUsage": list_anew,
    "createApiKey": create_key,
    "renewApiKey": renew_key,
    "createResponse": create_response,
    "createDeviceAuthorization": create_device_authorization,
    "createToken": as_one_client,
    "introspectToken": as_one_client,
    "revokeToken": as_one_client,
}


@schemathesis.hook
def before_call(context, case, kwargs):
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    # A retry token is drawn for one request, and sent under one name.
    tokens = [name for name in ("Idempotency-Key", "accord-retry-token") if name in case.headers]
    for name in tokens:
        case.headers.pop(name)
    if tokens:
        case.headers[tokens[0]] = fresh("key")
    if "/apikeys" in case.operation.path:
        tag_key(case)
    prepare = PREPARE.get(case.operation.definition.raw.get("operationId"))
    if prepare is not None:
        prepare(case)


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """OpenAPI 3.0 has no words for a stream of events. The documents give the
    schema of an event's data; Schemathesis wants that of an event, as OpenAPI
    3.2 describes it."""
    for path in raw_schema["paths"].values():
        for key, operation in path.items():
            # A path also has parameters of its own.
            if key not in METHODS:
                continue
            for response in operation["responses"].values():
                media = response.get("content", {}).get("text/event-stream")
                if media is not None:
                    data = {
                        "type": "string",
                        "contentMediaType": "application/json",
                        "contentSchema": media["schema"],
                    }
                    end = TERMINATORS.get(operation["operationId"])
                    either = {"anyOf": [{"enum": [end]}, data]} if end else data
                    media["schema"] = {"type": "object", "properties": {"data": either}}
