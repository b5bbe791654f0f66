//! Builders for generated tables, which only list the values that differ from the defaults.

use crate::table::{
    Additional, ArrayRules, Codec, Discriminator, Framing, Header, HeaderSource, MediaType,
    NumberRules, ObjectRules, Parameter, ParameterIn, PartTypes, Property, Schema, StringRules,
    Style, Types,
};

impl Schema {
    /// A schema of these types. `pointer` is the JSON Pointer of the schema.
    pub const fn of(types: Types, pointer: &'static str) -> Schema {
        Schema {
            pointer,
            types,
            ..Schema::ANY
        }
    }

    /// Allows `null` too.
    pub const fn nullable(mut self) -> Schema {
        self.nullable = true;
        self
    }

    /// With rules for numbers.
    pub const fn number(mut self, rules: &'static NumberRules) -> Schema {
        self.number = Some(rules);
        self
    }

    /// With rules for strings.
    pub const fn string(mut self, rules: &'static StringRules) -> Schema {
        self.string = Some(rules);
        self
    }

    /// With rules for arrays.
    pub const fn array(mut self, rules: &'static ArrayRules) -> Schema {
        self.array = Some(rules);
        self
    }

    /// With rules for objects.
    pub const fn object(mut self, rules: &'static ObjectRules) -> Schema {
        self.object = Some(rules);
        self
    }

    /// With only these values, each as JSON text.
    pub const fn enumeration(mut self, values: &'static [&'static str]) -> Schema {
        self.enumeration = Some(values);
        self
    }

    /// Every one of these must hold.
    pub const fn all_of(mut self, schemas: &'static [&'static Schema]) -> Schema {
        self.all_of = schemas;
        self
    }

    /// At least one of these must hold.
    pub const fn any_of(mut self, schemas: &'static [&'static Schema]) -> Schema {
        self.any_of = schemas;
        self
    }

    /// Exactly one of these must hold.
    pub const fn one_of(mut self, schemas: &'static [&'static Schema]) -> Schema {
        self.one_of = schemas;
        self
    }

    /// This must not hold.
    pub const fn not(mut self, schema: &'static Schema) -> Schema {
        self.not = Some(schema);
        self
    }

    /// The property of a value that names its alternative.
    pub const fn discriminator(mut self, discriminator: &'static Discriminator) -> Schema {
        self.discriminator = Some(discriminator);
        self
    }
}

impl NumberRules {
    /// The rules of every number.
    pub const ANY: NumberRules = NumberRules {
        minimum: None,
        maximum: None,
        multiple_of: None,
        format: None,
    };
}

impl StringRules {
    /// The rules of every string.
    pub const ANY: StringRules = StringRules {
        min_length: None,
        max_length: None,
        pattern: None,
        format: None,
    };
}

impl ArrayRules {
    /// The rules of every array.
    pub const ANY: ArrayRules = ArrayRules {
        items: None,
        min_items: None,
        max_items: None,
        unique: false,
    };
}

impl ObjectRules {
    /// The rules of every object.
    pub const ANY: ObjectRules = ObjectRules {
        properties: &[],
        required: &[],
        additional: Additional::Allowed,
        min_properties: None,
        max_properties: None,
    };
}

impl Property {
    /// A property of requests and responses.
    pub const fn of(name: &'static str, schema: &'static Schema) -> Property {
        Property {
            name,
            schema,
            read_only: false,
            write_only: false,
        }
    }

    /// Only in responses.
    pub const fn read_only(mut self) -> Property {
        self.read_only = true;
        self
    }

    /// Only in requests.
    pub const fn write_only(mut self) -> Property {
        self.write_only = true;
        self
    }
}

impl Parameter {
    /// An optional parameter.
    pub const fn of(
        location: ParameterIn,
        name: &'static str,
        style: Style,
        schema: &'static Schema,
    ) -> Parameter {
        Parameter {
            name,
            location,
            required: false,
            style,
            explode: false,
            json: false,
            schema,
        }
    }

    /// Makes the parameter required.
    pub const fn required(mut self) -> Parameter {
        self.required = true;
        self
    }

    /// Each element is written separately.
    pub const fn explode(mut self) -> Parameter {
        self.explode = true;
        self
    }

    /// The value is JSON text.
    pub const fn json(mut self) -> Parameter {
        self.json = true;
        self
    }
}

impl MediaType {
    /// A media type of this name.
    pub const fn of(name: &'static str, codec: Codec) -> MediaType {
        MediaType {
            name,
            codec,
            schema: None,
            raw: false,
            stream: Framing {
                terminator: None,
                event: None,
            },
            parts: &[],
        }
    }

    /// The schema of its value.
    pub const fn schema(mut self, schema: &'static Schema) -> MediaType {
        self.schema = Some(schema);
        self
    }

    /// Bytes pass through as they are.
    pub const fn raw(mut self) -> MediaType {
        self.raw = true;
        self
    }

    /// How its events are framed.
    pub const fn stream(mut self, framing: Framing) -> MediaType {
        self.stream = framing;
        self
    }

    /// The media types that its parts may have.
    pub const fn parts(mut self, parts: PartTypes) -> MediaType {
        self.parts = parts;
        self
    }
}

impl Header {
    /// A header that the handler may fill in.
    pub const fn of(name: &'static str, schema: &'static Schema) -> Header {
        Header {
            name,
            required: false,
            schema,
            source: HeaderSource::Handler,
        }
    }

    /// Makes the header required.
    pub const fn required(mut self) -> Header {
        self.required = true;
        self
    }

    /// The part of the server that sets it.
    pub const fn source(mut self, source: HeaderSource) -> Header {
        self.source = source;
        self
    }
}
