/// One type for each schema that has a name.
pub mod types {
    /// Defined at `tests/golden/kitchen.yaml:123`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Result { // tests/golden/kitchen.yaml:123
        /// title
        ///
        /// Defined at `tests/golden/kitchen.yaml:127`.
        pub title: ::std::string::String, // tests/golden/kitchen.yaml:127
        /// Option
        ///
        /// Defined at `tests/golden/kitchen.yaml:128`.
        pub option: ::std::option::Option<::std::string::String>, // tests/golden/kitchen.yaml:128
    }
    impl ::dropforge_runtime::serde::Serialize for Result {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write(to, "Result", 2usize)
                .put("title", &self.title)
                .put_some("Option", &self.option)
                .end()
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Result {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for Result {
        const NAMES: &'static [&'static str] = &["title", "Option"];
        fn read<'de, A: ::dropforge_runtime::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_runtime::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let (mut f0, mut f1) = (
                ::std::option::Option::None,
                ::std::option::Option::None,
            );
            while let ::std::option::Option::Some(at) = members.next_field()? {
                match at {
                    0 => members.value(&mut f0),
                    _ => members.value(&mut f1),
                }?;
            }
            ::std::result::Result::Ok(Self {
                title: members.required("title", f0)?,
                option: f1.flatten(),
            })
        }
    }
    /// Defined at `tests/golden/kitchen.yaml:129`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Dish { // tests/golden/kitchen.yaml:129
        /// name
        ///
        /// Defined at `tests/golden/kitchen.yaml:134`.
        pub name: ::std::string::String, // tests/golden/kitchen.yaml:134
        /// kind
        ///
        /// Defined at `tests/golden/kitchen.yaml:135`.
        pub kind: self::Kind, // tests/golden/kitchen.yaml:135
        /// course
        ///
        /// Defined at `tests/golden/kitchen.yaml:136`.
        pub course: ::std::option::Option<i32>, // tests/golden/kitchen.yaml:136
        /// type
        ///
        /// Defined at `tests/golden/kitchen.yaml:137`.
        pub type_: ::std::option::Option<::std::string::String>, // tests/golden/kitchen.yaml:137
        /// self
        ///
        /// Defined at `tests/golden/kitchen.yaml:138`.
        pub self_: ::std::option::Option<f64>, // tests/golden/kitchen.yaml:138
        /// since
        ///
        /// Defined at `tests/golden/kitchen.yaml:139`.
        pub since: ::std::option::Option< // tests/golden/kitchen.yaml:139
            ::dropforge_runtime::chrono::DateTime<::dropforge_runtime::chrono::Utc>,
        >,
        /// calories
        ///
        /// Defined at `tests/golden/kitchen.yaml:140`.
        pub calories: ::std::option::Option<::std::option::Option<i64>>, // tests/golden/kitchen.yaml:140
        /// filling
        ///
        /// Defined at `tests/golden/kitchen.yaml:141`.
        pub filling: ::std::option::Option<self::Filling>, // tests/golden/kitchen.yaml:141
        /// parts
        ///
        /// Defined at `tests/golden/kitchen.yaml:142`.
        pub parts: ::std::option::Option<::std::vec::Vec<self::Dish>>, // tests/golden/kitchen.yaml:142
        /// around
        ///
        /// Defined at `tests/golden/kitchen.yaml:143`.
        pub around: ::std::option::Option<::std::boxed::Box<self::Dish>>, // tests/golden/kitchen.yaml:143
        /// spices
        ///
        /// Defined at `tests/golden/kitchen.yaml:144`.
        pub spices: ::std::vec::Vec<::std::string::String>, // tests/golden/kitchen.yaml:144
        /// garnish
        ///
        /// Defined at `tests/golden/kitchen.yaml:145`.
        pub garnish: ::std::option::Option<::std::option::Option<self::Garnish>>, // tests/golden/kitchen.yaml:145
        /// anything
        ///
        /// Defined at `tests/golden/kitchen.yaml:146`.
        pub anything: ::std::option::Option<::dropforge_runtime::serde_json::Value>, // tests/golden/kitchen.yaml:146
        /// notes
        ///
        /// Defined at `tests/golden/kitchen.yaml:147`.
        pub notes: ::std::option::Option< // tests/golden/kitchen.yaml:147
            ::std::collections::BTreeMap<::std::string::String, ::std::string::String>,
        >,
    }
    impl ::dropforge_runtime::serde::Serialize for Dish {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write(to, "Dish", 14usize)
                .put("name", &self.name)
                .put("kind", &self.kind)
                .put("course", &self.course)
                .put_some("type", &self.type_)
                .put_some("self", &self.self_)
                .put_some("since", &self.since)
                .put_some("calories", &self.calories)
                .put_some("filling", &self.filling)
                .put_some("parts", &self.parts)
                .put_some("around", &self.around)
                .put("spices", &self.spices)
                .put_some("garnish", &self.garnish)
                .put_some("anything", &self.anything)
                .put_some("notes", &self.notes)
                .end()
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Dish {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for Dish {
        const NAMES: &'static [&'static str] = &[
            "name",
            "kind",
            "course",
            "type",
            "self",
            "since",
            "calories",
            "filling",
            "parts",
            "around",
            "spices",
            "garnish",
            "anything",
            "notes",
        ];
        fn read<'de, A: ::dropforge_runtime::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_runtime::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let (
                mut f0,
                mut f1,
                mut f2,
                mut f3,
                mut f4,
                mut f5,
                mut f6,
                mut f7,
                mut f8,
                mut f9,
                mut f10,
                mut f11,
                mut f12,
                mut f13,
            ) = (
                ::std::option::Option::None,
                ::std::option::Option::None,
                ::std::option::Option::None,
                ::std::option::Option::None,
                ::std::option::Option::None,
                ::std::option::Option::None,
                ::std::option::Option::None,
                ::std::option::Option::None,
                ::std::option::Option::None,
                ::std::option::Option::None,
                ::std::option::Option::None,
                ::std::option::Option::None,
                ::std::option::Option::None,
                ::std::option::Option::None,
            );
            while let ::std::option::Option::Some(at) = members.next_field()? {
                match at {
                    0 => members.value(&mut f0),
                    1 => members.value(&mut f1),
                    2 => members.value(&mut f2),
                    3 => members.value(&mut f3),
                    4 => members.value(&mut f4),
                    5 => members.value(&mut f5),
                    6 => members.value(&mut f6),
                    7 => members.value(&mut f7),
                    8 => members.value(&mut f8),
                    9 => members.value(&mut f9),
                    10 => members.value(&mut f10),
                    11 => members.value(&mut f11),
                    12 => members.value(&mut f12),
                    _ => members.value(&mut f13),
                }?;
            }
            ::std::result::Result::Ok(Self {
                name: members.required("name", f0)?,
                kind: members.required("kind", f1)?,
                course: members.required("course", f2)?,
                type_: f3.flatten(),
                self_: f4.flatten(),
                since: f5.flatten(),
                calories: f6,
                filling: f7.flatten(),
                parts: f8.flatten(),
                around: f9.flatten(),
                spices: f10
                    .unwrap_or_else(|| ::std::vec![::std::string::String::from("salt")]),
                garnish: f11,
                anything: f12,
                notes: f13.flatten(),
            })
        }
    }
    /// Defined at `tests/golden/kitchen.yaml:152`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Kind { // tests/golden/kitchen.yaml:152
        /// `hot`
        Hot,
        /// `HOT`
        Hot2,
        /// `cold`
        Cold,
        /// `>`
        Greater,
        /// `>=`
        GreaterEqual,
        /// ``
        Empty,
    }
    impl Kind {
        /// Every value, in the document's order.
        pub const ALL: &'static [Kind] = &[
            Kind::Hot,
            Kind::Hot2,
            Kind::Cold,
            Kind::Greater,
            Kind::GreaterEqual,
            Kind::Empty,
        ];
        /// The value as the document writes it.
        pub fn as_str(&self) -> &'static str {
            <Self as ::dropforge_runtime::names::Names>::NAMES[*self as usize]
        }
    }
    impl ::dropforge_runtime::names::Names for Kind {
        const VALUES: &'static [Self] = Self::ALL;
        const NAMES: &'static [&'static str] = &["hot", "HOT", "cold", ">", ">=", ""];
        const MESSAGE: &'static str = "not a value of Kind";
    }
    impl ::std::fmt::Display for Kind {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.write_str(self.as_str())
        }
    }
    impl ::std::str::FromStr for Kind {
        type Err = &'static str;
        fn from_str(text: &str) -> ::std::result::Result<Self, &'static str> {
            ::dropforge_runtime::names::parse(text)
        }
    }
    impl ::dropforge_runtime::serde::Serialize for Kind {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            to.serialize_str(self.as_str())
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Kind {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::names::read(from)
        }
    }
    /// Defined at `tests/golden/kitchen.yaml:155`.
    #[derive(Debug, Clone, PartialEq)]
    pub enum Filling { // tests/golden/kitchen.yaml:155
        #[allow(missing_docs)]
        Sweet(self::Sweet),
        #[allow(missing_docs)]
        Savoury(self::Savoury),
    }
    impl ::dropforge_runtime::serde::Serialize for Filling {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            match self {
                Self::Sweet(value) => {
                    ::dropforge_runtime::serde::Serialize::serialize(value, to)
                }
                Self::Savoury(value) => {
                    ::dropforge_runtime::serde::Serialize::serialize(value, to)
                }
            }
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Filling {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            let (at, value) = ::dropforge_runtime::check::choose(
                from,
                &super::schemas::SCHEMA_11,
                "Filling",
                2usize,
            )?;
            match at {
                0 => ::dropforge_runtime::serde_json::from_value(value).map(Self::Sweet),
                _ => {
                    ::dropforge_runtime::serde_json::from_value(value).map(Self::Savoury)
                }
            }
                .map_err(::dropforge_runtime::serde::de::Error::custom)
        }
    }
    /// Defined at `tests/golden/kitchen.yaml:148`.
    #[derive(Debug, Clone, PartialEq)]
    pub enum Garnish { // tests/golden/kitchen.yaml:148
        #[allow(missing_docs)]
        String(::std::string::String),
        #[allow(missing_docs)]
        Array(::std::vec::Vec<::std::string::String>),
    }
    impl ::dropforge_runtime::serde::Serialize for Garnish {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            match self {
                Self::String(value) => {
                    ::dropforge_runtime::serde::Serialize::serialize(value, to)
                }
                Self::Array(value) => {
                    ::dropforge_runtime::serde::Serialize::serialize(value, to)
                }
            }
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Garnish {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            let (at, value) = ::dropforge_runtime::check::choose(
                from,
                &super::schemas::SCHEMA_14,
                "Garnish",
                2usize,
            )?;
            match at {
                0 => ::dropforge_runtime::serde_json::from_value(value).map(Self::String),
                _ => ::dropforge_runtime::serde_json::from_value(value).map(Self::Array),
            }
                .map_err(::dropforge_runtime::serde::de::Error::custom)
        }
    }
    /// Defined at `tests/golden/kitchen.yaml:162`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Sweet { // tests/golden/kitchen.yaml:162
        /// taste
        ///
        /// Defined at `tests/golden/kitchen.yaml:165`.
        pub taste: ::std::string::String, // tests/golden/kitchen.yaml:165
        /// sugar
        ///
        /// Defined at `tests/golden/kitchen.yaml:165`.
        pub sugar: ::std::option::Option<i64>, // tests/golden/kitchen.yaml:165
    }
    impl ::dropforge_runtime::serde::Serialize for Sweet {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write(to, "Sweet", 2usize)
                .put("taste", &self.taste)
                .put_some("sugar", &self.sugar)
                .end()
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Sweet {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for Sweet {
        const NAMES: &'static [&'static str] = &["taste", "sugar"];
        fn read<'de, A: ::dropforge_runtime::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_runtime::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let (mut f0, mut f1) = (
                ::std::option::Option::None,
                ::std::option::Option::None,
            );
            while let ::std::option::Option::Some(at) = members.next_field()? {
                match at {
                    0 => members.value(&mut f0),
                    _ => members.value(&mut f1),
                }?;
            }
            ::std::result::Result::Ok(Self {
                taste: members.required("taste", f0)?,
                sugar: f1.flatten(),
            })
        }
    }
    /// Defined at `tests/golden/kitchen.yaml:166`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Savoury { // tests/golden/kitchen.yaml:166
        /// taste
        ///
        /// Defined at `tests/golden/kitchen.yaml:170`.
        pub taste: ::std::string::String, // tests/golden/kitchen.yaml:170
        /// salt
        ///
        /// Defined at `tests/golden/kitchen.yaml:172`.
        pub salt: ::std::option::Option<self::SavourySalt>, // tests/golden/kitchen.yaml:172
    }
    impl ::dropforge_runtime::serde::Serialize for Savoury {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write(to, "Savoury", 2usize)
                .put("taste", &self.taste)
                .put_some("salt", &self.salt)
                .end()
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Savoury {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for Savoury {
        const NAMES: &'static [&'static str] = &["taste", "salt"];
        fn read<'de, A: ::dropforge_runtime::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_runtime::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let (mut f0, mut f1) = (
                ::std::option::Option::None,
                ::std::option::Option::None,
            );
            while let ::std::option::Option::Some(at) = members.next_field()? {
                match at {
                    0 => members.value(&mut f0),
                    _ => members.value(&mut f1),
                }?;
            }
            ::std::result::Result::Ok(Self {
                taste: members.required("taste", f0)?,
                salt: f1.flatten(),
            })
        }
    }
    /// Defined at `tests/golden/kitchen.yaml:172`.
    #[derive(Debug, Clone, PartialEq)]
    pub enum SavourySalt { // tests/golden/kitchen.yaml:172
        #[allow(missing_docs)]
        Integer(i64),
        #[allow(missing_docs)]
        String(::std::string::String),
    }
    impl ::dropforge_runtime::serde::Serialize for SavourySalt {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            match self {
                Self::Integer(value) => {
                    ::dropforge_runtime::serde::Serialize::serialize(value, to)
                }
                Self::String(value) => {
                    ::dropforge_runtime::serde::Serialize::serialize(value, to)
                }
            }
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for SavourySalt {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            let (at, value) = ::dropforge_runtime::check::choose(
                from,
                &super::schemas::SCHEMA_29,
                "SavourySalt",
                2usize,
            )?;
            match at {
                0 => {
                    ::dropforge_runtime::serde_json::from_value(value).map(Self::Integer)
                }
                _ => ::dropforge_runtime::serde_json::from_value(value).map(Self::String),
            }
                .map_err(::dropforge_runtime::serde::de::Error::custom)
        }
    }
    /// Defined at `tests/golden/kitchen.yaml:173`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Order { // tests/golden/kitchen.yaml:173
        /// table
        ///
        /// Defined at `tests/golden/kitchen.yaml:177`.
        pub table: i64, // tests/golden/kitchen.yaml:177
        /// dishes
        ///
        /// Defined at `tests/golden/kitchen.yaml:178`.
        pub dishes: ::std::option::Option<::std::vec::Vec<::std::string::String>>, // tests/golden/kitchen.yaml:178
        /// secret
        ///
        /// Defined at `tests/golden/kitchen.yaml:179`.
        pub secret: ::std::option::Option<::std::string::String>, // tests/golden/kitchen.yaml:179
        /// id
        ///
        /// Defined at `tests/golden/kitchen.yaml:180`.
        pub id: ::std::option::Option<::dropforge_runtime::uuid::Uuid>, // tests/golden/kitchen.yaml:180
        /// Every other member.
        pub additional: ::std::collections::BTreeMap<
            ::std::string::String,
            ::dropforge_runtime::serde_json::Value,
        >,
    }
    impl ::dropforge_runtime::serde::Serialize for Order {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write_open(to)
                .put("table", &self.table)
                .put_some("dishes", &self.dishes)
                .put_some("secret", &self.secret)
                .put_some("id", &self.id)
                .end(&self.additional)
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Order {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for Order {
        const NAMES: &'static [&'static str] = &["table", "dishes", "secret", "id"];
        fn read<'de, A: ::dropforge_runtime::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_runtime::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let mut additional = ::std::collections::BTreeMap::new();
            let (mut f0, mut f1, mut f2, mut f3) = (
                ::std::option::Option::None,
                ::std::option::Option::None,
                ::std::option::Option::None,
                ::std::option::Option::None,
            );
            while let ::std::option::Option::Some(at) = members
                .next_field_or(&mut additional)?
            {
                match at {
                    0 => members.value(&mut f0),
                    1 => members.value(&mut f1),
                    2 => members.value(&mut f2),
                    _ => members.value(&mut f3),
                }?;
            }
            ::std::result::Result::Ok(Self {
                table: members.required("table", f0)?,
                dishes: f1.flatten(),
                secret: f2.flatten(),
                id: f3.flatten(),
                additional,
            })
        }
    }
    /// Defined at `tests/golden/kitchen.yaml:182`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Tree(pub ::std::vec::Vec<self::Tree>); // tests/golden/kitchen.yaml:182
    impl ::dropforge_runtime::serde::Serialize for Tree {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::serde::Serialize::serialize(&self.0, to)
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Tree {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::serde::Deserialize::deserialize(from).map(Self)
        }
    }
    /// Defined at `tests/golden/kitchen.yaml:74`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum GetMenuMethodNotAllowedAllow { // tests/golden/kitchen.yaml:74
        /// `GET, HEAD`
        GetHead,
    }
    impl GetMenuMethodNotAllowedAllow {
        /// Every value, in the document's order.
        pub const ALL: &'static [GetMenuMethodNotAllowedAllow] = &[
            GetMenuMethodNotAllowedAllow::GetHead,
        ];
        /// The value as the document writes it.
        pub fn as_str(&self) -> &'static str {
            <Self as ::dropforge_runtime::names::Names>::NAMES[*self as usize]
        }
    }
    impl ::dropforge_runtime::names::Names for GetMenuMethodNotAllowedAllow {
        const VALUES: &'static [Self] = Self::ALL;
        const NAMES: &'static [&'static str] = &["GET, HEAD"];
        const MESSAGE: &'static str = "not a value of GetMenuMethodNotAllowedAllow";
    }
    impl ::std::fmt::Display for GetMenuMethodNotAllowedAllow {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.write_str(self.as_str())
        }
    }
    impl ::std::str::FromStr for GetMenuMethodNotAllowedAllow {
        type Err = &'static str;
        fn from_str(text: &str) -> ::std::result::Result<Self, &'static str> {
            ::dropforge_runtime::names::parse(text)
        }
    }
    impl ::dropforge_runtime::serde::Serialize for GetMenuMethodNotAllowedAllow {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            to.serialize_str(self.as_str())
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de>
    for GetMenuMethodNotAllowedAllow {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::names::read(from)
        }
    }
}
/// The parameters of each operation.
pub mod parameters {
    /// Parameters of `getDish`.
    ///
    /// Defined at `tests/golden/kitchen.yaml:24`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct GetDish { // tests/golden/kitchen.yaml:24
        /// dishId
        ///
        /// Defined at `tests/golden/kitchen.yaml:19`.
        pub dish_id: ::std::string::String, // tests/golden/kitchen.yaml:19
        /// fields
        ///
        /// Defined at `tests/golden/kitchen.yaml:27`.
        pub fields: ::std::option::Option<::std::vec::Vec<::std::string::String>>, // tests/golden/kitchen.yaml:27
        /// X-Trace
        ///
        /// Defined at `tests/golden/kitchen.yaml:32`.
        pub x_trace: ::std::option::Option<::std::option::Option<::std::string::String>>, // tests/golden/kitchen.yaml:32
        /// portions
        ///
        /// Defined at `tests/golden/kitchen.yaml:35`.
        pub portions: i32, // tests/golden/kitchen.yaml:35
        /// kind
        ///
        /// Defined at `tests/golden/kitchen.yaml:36`.
        pub kind: super::types::Kind, // tests/golden/kitchen.yaml:36
    }
    impl ::dropforge_runtime::serde::Serialize for GetDish {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write(to, "GetDish", 5usize)
                .put("dishId", &self.dish_id)
                .put_some("fields", &self.fields)
                .put_some("X-Trace", &self.x_trace)
                .put("portions", &self.portions)
                .put("kind", &self.kind)
                .end()
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for GetDish {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for GetDish {
        const NAMES: &'static [&'static str] = &[
            "dishId",
            "fields",
            "X-Trace",
            "portions",
            "kind",
        ];
        fn read<'de, A: ::dropforge_runtime::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_runtime::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let (mut f0, mut f1, mut f2, mut f3, mut f4) = (
                ::std::option::Option::None,
                ::std::option::Option::None,
                ::std::option::Option::None,
                ::std::option::Option::None,
                ::std::option::Option::None,
            );
            while let ::std::option::Option::Some(at) = members.next_field()? {
                match at {
                    0 => members.value(&mut f0),
                    1 => members.value(&mut f1),
                    2 => members.value(&mut f2),
                    3 => members.value(&mut f3),
                    _ => members.value(&mut f4),
                }?;
            }
            ::std::result::Result::Ok(Self {
                dish_id: members.required("dishId", f0)?,
                fields: f1.flatten(),
                x_trace: f2,
                portions: f3.unwrap_or_else(|| 2i32),
                kind: f4.unwrap_or_else(|| super::types::Kind::Hot),
            })
        }
    }
    /// Parameters of `putDish`.
    ///
    /// Defined at `tests/golden/kitchen.yaml:55`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct PutDish { // tests/golden/kitchen.yaml:55
        /// dishId
        ///
        /// Defined at `tests/golden/kitchen.yaml:19`.
        pub dish_id: ::std::string::String, // tests/golden/kitchen.yaml:19
    }
    impl ::dropforge_runtime::serde::Serialize for PutDish {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write(to, "PutDish", 1usize)
                .put("dishId", &self.dish_id)
                .end()
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for PutDish {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for PutDish {
        const NAMES: &'static [&'static str] = &["dishId"];
        fn read<'de, A: ::dropforge_runtime::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_runtime::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let mut f0 = ::std::option::Option::None;
            while members.next_field()?.is_some() {
                members.value(&mut f0)?;
            }
            ::std::result::Result::Ok(Self {
                dish_id: members.required("dishId", f0)?,
            })
        }
    }
    /// Parameters of `serveDish`.
    ///
    /// Defined at `tests/golden/kitchen.yaml:87`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ServeDish { // tests/golden/kitchen.yaml:87
        /// id
        ///
        /// Defined at `tests/golden/kitchen.yaml:89`.
        pub id: i64, // tests/golden/kitchen.yaml:89
    }
    impl ::dropforge_runtime::serde::Serialize for ServeDish {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write(to, "ServeDish", 1usize)
                .put("id", &self.id)
                .end()
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for ServeDish {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for ServeDish {
        const NAMES: &'static [&'static str] = &["id"];
        fn read<'de, A: ::dropforge_runtime::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_runtime::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let mut f0 = ::std::option::Option::None;
            while members.next_field()?.is_some() {
                members.value(&mut f0)?;
            }
            ::std::result::Result::Ok(Self {
                id: members.required("id", f0)?,
            })
        }
    }
    /// Parameters of `getPhoto`.
    ///
    /// Defined at `tests/golden/kitchen.yaml:99`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct GetPhoto { // tests/golden/kitchen.yaml:99
        /// other
        ///
        /// Defined at `tests/golden/kitchen.yaml:101`.
        pub other: ::std::string::String, // tests/golden/kitchen.yaml:101
    }
    impl ::dropforge_runtime::serde::Serialize for GetPhoto {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write(to, "GetPhoto", 1usize)
                .put("other", &self.other)
                .end()
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for GetPhoto {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for GetPhoto {
        const NAMES: &'static [&'static str] = &["other"];
        fn read<'de, A: ::dropforge_runtime::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_runtime::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let mut f0 = ::std::option::Option::None;
            while members.next_field()?.is_some() {
                members.value(&mut f0)?;
            }
            ::std::result::Result::Ok(Self {
                other: members.required("other", f0)?,
            })
        }
    }
    /// Parameters of `delete_dishes_other_photo`.
    ///
    /// Defined at `tests/golden/kitchen.yaml:105`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct DeleteDishesOtherPhoto { // tests/golden/kitchen.yaml:105
        /// other
        ///
        /// Defined at `tests/golden/kitchen.yaml:107`.
        pub other: ::std::string::String, // tests/golden/kitchen.yaml:107
    }
    impl ::dropforge_runtime::serde::Serialize for DeleteDishesOtherPhoto {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write(to, "DeleteDishesOtherPhoto", 1usize)
                .put("other", &self.other)
                .end()
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for DeleteDishesOtherPhoto {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for DeleteDishesOtherPhoto {
        const NAMES: &'static [&'static str] = &["other"];
        fn read<'de, A: ::dropforge_runtime::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_runtime::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let mut f0 = ::std::option::Option::None;
            while members.next_field()?.is_some() {
                members.value(&mut f0)?;
            }
            ::std::result::Result::Ok(Self {
                other: members.required("other", f0)?,
            })
        }
    }
}
/// One type for each response.
pub mod responses {
    /// The dish.
    ///
    /// Defined at `tests/golden/kitchen.yaml:42`.
    #[derive(Debug)]
    pub struct GetDishOk { // tests/golden/kitchen.yaml:42
        /// ETag
        ///
        /// Defined at `tests/golden/kitchen.yaml:45`.
        pub e_tag: ::std::string::String, // tests/golden/kitchen.yaml:45
        /// X-Age
        ///
        /// Defined at `tests/golden/kitchen.yaml:46`.
        pub x_age: ::std::option::Option<i64>, // tests/golden/kitchen.yaml:46
        /// X-Cooked
        ///
        /// Defined at `tests/golden/kitchen.yaml:47`.
        pub x_cooked: ::dropforge_runtime::chrono::DateTime< // tests/golden/kitchen.yaml:47
            ::dropforge_runtime::chrono::Utc,
        >,
        /// X-Allergens
        ///
        /// Defined at `tests/golden/kitchen.yaml:48`.
        pub x_allergens: ::std::option::Option<::std::vec::Vec<::std::string::String>>, // tests/golden/kitchen.yaml:48
        /// The body.
        pub body: super::types::Dish,
    }
    impl GetDishOk {
        #[allow(unused_variables)]
        pub(super) fn into_reply(
            self,
            status: ::dropforge_runtime::http::StatusCode,
            accept: &::dropforge_runtime::Accept,
        ) -> ::dropforge_runtime::Reply {
            let reply = ::dropforge_runtime::Reply::negotiated(
                status,
                &["application/json", "application/vnd.kitchen+json"],
                accept,
                &self.body,
            );
            let reply = reply
                .header_text(
                    const { ::dropforge_runtime::http::HeaderName::from_static("etag") },
                    self.e_tag,
                );
            let reply = match self.x_age {
                ::std::option::Option::Some(value) => {
                    reply
                        .header_integer(
                            const {
                                ::dropforge_runtime::http::HeaderName::from_static("x-age")
                            },
                            value,
                        )
                }
                ::std::option::Option::None => reply,
            };
            let reply = reply
                .header_as(
                    const {
                        ::dropforge_runtime::http::HeaderName::from_static("x-cooked")
                    },
                    &self.x_cooked,
                );
            let reply = reply
                .header_as(
                    const {
                        ::dropforge_runtime::http::HeaderName::from_static("x-allergens")
                    },
                    &self.x_allergens,
                );
            reply
        }
    }
    /// What went wrong.
    ///
    /// Defined at `tests/golden/kitchen.yaml:117`.
    #[derive(Debug)]
    pub struct Problem { // tests/golden/kitchen.yaml:117
        /// The body.
        pub body: super::types::Result,
    }
    impl Problem {
        #[allow(unused_variables)]
        pub(super) fn into_reply(
            self,
            status: ::dropforge_runtime::http::StatusCode,
            accept: &::dropforge_runtime::Accept,
        ) -> ::dropforge_runtime::Reply {
            let reply = ::dropforge_runtime::Reply::json_as(
                status,
                "application/problem+json",
                &self.body,
            );
            reply
        }
    }
    /// Replaced.
    ///
    /// Defined at `tests/golden/kitchen.yaml:67`.
    #[derive(Debug)]
    pub struct PutDishOk { // tests/golden/kitchen.yaml:67
        /// The body.
        pub body: super::types::Dish,
    }
    impl PutDishOk {
        #[allow(unused_variables)]
        pub(super) fn into_reply(
            self,
            status: ::dropforge_runtime::http::StatusCode,
            accept: &::dropforge_runtime::Accept,
        ) -> ::dropforge_runtime::Reply {
            let reply = ::dropforge_runtime::Reply::json_as(
                status,
                "application/json",
                &self.body,
            );
            reply
        }
    }
    /// Created.
    ///
    /// Defined at `tests/golden/kitchen.yaml:68`.
    #[derive(Debug)]
    pub struct PutDishCreated { // tests/golden/kitchen.yaml:68
        /// The body.
        pub body: super::types::Dish,
    }
    impl PutDishCreated {
        #[allow(unused_variables)]
        pub(super) fn into_reply(
            self,
            status: ::dropforge_runtime::http::StatusCode,
            accept: &::dropforge_runtime::Accept,
        ) -> ::dropforge_runtime::Reply {
            let reply = ::dropforge_runtime::Reply::json_as(
                status,
                "application/json",
                &self.body,
            );
            reply
        }
    }
    /// The menu, whole or dish by dish.
    ///
    /// Defined at `tests/golden/kitchen.yaml:78`.
    #[derive(Debug)]
    pub struct GetMenuOk { // tests/golden/kitchen.yaml:78
        /// The body.
        pub body: GetMenuOkBody,
    }
    impl GetMenuOk {
        #[allow(unused_variables)]
        pub(super) fn into_reply(
            self,
            status: ::dropforge_runtime::http::StatusCode,
            accept: &::dropforge_runtime::Accept,
        ) -> ::dropforge_runtime::Reply {
            let reply = match self.body {
                GetMenuOkBody::TextPlain(body) => {
                    ::dropforge_runtime::Reply::text(status, "text/plain", body)
                }
                GetMenuOkBody::EventStream(body) => {
                    ::dropforge_runtime::Reply::events(
                        status,
                        "text/event-stream",
                        ::dropforge_runtime::table::Framing {
                            terminator: ::std::option::Option::Some("[END]"),
                            event: ::std::option::Option::None,
                        },
                        body,
                    )
                }
            };
            reply
        }
    }
    /// A body that comes in several kinds.
    ///
    /// Defined at `tests/golden/kitchen.yaml:78`.
    #[derive(Debug)]
    pub enum GetMenuOkBody { // tests/golden/kitchen.yaml:78
        /// `text/plain`
        TextPlain(::std::string::String),
        /// `text/event-stream`
        EventStream(::dropforge_runtime::EventStream<super::types::Dish>),
    }
    /// There is one menu, and it can be read.
    ///
    /// Defined at `tests/golden/kitchen.yaml:71`.
    #[derive(Debug)]
    pub struct GetMenuMethodNotAllowed { // tests/golden/kitchen.yaml:71
        /// Allow
        ///
        /// Defined at `tests/golden/kitchen.yaml:74`.
        pub allow: super::types::GetMenuMethodNotAllowedAllow, // tests/golden/kitchen.yaml:74
    }
    impl GetMenuMethodNotAllowed {
        #[allow(unused_variables)]
        pub(super) fn into_reply(
            self,
            status: ::dropforge_runtime::http::StatusCode,
            accept: &::dropforge_runtime::Accept,
        ) -> ::dropforge_runtime::Reply {
            let reply = ::dropforge_runtime::Reply::empty(status);
            let reply = reply
                .header(
                    const {
                        ::dropforge_runtime::http::HeaderName::from_static("allow")
                    },
                    &self.allow,
                );
            reply
        }
    }
    /// Served.
    ///
    /// Defined at `tests/golden/kitchen.yaml:94`.
    #[derive(Debug)]
    pub struct ServeDishNoContent {} // tests/golden/kitchen.yaml:94
    impl ServeDishNoContent {
        #[allow(unused_variables)]
        pub(super) fn into_reply(
            self,
            status: ::dropforge_runtime::http::StatusCode,
            accept: &::dropforge_runtime::Accept,
        ) -> ::dropforge_runtime::Reply {
            let reply = ::dropforge_runtime::Reply::empty(status);
            reply
        }
    }
    /// A picture.
    ///
    /// Defined at `tests/golden/kitchen.yaml:103`.
    #[derive(Debug)]
    pub struct GetPhotoOk { // tests/golden/kitchen.yaml:103
        /// The body.
        pub body: ::dropforge_runtime::bytes::Bytes,
    }
    impl GetPhotoOk {
        #[allow(unused_variables)]
        pub(super) fn into_reply(
            self,
            status: ::dropforge_runtime::http::StatusCode,
            accept: &::dropforge_runtime::Accept,
        ) -> ::dropforge_runtime::Reply {
            let reply = ::dropforge_runtime::Reply::bytes(
                status,
                "image/png",
                self.body,
            );
            reply
        }
    }
    /// Elsewhere.
    ///
    /// Defined at `tests/golden/kitchen.yaml:104`.
    #[derive(Debug)]
    pub struct GetPhotoFound { // tests/golden/kitchen.yaml:104
        /// Location
        ///
        /// Defined at `tests/golden/kitchen.yaml:104`.
        pub location: ::std::string::String, // tests/golden/kitchen.yaml:104
    }
    impl GetPhotoFound {
        #[allow(unused_variables)]
        pub(super) fn into_reply(
            self,
            status: ::dropforge_runtime::http::StatusCode,
            accept: &::dropforge_runtime::Accept,
        ) -> ::dropforge_runtime::Reply {
            let reply = ::dropforge_runtime::Reply::empty(status);
            let reply = reply
                .header_text(
                    const {
                        ::dropforge_runtime::http::HeaderName::from_static("location")
                    },
                    self.location,
                );
            reply
        }
    }
    /// Gone.
    ///
    /// Defined at `tests/golden/kitchen.yaml:109`.
    #[derive(Debug)]
    pub struct DeleteDishesOtherPhotoNoContent {} // tests/golden/kitchen.yaml:109
    impl DeleteDishesOtherPhotoNoContent {
        #[allow(unused_variables)]
        pub(super) fn into_reply(
            self,
            status: ::dropforge_runtime::http::StatusCode,
            accept: &::dropforge_runtime::Accept,
        ) -> ::dropforge_runtime::Reply {
            let reply = ::dropforge_runtime::Reply::empty(status);
            reply
        }
    }
    /// There is no such dish.
    ///
    /// Defined at `tests/golden/kitchen.yaml:14`.
    #[derive(Debug)]
    pub struct Below2NotFound {} // tests/golden/kitchen.yaml:14
    impl Below2NotFound {
        #[allow(unused_variables)]
        pub(super) fn into_reply(
            self,
            status: ::dropforge_runtime::http::StatusCode,
            accept: &::dropforge_runtime::Accept,
        ) -> ::dropforge_runtime::Reply {
            let reply = ::dropforge_runtime::Reply::empty(status);
            reply
        }
    }
}
/// The request body of `putDish`.
///
/// Defined at `tests/golden/kitchen.yaml:55`.
#[derive(Debug, Clone)]
pub enum PutDishBody { // tests/golden/kitchen.yaml:55
    #[allow(missing_docs)]
    Json(types::Dish),
    #[allow(missing_docs)]
    Form(types::Order),
    #[allow(missing_docs)]
    TextPlain(::std::string::String),
    #[allow(missing_docs)]
    ImagePng(::dropforge_runtime::bytes::Bytes),
}
impl ::dropforge_runtime::ReadBody for PutDishBody {
    type Value = Self;
    fn read(
        request: &::dropforge_runtime::Request,
    ) -> ::std::result::Result<Self, ::dropforge_runtime::Rejection> {
        match request.media_index() {
            ::std::option::Option::Some(0) => request.body_as().map(Self::Json),
            ::std::option::Option::Some(1) => request.body_as().map(Self::Form),
            ::std::option::Option::Some(2) => request.text_body().map(Self::TextPlain),
            ::std::option::Option::Some(3) => request.bytes_body().map(Self::ImagePng),
            _ => {
                ::std::result::Result::Err(
                    ::dropforge_runtime::Rejection::missing_body(),
                )
            }
        }
    }
}
/// Authenticates callers, and defines the form of errors.
pub trait Security: ::std::marker::Sized + ::std::marker::Send + ::std::marker::Sync + 'static {
    /// The context of the server.
    type Context: ::dropforge_runtime::dropshot::ServerContext
        + ::dropforge_runtime::Observe;
    /// The caller that `badge` identifies.
    ///
    /// Defined at `tests/golden/kitchen.yaml:112`.
    type Badge: ::std::marker::Send; // tests/golden/kitchen.yaml:112
    /// Identifies the caller by these credentials of `badge`, which must grant `scopes`.
    ///
    /// Defined at `tests/golden/kitchen.yaml:112`.
    fn badge( // tests/golden/kitchen.yaml:112
        call: &::dropforge_runtime::Call<Self::Context>,
        credentials: ::dropforge_runtime::Bearer,
        scopes: &'static [&'static str],
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<Self::Badge, ::dropforge_runtime::Denied>,
    > + ::std::marker::Send; // tests/golden/kitchen.yaml:112
    /// The caller that `key` identifies.
    ///
    /// Defined at `tests/golden/kitchen.yaml:115`.
    type Key: ::std::marker::Send; // tests/golden/kitchen.yaml:115
    /// Identifies the caller by these credentials of `key`, which must grant `scopes`.
    ///
    /// Defined at `tests/golden/kitchen.yaml:115`.
    fn key( // tests/golden/kitchen.yaml:115
        call: &::dropforge_runtime::Call<Self::Context>,
        credentials: ::dropforge_runtime::ApiKey,
        scopes: &'static [&'static str],
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<Self::Key, ::dropforge_runtime::Denied>,
    > + ::std::marker::Send; // tests/golden/kitchen.yaml:115
    /// The document's own form for every rejection before or around an operation.
    fn reject(
        call: &::dropforge_runtime::Call<Self::Context>,
        rejection: ::dropforge_runtime::Rejection,
    ) -> ::dropforge_runtime::Reply;
}
/// The caller of `getDish`, by the scheme that identified it.
///
/// Defined at `tests/golden/kitchen.yaml:24`.
pub enum GetDishCaller<S: Security> { // tests/golden/kitchen.yaml:24
    #[allow(missing_docs)]
    Badge(S::Badge),
    #[allow(missing_docs)]
    KeyBadge(S::Key, S::Badge),
}
/// The caller of `putDish`, by the scheme that identified it.
///
/// Defined at `tests/golden/kitchen.yaml:55`.
pub enum PutDishCaller<S: Security> { // tests/golden/kitchen.yaml:55
    /// Nobody in particular.
    Anonymous,
    #[allow(missing_docs)]
    Badge(S::Badge),
}
/// Kitchen 1.2.0.
///
/// One of everything that generated servers must be able to do.
///
/// Each method is an operation of the document; its return type lists the responses.
///
/// Defined at `tests/golden/kitchen.yaml:1`.
pub trait Kitchen: Security { // tests/golden/kitchen.yaml:1
    /// Get a dish
    ///
    /// `GET /kitchen/v1/dishes/{dishId}`
    ///
    /// Defined at `tests/golden/kitchen.yaml:24`.
    fn get_dish( // tests/golden/kitchen.yaml:24
        call: ::dropforge_runtime::Call<Self::Context>,
        caller: GetDishCaller<Self>,
        parameters: parameters::GetDish,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<GetDishResponse, GetDishError>,
    > + ::std::marker::Send; // tests/golden/kitchen.yaml:24
    /// `PUT /kitchen/v1/dishes/{dishId}`
    ///
    /// Defined at `tests/golden/kitchen.yaml:55`.
    fn put_dish( // tests/golden/kitchen.yaml:55
        call: ::dropforge_runtime::Call<Self::Context>,
        caller: PutDishCaller<Self>,
        parameters: parameters::PutDish,
        body: PutDishBody,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<PutDishResponse, PutDishError>,
    > + ::std::marker::Send; // tests/golden/kitchen.yaml:55
    /// `GET /kitchen/v1/dishes/menu`
    ///
    /// Defined at `tests/golden/kitchen.yaml:76`.
    fn get_menu( // tests/golden/kitchen.yaml:76
        call: ::dropforge_runtime::Call<Self::Context>,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<GetMenuResponse, GetMenuError>,
    > + ::std::marker::Send; // tests/golden/kitchen.yaml:76
    /// `POST /kitchen/v1/dishes/{id}:serve`
    ///
    /// Defined at `tests/golden/kitchen.yaml:87`.
    fn serve_dish( // tests/golden/kitchen.yaml:87
        call: ::dropforge_runtime::Call<Self::Context>,
        parameters: parameters::ServeDish,
        body: ::std::option::Option<::dropforge_runtime::RawJson<types::Order>>,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<ServeDishResponse, ServeDishError>,
    > + ::std::marker::Send; // tests/golden/kitchen.yaml:87
    /// `GET /kitchen/v1/dishes/{other}/photo`
    ///
    /// Defined at `tests/golden/kitchen.yaml:99`.
    fn get_photo( // tests/golden/kitchen.yaml:99
        call: ::dropforge_runtime::Call<Self::Context>,
        parameters: parameters::GetPhoto,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<GetPhotoResponse, GetPhotoError>,
    > + ::std::marker::Send; // tests/golden/kitchen.yaml:99
    /// `DELETE /kitchen/v1/dishes/{other}/photo`
    ///
    /// Defined at `tests/golden/kitchen.yaml:105`.
    fn delete_dishes_other_photo( // tests/golden/kitchen.yaml:105
        call: ::dropforge_runtime::Call<Self::Context>,
        parameters: parameters::DeleteDishesOtherPhoto,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<
            DeleteDishesOtherPhotoResponse,
            DeleteDishesOtherPhotoError,
        >,
    > + ::std::marker::Send; // tests/golden/kitchen.yaml:105
}
/// The responses of `getDish`.
///
/// Defined at `tests/golden/kitchen.yaml:24`.
#[derive(Debug)]
pub enum GetDishResponse { // tests/golden/kitchen.yaml:24
    /// The dish.
    ///
    /// Defined at `tests/golden/kitchen.yaml:42`.
    Ok(responses::GetDishOk), // tests/golden/kitchen.yaml:42
}
impl ::dropforge_runtime::IntoReply for GetDishResponse {
    #[allow(unused_variables)]
    fn into_reply(
        self,
        accept: &::dropforge_runtime::Accept,
    ) -> ::dropforge_runtime::Reply {
        match self {
            Self::Ok(response) => {
                response.into_reply(::dropforge_runtime::status(200u16), accept)
            }
        }
    }
}
impl ::std::convert::From<responses::GetDishOk> for GetDishResponse {
    fn from(response: responses::GetDishOk) -> Self {
        Self::Ok(response)
    }
}
/// The errors of `getDish`.
///
/// Defined at `tests/golden/kitchen.yaml:24`.
#[derive(Debug)]
pub enum GetDishError { // tests/golden/kitchen.yaml:24
    /// What went wrong.
    ///
    /// Defined at `tests/golden/kitchen.yaml:52`.
    NotFound(responses::Problem), // tests/golden/kitchen.yaml:52
    /// What went wrong.
    ///
    /// Defined at `tests/golden/kitchen.yaml:53`.
    Default(::dropforge_runtime::http::StatusCode, responses::Problem), // tests/golden/kitchen.yaml:53
}
impl ::dropforge_runtime::IntoReply for GetDishError {
    #[allow(unused_variables)]
    fn into_reply(
        self,
        accept: &::dropforge_runtime::Accept,
    ) -> ::dropforge_runtime::Reply {
        match self {
            Self::NotFound(response) => {
                response.into_reply(::dropforge_runtime::status(404u16), accept)
            }
            Self::Default(status, response) => response.into_reply(status, accept),
        }
    }
}
/// The responses of `putDish`.
///
/// Defined at `tests/golden/kitchen.yaml:55`.
#[derive(Debug)]
pub enum PutDishResponse { // tests/golden/kitchen.yaml:55
    /// Replaced.
    ///
    /// Defined at `tests/golden/kitchen.yaml:67`.
    Ok(responses::PutDishOk), // tests/golden/kitchen.yaml:67
    /// Created.
    ///
    /// Defined at `tests/golden/kitchen.yaml:68`.
    Created(responses::PutDishCreated), // tests/golden/kitchen.yaml:68
}
impl ::dropforge_runtime::IntoReply for PutDishResponse {
    #[allow(unused_variables)]
    fn into_reply(
        self,
        accept: &::dropforge_runtime::Accept,
    ) -> ::dropforge_runtime::Reply {
        match self {
            Self::Ok(response) => {
                response.into_reply(::dropforge_runtime::status(200u16), accept)
            }
            Self::Created(response) => {
                response.into_reply(::dropforge_runtime::status(201u16), accept)
            }
        }
    }
}
impl ::std::convert::From<responses::PutDishOk> for PutDishResponse {
    fn from(response: responses::PutDishOk) -> Self {
        Self::Ok(response)
    }
}
impl ::std::convert::From<responses::PutDishCreated> for PutDishResponse {
    fn from(response: responses::PutDishCreated) -> Self {
        Self::Created(response)
    }
}
/// The errors of `putDish`.
///
/// Defined at `tests/golden/kitchen.yaml:55`.
#[derive(Debug)]
pub enum PutDishError { // tests/golden/kitchen.yaml:55
    /// What went wrong.
    ///
    /// Defined at `tests/golden/kitchen.yaml:69`.
    ClientError(::dropforge_runtime::http::StatusCode, responses::Problem), // tests/golden/kitchen.yaml:69
}
impl ::dropforge_runtime::IntoReply for PutDishError {
    #[allow(unused_variables)]
    fn into_reply(
        self,
        accept: &::dropforge_runtime::Accept,
    ) -> ::dropforge_runtime::Reply {
        match self {
            Self::ClientError(status, response) => response.into_reply(status, accept),
        }
    }
}
/// The responses of `getMenu`.
///
/// Defined at `tests/golden/kitchen.yaml:76`.
#[derive(Debug)]
pub enum GetMenuResponse { // tests/golden/kitchen.yaml:76
    /// The menu, whole or dish by dish.
    ///
    /// Defined at `tests/golden/kitchen.yaml:78`.
    Ok(responses::GetMenuOk), // tests/golden/kitchen.yaml:78
}
impl ::dropforge_runtime::IntoReply for GetMenuResponse {
    #[allow(unused_variables)]
    fn into_reply(
        self,
        accept: &::dropforge_runtime::Accept,
    ) -> ::dropforge_runtime::Reply {
        match self {
            Self::Ok(response) => {
                response.into_reply(::dropforge_runtime::status(200u16), accept)
            }
        }
    }
}
impl ::std::convert::From<responses::GetMenuOk> for GetMenuResponse {
    fn from(response: responses::GetMenuOk) -> Self {
        Self::Ok(response)
    }
}
/// The errors of `getMenu`.
///
/// Defined at `tests/golden/kitchen.yaml:76`.
#[derive(Debug)]
pub enum GetMenuError {} // tests/golden/kitchen.yaml:76
impl ::dropforge_runtime::IntoReply for GetMenuError {
    #[allow(unused_variables)]
    fn into_reply(
        self,
        accept: &::dropforge_runtime::Accept,
    ) -> ::dropforge_runtime::Reply {
        match self {}
    }
}
/// The responses of `serveDish`.
///
/// Defined at `tests/golden/kitchen.yaml:87`.
#[derive(Debug)]
pub enum ServeDishResponse { // tests/golden/kitchen.yaml:87
    /// Served.
    ///
    /// Defined at `tests/golden/kitchen.yaml:94`.
    NoContent(responses::ServeDishNoContent), // tests/golden/kitchen.yaml:94
}
impl ::dropforge_runtime::IntoReply for ServeDishResponse {
    #[allow(unused_variables)]
    fn into_reply(
        self,
        accept: &::dropforge_runtime::Accept,
    ) -> ::dropforge_runtime::Reply {
        match self {
            Self::NoContent(response) => {
                response.into_reply(::dropforge_runtime::status(204u16), accept)
            }
        }
    }
}
impl ::std::convert::From<responses::ServeDishNoContent> for ServeDishResponse {
    fn from(response: responses::ServeDishNoContent) -> Self {
        Self::NoContent(response)
    }
}
/// The errors of `serveDish`.
///
/// Defined at `tests/golden/kitchen.yaml:87`.
#[derive(Debug)]
pub enum ServeDishError { // tests/golden/kitchen.yaml:87
    /// What went wrong.
    ///
    /// Defined at `tests/golden/kitchen.yaml:95`.
    BadRequest(responses::Problem), // tests/golden/kitchen.yaml:95
    /// What went wrong.
    ///
    /// Defined at `tests/golden/kitchen.yaml:96`.
    InternalServerError(responses::Problem), // tests/golden/kitchen.yaml:96
}
impl ::dropforge_runtime::IntoReply for ServeDishError {
    #[allow(unused_variables)]
    fn into_reply(
        self,
        accept: &::dropforge_runtime::Accept,
    ) -> ::dropforge_runtime::Reply {
        match self {
            Self::BadRequest(response) => {
                response.into_reply(::dropforge_runtime::status(400u16), accept)
            }
            Self::InternalServerError(response) => {
                response.into_reply(::dropforge_runtime::status(500u16), accept)
            }
        }
    }
}
/// The responses of `getPhoto`.
///
/// Defined at `tests/golden/kitchen.yaml:99`.
#[derive(Debug)]
pub enum GetPhotoResponse { // tests/golden/kitchen.yaml:99
    /// A picture.
    ///
    /// Defined at `tests/golden/kitchen.yaml:103`.
    Ok(responses::GetPhotoOk), // tests/golden/kitchen.yaml:103
    /// Elsewhere.
    ///
    /// Defined at `tests/golden/kitchen.yaml:104`.
    Found(responses::GetPhotoFound), // tests/golden/kitchen.yaml:104
}
impl ::dropforge_runtime::IntoReply for GetPhotoResponse {
    #[allow(unused_variables)]
    fn into_reply(
        self,
        accept: &::dropforge_runtime::Accept,
    ) -> ::dropforge_runtime::Reply {
        match self {
            Self::Ok(response) => {
                response.into_reply(::dropforge_runtime::status(200u16), accept)
            }
            Self::Found(response) => {
                response.into_reply(::dropforge_runtime::status(302u16), accept)
            }
        }
    }
}
impl ::std::convert::From<responses::GetPhotoOk> for GetPhotoResponse {
    fn from(response: responses::GetPhotoOk) -> Self {
        Self::Ok(response)
    }
}
impl ::std::convert::From<responses::GetPhotoFound> for GetPhotoResponse {
    fn from(response: responses::GetPhotoFound) -> Self {
        Self::Found(response)
    }
}
/// The errors of `getPhoto`.
///
/// Defined at `tests/golden/kitchen.yaml:99`.
#[derive(Debug)]
pub enum GetPhotoError {} // tests/golden/kitchen.yaml:99
impl ::dropforge_runtime::IntoReply for GetPhotoError {
    #[allow(unused_variables)]
    fn into_reply(
        self,
        accept: &::dropforge_runtime::Accept,
    ) -> ::dropforge_runtime::Reply {
        match self {}
    }
}
/// The responses of `delete_dishes_other_photo`.
///
/// Defined at `tests/golden/kitchen.yaml:105`.
#[derive(Debug)]
pub enum DeleteDishesOtherPhotoResponse { // tests/golden/kitchen.yaml:105
    /// Gone.
    ///
    /// Defined at `tests/golden/kitchen.yaml:109`.
    NoContent(responses::DeleteDishesOtherPhotoNoContent), // tests/golden/kitchen.yaml:109
}
impl ::dropforge_runtime::IntoReply for DeleteDishesOtherPhotoResponse {
    #[allow(unused_variables)]
    fn into_reply(
        self,
        accept: &::dropforge_runtime::Accept,
    ) -> ::dropforge_runtime::Reply {
        match self {
            Self::NoContent(response) => {
                response.into_reply(::dropforge_runtime::status(204u16), accept)
            }
        }
    }
}
impl ::std::convert::From<responses::DeleteDishesOtherPhotoNoContent>
for DeleteDishesOtherPhotoResponse {
    fn from(response: responses::DeleteDishesOtherPhotoNoContent) -> Self {
        Self::NoContent(response)
    }
}
/// The errors of `delete_dishes_other_photo`.
///
/// Defined at `tests/golden/kitchen.yaml:105`.
#[derive(Debug)]
pub enum DeleteDishesOtherPhotoError {} // tests/golden/kitchen.yaml:105
impl ::dropforge_runtime::IntoReply for DeleteDishesOtherPhotoError {
    #[allow(unused_variables)]
    fn into_reply(
        self,
        accept: &::dropforge_runtime::Accept,
    ) -> ::dropforge_runtime::Reply {
        match self {}
    }
}
/// Kitchen 1.2.0 as the runtime's tables.
///
/// Defined at `tests/golden/kitchen.yaml:1`.
pub static API: ::dropforge_runtime::table::Api = ::dropforge_runtime::table::Api { // tests/golden/kitchen.yaml:1
    name: "kitchen",
    title: "Kitchen",
    version: "1.2.0",
    base_path: "/kitchen/v1",
    operations: &[
        &operations::GET_DISH,
        &operations::PUT_DISH,
        &operations::GET_MENU,
        &operations::SERVE_DISH,
        &operations::GET_PHOTO,
        &operations::DELETE_DISHES_OTHER_PHOTO,
    ],
    not_found: &[&operations::NOT_FOUND_0, &operations::NOT_FOUND_1],
    request_ids: &operations::REQUEST_IDS,
    is_prototype: false,
};
/// One table for each operation.
pub mod operations {
    use super::schemas;
    use ::dropforge_runtime::table::*;
    pub(super) static REQUEST_IDS: [::dropforge_runtime::http::HeaderName; 0usize] = [];
    static HEADERS_0: [Header; 4usize] = [
        Header::of("ETag", &schemas::SCHEMA_45).required(),
        Header::of("X-Age", &schemas::SCHEMA_46),
        Header::of("X-Cooked", &schemas::SCHEMA_47).required(),
        Header::of("X-Allergens", &schemas::SCHEMA_48),
    ];
    static MEDIA_0: [MediaType; 2usize] = [
        MediaType::of("application/json", Codec::Json).schema(&schemas::SCHEMA_3),
        MediaType::of("application/vnd.kitchen+json", Codec::Json)
            .schema(&schemas::SCHEMA_3),
    ];
    static MEDIA_1: [MediaType; 1usize] = [
        MediaType::of("application/problem+json", Codec::Json).schema(&schemas::SCHEMA_0),
    ];
    static MEDIA_2: [MediaType; 1usize] = [
        MediaType::of("application/json", Codec::Json).schema(&schemas::SCHEMA_3),
    ];
    static MEDIA_3: [MediaType; 1usize] = [
        MediaType::of("application/json", Codec::Json).schema(&schemas::SCHEMA_3),
    ];
    static MEDIA_4: [MediaType; 2usize] = [
        MediaType::of("text/plain", Codec::Text).schema(&schemas::SCHEMA_51),
        MediaType::of("text/event-stream", Codec::EventStream)
            .schema(&schemas::SCHEMA_3)
            .stream(::dropforge_runtime::table::Framing {
                terminator: ::std::option::Option::Some("[END]"),
                event: ::std::option::Option::None,
            }),
    ];
    static HEADERS_5: [Header; 1usize] = [
        Header::of("Allow", &schemas::SCHEMA_52).required(),
    ];
    static MEDIA_7: [MediaType; 1usize] = [
        MediaType::of("image/png", Codec::Binary).schema(&schemas::SCHEMA_55),
    ];
    static HEADERS_8: [Header; 1usize] = [
        Header::of("Location", &schemas::SCHEMA_56).required(),
    ];
    /// `GET /kitchen/v1/dishes/{dishId}`
    ///
    /// Defined at `tests/golden/kitchen.yaml:24`.
    pub static GET_DISH: Operation = Operation { // tests/golden/kitchen.yaml:24
        id: "getDish",
        method: ::dropforge_runtime::http::Method::GET,
        path: "/kitchen/v1/dishes/{dishId}",
        segments: &[
            Segment::Literal("kitchen"),
            Segment::Literal("v1"),
            Segment::Literal("dishes"),
            Segment::Variable("dishId"),
        ],
        route: "/kitchen/v1/dishes/{segment3}",
        pointer: "/paths/~1dishes~1{dishId}/get",
        parameters: &[
            Parameter::of(
                    ::dropforge_runtime::table::ParameterIn::Path,
                    "dishId",
                    Style::Simple,
                    &schemas::SCHEMA_39,
                )
                .required(),
            Parameter::of(
                ::dropforge_runtime::table::ParameterIn::Query,
                "fields",
                Style::Form,
                &schemas::SCHEMA_40,
            ),
            Parameter::of(
                ::dropforge_runtime::table::ParameterIn::Header,
                "X-Trace",
                Style::Simple,
                &schemas::SCHEMA_42,
            ),
            Parameter::of(
                    ::dropforge_runtime::table::ParameterIn::Query,
                    "portions",
                    Style::Form,
                    &schemas::SCHEMA_43,
                )
                .explode(),
            Parameter::of(
                    ::dropforge_runtime::table::ParameterIn::Query,
                    "kind",
                    Style::Form,
                    &schemas::SCHEMA_44,
                )
                .explode(),
        ],
        body: ::std::option::Option::None,
        responses: &[
            Response {
                status: Status::Code(200),
                headers: &HEADERS_0,
                media: &MEDIA_0,
            },
            Response {
                status: Status::Code(404),
                headers: &[],
                media: &MEDIA_1,
            },
            Response {
                status: Status::Default,
                headers: &[],
                media: &MEDIA_1,
            },
        ],
        method_not_allowed: ::std::option::Option::Some(
            &Response {
                status: Status::Code(405),
                headers: &[],
                media: &MEDIA_1,
            },
        ),
        security: &[
            Requirement {
                all: &[
                    SchemeUse {
                        name: "badge",
                        scheme: ::dropforge_runtime::table::Scheme::Bearer,
                        scopes: &["dishes.read"],
                    },
                ],
            },
            Requirement {
                all: &[
                    SchemeUse {
                        name: "key",
                        scheme: ::dropforge_runtime::table::Scheme::ApiKey {
                            location: ::dropforge_runtime::table::ParameterIn::Header,
                            name: "X-Key",
                        },
                        scopes: &[],
                    },
                    SchemeUse {
                        name: "badge",
                        scheme: ::dropforge_runtime::table::Scheme::Bearer,
                        scopes: &[],
                    },
                ],
            },
        ],
        max_body_bytes: 1048576,
    };
    /// `PUT /kitchen/v1/dishes/{dishId}`
    ///
    /// Defined at `tests/golden/kitchen.yaml:55`.
    pub static PUT_DISH: Operation = Operation { // tests/golden/kitchen.yaml:55
        id: "putDish",
        method: ::dropforge_runtime::http::Method::PUT,
        path: "/kitchen/v1/dishes/{dishId}",
        segments: &[
            Segment::Literal("kitchen"),
            Segment::Literal("v1"),
            Segment::Literal("dishes"),
            Segment::Variable("dishId"),
        ],
        route: "/kitchen/v1/dishes/{segment3}",
        pointer: "/paths/~1dishes~1{dishId}/put",
        parameters: &[
            Parameter::of(
                    ::dropforge_runtime::table::ParameterIn::Path,
                    "dishId",
                    Style::Simple,
                    &schemas::SCHEMA_39,
                )
                .required(),
        ],
        body: ::std::option::Option::Some(
            &RequestBody {
                required: true,
                lenient: false,
                media: &[
                    MediaType::of("application/json", Codec::Json)
                        .schema(&schemas::SCHEMA_3),
                    MediaType::of("application/x-www-form-urlencoded", Codec::Form)
                        .schema(&schemas::SCHEMA_32),
                    MediaType::of("text/plain", Codec::Text).schema(&schemas::SCHEMA_50),
                    MediaType::of("image/png", Codec::Binary),
                ],
            },
        ),
        responses: &[
            Response {
                status: Status::Code(200),
                headers: &[],
                media: &MEDIA_2,
            },
            Response {
                status: Status::Code(201),
                headers: &[],
                media: &MEDIA_3,
            },
            Response {
                status: Status::Range(4),
                headers: &[],
                media: &MEDIA_1,
            },
        ],
        method_not_allowed: ::std::option::Option::Some(
            &Response {
                status: Status::Code(405),
                headers: &[],
                media: &MEDIA_1,
            },
        ),
        security: &[
            Requirement { all: &[] },
            Requirement {
                all: &[
                    SchemeUse {
                        name: "badge",
                        scheme: ::dropforge_runtime::table::Scheme::Bearer,
                        scopes: &[],
                    },
                ],
            },
        ],
        max_body_bytes: 1048576,
    };
    /// `GET /kitchen/v1/dishes/menu`
    ///
    /// Defined at `tests/golden/kitchen.yaml:76`.
    pub static GET_MENU: Operation = Operation { // tests/golden/kitchen.yaml:76
        id: "getMenu",
        method: ::dropforge_runtime::http::Method::GET,
        path: "/kitchen/v1/dishes/menu",
        segments: &[
            Segment::Literal("kitchen"),
            Segment::Literal("v1"),
            Segment::Literal("dishes"),
            Segment::Literal("menu"),
        ],
        route: "/kitchen/v1/dishes/{segment3}",
        pointer: "/paths/~1dishes~1menu/get",
        parameters: &[],
        body: ::std::option::Option::None,
        responses: &[
            Response {
                status: Status::Code(200),
                headers: &[],
                media: &MEDIA_4,
            },
        ],
        method_not_allowed: ::std::option::Option::Some(
            &Response {
                status: Status::Code(405),
                headers: &HEADERS_5,
                media: &[],
            },
        ),
        security: &[],
        max_body_bytes: 1048576,
    };
    /// `POST /kitchen/v1/dishes/{id}:serve`
    ///
    /// Defined at `tests/golden/kitchen.yaml:87`.
    pub static SERVE_DISH: Operation = Operation { // tests/golden/kitchen.yaml:87
        id: "serveDish",
        method: ::dropforge_runtime::http::Method::POST,
        path: "/kitchen/v1/dishes/{id}:serve",
        segments: &[
            Segment::Literal("kitchen"),
            Segment::Literal("v1"),
            Segment::Literal("dishes"),
            Segment::Mixed(&[Part::Variable("id"), Part::Literal(":serve")]),
        ],
        route: "/kitchen/v1/dishes/{segment3}",
        pointer: "/paths/~1dishes~1{id}:serve/post",
        parameters: &[
            Parameter::of(
                    ::dropforge_runtime::table::ParameterIn::Path,
                    "id",
                    Style::Simple,
                    &schemas::SCHEMA_53,
                )
                .required(),
        ],
        body: ::std::option::Option::Some(
            &RequestBody {
                required: false,
                lenient: false,
                media: &[
                    MediaType::of("application/json", Codec::Json)
                        .schema(&schemas::SCHEMA_32)
                        .raw(),
                ],
            },
        ),
        responses: &[
            Response {
                status: Status::Code(204),
                headers: &[],
                media: &[],
            },
            Response {
                status: Status::Code(400),
                headers: &[],
                media: &MEDIA_1,
            },
            Response {
                status: Status::Code(500),
                headers: &[],
                media: &MEDIA_1,
            },
        ],
        method_not_allowed: ::std::option::Option::Some(
            &Response {
                status: Status::Code(405),
                headers: &[],
                media: &MEDIA_1,
            },
        ),
        security: &[],
        max_body_bytes: 1048576,
    };
    /// `GET /kitchen/v1/dishes/{other}/photo`
    ///
    /// Defined at `tests/golden/kitchen.yaml:99`.
    pub static GET_PHOTO: Operation = Operation { // tests/golden/kitchen.yaml:99
        id: "getPhoto",
        method: ::dropforge_runtime::http::Method::GET,
        path: "/kitchen/v1/dishes/{other}/photo",
        segments: &[
            Segment::Literal("kitchen"),
            Segment::Literal("v1"),
            Segment::Literal("dishes"),
            Segment::Variable("other"),
            Segment::Literal("photo"),
        ],
        route: "/kitchen/v1/dishes/{segment3}/photo",
        pointer: "/paths/~1dishes~1{other}~1photo/get",
        parameters: &[
            Parameter::of(
                    ::dropforge_runtime::table::ParameterIn::Path,
                    "other",
                    Style::Simple,
                    &schemas::SCHEMA_54,
                )
                .required(),
        ],
        body: ::std::option::Option::None,
        responses: &[
            Response {
                status: Status::Code(200),
                headers: &[],
                media: &MEDIA_7,
            },
            Response {
                status: Status::Code(302),
                headers: &HEADERS_8,
                media: &[],
            },
        ],
        method_not_allowed: ::std::option::Option::Some(
            &Response {
                status: Status::Code(405),
                headers: &[],
                media: &MEDIA_1,
            },
        ),
        security: &[],
        max_body_bytes: 1048576,
    };
    /// `DELETE /kitchen/v1/dishes/{other}/photo`
    ///
    /// Defined at `tests/golden/kitchen.yaml:105`.
    pub static DELETE_DISHES_OTHER_PHOTO: Operation = Operation { // tests/golden/kitchen.yaml:105
        id: "delete_dishes_other_photo",
        method: ::dropforge_runtime::http::Method::DELETE,
        path: "/kitchen/v1/dishes/{other}/photo",
        segments: &[
            Segment::Literal("kitchen"),
            Segment::Literal("v1"),
            Segment::Literal("dishes"),
            Segment::Variable("other"),
            Segment::Literal("photo"),
        ],
        route: "/kitchen/v1/dishes/{segment3}/photo",
        pointer: "/paths/~1dishes~1{other}~1photo/delete",
        parameters: &[
            Parameter::of(
                    ::dropforge_runtime::table::ParameterIn::Path,
                    "other",
                    Style::Simple,
                    &schemas::SCHEMA_57,
                )
                .required(),
        ],
        body: ::std::option::Option::None,
        responses: &[
            Response {
                status: Status::Code(204),
                headers: &[],
                media: &[],
            },
        ],
        method_not_allowed: ::std::option::Option::Some(
            &Response {
                status: Status::Code(405),
                headers: &[],
                media: &MEDIA_1,
            },
        ),
        security: &[],
        max_body_bytes: 1048576,
    };
    /// Unknown paths below `/kitchen/v1`
    ///
    /// Defined at `tests/golden/kitchen.yaml:13`.
    pub static NOT_FOUND_0: Operation = Operation { // tests/golden/kitchen.yaml:13
        id: "/kitchen/v1 not found",
        method: ::dropforge_runtime::http::Method::GET,
        path: "/kitchen/v1",
        segments: &[Segment::Literal("kitchen"), Segment::Literal("v1")],
        route: "/kitchen/v1/{path:.*}",
        pointer: "/x-dropforge-not-found/~1",
        parameters: &[],
        body: ::std::option::Option::None,
        responses: &[
            Response {
                status: Status::Code(404),
                headers: &[],
                media: &MEDIA_1,
            },
        ],
        method_not_allowed: ::std::option::Option::None,
        security: &[],
        max_body_bytes: 0,
    };
    /// Unknown paths below `/kitchen/v1/dishes`
    ///
    /// Defined at `tests/golden/kitchen.yaml:14`.
    pub static NOT_FOUND_1: Operation = Operation { // tests/golden/kitchen.yaml:14
        id: "/kitchen/v1/dishes not found",
        method: ::dropforge_runtime::http::Method::GET,
        path: "/kitchen/v1/dishes",
        segments: &[
            Segment::Literal("kitchen"),
            Segment::Literal("v1"),
            Segment::Literal("dishes"),
        ],
        route: "/kitchen/v1/dishes/{path:.*}",
        pointer: "/x-dropforge-not-found/~1dishes",
        parameters: &[],
        body: ::std::option::Option::None,
        responses: &[
            Response {
                status: Status::Code(404),
                headers: &[],
                media: &[],
            },
        ],
        method_not_allowed: ::std::option::Option::None,
        security: &[],
        max_body_bytes: 0,
    };
}
mod schemas {
    use ::dropforge_runtime::table::*;
    /// Defined at `tests/golden/kitchen.yaml:123`.
    pub(super) static SCHEMA_0: Schema = Schema::of( // tests/golden/kitchen.yaml:123
            Types::OBJECT,
            "/components/schemas/Result",
        )
        .object(
            &ObjectRules {
                properties: &[
                    Property::of("title", &SCHEMA_1),
                    Property::of("Option", &SCHEMA_2),
                ],
                required: &["title"],
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:127`.
    pub(super) static SCHEMA_1: Schema = Schema::of( // tests/golden/kitchen.yaml:127
            Types::STRING,
            "/components/schemas/Result/properties/title",
        )
        .string(
            &StringRules {
                min_length: ::std::option::Option::Some(1),
                ..StringRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:128`.
    pub(super) static SCHEMA_2: Schema = Schema::of( // tests/golden/kitchen.yaml:128
        Types::STRING,
        "/components/schemas/Result/properties/Option",
    );
    /// Defined at `tests/golden/kitchen.yaml:129`.
    pub(super) static SCHEMA_3: Schema = Schema::of( // tests/golden/kitchen.yaml:129
            Types::OBJECT,
            "/components/schemas/Dish",
        )
        .object(
            &ObjectRules {
                properties: &[
                    Property::of("name", &SCHEMA_4),
                    Property::of("kind", &SCHEMA_5),
                    Property::of("course", &SCHEMA_6),
                    Property::of("type", &SCHEMA_7),
                    Property::of("self", &SCHEMA_8),
                    Property::of("since", &SCHEMA_9),
                    Property::of("calories", &SCHEMA_10),
                    Property::of("filling", &SCHEMA_11),
                    Property::of("parts", &SCHEMA_12),
                    Property::of("around", &SCHEMA_3),
                    Property::of("spices", &SCHEMA_13),
                    Property::of("garnish", &SCHEMA_14),
                    Property::of("anything", &SCHEMA_15),
                    Property::of("notes", &SCHEMA_16),
                ],
                required: &["name", "kind", "course"],
                additional: Additional::Denied,
                ..ObjectRules::ANY
            },
        );
    static SCHEMA_4_PATTERN: Pattern = Pattern::new("^[A-Z]");
    /// Defined at `tests/golden/kitchen.yaml:134`.
    pub(super) static SCHEMA_4: Schema = Schema::of( // tests/golden/kitchen.yaml:134
            Types::STRING,
            "/components/schemas/Dish/properties/name",
        )
        .string(
            &StringRules {
                min_length: ::std::option::Option::Some(1),
                max_length: ::std::option::Option::Some(40),
                pattern: ::std::option::Option::Some(&SCHEMA_4_PATTERN),
                ..StringRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:152`.
    pub(super) static SCHEMA_5: Schema = Schema::of( // tests/golden/kitchen.yaml:152
            Types::STRING,
            "/components/schemas/Kind",
        )
        .enumeration(&["\"hot\"", "\"HOT\"", "\"cold\"", "\">\"", "\">=\"", "\"\""]);
    /// Defined at `tests/golden/kitchen.yaml:136`.
    pub(super) static SCHEMA_6: Schema = Schema::of( // tests/golden/kitchen.yaml:136
            Types::INTEGER,
            "/components/schemas/Dish/properties/course",
        )
        .nullable()
        .number(
            &NumberRules {
                minimum: ::std::option::Option::Some((Number::Integer(1), false)),
                maximum: ::std::option::Option::Some((Number::Integer(5), false)),
                format: ::std::option::Option::Some(NumberFormat::Int32),
                ..NumberRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:137`.
    pub(super) static SCHEMA_7: Schema = Schema::of( // tests/golden/kitchen.yaml:137
        Types::STRING,
        "/components/schemas/Dish/properties/type",
    );
    /// Defined at `tests/golden/kitchen.yaml:138`.
    pub(super) static SCHEMA_8: Schema = Schema::of( // tests/golden/kitchen.yaml:138
            Types::NUMBER,
            "/components/schemas/Dish/properties/self",
        )
        .number(
            &NumberRules {
                minimum: ::std::option::Option::Some((Number::Integer(0), true)),
                multiple_of: ::std::option::Option::Some(Number::Float(0.5)),
                ..NumberRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:139`.
    pub(super) static SCHEMA_9: Schema = Schema::of( // tests/golden/kitchen.yaml:139
            Types::STRING,
            "/components/schemas/Dish/properties/since",
        )
        .string(
            &StringRules {
                format: ::std::option::Option::Some(StringFormat::DateTime),
                ..StringRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:140`.
    pub(super) static SCHEMA_10: Schema = Schema::of( // tests/golden/kitchen.yaml:140
            Types::INTEGER,
            "/components/schemas/Dish/properties/calories",
        )
        .nullable();
    /// Defined at `tests/golden/kitchen.yaml:155`.
    pub(super) static SCHEMA_11: Schema = Schema::of( // tests/golden/kitchen.yaml:155
            Types::ANY,
            "/components/schemas/Filling",
        )
        .one_of(&[&SCHEMA_17, &SCHEMA_18])
        .discriminator(
            &Discriminator {
                property: "taste",
                mapping: &[("sweet", &SCHEMA_17), ("salty", &SCHEMA_18)],
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:142`.
    pub(super) static SCHEMA_12: Schema = Schema::of( // tests/golden/kitchen.yaml:142
            Types::ARRAY,
            "/components/schemas/Dish/properties/parts",
        )
        .array(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_3),
                min_items: ::std::option::Option::Some(1),
                max_items: ::std::option::Option::Some(9),
                ..ArrayRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:144`.
    pub(super) static SCHEMA_13: Schema = Schema::of( // tests/golden/kitchen.yaml:144
            Types::ARRAY,
            "/components/schemas/Dish/properties/spices",
        )
        .array(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_19),
                ..ArrayRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:148`.
    pub(super) static SCHEMA_14: Schema = Schema::of( // tests/golden/kitchen.yaml:148
            Types::ANY,
            "/components/schemas/Garnish",
        )
        .one_of(&[&SCHEMA_20, &SCHEMA_21]);
    /// Defined at `tests/golden/kitchen.yaml:146`.
    pub(super) static SCHEMA_15: Schema = Schema::of( // tests/golden/kitchen.yaml:146
        Types::ANY,
        "/components/schemas/Dish/properties/anything",
    );
    /// Defined at `tests/golden/kitchen.yaml:147`.
    pub(super) static SCHEMA_16: Schema = Schema::of( // tests/golden/kitchen.yaml:147
            Types::OBJECT,
            "/components/schemas/Dish/properties/notes",
        )
        .object(
            &ObjectRules {
                additional: Additional::Schema(&SCHEMA_22),
                max_properties: ::std::option::Option::Some(3),
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:162`.
    pub(super) static SCHEMA_17: Schema = Schema::of( // tests/golden/kitchen.yaml:162
            Types::OBJECT,
            "/components/schemas/Sweet",
        )
        .object(
            &ObjectRules {
                properties: &[
                    Property::of("taste", &SCHEMA_23),
                    Property::of("sugar", &SCHEMA_24),
                ],
                required: &["taste"],
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:166`.
    pub(super) static SCHEMA_18: Schema = Schema::of( // tests/golden/kitchen.yaml:166
            Types::ANY,
            "/components/schemas/Savoury",
        )
        .all_of(&[&SCHEMA_25, &SCHEMA_26]);
    /// Defined at `tests/golden/kitchen.yaml:144`.
    pub(super) static SCHEMA_19: Schema = Schema::of( // tests/golden/kitchen.yaml:144
        Types::STRING,
        "/components/schemas/Dish/properties/spices/items",
    );
    /// Defined at `tests/golden/kitchen.yaml:150`.
    pub(super) static SCHEMA_20: Schema = Schema::of( // tests/golden/kitchen.yaml:150
            Types::STRING,
            "/components/schemas/Garnish/oneOf/0",
        )
        .nullable();
    /// Defined at `tests/golden/kitchen.yaml:151`.
    pub(super) static SCHEMA_21: Schema = Schema::of( // tests/golden/kitchen.yaml:151
            Types::ARRAY,
            "/components/schemas/Garnish/oneOf/1",
        )
        .array(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_27),
                ..ArrayRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:147`.
    pub(super) static SCHEMA_22: Schema = Schema::of( // tests/golden/kitchen.yaml:147
        Types::STRING,
        "/components/schemas/Dish/properties/notes/additionalProperties",
    );
    /// Defined at `tests/golden/kitchen.yaml:165`.
    pub(super) static SCHEMA_23: Schema = Schema::of( // tests/golden/kitchen.yaml:165
        Types::STRING,
        "/components/schemas/Sweet/properties/taste",
    );
    /// Defined at `tests/golden/kitchen.yaml:165`.
    pub(super) static SCHEMA_24: Schema = Schema::of( // tests/golden/kitchen.yaml:165
        Types::INTEGER,
        "/components/schemas/Sweet/properties/sugar",
    );
    /// Defined at `tests/golden/kitchen.yaml:168`.
    pub(super) static SCHEMA_25: Schema = Schema::of( // tests/golden/kitchen.yaml:168
            Types::OBJECT,
            "/components/schemas/Savoury/allOf/0",
        )
        .object(
            &ObjectRules {
                properties: &[Property::of("taste", &SCHEMA_28)],
                required: &["taste"],
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:171`.
    pub(super) static SCHEMA_26: Schema = Schema::of( // tests/golden/kitchen.yaml:171
            Types::OBJECT,
            "/components/schemas/Savoury/allOf/1",
        )
        .object(
            &ObjectRules {
                properties: &[Property::of("salt", &SCHEMA_29)],
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:151`.
    pub(super) static SCHEMA_27: Schema = Schema::of( // tests/golden/kitchen.yaml:151
        Types::STRING,
        "/components/schemas/Garnish/oneOf/1/items",
    );
    /// Defined at `tests/golden/kitchen.yaml:170`.
    pub(super) static SCHEMA_28: Schema = Schema::of( // tests/golden/kitchen.yaml:170
        Types::STRING,
        "/components/schemas/Savoury/allOf/0/properties/taste",
    );
    /// Defined at `tests/golden/kitchen.yaml:172`.
    pub(super) static SCHEMA_29: Schema = Schema::of( // tests/golden/kitchen.yaml:172
            Types::ANY,
            "/components/schemas/Savoury/allOf/1/properties/salt",
        )
        .one_of(&[&SCHEMA_30, &SCHEMA_31]);
    /// Defined at `tests/golden/kitchen.yaml:172`.
    pub(super) static SCHEMA_30: Schema = Schema::of( // tests/golden/kitchen.yaml:172
        Types::INTEGER,
        "/components/schemas/Savoury/allOf/1/properties/salt/oneOf/0",
    );
    /// Defined at `tests/golden/kitchen.yaml:172`.
    pub(super) static SCHEMA_31: Schema = Schema::of( // tests/golden/kitchen.yaml:172
        Types::STRING,
        "/components/schemas/Savoury/allOf/1/properties/salt/oneOf/1",
    );
    /// Defined at `tests/golden/kitchen.yaml:173`.
    pub(super) static SCHEMA_32: Schema = Schema::of( // tests/golden/kitchen.yaml:173
            Types::OBJECT,
            "/components/schemas/Order",
        )
        .object(
            &ObjectRules {
                properties: &[
                    Property::of("table", &SCHEMA_33),
                    Property::of("dishes", &SCHEMA_34),
                    Property::of("secret", &SCHEMA_35).write_only(),
                    Property::of("id", &SCHEMA_36).read_only(),
                ],
                required: &["table"],
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:177`.
    pub(super) static SCHEMA_33: Schema = Schema::of( // tests/golden/kitchen.yaml:177
        Types::INTEGER,
        "/components/schemas/Order/properties/table",
    );
    /// Defined at `tests/golden/kitchen.yaml:178`.
    pub(super) static SCHEMA_34: Schema = Schema::of( // tests/golden/kitchen.yaml:178
            Types::ARRAY,
            "/components/schemas/Order/properties/dishes",
        )
        .array(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_37),
                ..ArrayRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:179`.
    pub(super) static SCHEMA_35: Schema = Schema::of( // tests/golden/kitchen.yaml:179
        Types::STRING,
        "/components/schemas/Order/properties/secret",
    );
    /// Defined at `tests/golden/kitchen.yaml:180`.
    pub(super) static SCHEMA_36: Schema = Schema::of( // tests/golden/kitchen.yaml:180
            Types::STRING,
            "/components/schemas/Order/properties/id",
        )
        .string(
            &StringRules {
                format: ::std::option::Option::Some(StringFormat::Uuid),
                ..StringRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:178`.
    pub(super) static SCHEMA_37: Schema = Schema::of( // tests/golden/kitchen.yaml:178
        Types::STRING,
        "/components/schemas/Order/properties/dishes/items",
    );
    /// Defined at `tests/golden/kitchen.yaml:182`.
    pub(super) static SCHEMA_38: Schema = Schema::of( // tests/golden/kitchen.yaml:182
            Types::ARRAY,
            "/components/schemas/Tree",
        )
        .array(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_38),
                ..ArrayRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:22`.
    pub(super) static SCHEMA_39: Schema = Schema::of( // tests/golden/kitchen.yaml:22
            Types::STRING,
            "/paths/~1dishes~1{dishId}/parameters/0/schema",
        )
        .string(
            &StringRules {
                max_length: ::std::option::Option::Some(40),
                ..StringRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:31`.
    pub(super) static SCHEMA_40: Schema = Schema::of( // tests/golden/kitchen.yaml:31
            Types::ARRAY,
            "/paths/~1dishes~1{dishId}/get/parameters/0/schema",
        )
        .array(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_41),
                unique: true,
                ..ArrayRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:31`.
    pub(super) static SCHEMA_41: Schema = Schema::of( // tests/golden/kitchen.yaml:31
        Types::STRING,
        "/paths/~1dishes~1{dishId}/get/parameters/0/schema/items",
    );
    /// Defined at `tests/golden/kitchen.yaml:34`.
    pub(super) static SCHEMA_42: Schema = Schema::of( // tests/golden/kitchen.yaml:34
            Types::STRING,
            "/paths/~1dishes~1{dishId}/get/parameters/1/schema",
        )
        .nullable();
    /// Defined at `tests/golden/kitchen.yaml:35`.
    pub(super) static SCHEMA_43: Schema = Schema::of( // tests/golden/kitchen.yaml:35
            Types::INTEGER,
            "/paths/~1dishes~1{dishId}/get/parameters/2/schema",
        )
        .number(
            &NumberRules {
                format: ::std::option::Option::Some(NumberFormat::Int32),
                ..NumberRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:36`.
    pub(super) static SCHEMA_44: Schema = Schema::of( // tests/golden/kitchen.yaml:36
            Types::ANY,
            "/paths/~1dishes~1{dishId}/get/parameters/3/schema",
        )
        .all_of(&[&SCHEMA_5]);
    /// Defined at `tests/golden/kitchen.yaml:45`.
    pub(super) static SCHEMA_45: Schema = Schema::of( // tests/golden/kitchen.yaml:45
        Types::STRING,
        "/paths/~1dishes~1{dishId}/get/responses/200/headers/ETag/schema",
    );
    /// Defined at `tests/golden/kitchen.yaml:46`.
    pub(super) static SCHEMA_46: Schema = Schema::of( // tests/golden/kitchen.yaml:46
        Types::INTEGER,
        "/paths/~1dishes~1{dishId}/get/responses/200/headers/X-Age/schema",
    );
    /// Defined at `tests/golden/kitchen.yaml:47`.
    pub(super) static SCHEMA_47: Schema = Schema::of( // tests/golden/kitchen.yaml:47
            Types::STRING,
            "/paths/~1dishes~1{dishId}/get/responses/200/headers/X-Cooked/schema",
        )
        .string(
            &StringRules {
                format: ::std::option::Option::Some(StringFormat::DateTime),
                ..StringRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:48`.
    pub(super) static SCHEMA_48: Schema = Schema::of( // tests/golden/kitchen.yaml:48
            Types::ARRAY,
            "/paths/~1dishes~1{dishId}/get/responses/200/headers/X-Allergens/schema",
        )
        .array(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_49),
                ..ArrayRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:48`.
    pub(super) static SCHEMA_49: Schema = Schema::of( // tests/golden/kitchen.yaml:48
        Types::STRING,
        "/paths/~1dishes~1{dishId}/get/responses/200/headers/X-Allergens/schema/items",
    );
    /// Defined at `tests/golden/kitchen.yaml:64`.
    pub(super) static SCHEMA_50: Schema = Schema::of( // tests/golden/kitchen.yaml:64
        Types::STRING,
        "/paths/~1dishes~1{dishId}/put/requestBody/content/text~1plain/schema",
    );
    /// Defined at `tests/golden/kitchen.yaml:81`.
    pub(super) static SCHEMA_51: Schema = Schema::of( // tests/golden/kitchen.yaml:81
        Types::STRING,
        "/paths/~1dishes~1menu/get/responses/200/content/text~1plain/schema",
    );
    /// Defined at `tests/golden/kitchen.yaml:74`.
    pub(super) static SCHEMA_52: Schema = Schema::of( // tests/golden/kitchen.yaml:74
            Types::STRING,
            "/paths/~1dishes~1menu/x-dropforge-method-not-allowed/headers/Allow/schema",
        )
        .enumeration(&["\"GET, HEAD\""]);
    /// Defined at `tests/golden/kitchen.yaml:89`.
    pub(super) static SCHEMA_53: Schema = Schema::of( // tests/golden/kitchen.yaml:89
            Types::INTEGER,
            "/paths/~1dishes~1{id}:serve/post/parameters/0/schema",
        )
        .number(
            &NumberRules {
                minimum: ::std::option::Option::Some((Number::Integer(1), false)),
                maximum: ::std::option::Option::Some((Number::Integer(10), false)),
                ..NumberRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:101`.
    pub(super) static SCHEMA_54: Schema = Schema::of( // tests/golden/kitchen.yaml:101
        Types::STRING,
        "/paths/~1dishes~1{other}~1photo/get/parameters/0/schema",
    );
    /// Defined at `tests/golden/kitchen.yaml:103`.
    pub(super) static SCHEMA_55: Schema = Schema::of( // tests/golden/kitchen.yaml:103
            Types::STRING,
            "/paths/~1dishes~1{other}~1photo/get/responses/200/content/image~1png/schema",
        )
        .string(
            &StringRules {
                format: ::std::option::Option::Some(StringFormat::Binary),
                ..StringRules::ANY
            },
        );
    /// Defined at `tests/golden/kitchen.yaml:104`.
    pub(super) static SCHEMA_56: Schema = Schema::of( // tests/golden/kitchen.yaml:104
        Types::STRING,
        "/paths/~1dishes~1{other}~1photo/get/responses/302/headers/Location/schema",
    );
    /// Defined at `tests/golden/kitchen.yaml:107`.
    pub(super) static SCHEMA_57: Schema = Schema::of( // tests/golden/kitchen.yaml:107
        Types::STRING,
        "/paths/~1dishes~1{other}~1photo/delete/parameters/0/schema",
    );
}
mod handlers {
    use super::*;
    /// Defined at `tests/golden/kitchen.yaml:24`.
    pub(super) enum GetDishOperation {} // tests/golden/kitchen.yaml:24
    impl<A: Kitchen> ::dropforge_runtime::Handle<A, A::Context> for GetDishOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::GET_DISH;
        type Caller = GetDishCaller<A>;
        type Parameters = parameters::GetDish;
        type Body = ();
        type Outcome = ::std::result::Result<GetDishResponse, GetDishError>;
        fn authenticate(
            call: &::dropforge_runtime::Call<A::Context>,
        ) -> impl ::std::future::Future<
            Output = ::std::result::Result<Self::Caller, ::dropforge_runtime::Rejection>,
        > + ::std::marker::Send {
            async move {
                let mut refused = ::dropforge_runtime::Refusals::new();
                if let ::std::option::Option::Some(credentials) = ::dropforge_runtime::Credentials::presented(
                    call,
                    ::dropforge_runtime::table::Scheme::Bearer,
                ) {
                    match A::badge(call, credentials, &["dishes.read"]).await {
                        ::std::result::Result::Ok(caller0) => {
                            return ::std::result::Result::Ok(
                                GetDishCaller::Badge(caller0),
                            );
                        }
                        ::std::result::Result::Err(denied) => refused.push(denied),
                    }
                }
                if let ::std::option::Option::Some(credentials) = ::dropforge_runtime::Credentials::presented(
                    call,
                    ::dropforge_runtime::table::Scheme::ApiKey {
                        location: ::dropforge_runtime::table::ParameterIn::Header,
                        name: "X-Key",
                    },
                ) {
                    match A::key(call, credentials, &[]).await {
                        ::std::result::Result::Ok(caller0) => {
                            if let ::std::option::Option::Some(credentials) = ::dropforge_runtime::Credentials::presented(
                                call,
                                ::dropforge_runtime::table::Scheme::Bearer,
                            ) {
                                match A::badge(call, credentials, &[]).await {
                                    ::std::result::Result::Ok(caller1) => {
                                        return ::std::result::Result::Ok(
                                            GetDishCaller::KeyBadge(caller0, caller1),
                                        );
                                    }
                                    ::std::result::Result::Err(denied) => refused.push(denied),
                                }
                            }
                        }
                        ::std::result::Result::Err(denied) => refused.push(denied),
                    }
                }
                ::std::result::Result::Err(refused.into_rejection())
            }
        }
        fn call(
            call: ::dropforge_runtime::Call<A::Context>,
            caller: Self::Caller,
            parameters: Self::Parameters,
            _: (),
        ) -> impl ::std::future::Future<Output = Self::Outcome> + ::std::marker::Send {
            A::get_dish(call, caller, parameters)
        }
    }
    /// Defined at `tests/golden/kitchen.yaml:55`.
    pub(super) enum PutDishOperation {} // tests/golden/kitchen.yaml:55
    impl<A: Kitchen> ::dropforge_runtime::Handle<A, A::Context> for PutDishOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::PUT_DISH;
        type Caller = PutDishCaller<A>;
        type Parameters = parameters::PutDish;
        type Body = PutDishBody;
        type Outcome = ::std::result::Result<PutDishResponse, PutDishError>;
        fn authenticate(
            call: &::dropforge_runtime::Call<A::Context>,
        ) -> impl ::std::future::Future<
            Output = ::std::result::Result<Self::Caller, ::dropforge_runtime::Rejection>,
        > + ::std::marker::Send {
            async move {
                let mut refused = ::dropforge_runtime::Refusals::new();
                if let ::std::option::Option::Some(credentials) = ::dropforge_runtime::Credentials::presented(
                    call,
                    ::dropforge_runtime::table::Scheme::Bearer,
                ) {
                    match A::badge(call, credentials, &[]).await {
                        ::std::result::Result::Ok(caller0) => {
                            return ::std::result::Result::Ok(
                                PutDishCaller::Badge(caller0),
                            );
                        }
                        ::std::result::Result::Err(denied) => refused.push(denied),
                    }
                }
                if refused.is_empty() {
                    return ::std::result::Result::Ok(PutDishCaller::Anonymous);
                }
                ::std::result::Result::Err(refused.into_rejection())
            }
        }
        fn call(
            call: ::dropforge_runtime::Call<A::Context>,
            caller: Self::Caller,
            parameters: Self::Parameters,
            body: PutDishBody,
        ) -> impl ::std::future::Future<Output = Self::Outcome> + ::std::marker::Send {
            A::put_dish(call, caller, parameters, body)
        }
    }
    /// Defined at `tests/golden/kitchen.yaml:76`.
    pub(super) enum GetMenuOperation {} // tests/golden/kitchen.yaml:76
    impl<A: Kitchen> ::dropforge_runtime::Handle<A, A::Context> for GetMenuOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::GET_MENU;
        type Caller = ();
        type Parameters = ::dropforge_runtime::serde::de::IgnoredAny;
        type Body = ();
        type Outcome = ::std::result::Result<GetMenuResponse, GetMenuError>;
        fn authenticate(
            _: &::dropforge_runtime::Call<A::Context>,
        ) -> impl ::std::future::Future<
            Output = ::std::result::Result<Self::Caller, ::dropforge_runtime::Rejection>,
        > + ::std::marker::Send {
            ::dropforge_runtime::anybody()
        }
        fn call(
            call: ::dropforge_runtime::Call<A::Context>,
            _: Self::Caller,
            _: Self::Parameters,
            _: (),
        ) -> impl ::std::future::Future<Output = Self::Outcome> + ::std::marker::Send {
            A::get_menu(call)
        }
    }
    /// Defined at `tests/golden/kitchen.yaml:87`.
    pub(super) enum ServeDishOperation {} // tests/golden/kitchen.yaml:87
    impl<A: Kitchen> ::dropforge_runtime::Handle<A, A::Context> for ServeDishOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::SERVE_DISH;
        type Caller = ();
        type Parameters = parameters::ServeDish;
        type Body = ::std::option::Option<::dropforge_runtime::RawJson<types::Order>>;
        type Outcome = ::std::result::Result<ServeDishResponse, ServeDishError>;
        fn authenticate(
            _: &::dropforge_runtime::Call<A::Context>,
        ) -> impl ::std::future::Future<
            Output = ::std::result::Result<Self::Caller, ::dropforge_runtime::Rejection>,
        > + ::std::marker::Send {
            ::dropforge_runtime::anybody()
        }
        fn call(
            call: ::dropforge_runtime::Call<A::Context>,
            _: Self::Caller,
            parameters: Self::Parameters,
            body: ::std::option::Option<::dropforge_runtime::RawJson<types::Order>>,
        ) -> impl ::std::future::Future<Output = Self::Outcome> + ::std::marker::Send {
            A::serve_dish(call, parameters, body)
        }
    }
    /// Defined at `tests/golden/kitchen.yaml:99`.
    pub(super) enum GetPhotoOperation {} // tests/golden/kitchen.yaml:99
    impl<A: Kitchen> ::dropforge_runtime::Handle<A, A::Context> for GetPhotoOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::GET_PHOTO;
        type Caller = ();
        type Parameters = parameters::GetPhoto;
        type Body = ();
        type Outcome = ::std::result::Result<GetPhotoResponse, GetPhotoError>;
        fn authenticate(
            _: &::dropforge_runtime::Call<A::Context>,
        ) -> impl ::std::future::Future<
            Output = ::std::result::Result<Self::Caller, ::dropforge_runtime::Rejection>,
        > + ::std::marker::Send {
            ::dropforge_runtime::anybody()
        }
        fn call(
            call: ::dropforge_runtime::Call<A::Context>,
            _: Self::Caller,
            parameters: Self::Parameters,
            _: (),
        ) -> impl ::std::future::Future<Output = Self::Outcome> + ::std::marker::Send {
            A::get_photo(call, parameters)
        }
    }
    /// Defined at `tests/golden/kitchen.yaml:105`.
    pub(super) enum DeleteDishesOtherPhotoOperation {} // tests/golden/kitchen.yaml:105
    impl<A: Kitchen> ::dropforge_runtime::Handle<A, A::Context>
    for DeleteDishesOtherPhotoOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::DELETE_DISHES_OTHER_PHOTO;
        type Caller = ();
        type Parameters = parameters::DeleteDishesOtherPhoto;
        type Body = ();
        type Outcome = ::std::result::Result<
            DeleteDishesOtherPhotoResponse,
            DeleteDishesOtherPhotoError,
        >;
        fn authenticate(
            _: &::dropforge_runtime::Call<A::Context>,
        ) -> impl ::std::future::Future<
            Output = ::std::result::Result<Self::Caller, ::dropforge_runtime::Rejection>,
        > + ::std::marker::Send {
            ::dropforge_runtime::anybody()
        }
        fn call(
            call: ::dropforge_runtime::Call<A::Context>,
            _: Self::Caller,
            parameters: Self::Parameters,
            _: (),
        ) -> impl ::std::future::Future<Output = Self::Outcome> + ::std::marker::Send {
            A::delete_dishes_other_photo(call, parameters)
        }
    }
}
/// Registers every operation of Kitchen.
///
/// Every path below the prefixes of `x-dropforge-not-found` goes to one route of dropshot's, so that unknown paths get the response of the document.
///
/// # Errors
///
/// When dropshot rejects a route, or another document has registered it.
///
/// Defined at `tests/golden/kitchen.yaml:1`.
pub fn register<A: Kitchen>( // tests/golden/kitchen.yaml:1
    api: &mut ::dropforge_runtime::dropshot::ApiDescription<A::Context>,
) -> ::std::result::Result<(), ::dropforge_runtime::RegisterError> { // tests/golden/kitchen.yaml:1
    let mut routes = ::dropforge_runtime::Routes::new(api, &API, A::reject);
    routes
        .fold([
            routes.entry::<A, handlers::GetDishOperation>(),
            routes.entry::<A, handlers::GetMenuOperation>(),
        ])?;
    routes.handle::<A, handlers::PutDishOperation>()?;
    routes.fold([routes.entry::<A, handlers::ServeDishOperation>()])?;
    routes.handle::<A, handlers::GetPhotoOperation>()?;
    routes.handle::<A, handlers::DeleteDishesOtherPhotoOperation>()?;
    routes.finish()
}
/// The document as JSON, for the contract tests. Programs that do not name it do not contain it.
pub static SOURCE_JSON: &str = "{\"openapi\":\"3.0.3\",\"info\":{\"title\":\"Kitchen\",\"version\":\"1.2.0\",\"description\":\"One of everything that generated servers must be able to do.\"},\"servers\":[{\"url\":\"{base}/kitchen/v1\",\"variables\":{\"base\":{\"default\":\"http://127.0.0.1:8080\"}}}],\"x-dropforge-method-not-allowed\":{\"$ref\":\"#/components/responses/Problem\"},\"x-dropforge-not-found\":{\"/\":{\"$ref\":\"#/components/responses/Problem\"},\"/dishes\":{\"description\":\"There is no such dish.\"}},\"paths\":{\"/dishes/{dishId}\":{\"parameters\":[{\"name\":\"dishId\",\"in\":\"path\",\"required\":true,\"schema\":{\"type\":\"string\",\"maxLength\":40}}],\"get\":{\"operationId\":\"getDish\",\"summary\":\"Get a dish\",\"parameters\":[{\"name\":\"fields\",\"in\":\"query\",\"explode\":false,\"style\":\"form\",\"schema\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"uniqueItems\":true}},{\"name\":\"X-Trace\",\"in\":\"header\",\"schema\":{\"type\":\"string\",\"nullable\":true}},{\"name\":\"portions\",\"in\":\"query\",\"schema\":{\"type\":\"integer\",\"format\":\"int32\",\"default\":2}},{\"name\":\"kind\",\"in\":\"query\",\"schema\":{\"allOf\":[{\"$ref\":\"#/components/schemas/Kind\"}],\"default\":\"hot\"}}],\"security\":[{\"badge\":[\"dishes.read\"]},{\"key\":[],\"badge\":[]}],\"responses\":{\"200\":{\"description\":\"The dish.\",\"headers\":{\"ETag\":{\"required\":true,\"schema\":{\"type\":\"string\"}},\"X-Age\":{\"schema\":{\"type\":\"integer\"}},\"X-Cooked\":{\"required\":true,\"schema\":{\"type\":\"string\",\"format\":\"date-time\"}},\"X-Allergens\":{\"schema\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Dish\"}},\"application/vnd.kitchen+json\":{\"schema\":{\"$ref\":\"#/components/schemas/Dish\"}}}},\"404\":{\"$ref\":\"#/components/responses/Problem\"},\"default\":{\"$ref\":\"#/components/responses/Problem\"}}},\"put\":{\"operationId\":\"putDish\",\"security\":[{},{\"badge\":[]}],\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Dish\"}},\"application/x-www-form-urlencoded\":{\"schema\":{\"$ref\":\"#/components/schemas/Order\"}},\"text/plain\":{\"schema\":{\"type\":\"string\"}},\"image/png\":{}}},\"responses\":{\"200\":{\"description\":\"Replaced.\",\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Dish\"}}}},\"201\":{\"description\":\"Created.\",\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Dish\"}}}},\"4XX\":{\"$ref\":\"#/components/responses/Problem\"}}}},\"/dishes/menu\":{\"x-dropforge-method-not-allowed\":{\"description\":\"There is one menu, and it can be read.\",\"headers\":{\"Allow\":{\"required\":true,\"schema\":{\"type\":\"string\",\"enum\":[\"GET, HEAD\"]}}}},\"get\":{\"operationId\":\"getMenu\",\"responses\":{\"200\":{\"description\":\"The menu, whole or dish by dish.\",\"content\":{\"text/plain\":{\"schema\":{\"type\":\"string\"}},\"text/event-stream\":{\"schema\":{\"$ref\":\"#/components/schemas/Dish\"},\"x-dropforge-stream\":{\"terminator\":\"[END]\"}}}}}}},\"/dishes/{id}:serve\":{\"post\":{\"operationId\":\"serveDish\",\"parameters\":[{\"name\":\"id\",\"in\":\"path\",\"required\":true,\"schema\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":10}}],\"requestBody\":{\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Order\"},\"x-dropforge-raw\":true}}},\"responses\":{\"204\":{\"description\":\"Served.\"},\"400\":{\"$ref\":\"#/components/responses/Problem\"},\"500\":{\"$ref\":\"#/components/responses/Problem\"}}}},\"/dishes/{other}/photo\":{\"get\":{\"operationId\":\"getPhoto\",\"parameters\":[{\"name\":\"other\",\"in\":\"path\",\"required\":true,\"schema\":{\"type\":\"string\"}}],\"responses\":{\"200\":{\"description\":\"A picture.\",\"content\":{\"image/png\":{\"schema\":{\"type\":\"string\",\"format\":\"binary\"}}}},\"302\":{\"description\":\"Elsewhere.\",\"headers\":{\"Location\":{\"required\":true,\"schema\":{\"type\":\"string\"}}}}}},\"delete\":{\"parameters\":[{\"name\":\"other\",\"in\":\"path\",\"required\":true,\"schema\":{\"type\":\"string\"}}],\"responses\":{\"204\":{\"description\":\"Gone.\"}}}}},\"components\":{\"securitySchemes\":{\"badge\":{\"type\":\"oauth2\",\"flows\":{\"clientCredentials\":{\"tokenUrl\":\"http://127.0.0.1/token\",\"scopes\":{\"dishes.read\":\"Read dishes.\"}}}},\"key\":{\"type\":\"apiKey\",\"in\":\"header\",\"name\":\"X-Key\"}},\"responses\":{\"Problem\":{\"description\":\"What went wrong.\",\"content\":{\"application/problem+json\":{\"schema\":{\"$ref\":\"#/components/schemas/Result\"}}}}},\"schemas\":{\"Result\":{\"type\":\"object\",\"required\":[\"title\"],\"properties\":{\"title\":{\"type\":\"string\",\"minLength\":1},\"Option\":{\"type\":\"string\"}}},\"Dish\":{\"type\":\"object\",\"required\":[\"name\",\"kind\",\"course\"],\"additionalProperties\":false,\"properties\":{\"name\":{\"type\":\"string\",\"pattern\":\"^[A-Z]\",\"minLength\":1,\"maxLength\":40},\"kind\":{\"$ref\":\"#/components/schemas/Kind\"},\"course\":{\"type\":\"integer\",\"format\":\"int32\",\"minimum\":1,\"maximum\":5,\"nullable\":true},\"type\":{\"type\":\"string\"},\"self\":{\"type\":\"number\",\"minimum\":0,\"exclusiveMinimum\":true,\"multipleOf\":0.5},\"since\":{\"type\":\"string\",\"format\":\"date-time\"},\"calories\":{\"type\":\"integer\",\"nullable\":true},\"filling\":{\"$ref\":\"#/components/schemas/Filling\"},\"parts\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":9,\"items\":{\"$ref\":\"#/components/schemas/Dish\"}},\"around\":{\"$ref\":\"#/components/schemas/Dish\"},\"spices\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"default\":[\"salt\"]},\"garnish\":{\"$ref\":\"#/components/schemas/Garnish\"},\"anything\":{},\"notes\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"},\"maxProperties\":3}}},\"Garnish\":{\"oneOf\":[{\"type\":\"string\",\"nullable\":true},{\"type\":\"array\",\"items\":{\"type\":\"string\"}}]},\"Kind\":{\"type\":\"string\",\"enum\":[\"hot\",\"HOT\",\"cold\",\">\",\">=\",\"\"]},\"Filling\":{\"oneOf\":[{\"$ref\":\"#/components/schemas/Sweet\"},{\"$ref\":\"#/components/schemas/Savoury\"}],\"discriminator\":{\"propertyName\":\"taste\",\"mapping\":{\"sweet\":\"#/components/schemas/Sweet\",\"salty\":\"Savoury\"}}},\"Sweet\":{\"type\":\"object\",\"required\":[\"taste\"],\"properties\":{\"taste\":{\"type\":\"string\"},\"sugar\":{\"type\":\"integer\"}}},\"Savoury\":{\"allOf\":[{\"type\":\"object\",\"required\":[\"taste\"],\"properties\":{\"taste\":{\"type\":\"string\"}}},{\"type\":\"object\",\"properties\":{\"salt\":{\"oneOf\":[{\"type\":\"integer\"},{\"type\":\"string\"}]}}}]},\"Order\":{\"type\":\"object\",\"required\":[\"table\"],\"properties\":{\"table\":{\"type\":\"integer\"},\"dishes\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},\"secret\":{\"type\":\"string\",\"writeOnly\":true},\"id\":{\"type\":\"string\",\"format\":\"uuid\",\"readOnly\":true}},\"additionalProperties\":true},\"Tree\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/Tree\"}}}}}";
/// Tests for the implementer of this document: the path of this module, then that of a
/// function that returns the [`Subject`](::dropforge_runtime::contract::Subject).
#[macro_export]
macro_rules! kitchen_contract_tests {
    ($($api:ident)::+, $subject:path) => {
        mod get_dish { #[test] fn each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "getDish", ::dropforge_runtime::contract::Case::Examples, $subject (),); }
        #[test] fn what_is_required_is_asked_for() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "getDish",
        ::dropforge_runtime::contract::Case::Required, $subject (),); } #[test] fn
        each_constraint_holds_on_both_sides() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "getDish",
        ::dropforge_runtime::contract::Case::Constraints, $subject (),); } #[test] fn
        an_accept_that_nothing_fits_is_told() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "getDish",
        ::dropforge_runtime::contract::Case::Accept, $subject (),); } #[test] fn
        nobody_comes_in_without_credentials() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "getDish",
        ::dropforge_runtime::contract::Case::NoCredentials, $subject (),); } #[test] fn
        malformed_credentials_are_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "getDish",
        ::dropforge_runtime::contract::Case::MalformedCredentials, $subject (),); }
        #[test] fn credentials_that_grant_too_little_are_refused() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "getDish", ::dropforge_runtime::contract::Case::InsufficientCredentials, $subject
        (),); } #[test] fn every_other_method_is_refused() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "getDish", ::dropforge_runtime::contract::Case::OtherMethods, $subject (),); } }
        mod put_dish { #[test] fn each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "putDish", ::dropforge_runtime::contract::Case::Examples, $subject (),); }
        #[test] fn what_is_required_is_asked_for() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "putDish",
        ::dropforge_runtime::contract::Case::Required, $subject (),); } #[test] fn
        each_constraint_holds_on_both_sides() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "putDish",
        ::dropforge_runtime::contract::Case::Constraints, $subject (),); } #[test] fn
        unknown_fields_are_treated_as_the_schema_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "putDish", ::dropforge_runtime::contract::Case::UnknownFields, $subject (),); }
        #[test] fn another_content_type_is_refused() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "putDish", ::dropforge_runtime::contract::Case::ContentType, $subject (),); }
        #[test] fn an_accept_that_nothing_fits_is_told() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "putDish", ::dropforge_runtime::contract::Case::Accept, $subject (),); } #[test]
        fn every_other_method_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "putDish",
        ::dropforge_runtime::contract::Case::OtherMethods, $subject (),); } } mod
        get_menu { #[test] fn each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "getMenu", ::dropforge_runtime::contract::Case::Examples, $subject (),); }
        #[test] fn an_accept_that_nothing_fits_is_told() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "getMenu", ::dropforge_runtime::contract::Case::Accept, $subject (),); } #[test]
        fn every_other_method_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "getMenu",
        ::dropforge_runtime::contract::Case::OtherMethods, $subject (),); } } mod
        serve_dish { #[test] fn each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "serveDish", ::dropforge_runtime::contract::Case::Examples, $subject (),); }
        #[test] fn what_is_required_is_asked_for() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "serveDish",
        ::dropforge_runtime::contract::Case::Required, $subject (),); } #[test] fn
        each_constraint_holds_on_both_sides() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "serveDish",
        ::dropforge_runtime::contract::Case::Constraints, $subject (),); } #[test] fn
        unknown_fields_are_treated_as_the_schema_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "serveDish", ::dropforge_runtime::contract::Case::UnknownFields, $subject (),); }
        #[test] fn another_content_type_is_refused() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "serveDish", ::dropforge_runtime::contract::Case::ContentType, $subject (),); }
        #[test] fn an_accept_that_nothing_fits_is_told() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "serveDish", ::dropforge_runtime::contract::Case::Accept, $subject (),); }
        #[test] fn every_other_method_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "serveDish",
        ::dropforge_runtime::contract::Case::OtherMethods, $subject (),); } } mod
        get_photo { #[test] fn each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "getPhoto", ::dropforge_runtime::contract::Case::Examples, $subject (),); }
        #[test] fn what_is_required_is_asked_for() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "getPhoto",
        ::dropforge_runtime::contract::Case::Required, $subject (),); } #[test] fn
        each_constraint_holds_on_both_sides() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "getPhoto",
        ::dropforge_runtime::contract::Case::Constraints, $subject (),); } #[test] fn
        an_accept_that_nothing_fits_is_told() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "getPhoto",
        ::dropforge_runtime::contract::Case::Accept, $subject (),); } #[test] fn
        every_other_method_is_refused() { ::dropforge_runtime::contract::run(& $($api)::+
        ::API, $($api)::+ ::SOURCE_JSON, "getPhoto",
        ::dropforge_runtime::contract::Case::OtherMethods, $subject (),); } } mod
        delete_dishes_other_photo { #[test] fn
        each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "delete_dishes_other_photo", ::dropforge_runtime::contract::Case::Examples,
        $subject (),); } #[test] fn what_is_required_is_asked_for() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "delete_dishes_other_photo", ::dropforge_runtime::contract::Case::Required,
        $subject (),); } #[test] fn each_constraint_holds_on_both_sides() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "delete_dishes_other_photo", ::dropforge_runtime::contract::Case::Constraints,
        $subject (),); } #[test] fn an_accept_that_nothing_fits_is_told() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "delete_dishes_other_photo", ::dropforge_runtime::contract::Case::Accept,
        $subject (),); } #[test] fn every_other_method_is_refused() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "delete_dishes_other_photo", ::dropforge_runtime::contract::Case::OtherMethods,
        $subject (),); } }
    };
}
