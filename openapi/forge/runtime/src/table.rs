//! The generated description of a document, as plain static data.
//!
//! The generator writes tables, and the library interprets them. A generated handler stays a few
//! lines long and compiles quickly. Code that does not depend on one document is ordinary code with
//! ordinary tests. One table of a schema serves requests, responses and examples alike.

pub use crate::pattern::Pattern;

/// One document.
#[derive(Debug)]
pub struct Api {
    /// The area's name, such as `accounts`.
    pub name: &'static str,
    /// `info.title`.
    pub title: &'static str,
    /// `info.version`.
    pub version: &'static str,
    /// The path part of the first server's URL, without a trailing slash.
    pub base_path: &'static str,
    /// Every operation, in the document's order.
    pub operations: &'static [&'static Operation],
    /// The responses to unknown paths (`x-dropforge-not-found`): a table for each prefix, whose
    /// path is the prefix and whose one response is the 404. Such an operation is never called.
    pub not_found: &'static [&'static Operation],
    /// Response headers that carry the request's id (`x-dropforge-source`). A caller may
    /// name its request in them, or in `x-request-id`.
    pub request_ids: &'static [http::HeaderName],
    /// Whether the code was generated as a prototype: its unwritten methods respond with 501. The
    /// contract tests do not judge those responses, nor the form of its errors.
    pub is_prototype: bool,
}

/// One operation.
#[derive(Debug)]
pub struct Operation {
    /// `operationId`, or the one the generator made where there is none.
    pub id: &'static str,
    /// The HTTP method.
    pub method: http::Method,
    /// The path with its base path, percent-decoded: `/api/user`.
    pub path: &'static str,
    /// The path in segments, for matching.
    pub segments: &'static [Segment],
    /// The route at dropshot's router. It differs from `path` if routes had to be folded.
    pub route: &'static str,
    /// JSON Pointer of the operation in the document.
    pub pointer: &'static str,
    /// Path, query, header and cookie parameters.
    pub parameters: &'static [Parameter],
    /// The request body, if the operation takes one.
    pub body: Option<&'static RequestBody>,
    /// Every response listed.
    pub responses: &'static [Response],
    /// The response of its path to methods that it does not have
    /// (`x-dropforge-method-not-allowed`). The operation itself never returns it.
    pub method_not_allowed: Option<&'static Response>,
    /// Alternatives, of which one must hold. Empty if the operation has no security.
    pub security: &'static [Requirement],
    /// Maximum size of a request body, in bytes.
    pub max_body_bytes: usize,
}

impl Operation {
    /// The entry of `responses` for a status: the code itself, then its range, then the default.
    pub fn response(&self, status: http::StatusCode) -> Option<&'static Response> {
        let find = |wanted: Status| {
            self.responses
                .iter()
                .find(move |response| response.status == wanted)
        };
        let code = status.as_u16();
        find(Status::Code(code))
            .or_else(|| find(Status::Range((code / 100) as u8)))
            .or_else(|| find(Status::Default))
    }

    /// The operations here describe requests that reach no operation: the 405 of the path, or the
    /// 404 of a prefix.
    pub(crate) fn refusal(&self, status: http::StatusCode) -> Option<&'static Response> {
        match status {
            http::StatusCode::METHOD_NOT_ALLOWED => self.method_not_allowed,
            http::StatusCode::NOT_FOUND => self.responses.first().filter(|_| self.is_prefix()),
            _ => None,
        }
    }

    /// Whether it represents the unknown paths below a prefix.
    fn is_prefix(&self) -> bool {
        self.route.ends_with(":.*}")
    }
}

/// The table for requests that reach no operation.
pub(crate) const NO_OPERATION: Operation = Operation {
    id: "",
    method: http::Method::GET,
    path: "",
    segments: &[],
    route: "",
    pointer: "",
    parameters: &[],
    body: None,
    responses: &[],
    method_not_allowed: None,
    security: &[],
    max_body_bytes: 0,
};

/// The table for requests without a document.
#[cfg(test)]
pub(crate) const NO_API: Api = Api {
    name: "",
    title: "",
    version: "",
    base_path: "",
    operations: &[],
    not_found: &[],
    request_ids: &[],
    is_prototype: false,
};

/// One segment of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Segment {
    /// Literal text, percent-decoded.
    Literal(&'static str),
    /// A whole segment that is a parameter.
    Variable(&'static str),
    /// Text and parameters in one segment, as in `{id}:act`.
    Mixed(&'static [Part]),
}

/// A piece of a [`Segment::Mixed`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Literal text.
    Literal(&'static str),
    /// A parameter.
    Variable(&'static str),
}

/// The place of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ParameterIn {
    /// In the path.
    Path,
    /// In the query string.
    Query,
    /// In a request header.
    Header,
    /// In the `Cookie` header.
    Cookie,
}

/// The notation of arrays and objects in a parameter (OpenAPI 3.0, "Style Values").
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `a,b,c`; path and header.
    Simple,
    /// `.a.b`; path.
    Label,
    /// `;name=a`; path.
    Matrix,
    /// `name=a&name=b` or `name=a,b`; query and cookie.
    Form,
    /// `name=a%20b`; query.
    SpaceDelimited,
    /// `name=a|b`; query.
    PipeDelimited,
    /// `name[key]=a`; query.
    DeepObject,
}

/// One parameter.
#[derive(Debug)]
pub struct Parameter {
    /// Its name in the document; header names compare without case.
    pub name: &'static str,
    /// Its place.
    pub location: ParameterIn,
    /// Whether the runtime rejects a request without it.
    pub required: bool,
    /// The notation of arrays and objects.
    pub style: Style,
    /// Whether each element is written separately.
    pub explode: bool,
    /// The value is JSON text (`content: application/json`) instead of a style.
    pub json: bool,
    /// The schema of its value.
    pub schema: &'static Schema,
}

/// A request body.
#[derive(Debug)]
pub struct RequestBody {
    /// Whether the runtime rejects a request without a body.
    pub required: bool,
    /// A body that is unreadable or invalid counts as absent (`x-dropforge-lenient`).
    pub lenient: bool,
    /// The media types accepted, in the document's order.
    pub media: &'static [MediaType],
}

/// One entry of a `content` map.
#[derive(Debug)]
pub struct MediaType {
    /// The name as the document writes it, with parameters: `application/json;charset=utf-8`.
    pub name: &'static str,
    /// How its bytes are read and written.
    pub codec: Codec,
    /// The schema of the value. For an event stream, of the data of one event.
    pub schema: Option<&'static Schema>,
    /// Bytes pass through as they are (`x-dropforge-raw`).
    pub raw: bool,
    /// How events are framed, for an event stream.
    pub stream: Framing,
    /// The media types and ranges that parts may have, by the name of the part (`contentType` of
    /// `encoding`). Other parts may have any.
    pub parts: PartTypes,
}

/// Media types and ranges by the name of a part.
pub type PartTypes = &'static [(&'static str, &'static [&'static str])];

/// How the bytes of a media type are read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Codec {
    /// JSON and every `+json`.
    Json,
    /// `application/x-www-form-urlencoded`.
    Form,
    /// `multipart/form-data`.
    Multipart,
    /// `text/event-stream`.
    EventStream,
    /// `text/*`.
    Text,
    /// Any other media type: bytes.
    Binary,
}

/// How a `text/event-stream` frames its events (`x-dropforge-stream`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Framing {
    /// Data of the last event, which is not JSON: `[DONE]`.
    pub terminator: Option<&'static str>,
    /// Property whose value is also the event's name.
    pub event: Option<&'static str>,
}

/// One entry of an operation's `responses`.
#[derive(Debug)]
pub struct Response {
    /// The status or statuses that it represents.
    pub status: Status,
    /// Its headers.
    pub headers: &'static [Header],
    /// Its media types. Empty if the response has no body.
    pub media: &'static [MediaType],
}

/// A key of `responses`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// One status code.
    Code(u16),
    /// `2XX` and the like, by their first digit.
    Range(u8),
    /// `default`.
    Default,
}

/// One response header.
#[derive(Debug)]
pub struct Header {
    /// Its name.
    pub name: &'static str,
    /// Whether the header is required.
    pub required: bool,
    /// The schema of its value.
    pub schema: &'static Schema,
    /// The part of the server that sets it.
    pub source: HeaderSource,
}

/// The part of the server that sets a response header (`x-dropforge-source`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderSource {
    /// The handler, through the response's type.
    Handler,
    /// The runtime: the request's id.
    RequestId,
}

/// One alternative of an operation's security: all of its schemes must hold. Empty if it admits any
/// caller.
#[derive(Debug)]
pub struct Requirement {
    /// The schemes, with the scopes they must grant.
    pub all: &'static [SchemeUse],
}

/// A security scheme as one requirement uses it.
#[derive(Debug)]
pub struct SchemeUse {
    /// Name of the scheme in the document.
    pub name: &'static str,
    /// The place of the credentials.
    pub scheme: Scheme,
    /// Scopes that the requirement names.
    pub scopes: &'static [&'static str],
}

/// The place of a security scheme's credentials.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// `Authorization: Bearer`: http bearer, oauth2 and openIdConnect.
    Bearer,
    /// `Authorization: Basic`.
    Basic,
    /// An API key.
    ApiKey {
        /// Query, header or cookie.
        location: ParameterIn,
        /// Name of the parameter, header or cookie.
        name: &'static str,
    },
    /// The client certificate of the connection.
    MutualTls,
}

/// The rules of one schema.
#[derive(Debug)]
pub struct Schema {
    /// JSON Pointer of the schema in the document.
    pub pointer: &'static str,
    /// JSON types allowed; [`Types::ANY`] when the schema names none.
    pub types: Types,
    /// Whether `null` is allowed beside `types`.
    pub nullable: bool,
    /// Rules for numbers and integers.
    pub number: Option<&'static NumberRules>,
    /// Rules for strings.
    pub string: Option<&'static StringRules>,
    /// Rules for arrays.
    pub array: Option<&'static ArrayRules>,
    /// Rules for objects.
    pub object: Option<&'static ObjectRules>,
    /// Allowed values, each as JSON text.
    pub enumeration: Option<&'static [&'static str]>,
    /// Every one must hold.
    pub all_of: &'static [&'static Schema],
    /// At least one must hold. Empty if there is no rule.
    pub any_of: &'static [&'static Schema],
    /// Exactly one must hold. Empty if there is no rule.
    pub one_of: &'static [&'static Schema],
    /// Must not hold.
    pub not: Option<&'static Schema>,
    /// The rule that chooses one of `one_of` or `any_of` for a value.
    pub discriminator: Option<&'static Discriminator>,
}

impl Schema {
    /// The schema that allows everything; tables are written as differences
    /// from it.
    pub const ANY: Schema = Schema {
        pointer: "",
        types: Types::ANY,
        nullable: false,
        number: None,
        string: None,
        array: None,
        object: None,
        enumeration: None,
        all_of: &[],
        any_of: &[],
        one_of: &[],
        not: None,
        discriminator: None,
    };

    /// The alternatives of its `oneOf`, else of its `anyOf`.
    pub(crate) fn alternatives(&self) -> &'static [&'static Schema] {
        match self.one_of {
            [] => self.any_of,
            one_of => one_of,
        }
    }

    /// The orders in which the declarations of a member are tried: that of the schema, and for each
    /// alternative one that begins with it.
    pub(crate) fn readings(&self) -> impl Iterator<Item = Option<&'static Schema>> + use<> {
        let alternatives = self.alternatives().iter();
        std::iter::once(None).chain(alternatives.map(|alternative| Some(*alternative)))
    }
}

/// A set of JSON types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Types(pub u8);

impl Types {
    /// The schema names no type. It allows every value, `null` included, since a schema without a
    /// type has no rule for it.
    pub const ANY: Types = Types(0);
    /// `boolean`
    pub const BOOLEAN: Types = Types(1);
    /// `integer`
    pub const INTEGER: Types = Types(2);
    /// `number`
    pub const NUMBER: Types = Types(4);
    /// `string`
    pub const STRING: Types = Types(8);
    /// `array`
    pub const ARRAY: Types = Types(16);
    /// `object`
    pub const OBJECT: Types = Types(32);
}

/// Rules for numbers.
#[derive(Debug)]
pub struct NumberRules {
    /// Minimum, and whether it is excluded.
    pub minimum: Option<(Number, bool)>,
    /// Maximum, and whether it is excluded.
    pub maximum: Option<(Number, bool)>,
    /// The value divided by this is an integer.
    pub multiple_of: Option<Number>,
    /// The format, which limits the values.
    pub format: Option<NumberFormat>,
}

/// A number of a document; integers are kept exactly.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// An integer.
    Integer(i128),
    /// Any other number.
    Float(f64),
}

/// A number's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberFormat {
    /// 8 bits, signed.
    Int8,
    /// 16 bits, signed.
    Int16,
    /// 32 bits, signed.
    Int32,
    /// 64 bits, signed.
    Int64,
    /// 8 bits, without a sign.
    Uint8,
    /// 16 bits, without a sign.
    Uint16,
    /// 32 bits, without a sign.
    Uint32,
    /// 64 bits, without a sign.
    Uint64,
    /// Single precision.
    Float,
    /// Double precision.
    Double,
}

/// Rules for strings. Lengths count Unicode scalar values.
#[derive(Debug)]
pub struct StringRules {
    /// Minimum of characters.
    pub min_length: Option<u64>,
    /// Maximum of characters.
    pub max_length: Option<u64>,
    /// Regular expression (ECMA 262) that some part of the string matches.
    pub pattern: Option<&'static Pattern>,
    /// A format that is checked.
    pub format: Option<StringFormat>,
}

/// A string's format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StringFormat {
    /// RFC 3339 `date-time`.
    DateTime,
    /// RFC 3339 `full-date`.
    Date,
    /// RFC 3339 `full-time`.
    Time,
    /// RFC 3339 `duration` (appendix A), in capitals.
    Duration,
    /// RFC 5321 mailbox.
    Email,
    /// RFC 3986 URI with a scheme.
    Uri,
    /// RFC 4122 UUID.
    Uuid,
    /// Base64 (RFC 4648 section 4).
    Byte,
    /// Any bytes; no rule.
    Binary,
    /// RFC 2673 dotted-quad.
    Ipv4,
    /// RFC 4291 address.
    Ipv6,
    /// RFC 1123 host name.
    Hostname,
}

/// Rules for arrays.
#[derive(Debug)]
pub struct ArrayRules {
    /// The schema of each element.
    pub items: Option<&'static Schema>,
    /// Minimum of elements.
    pub min_items: Option<u64>,
    /// Maximum of elements.
    pub max_items: Option<u64>,
    /// No two elements are equal.
    pub unique: bool,
}

/// Rules for objects.
#[derive(Debug)]
pub struct ObjectRules {
    /// Declared properties, in the document's order.
    pub properties: &'static [Property],
    /// Names of required properties.
    pub required: &'static [&'static str],
    /// The rule for other properties.
    pub additional: Additional,
    /// Minimum of properties.
    pub min_properties: Option<u64>,
    /// Maximum of properties.
    pub max_properties: Option<u64>,
}

/// One property of an object.
#[derive(Debug)]
pub struct Property {
    /// Its name.
    pub name: &'static str,
    /// The schema of its value.
    pub schema: &'static Schema,
    /// Only in responses: not required in a request.
    pub read_only: bool,
    /// Only in requests: not required in a response.
    pub write_only: bool,
}

/// The rule for an object's other properties.
#[derive(Debug)]
pub enum Additional {
    /// Any value.
    Allowed,
    /// Not allowed.
    Denied,
    /// Each must be valid against a schema.
    Schema(&'static Schema),
}

/// A discriminator.
#[derive(Debug)]
pub struct Discriminator {
    /// Name of the property.
    pub property: &'static str,
    /// Value of the property, and the schema that it represents.
    pub mapping: &'static [(&'static str, &'static Schema)],
}

impl Discriminator {
    /// The schema that a value of the property represents.
    pub(crate) fn target(&self, value: &str) -> Option<&'static Schema> {
        let mut mapping = self.mapping.iter();
        mapping
            .find(|(known, _)| *known == value)
            .map(|(_, schema)| *schema)
    }
}
