//! Edits of the document `base.yaml`, and the classes of their changes.

use crate::check::compatibility::Class::{
    self, Additive, BreaksClients, BreaksServers, Documentation,
};

/// The text to replace, its replacement, the classes of the changes, and the classes of the changes
/// of the opposite edit.
pub(super) type Case = ([&'static str; 2], [&'static [Class]; 2]);

/// Edits that change requests or responses.
pub(super) const WIRE: &[Case] = &[
    // Operations.
    (
        ["/things:\n    get", "/things:\n    post"],
        [&[BreaksClients, Additive], &[BreaksClients, Additive]],
    ),
    (
        ["{base}/api", "{base}/api/v2"],
        [&[BreaksClients], &[BreaksClients]],
    ),
    (
        ["operationId: putThing", "operationId: storeThing"],
        [&[BreaksClients], &[BreaksClients]],
    ),
    (
        ["max-body-bytes: 1000", "max-body-bytes: 999"],
        [&[BreaksClients], &[Additive]],
    ),
    (
        ["Allow: {required: true", "Allow: {required: false"],
        [&[BreaksClients], &[BreaksServers]],
    ),
    // Parameters.
    (
        [
            "{name: dry, in: query,",
            "{name: dry, in: query, required: true,",
        ],
        [&[BreaksClients], &[Additive]],
    ),
    (
        [
            "        - {name: dry, in",
            "        - {name: more, in: query, schema: {type: string}}\n        - {name: dry, in",
        ],
        [&[Additive], &[BreaksClients]],
    ),
    (
        [
            "        - {name: dry, in",
            "        - {name: must, in: query, required: true}\n        - {name: dry, in",
        ],
        [&[BreaksClients], &[BreaksClients]],
    ),
    (
        ["name: X-Trace", "name: x-trace"],
        [&[Documentation], &[Documentation]],
    ),
    (
        ["name: X-Trace", "name: X-Track"],
        [&[BreaksClients], &[BreaksClients]],
    ),
    (
        [
            "in: query, schema: {type: boolean",
            "in: query, style: spaceDelimited, schema: {type: boolean",
        ],
        [&[BreaksClients], &[BreaksClients]],
    ),
    (
        [
            "in: query, schema: {type: boolean, default: false}}",
            "in: query, content: {application/json: {schema: {type: boolean, default: false}}}}",
        ],
        [&[BreaksClients], &[BreaksClients]],
    ),
    (
        [
            "{type: boolean, default: false}",
            "{type: boolean, default: true}",
        ],
        [&[BreaksClients], &[BreaksClients]],
    ),
    (
        [
            "schema: {type: boolean, default: false}",
            "schema: {type: string, default: false}",
        ],
        [&[BreaksClients], &[BreaksClients]],
    ),
    // Bodies and media types.
    (
        [
            "      requestBody:\n",
            "      requestBody:\n        required: true\n",
        ],
        [&[BreaksClients], &[Additive]],
    ),
    (
        [
            "requestBody:\n        content:\n",
            "requestBody:\n        content:\n          text/plain: {}\n",
        ],
        [&[Additive], &[BreaksClients]],
    ),
    (
        [
            "      requestBody:\n",
            "      requestBody:\n        x-dropforge-lenient: true\n",
        ],
        [&[Additive], &[BreaksClients]],
    ),
    (
        [
            "            text/event-stream:",
            "            text/event-streams:",
        ],
        [&[BreaksClients, Additive], &[BreaksClients, Additive]],
    ),
    (
        ["terminator: '[DONE]'", "event: type"],
        [&[BreaksClients], &[BreaksClients]],
    ),
    // Statuses and headers.
    (
        ["        '404':", "        '409':"],
        [&[BreaksServers, Additive], &[BreaksServers, Additive]],
    ),
    (
        [
            "        '404':",
            "        default: {description: Other.}\n        '404':",
        ],
        [&[Additive], &[BreaksServers]],
    ),
    // Without a success beside it, `default` describes the success.
    (
        ["        '204':", "        default:"],
        [
            &[BreaksClients, BreaksServers],
            &[BreaksClients, BreaksServers],
        ],
    ),
    (
        ["        '204':", "        '202':"],
        [
            &[BreaksClients, BreaksServers],
            &[BreaksClients, BreaksServers],
        ],
    ),
    (
        ["            Age: {", "            Age: {required: true, "],
        [&[BreaksServers], &[BreaksClients]],
    ),
    (
        [
            "Size: {content: {application/json: {schema: {type: integer}}}}",
            "Size: {content: {application/json: {schema: {type: number}}}}",
        ],
        [&[BreaksClients], &[BreaksServers]],
    ),
    (
        [
            "            ETag: {",
            "            ETag: {x-dropforge-next-page: dry, ",
        ],
        [&[Additive], &[BreaksClients]],
    ),
    (
        ["            Age: {schema: {type: integer}}\n", ""],
        [&[BreaksClients], &[Additive]],
    ),
    (
        [
            "            ETag: {required: true, schema: {type: string}}\n",
            "",
        ],
        [&[BreaksClients], &[BreaksServers]],
    ),
    // Security.
    (
        ["{token: [write]}", "{token: [write, admin]}"],
        [&[BreaksClients], &[Additive]],
    ),
    (
        ["{token: [write]}", "{token: [write]}, {key: []}"],
        [&[Additive], &[BreaksClients]],
    ),
    (
        ["{token: [write]}", "{token: [write], key: []}"],
        [&[BreaksClients], &[Additive]],
    ),
    (
        ["security: []", "security: [{token: []}]"],
        [&[BreaksClients], &[Additive]],
    ),
    (["security: []", "security: [{}]"], [&[], &[]]),
    (
        ["{type: oauth2, flows: {}}", "{type: http, scheme: Bearer}"],
        [&[], &[]],
    ),
    (
        ["{type: oauth2, flows: {}}", "{type: http, scheme: basic}"],
        [&[BreaksClients], &[BreaksClients]],
    ),
    // Properties.
    (
        [
            "note: {type: string}\n",
            "note: {type: string}\n        more: {type: string}\n",
        ],
        [&[Additive], &[BreaksClients]],
    ),
    (
        [
            "      required: [name]\n      properties:\n        name: {type: string, minL",
            "      required: [name, note]\n      properties:\n        name: {type: string, minL",
        ],
        [&[BreaksClients], &[Additive]],
    ),
    (
        [
            "        extra: {",
            "        fresh: {type: string}\n        extra: {",
        ],
        [&[Additive], &[BreaksClients]],
    ),
    (
        [
            "      required: [name]\n      properties:\n        name: {type: string, maxL",
            "      required: [name, extra]\n      properties:\n        name: {type: string, maxL",
        ],
        [&[BreaksServers], &[BreaksClients]],
    ),
    (
        [
            "properties: {e: {type: string}}",
            "properties: {e: {type: string}, f: {type: string}}",
        ],
        [&[BreaksClients], &[BreaksClients]],
    ),
    (
        ["additionalProperties: true, ", ""],
        [&[BreaksClients], &[Additive]],
    ),
    // Unknown paths.
    (
        [
            "      Trace: {schema: {type: string}}\n",
            "      Span: {schema: {type: string}}\n",
        ],
        [&[BreaksClients, Additive], &[BreaksClients, Additive]],
    ),
    (
        ["application/vnd.none+json", "application/vnd.none2+json"],
        [&[BreaksClients, Additive], &[BreaksClients, Additive]],
    ),
    (
        [
            "x-dropforge-not-found:\n  /:",
            "x-dropforge-not-found:\n  /things:",
        ],
        [
            &[BreaksClients, BreaksClients],
            &[BreaksClients, BreaksClients],
        ],
    ),
    (
        ["additionalProperties: false, ", ""],
        [&[BreaksClients], &[BreaksServers]],
    ),
    (
        ["        extra: {", "        extra: {readOnly: true, "],
        [&[], &[]],
    ),
    (
        ["        extra: {", "        extra: {writeOnly: true, "],
        [&[BreaksClients], &[Additive]],
    ),
    (
        [
            "note: {type: string}",
            "note: {type: string, readOnly: true}",
        ],
        [&[BreaksClients], &[Additive]],
    ),
    (
        [
            "note: {type: string}",
            "note: {type: string, writeOnly: true}",
        ],
        [&[], &[]],
    ),
    // Values.
    (
        ["enum: [a, b]", "enum: [a, b, e]"],
        [&[Additive], &[BreaksClients]],
    ),
    (
        ["enum: [c, d]", "enum: [c, d, e]"],
        [&[BreaksClients], &[BreaksServers]],
    ),
    ([", enum: [c, d]", ""], [&[BreaksClients], &[BreaksServers]]),
    (
        ["enum: [c, d]", "x-extensible-enum: [c, d]"],
        [&[BreaksClients], &[]],
    ),
    (["enum: [a, b]", "x-extensible-enum: [a, b]"], [&[], &[]]),
    (
        ["minLength: 1,", "minLength: 2,"],
        [&[BreaksClients], &[Additive]],
    ),
    (["maxLength: 10,", ""], [&[Additive], &[BreaksClients]]),
    (
        ["maxLength: 20", "maxLength: 30"],
        [&[BreaksClients], &[BreaksServers]],
    ),
    (
        ["maximum: 9", "maximum: 9, exclusiveMaximum: true"],
        [&[BreaksClients], &[Additive]],
    ),
    (
        ["minimum: 1", "minimum: 0"],
        [&[Additive], &[BreaksClients]],
    ),
    (
        ["format: int32", "format: int64"],
        [&[Additive], &[BreaksClients]],
    ),
    (
        ["pattern: '^a'", "pattern: '^b'"],
        [&[BreaksClients], &[BreaksClients]],
    ),
    (
        ["multipleOf: 4", "multipleOf: 2"],
        [&[BreaksClients], &[BreaksServers]],
    ),
    (
        ["multipleOf: 4", "multipleOf: 6"],
        [&[BreaksClients], &[BreaksClients]],
    ),
    (
        [
            "items: {type: string}",
            "items: {type: string, maxLength: 1}",
        ],
        [&[BreaksClients], &[Additive]],
    ),
    (
        ["maxItems: 3", "maxItems: 3, uniqueItems: true"],
        [&[BreaksClients], &[Additive]],
    ),
    (
        ["size: {type: number,", "size: {type: integer,"],
        [&[BreaksServers], &[BreaksClients]],
    ),
    (
        [
            "note: {type: string}",
            "note: {type: string, nullable: true}",
        ],
        [&[Additive], &[BreaksClients]],
    ),
    (
        [
            "extra: {type: string}",
            "extra: {type: string, nullable: true}",
        ],
        [&[BreaksClients], &[BreaksServers]],
    ),
    (
        [
            "note: {type: string}",
            "note: {type: string, x-dropforge-or-integer: true}",
        ],
        [&[Additive], &[BreaksClients]],
    ),
    // Only servers read an integer there.
    (
        [
            "extra: {type: string}",
            "extra: {type: string, x-dropforge-or-integer: true}",
        ],
        [&[], &[]],
    ),
    // Schemas of requests and responses.
    (
        ["        - {$ref: '#/components/schemas/Flat'}\n", ""],
        [&[BreaksClients, BreaksServers], &[BreaksClients, Additive]],
    ),
    (
        ["mapping: {round:", "mapping: {flat: Flat, round:"],
        [
            &[BreaksClients, BreaksClients, BreaksServers, Additive],
            &[BreaksClients, BreaksClients, BreaksServers, Additive],
        ],
    ),
    // The name of a component is its tag without an entry, too.
    (
        ["mapping: {round:", "mapping: {Flat: Flat, round:"],
        [&[], &[]],
    ),
    (
        ["propertyName: tag", "propertyName: kind"],
        [
            &[BreaksClients, BreaksClients],
            &[BreaksClients, BreaksClients],
        ],
    ),
    (
        ["      oneOf:", "      anyOf:"],
        [
            &[
                BreaksClients,
                BreaksClients,
                BreaksClients,
                BreaksClients,
                BreaksServers,
                BreaksServers,
                Additive,
                Additive,
            ],
            &[
                BreaksClients,
                BreaksClients,
                BreaksClients,
                BreaksClients,
                BreaksServers,
                BreaksServers,
                Additive,
                Additive,
            ],
        ],
    ),
    // Equivalent schemas.
    (
        [
            "note: {type: string}",
            "note: {allOf: [{type: string}], description: x}",
        ],
        [&[], &[]],
    ),
    (
        ["maxItems: 3", "maxItems: 3, uniqueItems: false"],
        [&[], &[]],
    ),
    (["enum: [a, b]", "enum: [b, a]"], [&[], &[]]),
    (["enum: [c, d]", "enum: [d, c]"], [&[], &[]]),
    (
        [
            "            application/json:\n",
            "            application/json; charset=UTF-8:\n",
        ],
        [&[], &[]],
    ),
    (
        [
            "{type: object, properties: {error: {type: string}}}",
            "{type: object, required: [], properties: {error: {type: string}}}",
        ],
        [&[], &[]],
    ),
];

/// Edits of texts.
pub(super) const WORDS: &[Case] = &[
    (
        ["version: '1'", "version: '2'"],
        [&[Documentation], &[Documentation]],
    ),
    (
        ["summary: Put a thing", "summary: Store a thing"],
        [&[Documentation], &[Documentation]],
    ),
    (
        ["description: Done.", "description: Done!"],
        [&[Documentation], &[Documentation]],
    ),
    (
        [
            "  - url: '{base}/api'\n",
            "  - url: 'https://a.example/api'\n  - url: '{base}/api'\n",
        ],
        [&[Documentation], &[Documentation]],
    ),
    (
        [
            "{description: None.}",
            "{description: None., links: {thing: {operationId: putThing}}}",
        ],
        [&[Documentation], &[Documentation]],
    ),
    (
        ["size: {type: number,", "size: {type: number, default: 4,"],
        [&[Documentation], &[Documentation]],
    ),
    (
        [
            "      security: []\n",
            "      security: []\n      x-note: {}\n",
        ],
        [&[Documentation], &[Documentation]],
    ),
    (
        ["    Error: {type", "    Unused: {}\n    Error: {type"],
        [&[Documentation], &[Documentation]],
    ),
];
