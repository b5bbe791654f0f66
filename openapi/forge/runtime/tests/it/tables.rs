//! The tables of a small document, written by hand as the generator writes
//! them.

use dropforge_runtime::http::Method;
use dropforge_runtime::table::Segment::{Literal, Variable};
use dropforge_runtime::table::*;

static REQUEST_IDS: [dropforge_runtime::http::HeaderName; 1] =
    [dropforge_runtime::http::HeaderName::from_static(
        "accord-request-id",
    )];

pub static API: Api = Api {
    name: "shop",
    title: "Shop",
    version: "1",
    base_path: "/api",
    operations: &[
        &CREATE_ITEM,
        &GET_NOTE,
        &ARCHIVE_NOTES,
        &PURGE_ARCHIVE,
        &SEARCH,
        &KEEP,
        &FILL_FORM,
        &UPLOAD,
        &FOLLOW,
        &MISBEHAVE,
    ],
    not_found: &[&NOT_FOUND_0, &NOT_FOUND_1],
    request_ids: &REQUEST_IDS,
    is_prototype: false,
};

pub static NOT_FOUND_0: Operation = Operation {
    id: "/api not found",
    path: "/api",
    segments: &[Literal("api")],
    route: "/api/{path:.*}",
    responses: &[problem(404)],
    ..OPERATION
};

/// Without a body, and thus never what the service answers.
pub static NOT_FOUND_1: Operation = Operation {
    id: "/api/odd not found",
    path: "/api/odd",
    segments: &[Literal("api"), Literal("odd")],
    route: "/api/odd/{path:.*}",
    responses: &[Response {
        status: Status::Code(404),
        headers: &[],
        media: &[],
    }],
    ..OPERATION
};

const TEXT: Schema = Schema::of(Types::STRING, "");
const INTEGER: Schema = Schema::of(Types::INTEGER, "");

static ITEM: Schema = Schema::of(Types::OBJECT, "/components/schemas/Item").object(&ObjectRules {
    properties: &[
        Property::of(
            "name",
            &TEXT.string(&StringRules {
                min_length: Some(1),
                max_length: Some(20),
                ..StringRules::ANY
            }),
        ),
        Property::of(
            "size",
            &INTEGER.nullable().number(&NumberRules {
                maximum: Some((Number::Integer(9), false)),
                ..NumberRules::ANY
            }),
        ),
        Property::of(
            "parts",
            &Schema::of(Types::ARRAY, "").array(&ArrayRules {
                items: Some(&ITEM),
                ..ArrayRules::ANY
            }),
        ),
    ],
    required: &["name"],
    ..ObjectRules::ANY
});

static FORM: Schema = Schema::of(Types::OBJECT, "").object(&ObjectRules {
    properties: &[
        Property::of("name", &TEXT),
        Property::of("count", &INTEGER),
        Property::of(
            "tags",
            &Schema::of(Types::ARRAY, "").array(&ArrayRules {
                items: Some(&TEXT),
                ..ArrayRules::ANY
            }),
        ),
        Property::of(
            "file",
            &TEXT.string(&StringRules {
                max_length: Some(8),
                format: Some(StringFormat::Binary),
                ..StringRules::ANY
            }),
        ),
        Property::of("item", &ITEM),
    ],
    required: &["name"],
    ..ObjectRules::ANY
});

static ANYTHING: Schema = Schema::ANY;
static OBJECTS: Schema = Schema::of(Types::OBJECT, "");

const fn media(name: &'static str, codec: Codec, schema: &'static Schema) -> MediaType {
    MediaType::of(name, codec).schema(schema)
}

const REQUEST_ID: Header = Header::of("accord-request-id", &TEXT)
    .required()
    .source(HeaderSource::RequestId);

const fn problem(status: u16) -> Response {
    Response {
        status: Status::Code(status),
        headers: &[REQUEST_ID],
        media: PROBLEM,
    }
}

const PROBLEM: &[MediaType] = &[media("application/problem+json", Codec::Json, &OBJECTS)];

const fn ok(media: &'static [MediaType]) -> Response {
    Response {
        status: Status::Code(200),
        headers: &[REQUEST_ID],
        media,
    }
}

const OPERATION: Operation = Operation {
    id: "",
    method: Method::GET,
    path: "",
    segments: &[],
    route: "",
    pointer: "",
    parameters: &[],
    body: None,
    responses: &[],
    method_not_allowed: None,
    security: &[],
    max_body_bytes: 1024,
};

const BEARER: &[Requirement] = &[Requirement {
    all: &[SchemeUse {
        name: "token",
        scheme: Scheme::Bearer,
        scopes: &["items.write"],
    }],
}];

pub static CREATE_ITEM: Operation = Operation {
    id: "createItem",
    method: Method::POST,
    path: "/api/items",
    segments: &[Literal("api"), Literal("items")],
    route: "/api/items",
    pointer: "/paths/~1items/post",
    body: Some(&RequestBody {
        required: true,
        lenient: false,
        media: &[media("application/json", Codec::Json, &ITEM)],
    }),
    responses: &[
        Response {
            status: Status::Code(201),
            headers: &[
                REQUEST_ID,
                Header::of(
                    "Location",
                    &Schema::of(
                        Types::STRING,
                        "/paths/~1items/post/responses/201/headers/Location/schema",
                    ),
                )
                .required(),
            ],
            media: &[media("application/json", Codec::Json, &ITEM)],
        },
        problem(400),
        problem(401),
        problem(403),
        problem(413),
        problem(415),
        problem(500),
        problem(503),
    ],
    method_not_allowed: Some(&problem(405)),
    security: BEARER,
    ..OPERATION
};

pub static GET_NOTE: Operation = Operation {
    id: "getNote",
    path: "/api/notes/{id}",
    segments: &[Literal("api"), Literal("notes"), Variable("id")],
    route: "/api/notes/{id}",
    pointer: "/paths/~1notes~1{id}/get",
    parameters: &[
        Parameter::of(
            ParameterIn::Path,
            "id",
            Style::Simple,
            &Schema::of(Types::STRING, "/components/schemas/Id").string(&StringRules {
                max_length: Some(20),
                ..StringRules::ANY
            }),
        )
        .required(),
        Parameter::of(
            ParameterIn::Query,
            "limit",
            Style::Form,
            &Schema::of(
                Types::INTEGER,
                "/paths/~1notes~1{id}/get/parameters/0/schema",
            )
            .number(&NumberRules {
                minimum: Some((Number::Integer(1), true)),
                ..NumberRules::ANY
            }),
        )
        .explode(),
        Parameter::of(
            ParameterIn::Query,
            "fields",
            Style::Form,
            &Schema::of(Types::ARRAY, "/paths/~1notes~1{id}/get/parameters/1/schema").array(
                &ArrayRules {
                    items: Some(&TEXT),
                    ..ArrayRules::ANY
                },
            ),
        ),
        Parameter::of(
            ParameterIn::Header,
            "If-Match",
            Style::Simple,
            &Schema::of(
                Types::STRING,
                "/paths/~1notes~1{id}/get/parameters/2/schema",
            ),
        ),
    ],
    responses: &[
        ok(&[
            media("application/json", Codec::Json, &OBJECTS),
            media("application/vnd.shop+json", Codec::Json, &OBJECTS),
        ]),
        problem(400),
        problem(406),
        problem(500),
    ],
    ..OPERATION
};

/// Beside `/api/notes/{id}`, which dropshot's router cannot hold: folded.
pub static ARCHIVE_NOTES: Operation = Operation {
    id: "archiveNotes",
    method: Method::POST,
    path: "/api/notes/archive",
    segments: &[Literal("api"), Literal("notes"), Literal("archive")],
    route: "/api/notes/{id}",
    responses: &[
        Response {
            status: Status::Code(204),
            headers: &[REQUEST_ID],
            media: &[],
        },
        problem(500),
    ],
    ..OPERATION
};

pub static PURGE_ARCHIVE: Operation = Operation {
    id: "purgeArchive",
    method: Method::DELETE,
    path: "/api/notes/archive/a|b",
    segments: &[
        Literal("api"),
        Literal("notes"),
        Literal("archive"),
        Literal("a|b"),
    ],
    route: "/api/notes/{id}/{p4}",
    responses: &[
        Response {
            status: Status::Code(204),
            headers: &[REQUEST_ID],
            media: &[],
        },
        problem(500),
    ],
    ..OPERATION
};

pub static SEARCH: Operation = Operation {
    id: "search",
    path: "/api/search",
    segments: &[Literal("api"), Literal("search")],
    route: "/api/search",
    body: Some(&RequestBody {
        required: false,
        lenient: true,
        media: &[media("application/json", Codec::Json, &OBJECTS)],
    }),
    responses: &[
        ok(&[media("application/json", Codec::Json, &ANYTHING)]),
        problem(400),
        problem(500),
    ],
    ..OPERATION
};

pub static KEEP: Operation = Operation {
    id: "keep",
    method: Method::PUT,
    path: "/api/kept",
    segments: &[Literal("api"), Literal("kept")],
    route: "/api/kept",
    body: Some(&RequestBody {
        required: false,
        lenient: false,
        media: &[media("application/json", Codec::Json, &ITEM)],
    }),
    responses: &[
        ok(&[media("application/json", Codec::Json, &ANYTHING)]),
        problem(400),
        problem(413),
        problem(415),
        problem(500),
    ],
    method_not_allowed: Some(&Response {
        status: Status::Code(405),
        headers: &[Header::of("x-reason", &TEXT).required()],
        media: PROBLEM,
    }),
    ..OPERATION
};

pub static FILL_FORM: Operation = Operation {
    id: "fillForm",
    method: Method::POST,
    path: "/api/form",
    segments: &[Literal("api"), Literal("form")],
    route: "/api/form",
    body: Some(&RequestBody {
        required: true,
        lenient: false,
        media: &[
            media("application/x-www-form-urlencoded", Codec::Form, &FORM),
            media("multipart/form-data", Codec::Multipart, &FORM),
        ],
    }),
    responses: &[
        ok(&[media("application/json", Codec::Json, &OBJECTS)]),
        problem(400),
        problem(413),
        problem(415),
        problem(500),
    ],
    ..OPERATION
};

pub static UPLOAD: Operation = Operation {
    id: "upload",
    method: Method::POST,
    path: "/api/upload",
    segments: &[Literal("api"), Literal("upload")],
    route: "/api/upload",
    body: Some(&RequestBody {
        required: true,
        lenient: false,
        media: &[
            media("text/plain", Codec::Text, &TEXT),
            MediaType {
                schema: None,
                ..media("application/octet-stream", Codec::Binary, &ANYTHING)
            },
        ],
    }),
    responses: &[
        ok(&[media("text/plain", Codec::Text, &TEXT)]),
        problem(400),
        problem(413),
        problem(415),
    ],
    ..OPERATION
};

pub static FOLLOW: Operation = Operation {
    id: "follow",
    path: "/api/events",
    segments: &[Literal("api"), Literal("events")],
    route: "/api/events",
    responses: &[ok(&[MediaType {
        stream: Framing {
            terminator: Some("[DONE]"),
            event: None,
        },
        ..media("text/event-stream", Codec::EventStream, &INTEGER)
    }])],
    ..OPERATION
};

pub static MISBEHAVE: Operation = Operation {
    id: "misbehave",
    path: "/api/misbehave",
    segments: &[Literal("api"), Literal("misbehave")],
    route: "/api/misbehave",
    parameters: &[Parameter::of(ParameterIn::Query, "how", Style::Form, &TEXT)
        .required()
        .explode()],
    responses: &[
        ok(&[media("application/json", Codec::Json, &ITEM)]),
        problem(400),
        problem(500),
    ],
    method_not_allowed: Some(&problem(405)),
    ..OPERATION
};
