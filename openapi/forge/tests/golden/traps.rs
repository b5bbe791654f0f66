/// One type for each schema that has a name.
pub mod types {
    /// Defined at `tests/golden/traps.yaml:66`.
    #[derive(
        Debug,
        Clone,
        Copy,
        PartialEq,
        Eq,
        Hash,
        PartialOrd,
        Ord,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub enum Unit { // tests/golden/traps.yaml:66
        /// `m²`
        #[serde(rename = "m²")]
        M,
        /// `m³`
        #[serde(rename = "m³")]
        M2,
        /// `½`
        #[serde(rename = "½")]
        Empty,
        /// `①`
        #[serde(rename = "①")]
        Empty2,
        /// ``
        #[serde(rename = "")]
        Empty3,
    }
    impl Unit {
        /// Every value, in the document's order.
        pub const ALL: &'static [Unit] = &[
            Unit::M,
            Unit::M2,
            Unit::Empty,
            Unit::Empty2,
            Unit::Empty3,
        ];
        /// The value as the document writes it.
        pub fn as_str(&self) -> &'static str {
            match self {
                Unit::M => "m²",
                Unit::M2 => "m³",
                Unit::Empty => "½",
                Unit::Empty2 => "①",
                Unit::Empty3 => "",
            }
        }
    }
    impl ::std::fmt::Display for Unit {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.write_str(self.as_str())
        }
    }
    impl ::std::str::FromStr for Unit {
        type Err = &'static str;
        fn from_str(text: &str) -> ::std::result::Result<Self, &'static str> {
            match text {
                "m²" => ::std::result::Result::Ok(Unit::M),
                "m³" => ::std::result::Result::Ok(Unit::M2),
                "½" => ::std::result::Result::Ok(Unit::Empty),
                "①" => ::std::result::Result::Ok(Unit::Empty2),
                "" => ::std::result::Result::Ok(Unit::Empty3),
                _ => ::std::result::Result::Err("not a value of Unit"),
            }
        }
    }
    /// Defined at `tests/golden/traps.yaml:67`.
    pub type Seconds = i64; // tests/golden/traps.yaml:67
    /// Defined at `tests/golden/traps.yaml:68`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub struct Tree { // tests/golden/traps.yaml:68
        /// co₂
        ///
        /// Defined at `tests/golden/traps.yaml:71`.
        #[serde(
            rename = "co₂",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub co: ::std::option::Option<f64>, // tests/golden/traps.yaml:71
        /// kids
        ///
        /// Defined at `tests/golden/traps.yaml:72`.
        #[serde(
            rename = "kids",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub kids: ::std::option::Option<self::TreeKidsItem>, // tests/golden/traps.yaml:72
        /// leaves
        ///
        /// Defined at `tests/golden/traps.yaml:73`.
        #[serde(
            rename = "leaves",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub leaves: ::std::option::Option<self::TreeLeavesValue>, // tests/golden/traps.yaml:73
    }
    /// Defined at `tests/golden/traps.yaml:72`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    #[serde(transparent)]
    pub struct TreeKidsItem(pub ::std::vec::Vec<self::TreeKidsItem>); // tests/golden/traps.yaml:72
    /// Defined at `tests/golden/traps.yaml:73`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    #[serde(transparent)]
    pub struct TreeLeavesValue( // tests/golden/traps.yaml:73
        pub ::std::collections::BTreeMap<::std::string::String, self::TreeLeavesValue>,
    );
    /// Defined at `tests/golden/traps.yaml:74`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub struct Form { // tests/golden/traps.yaml:74
        /// name
        ///
        /// Defined at `tests/golden/traps.yaml:77`.
        #[serde(
            rename = "name",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub name: ::std::option::Option<::std::string::String>, // tests/golden/traps.yaml:77
        /// filter
        ///
        /// Defined at `tests/golden/traps.yaml:78`.
        #[serde(
            rename = "filter",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub filter: ::std::option::Option<self::Filter>, // tests/golden/traps.yaml:78
        /// filters
        ///
        /// Defined at `tests/golden/traps.yaml:79`.
        #[serde(
            rename = "filters",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub filters: ::std::option::Option<::std::vec::Vec<self::Filter>>, // tests/golden/traps.yaml:79
    }
    /// Defined at `tests/golden/traps.yaml:80`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub struct Filter { // tests/golden/traps.yaml:80
        /// a
        ///
        /// Defined at `tests/golden/traps.yaml:80`.
        #[serde(rename = "a")]
        pub a: i64, // tests/golden/traps.yaml:80
    }
    /// Defined at `tests/golden/traps.yaml:81`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub struct Stored { // tests/golden/traps.yaml:81
        /// id
        ///
        /// Defined at `tests/golden/traps.yaml:83`.
        #[serde(
            rename = "id",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub id: ::std::option::Option<::std::string::String>, // tests/golden/traps.yaml:83
    }
    /// Defined at `tests/golden/traps.yaml:85`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub struct Either { // tests/golden/traps.yaml:85
        /// a
        ///
        /// Defined at `tests/golden/traps.yaml:87`.
        #[serde(
            rename = "a",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub a: ::std::option::Option<::std::string::String>, // tests/golden/traps.yaml:87
        /// b
        ///
        /// Defined at `tests/golden/traps.yaml:87`.
        #[serde(
            rename = "b",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub b: ::std::option::Option<::std::string::String>, // tests/golden/traps.yaml:87
    }
    /// Defined at `tests/golden/traps.yaml:91`.
    pub type Key = ::std::string::String; // tests/golden/traps.yaml:91
    /// Defined at `tests/golden/traps.yaml:92`.
    #[derive(
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub struct Keys { // tests/golden/traps.yaml:92
        /// owner
        ///
        /// Defined at `tests/golden/traps.yaml:94`.
        #[serde(
            rename = "owner",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub owner: ::std::option::Option<::std::string::String>, // tests/golden/traps.yaml:94
        /// Every other member.
        #[serde(flatten)]
        pub additional: ::std::collections::BTreeMap<::std::string::String, self::Key>,
    }
    impl ::std::fmt::Debug for Keys {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("Keys")
                .field("owner", &self.owner)
                .field("additional", &"…")
                .finish()
        }
    }
    /// Defined at `tests/golden/traps.yaml:96`.
    #[derive(Clone, PartialEq, ::dropforge_runtime::serde::Serialize)]
    #[serde(crate = "::dropforge_runtime::serde")]
    #[serde(untagged)]
    pub enum KeyOrKeys { // tests/golden/traps.yaml:96
        #[allow(missing_docs)]
        Key(self::Key),
        #[allow(missing_docs)]
        KeyTree(::std::boxed::Box<self::KeyTree>),
        #[allow(missing_docs)]
        Integer(i64),
    }
    impl ::std::fmt::Debug for KeyOrKeys {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match self {
                Self::Key(_) => f.debug_tuple("Key").field(&"…").finish(),
                Self::KeyTree(_) => f.debug_tuple("KeyTree").field(&"…").finish(),
                Self::Integer(value) => f.debug_tuple("Integer").field(value).finish(),
            }
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for KeyOrKeys {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> ::std::result::Result<Self, D::Error> {
            let value = <::dropforge_runtime::serde_json::Value as ::dropforge_runtime::serde::Deserialize>::deserialize(
                deserializer,
            )?;
            match ::dropforge_runtime::check::alternative(
                &super::schemas::SCHEMA_23,
                &value,
            ) {
                ::std::option::Option::Some(0usize) => {
                    ::dropforge_runtime::serde_json::from_value(value)
                        .map(KeyOrKeys::Key)
                        .map_err(::dropforge_runtime::serde::de::Error::custom)
                }
                ::std::option::Option::Some(1usize) => {
                    ::dropforge_runtime::serde_json::from_value(value)
                        .map(KeyOrKeys::KeyTree)
                        .map_err(::dropforge_runtime::serde::de::Error::custom)
                }
                ::std::option::Option::Some(2usize) => {
                    ::dropforge_runtime::serde_json::from_value(value)
                        .map(KeyOrKeys::Integer)
                        .map_err(::dropforge_runtime::serde::de::Error::custom)
                }
                _ => {
                    ::std::result::Result::Err(
                        ::dropforge_runtime::serde::de::Error::custom(
                            "none of the alternatives of KeyOrKeys",
                        ),
                    )
                }
            }
        }
    }
    /// Defined at `tests/golden/traps.yaml:101`.
    #[derive(
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    #[serde(transparent)]
    pub struct KeyTree(pub ::std::vec::Vec<self::KeyOrKeys>); // tests/golden/traps.yaml:101
    impl ::std::fmt::Debug for KeyTree {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_tuple("KeyTree").field(&"…").finish()
        }
    }
    /// Defined at `tests/golden/traps.yaml:102`.
    #[derive(
        Debug,
        Clone,
        Copy,
        PartialEq,
        Eq,
        Hash,
        PartialOrd,
        Ord,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub enum Chosen { // tests/golden/traps.yaml:102
        /// `red`
        #[serde(rename = "red")]
        Red,
    }
    impl Chosen {
        /// Every value, in the document's order.
        pub const ALL: &'static [Chosen] = &[Chosen::Red];
        /// The value as the document writes it.
        pub fn as_str(&self) -> &'static str {
            match self {
                Chosen::Red => "red",
            }
        }
    }
    impl ::std::fmt::Display for Chosen {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.write_str(self.as_str())
        }
    }
    impl ::std::str::FromStr for Chosen {
        type Err = &'static str;
        fn from_str(text: &str) -> ::std::result::Result<Self, &'static str> {
            match text {
                "red" => ::std::result::Result::Ok(Chosen::Red),
                _ => ::std::result::Result::Err("not a value of Chosen"),
            }
        }
    }
    /// Defined at `tests/golden/traps.yaml:103`.
    #[derive(
        Debug,
        Clone,
        Copy,
        PartialEq,
        Eq,
        Hash,
        PartialOrd,
        Ord,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub enum ChosenOrNot { // tests/golden/traps.yaml:103
        /// `red`
        #[serde(rename = "red")]
        Red,
    }
    impl ChosenOrNot {
        /// Every value, in the document's order.
        pub const ALL: &'static [ChosenOrNot] = &[ChosenOrNot::Red];
        /// The value as the document writes it.
        pub fn as_str(&self) -> &'static str {
            match self {
                ChosenOrNot::Red => "red",
            }
        }
    }
    impl ::std::fmt::Display for ChosenOrNot {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.write_str(self.as_str())
        }
    }
    impl ::std::str::FromStr for ChosenOrNot {
        type Err = &'static str;
        fn from_str(text: &str) -> ::std::result::Result<Self, &'static str> {
            match text {
                "red" => ::std::result::Result::Ok(ChosenOrNot::Red),
                _ => ::std::result::Result::Err("not a value of ChosenOrNot"),
            }
        }
    }
    /// Defined at `tests/golden/traps.yaml:104`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub struct Choice { // tests/golden/traps.yaml:104
        /// chosen
        ///
        /// Defined at `tests/golden/traps.yaml:107`.
        #[serde(
            rename = "chosen",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub chosen: ::std::option::Option<self::Chosen>, // tests/golden/traps.yaml:107
        /// chosenOrNot
        ///
        /// Defined at `tests/golden/traps.yaml:108`.
        #[serde(
            rename = "chosenOrNot",
            default,
            skip_serializing_if = "::std::option::Option::is_none",
            deserialize_with = "::dropforge_runtime::fields::optional_nullable"
        )]
        pub chosen_or_not: ::std::option::Option< // tests/golden/traps.yaml:108
            ::std::option::Option<self::ChosenOrNot>,
        >,
    }
    /// Defined at `tests/golden/traps.yaml:109`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub struct Pet { // tests/golden/traps.yaml:109
        /// petType
        ///
        /// Defined at `tests/golden/traps.yaml:112`.
        #[serde(rename = "petType")]
        pub pet_type: ::std::string::String, // tests/golden/traps.yaml:112
    }
    /// Defined at `tests/golden/traps.yaml:116`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub struct Cat { // tests/golden/traps.yaml:116
        /// petType
        ///
        /// Defined at `tests/golden/traps.yaml:112`.
        #[serde(rename = "petType")]
        pub pet_type: ::std::string::String, // tests/golden/traps.yaml:112
        /// name
        ///
        /// Defined at `tests/golden/traps.yaml:121`.
        #[serde(rename = "name")]
        pub name: ::std::string::String, // tests/golden/traps.yaml:121
    }
    /// Defined at `tests/golden/traps.yaml:122`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub struct Dog { // tests/golden/traps.yaml:122
        /// petType
        ///
        /// Defined at `tests/golden/traps.yaml:112`.
        #[serde(rename = "petType")]
        pub pet_type: ::std::string::String, // tests/golden/traps.yaml:112
        /// bark
        ///
        /// Defined at `tests/golden/traps.yaml:126`.
        #[serde(
            rename = "bark",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub bark: ::std::option::Option<::std::string::String>, // tests/golden/traps.yaml:126
    }
    /// Defined at `tests/golden/traps.yaml:127`.
    pub type Words = ::std::string::String; // tests/golden/traps.yaml:127
    /// Defined at `tests/golden/traps.yaml:128`.
    pub type Looking = ::std::string::String; // tests/golden/traps.yaml:128
    /// Defined at `tests/golden/traps.yaml:30`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub struct AddTreeOkXFilter { // tests/golden/traps.yaml:30
        /// a
        ///
        /// Defined at `tests/golden/traps.yaml:30`.
        #[serde(
            rename = "a",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub a: ::std::option::Option<::std::string::String>, // tests/golden/traps.yaml:30
    }
}
/// The parameters of each operation.
pub mod parameters {
    /// Parameters of `reject`.
    ///
    /// Defined at `tests/golden/traps.yaml:10`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub struct Reject { // tests/golden/traps.yaml:10
        /// id
        ///
        /// Defined at `tests/golden/traps.yaml:9`.
        #[serde(rename = "id")]
        pub id: ::std::string::String, // tests/golden/traps.yaml:9
    }
    /// Parameters of `list_trees`.
    ///
    /// Defined at `tests/golden/traps.yaml:13`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub struct ListTrees { // tests/golden/traps.yaml:13
        /// id
        ///
        /// Defined at `tests/golden/traps.yaml:12`.
        #[serde(rename = "id")]
        pub id: ::std::string::String, // tests/golden/traps.yaml:12
    }
}
/// One type for each response.
pub mod responses {
    /// Done
    ///
    /// Defined at `tests/golden/traps.yaml:10`.
    #[derive(Debug)]
    pub struct RejectNoContent {} // tests/golden/traps.yaml:10
    impl RejectNoContent {
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
    /// Done
    ///
    /// Defined at `tests/golden/traps.yaml:13`.
    #[derive(Debug)]
    pub struct ListTreesNoContent {} // tests/golden/traps.yaml:13
    impl ListTreesNoContent {
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
    /// Done
    ///
    /// Defined at `tests/golden/traps.yaml:15`.
    #[derive(Debug)]
    pub struct ABNoContent {} // tests/golden/traps.yaml:15
    impl ABNoContent {
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
    /// Done
    ///
    /// Defined at `tests/golden/traps.yaml:16`.
    #[derive(Debug)]
    pub struct AbNoContent {} // tests/golden/traps.yaml:16
    impl AbNoContent {
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
    /// The tree.
    ///
    /// Defined at `tests/golden/traps.yaml:25`.
    #[derive(Debug)]
    pub struct AddTreeOk { // tests/golden/traps.yaml:25
        /// x-unit
        ///
        /// Defined at `tests/golden/traps.yaml:28`.
        pub x_unit: super::types::Unit, // tests/golden/traps.yaml:28
        /// x-wait
        ///
        /// Defined at `tests/golden/traps.yaml:29`.
        pub x_wait: super::types::Seconds, // tests/golden/traps.yaml:29
        /// x-filter
        ///
        /// Defined at `tests/golden/traps.yaml:30`.
        pub x_filter: ::std::option::Option<::std::string::String>, // tests/golden/traps.yaml:30
        /// Set-Cookie
        ///
        /// Defined at `tests/golden/traps.yaml:31`.
        pub set_cookie: ::std::vec::Vec<::std::string::String>, // tests/golden/traps.yaml:31
        /// The body.
        pub body: super::types::Tree,
    }
    impl AddTreeOk {
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
            let reply = reply
                .header(
                    const {
                        ::dropforge_runtime::http::HeaderName::from_static("x-unit")
                    },
                    &self.x_unit,
                );
            let reply = reply
                .header_integer(
                    const {
                        ::dropforge_runtime::http::HeaderName::from_static("x-wait")
                    },
                    self.x_wait,
                );
            let reply = match self.x_filter {
                Some(value) => {
                    reply
                        .header_text(
                            const {
                                ::dropforge_runtime::http::HeaderName::from_static(
                                    "x-filter",
                                )
                            },
                            value,
                        )
                }
                None => reply,
            };
            let reply = reply
                .header_as(
                    const {
                        ::dropforge_runtime::http::HeaderName::from_static("set-cookie")
                    },
                    &self.set_cookie,
                );
            reply
        }
    }
    /// A file.
    ///
    /// Defined at `tests/golden/traps.yaml:34`.
    #[derive(Debug)]
    pub struct AddTreeSuccess { // tests/golden/traps.yaml:34
        /// The body.
        pub body: ::dropforge_runtime::bytes::Bytes,
    }
    impl AddTreeSuccess {
        #[allow(unused_variables)]
        pub(super) fn into_reply(
            self,
            status: ::dropforge_runtime::http::StatusCode,
            accept: &::dropforge_runtime::Accept,
        ) -> ::dropforge_runtime::Reply {
            let reply = ::dropforge_runtime::Reply::bytes(
                status,
                "application/octet-stream",
                self.body,
            );
            reply
        }
    }
    /// Done
    ///
    /// Defined at `tests/golden/traps.yaml:45`.
    #[derive(Debug)]
    pub struct AddPetNoContent {} // tests/golden/traps.yaml:45
    impl AddPetNoContent {
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
    /// Done
    ///
    /// Defined at `tests/golden/traps.yaml:53`.
    #[derive(Debug)]
    pub struct FillNoContent {} // tests/golden/traps.yaml:53
    impl FillNoContent {
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
    /// A key.
    ///
    /// Defined at `tests/golden/traps.yaml:58`.
    pub struct ReadKeyOk { // tests/golden/traps.yaml:58
        /// x-key
        ///
        /// Defined at `tests/golden/traps.yaml:60`.
        pub x_key: super::types::Key, // tests/golden/traps.yaml:60
        /// The body.
        pub body: super::types::Key,
    }
    impl ::std::fmt::Debug for ReadKeyOk {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("ReadKeyOk")
                .field("x_key", &"…")
                .field("body", &"…")
                .finish()
        }
    }
    impl ReadKeyOk {
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
            let reply = reply
                .header_text(
                    const {
                        ::dropforge_runtime::http::HeaderName::from_static("x-key")
                    },
                    self.x_key,
                );
            reply
        }
    }
}
/// Who may call, and how a refusal looks.
pub trait Security: ::std::marker::Sized + ::std::marker::Send + ::std::marker::Sync + 'static {
    /// What every call has at hand.
    type Context: ::dropforge_runtime::dropshot::ServerContext
        + ::dropforge_runtime::Observe;
    /// Who `list_trees` says is calling.
    ///
    /// Defined at `tests/golden/traps.yaml:64`.
    type ListTrees: ::std::marker::Send; // tests/golden/traps.yaml:64
    /// Finds out who presents these credentials of `list_trees`, and whether they hold `scopes`.
    ///
    /// Defined at `tests/golden/traps.yaml:64`.
    fn list_trees( // tests/golden/traps.yaml:64
        call: &::dropforge_runtime::Call<Self::Context>,
        credentials: ::dropforge_runtime::ApiKey,
        scopes: &'static [&'static str],
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<Self::ListTrees, ::dropforge_runtime::Denied>,
    > + ::std::marker::Send; // tests/golden/traps.yaml:64
    /// The document's own shape for everything that is refused before
    /// or around an operation.
    fn reject(
        call: &::dropforge_runtime::Call<Self::Context>,
        rejection: ::dropforge_runtime::Rejection,
    ) -> ::dropforge_runtime::Reply;
}
/// Traps 1.
///
/// Each method is an operation of the document; its return type lists the responses.
///
/// Defined at `tests/golden/traps.yaml:1`.
pub trait Traps: Security { // tests/golden/traps.yaml:1
    /// `GET /v1/orders/{id}/items`
    ///
    /// Defined at `tests/golden/traps.yaml:10`.
    fn reject2( // tests/golden/traps.yaml:10
        call: ::dropforge_runtime::Call<Self::Context>,
        caller: <Self as Security>::ListTrees,
        parameters: parameters::Reject,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<RejectResponse, RejectError>,
    > + ::std::marker::Send; // tests/golden/traps.yaml:10
    /// `GET /v1/orders/by-email/{id}`
    ///
    /// Defined at `tests/golden/traps.yaml:13`.
    fn list_trees2( // tests/golden/traps.yaml:13
        call: ::dropforge_runtime::Call<Self::Context>,
        caller: <Self as Security>::ListTrees,
        parameters: parameters::ListTrees,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<ListTreesResponse, ListTreesError>,
    > + ::std::marker::Send; // tests/golden/traps.yaml:13
    /// `GET /v1/a%2Fb/%7Bc%7D`
    ///
    /// Defined at `tests/golden/traps.yaml:15`.
    fn ab( // tests/golden/traps.yaml:15
        call: ::dropforge_runtime::Call<Self::Context>,
        caller: <Self as Security>::ListTrees,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<ABResponse, ABError>,
    > + ::std::marker::Send; // tests/golden/traps.yaml:15
    /// `PUT /v1/a%2Fb/%7Bc%7D`
    ///
    /// Defined at `tests/golden/traps.yaml:16`.
    fn ab2( // tests/golden/traps.yaml:16
        call: ::dropforge_runtime::Call<Self::Context>,
        caller: <Self as Security>::ListTrees,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<AbResponse, AbError>,
    > + ::std::marker::Send; // tests/golden/traps.yaml:16
    /// `POST /v1/trees`
    ///
    /// Defined at `tests/golden/traps.yaml:19`.
    fn add_tree( // tests/golden/traps.yaml:19
        call: ::dropforge_runtime::Call<Self::Context>,
        caller: <Self as Security>::ListTrees,
        body: types::Tree,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<AddTreeResponse, AddTreeError>,
    > + ::std::marker::Send; // tests/golden/traps.yaml:19
    /// `POST /v1/pets`
    ///
    /// Defined at `tests/golden/traps.yaml:40`.
    fn add_pet( // tests/golden/traps.yaml:40
        call: ::dropforge_runtime::Call<Self::Context>,
        caller: <Self as Security>::ListTrees,
        body: types::Pet,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<AddPetResponse, AddPetError>,
    > + ::std::marker::Send; // tests/golden/traps.yaml:40
    /// `POST /v1/forms`
    ///
    /// Defined at `tests/golden/traps.yaml:48`.
    fn fill( // tests/golden/traps.yaml:48
        call: ::dropforge_runtime::Call<Self::Context>,
        caller: <Self as Security>::ListTrees,
        body: types::Form,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<FillResponse, FillError>,
    > + ::std::marker::Send; // tests/golden/traps.yaml:48
    /// `GET /v1/keys`
    ///
    /// Defined at `tests/golden/traps.yaml:56`.
    fn read_key( // tests/golden/traps.yaml:56
        call: ::dropforge_runtime::Call<Self::Context>,
        caller: <Self as Security>::ListTrees,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<ReadKeyResponse, ReadKeyError>,
    > + ::std::marker::Send; // tests/golden/traps.yaml:56
}
/// The responses of `reject`.
///
/// Defined at `tests/golden/traps.yaml:10`.
#[derive(Debug)]
pub enum RejectResponse { // tests/golden/traps.yaml:10
    /// Done
    ///
    /// Defined at `tests/golden/traps.yaml:10`.
    NoContent(responses::RejectNoContent), // tests/golden/traps.yaml:10
}
impl ::dropforge_runtime::IntoReply for RejectResponse {
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
impl ::std::convert::From<responses::RejectNoContent> for RejectResponse {
    fn from(response: responses::RejectNoContent) -> Self {
        Self::NoContent(response)
    }
}
/// What `reject` refuses with.
///
/// Defined at `tests/golden/traps.yaml:10`.
#[derive(Debug)]
pub enum RejectError {} // tests/golden/traps.yaml:10
impl ::dropforge_runtime::IntoReply for RejectError {
    #[allow(unused_variables)]
    fn into_reply(
        self,
        accept: &::dropforge_runtime::Accept,
    ) -> ::dropforge_runtime::Reply {
        match self {}
    }
}
/// The responses of `list_trees`.
///
/// Defined at `tests/golden/traps.yaml:13`.
#[derive(Debug)]
pub enum ListTreesResponse { // tests/golden/traps.yaml:13
    /// Done
    ///
    /// Defined at `tests/golden/traps.yaml:13`.
    NoContent(responses::ListTreesNoContent), // tests/golden/traps.yaml:13
}
impl ::dropforge_runtime::IntoReply for ListTreesResponse {
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
impl ::std::convert::From<responses::ListTreesNoContent> for ListTreesResponse {
    fn from(response: responses::ListTreesNoContent) -> Self {
        Self::NoContent(response)
    }
}
/// What `list_trees` refuses with.
///
/// Defined at `tests/golden/traps.yaml:13`.
#[derive(Debug)]
pub enum ListTreesError {} // tests/golden/traps.yaml:13
impl ::dropforge_runtime::IntoReply for ListTreesError {
    #[allow(unused_variables)]
    fn into_reply(
        self,
        accept: &::dropforge_runtime::Accept,
    ) -> ::dropforge_runtime::Reply {
        match self {}
    }
}
/// The responses of `a_b`.
///
/// Defined at `tests/golden/traps.yaml:15`.
#[derive(Debug)]
pub enum ABResponse { // tests/golden/traps.yaml:15
    /// Done
    ///
    /// Defined at `tests/golden/traps.yaml:15`.
    NoContent(responses::ABNoContent), // tests/golden/traps.yaml:15
}
impl ::dropforge_runtime::IntoReply for ABResponse {
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
impl ::std::convert::From<responses::ABNoContent> for ABResponse {
    fn from(response: responses::ABNoContent) -> Self {
        Self::NoContent(response)
    }
}
/// What `a_b` refuses with.
///
/// Defined at `tests/golden/traps.yaml:15`.
#[derive(Debug)]
pub enum ABError {} // tests/golden/traps.yaml:15
impl ::dropforge_runtime::IntoReply for ABError {
    #[allow(unused_variables)]
    fn into_reply(
        self,
        accept: &::dropforge_runtime::Accept,
    ) -> ::dropforge_runtime::Reply {
        match self {}
    }
}
/// The responses of `ab`.
///
/// Defined at `tests/golden/traps.yaml:16`.
#[derive(Debug)]
pub enum AbResponse { // tests/golden/traps.yaml:16
    /// Done
    ///
    /// Defined at `tests/golden/traps.yaml:16`.
    NoContent(responses::AbNoContent), // tests/golden/traps.yaml:16
}
impl ::dropforge_runtime::IntoReply for AbResponse {
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
impl ::std::convert::From<responses::AbNoContent> for AbResponse {
    fn from(response: responses::AbNoContent) -> Self {
        Self::NoContent(response)
    }
}
/// What `ab` refuses with.
///
/// Defined at `tests/golden/traps.yaml:16`.
#[derive(Debug)]
pub enum AbError {} // tests/golden/traps.yaml:16
impl ::dropforge_runtime::IntoReply for AbError {
    #[allow(unused_variables)]
    fn into_reply(
        self,
        accept: &::dropforge_runtime::Accept,
    ) -> ::dropforge_runtime::Reply {
        match self {}
    }
}
/// The responses of `addTree`.
///
/// Defined at `tests/golden/traps.yaml:19`.
#[derive(Debug)]
pub enum AddTreeResponse { // tests/golden/traps.yaml:19
    /// The tree.
    ///
    /// Defined at `tests/golden/traps.yaml:25`.
    Ok(responses::AddTreeOk), // tests/golden/traps.yaml:25
    /// A file.
    ///
    /// Defined at `tests/golden/traps.yaml:34`.
    Success(::dropforge_runtime::http::StatusCode, responses::AddTreeSuccess), // tests/golden/traps.yaml:34
}
impl ::dropforge_runtime::IntoReply for AddTreeResponse {
    #[allow(unused_variables)]
    fn into_reply(
        self,
        accept: &::dropforge_runtime::Accept,
    ) -> ::dropforge_runtime::Reply {
        match self {
            Self::Ok(response) => {
                response.into_reply(::dropforge_runtime::status(200u16), accept)
            }
            Self::Success(status, response) => response.into_reply(status, accept),
        }
    }
}
impl ::std::convert::From<responses::AddTreeOk> for AddTreeResponse {
    fn from(response: responses::AddTreeOk) -> Self {
        Self::Ok(response)
    }
}
/// What `addTree` refuses with.
///
/// Defined at `tests/golden/traps.yaml:19`.
#[derive(Debug)]
pub enum AddTreeError {} // tests/golden/traps.yaml:19
impl ::dropforge_runtime::IntoReply for AddTreeError {
    #[allow(unused_variables)]
    fn into_reply(
        self,
        accept: &::dropforge_runtime::Accept,
    ) -> ::dropforge_runtime::Reply {
        match self {}
    }
}
/// The responses of `addPet`.
///
/// Defined at `tests/golden/traps.yaml:40`.
#[derive(Debug)]
pub enum AddPetResponse { // tests/golden/traps.yaml:40
    /// Done
    ///
    /// Defined at `tests/golden/traps.yaml:45`.
    NoContent(responses::AddPetNoContent), // tests/golden/traps.yaml:45
}
impl ::dropforge_runtime::IntoReply for AddPetResponse {
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
impl ::std::convert::From<responses::AddPetNoContent> for AddPetResponse {
    fn from(response: responses::AddPetNoContent) -> Self {
        Self::NoContent(response)
    }
}
/// What `addPet` refuses with.
///
/// Defined at `tests/golden/traps.yaml:40`.
#[derive(Debug)]
pub enum AddPetError {} // tests/golden/traps.yaml:40
impl ::dropforge_runtime::IntoReply for AddPetError {
    #[allow(unused_variables)]
    fn into_reply(
        self,
        accept: &::dropforge_runtime::Accept,
    ) -> ::dropforge_runtime::Reply {
        match self {}
    }
}
/// The responses of `fill`.
///
/// Defined at `tests/golden/traps.yaml:48`.
#[derive(Debug)]
pub enum FillResponse { // tests/golden/traps.yaml:48
    /// Done
    ///
    /// Defined at `tests/golden/traps.yaml:53`.
    NoContent(responses::FillNoContent), // tests/golden/traps.yaml:53
}
impl ::dropforge_runtime::IntoReply for FillResponse {
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
impl ::std::convert::From<responses::FillNoContent> for FillResponse {
    fn from(response: responses::FillNoContent) -> Self {
        Self::NoContent(response)
    }
}
/// What `fill` refuses with.
///
/// Defined at `tests/golden/traps.yaml:48`.
#[derive(Debug)]
pub enum FillError {} // tests/golden/traps.yaml:48
impl ::dropforge_runtime::IntoReply for FillError {
    #[allow(unused_variables)]
    fn into_reply(
        self,
        accept: &::dropforge_runtime::Accept,
    ) -> ::dropforge_runtime::Reply {
        match self {}
    }
}
/// The responses of `readKey`.
///
/// Defined at `tests/golden/traps.yaml:56`.
#[derive(Debug)]
pub enum ReadKeyResponse { // tests/golden/traps.yaml:56
    /// A key.
    ///
    /// Defined at `tests/golden/traps.yaml:58`.
    Ok(responses::ReadKeyOk), // tests/golden/traps.yaml:58
}
impl ::dropforge_runtime::IntoReply for ReadKeyResponse {
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
impl ::std::convert::From<responses::ReadKeyOk> for ReadKeyResponse {
    fn from(response: responses::ReadKeyOk) -> Self {
        Self::Ok(response)
    }
}
/// What `readKey` refuses with.
///
/// Defined at `tests/golden/traps.yaml:56`.
#[derive(Debug)]
pub enum ReadKeyError {} // tests/golden/traps.yaml:56
impl ::dropforge_runtime::IntoReply for ReadKeyError {
    #[allow(unused_variables)]
    fn into_reply(
        self,
        accept: &::dropforge_runtime::Accept,
    ) -> ::dropforge_runtime::Reply {
        match self {}
    }
}
/// Traps 1 as the runtime's tables.
///
/// Defined at `tests/golden/traps.yaml:1`.
pub static API: ::dropforge_runtime::table::Api = ::dropforge_runtime::table::Api { // tests/golden/traps.yaml:1
    name: "traps",
    title: "Traps",
    version: "1",
    base_path: "/v1",
    document: "{\"openapi\":\"3.0.3\",\"info\":{\"title\":\"Traps\",\"version\":\"1\"},\"servers\":[{\"url\":\"https://example.com/{version}/\",\"variables\":{\"version\":{\"default\":\"v1\"}}}],\"security\":[{\"list_trees\":[]}],\"paths\":{\"/orders/{id}/items\":{\"parameters\":[{\"name\":\"id\",\"in\":\"path\",\"required\":true,\"schema\":{\"type\":\"string\"}}],\"get\":{\"operationId\":\"reject\",\"responses\":{\"204\":{\"description\":\"Done\"}}}},\"/orders/by-email/{id}\":{\"parameters\":[{\"name\":\"id\",\"in\":\"path\",\"required\":true,\"schema\":{\"type\":\"string\"}}],\"get\":{\"operationId\":\"list_trees\",\"responses\":{\"204\":{\"description\":\"Done\"}}}},\"/a%2Fb/%7Bc%7D\":{\"get\":{\"operationId\":\"a_b\",\"responses\":{\"204\":{\"description\":\"Done\"}}},\"put\":{\"operationId\":\"ab\",\"responses\":{\"204\":{\"description\":\"Done\"}}}},\"/trees\":{\"post\":{\"operationId\":\"addTree\",\"requestBody\":{\"required\":true,\"content\":{\"*/*\":{\"schema\":{\"$ref\":\"#/components/schemas/Tree\"}}}},\"responses\":{\"200\":{\"description\":\"The tree.\",\"headers\":{\"x-unit\":{\"required\":true,\"schema\":{\"$ref\":\"#/components/schemas/Unit\"}},\"x-wait\":{\"required\":true,\"schema\":{\"$ref\":\"#/components/schemas/Seconds\"}},\"x-filter\":{\"schema\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}}}},\"Set-Cookie\":{\"required\":true,\"schema\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}},\"content\":{\"application/*\":{\"schema\":{\"$ref\":\"#/components/schemas/Tree\"}}}},\"2XX\":{\"description\":\"A file.\",\"content\":{\"image/*\":{\"schema\":{\"type\":\"string\",\"format\":\"binary\"}}}}}}},\"/pets\":{\"post\":{\"operationId\":\"addPet\",\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Pet\"}}}},\"responses\":{\"204\":{\"description\":\"Done\"}}}},\"/forms\":{\"post\":{\"operationId\":\"fill\",\"requestBody\":{\"required\":true,\"content\":{\"application/x-www-form-urlencoded\":{\"schema\":{\"$ref\":\"#/components/schemas/Form\"}}}},\"responses\":{\"204\":{\"description\":\"Done\"}}}},\"/keys\":{\"get\":{\"operationId\":\"readKey\",\"responses\":{\"200\":{\"description\":\"A key.\",\"headers\":{\"x-key\":{\"required\":true,\"schema\":{\"$ref\":\"#/components/schemas/Key\"}}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Key\"}}}}}}}},\"components\":{\"securitySchemes\":{\"list_trees\":{\"type\":\"apiKey\",\"in\":\"header\",\"name\":\"x-key\"}},\"schemas\":{\"Unit\":{\"type\":\"string\",\"enum\":[\"m²\",\"m³\",\"½\",\"①\",\"\"]},\"Seconds\":{\"type\":\"integer\"},\"Tree\":{\"type\":\"object\",\"properties\":{\"co₂\":{\"type\":\"number\"},\"kids\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/Tree/properties/kids\"}},\"leaves\":{\"type\":\"object\",\"additionalProperties\":{\"$ref\":\"#/components/schemas/Tree/properties/leaves\"}}}},\"Form\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},\"filter\":{\"$ref\":\"#/components/schemas/Filter\"},\"filters\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/Filter\"}}}},\"Filter\":{\"type\":\"object\",\"required\":[\"a\"],\"properties\":{\"a\":{\"type\":\"integer\"}},\"additionalProperties\":false},\"Stored\":{\"allOf\":[{\"properties\":{\"id\":{\"type\":\"string\",\"readOnly\":true}}},{\"required\":[\"id\"]}]},\"Either\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{\"type\":\"string\"}},\"oneOf\":[{\"required\":[\"a\"]},{\"required\":[\"b\"]}]},\"Key\":{\"type\":\"string\",\"x-dropforge-secret\":true},\"Keys\":{\"type\":\"object\",\"properties\":{\"owner\":{\"type\":\"string\"}},\"additionalProperties\":{\"$ref\":\"#/components/schemas/Key\"}},\"KeyOrKeys\":{\"oneOf\":[{\"$ref\":\"#/components/schemas/Key\"},{\"$ref\":\"#/components/schemas/KeyTree\"},{\"type\":\"integer\"}]},\"KeyTree\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/KeyOrKeys\"}},\"Chosen\":{\"type\":\"string\",\"nullable\":true,\"enum\":[\"red\"]},\"ChosenOrNot\":{\"type\":\"string\",\"nullable\":true,\"enum\":[\"red\",null]},\"Choice\":{\"type\":\"object\",\"properties\":{\"chosen\":{\"$ref\":\"#/components/schemas/Chosen\"},\"chosenOrNot\":{\"$ref\":\"#/components/schemas/ChosenOrNot\"}}},\"Pet\":{\"type\":\"object\",\"required\":[\"petType\"],\"properties\":{\"petType\":{\"type\":\"string\"}},\"discriminator\":{\"propertyName\":\"petType\",\"mapping\":{\"dog\":\"Dog\"}}},\"Cat\":{\"allOf\":[{\"$ref\":\"#/components/schemas/Pet\"},{\"type\":\"object\",\"required\":[\"name\"],\"properties\":{\"name\":{\"type\":\"string\"}}}]},\"Dog\":{\"allOf\":[{\"$ref\":\"#/components/schemas/Pet\"},{\"type\":\"object\",\"properties\":{\"bark\":{\"type\":\"string\"}}}]},\"Words\":{\"type\":\"string\",\"pattern\":\"^(\\\\w+\\\\s?)*$\"},\"Looking\":{\"type\":\"string\",\"pattern\":\"^(?=.*\\\\d)\\\\w+$\"}}}}",
    operations: &[
        &operations::REJECT,
        &operations::LIST_TREES,
        &operations::AB,
        &operations::AB2,
        &operations::ADD_TREE,
        &operations::ADD_PET,
        &operations::FILL,
        &operations::READ_KEY,
    ],
    not_found: &[],
    request_ids: &operations::REQUEST_IDS,
    is_prototype: false,
};
/// One table for each operation.
pub mod operations {
    use super::schemas;
    use ::dropforge_runtime::table::*;
    pub(super) static REQUEST_IDS: [::dropforge_runtime::http::HeaderName; 0usize] = [];
    static HEADERS_0: [Header; 0usize] = [];
    static MEDIA_0: [MediaType; 0usize] = [];
    static HEADERS_1: [Header; 0usize] = [];
    static MEDIA_1: [MediaType; 0usize] = [];
    static HEADERS_2: [Header; 0usize] = [];
    static MEDIA_2: [MediaType; 0usize] = [];
    static HEADERS_3: [Header; 0usize] = [];
    static MEDIA_3: [MediaType; 0usize] = [];
    static HEADERS_4: [Header; 4usize] = [
        Header {
            name: "x-unit",
            required: true,
            schema: &schemas::SCHEMA_0,
            source: HeaderSource::Handler,
        },
        Header {
            name: "x-wait",
            required: true,
            schema: &schemas::SCHEMA_1,
            source: HeaderSource::Handler,
        },
        Header {
            name: "x-filter",
            required: false,
            schema: &schemas::SCHEMA_43,
            source: HeaderSource::Handler,
        },
        Header {
            name: "Set-Cookie",
            required: true,
            schema: &schemas::SCHEMA_44,
            source: HeaderSource::Handler,
        },
    ];
    static MEDIA_4: [MediaType; 1usize] = [
        MediaType {
            name: "application/*",
            codec: Codec::Json,
            schema: ::std::option::Option::Some(&schemas::SCHEMA_2),
            raw: false,
            stream: ::dropforge_runtime::table::Framing {
                terminator: ::std::option::Option::None,
                event: ::std::option::Option::None,
            },
        },
    ];
    static HEADERS_5: [Header; 0usize] = [];
    static MEDIA_5: [MediaType; 1usize] = [
        MediaType {
            name: "image/*",
            codec: Codec::Binary,
            schema: ::std::option::Option::Some(&schemas::SCHEMA_46),
            raw: false,
            stream: ::dropforge_runtime::table::Framing {
                terminator: ::std::option::Option::None,
                event: ::std::option::Option::None,
            },
        },
    ];
    static HEADERS_6: [Header; 0usize] = [];
    static MEDIA_6: [MediaType; 0usize] = [];
    static HEADERS_7: [Header; 0usize] = [];
    static MEDIA_7: [MediaType; 0usize] = [];
    static HEADERS_8: [Header; 1usize] = [
        Header {
            name: "x-key",
            required: true,
            schema: &schemas::SCHEMA_20,
            source: HeaderSource::Handler,
        },
    ];
    static MEDIA_8: [MediaType; 1usize] = [
        MediaType {
            name: "application/json",
            codec: Codec::Json,
            schema: ::std::option::Option::Some(&schemas::SCHEMA_20),
            raw: false,
            stream: ::dropforge_runtime::table::Framing {
                terminator: ::std::option::Option::None,
                event: ::std::option::Option::None,
            },
        },
    ];
    /// `GET /v1/orders/{id}/items`
    ///
    /// Defined at `tests/golden/traps.yaml:10`.
    pub static REJECT: Operation = Operation { // tests/golden/traps.yaml:10
        id: "reject",
        method: ::dropforge_runtime::http::Method::GET,
        path: "/v1/orders/{id}/items",
        segments: &[
            Segment::Literal("v1"),
            Segment::Literal("orders"),
            Segment::Variable("id"),
            Segment::Literal("items"),
        ],
        route: "/v1/{segment1}/{segment2}/{segment3}",
        pointer: "/paths/~1orders~1{id}~1items/get",
        parameters: &[
            Parameter {
                name: "id",
                location: ::dropforge_runtime::table::ParameterIn::Path,
                required: true,
                style: Style::Simple,
                explode: false,
                json: false,
                schema: &schemas::SCHEMA_39,
            },
        ],
        body: ::std::option::Option::None,
        responses: &[
            Response {
                status: Status::Code(204),
                headers: &HEADERS_0,
                media: &MEDIA_0,
            },
        ],
        method_not_allowed: ::std::option::Option::None,
        security: &[
            Requirement {
                all: &[
                    SchemeUse {
                        name: "list_trees",
                        scheme: Scheme::ApiKey {
                            location: ::dropforge_runtime::table::ParameterIn::Header,
                            name: "x-key",
                        },
                        scopes: &[],
                    },
                ],
            },
        ],
        max_body_bytes: 1048576,
    };
    /// `GET /v1/orders/by-email/{id}`
    ///
    /// Defined at `tests/golden/traps.yaml:13`.
    pub static LIST_TREES: Operation = Operation { // tests/golden/traps.yaml:13
        id: "list_trees",
        method: ::dropforge_runtime::http::Method::GET,
        path: "/v1/orders/by-email/{id}",
        segments: &[
            Segment::Literal("v1"),
            Segment::Literal("orders"),
            Segment::Literal("by-email"),
            Segment::Variable("id"),
        ],
        route: "/v1/{segment1}/{segment2}/{segment3}",
        pointer: "/paths/~1orders~1by-email~1{id}/get",
        parameters: &[
            Parameter {
                name: "id",
                location: ::dropforge_runtime::table::ParameterIn::Path,
                required: true,
                style: Style::Simple,
                explode: false,
                json: false,
                schema: &schemas::SCHEMA_40,
            },
        ],
        body: ::std::option::Option::None,
        responses: &[
            Response {
                status: Status::Code(204),
                headers: &HEADERS_1,
                media: &MEDIA_1,
            },
        ],
        method_not_allowed: ::std::option::Option::None,
        security: &[
            Requirement {
                all: &[
                    SchemeUse {
                        name: "list_trees",
                        scheme: Scheme::ApiKey {
                            location: ::dropforge_runtime::table::ParameterIn::Header,
                            name: "x-key",
                        },
                        scopes: &[],
                    },
                ],
            },
        ],
        max_body_bytes: 1048576,
    };
    /// `GET /v1/a%2Fb/%7Bc%7D`
    ///
    /// Defined at `tests/golden/traps.yaml:15`.
    pub static AB: Operation = Operation { // tests/golden/traps.yaml:15
        id: "a_b",
        method: ::dropforge_runtime::http::Method::GET,
        path: "/v1/a%2Fb/%7Bc%7D",
        segments: &[
            Segment::Literal("v1"),
            Segment::Literal("a/b"),
            Segment::Literal("{c}"),
        ],
        route: "/v1/{segment1}/{segment2}",
        pointer: "/paths/~1a%2Fb~1%7Bc%7D/get",
        parameters: &[],
        body: ::std::option::Option::None,
        responses: &[
            Response {
                status: Status::Code(204),
                headers: &HEADERS_2,
                media: &MEDIA_2,
            },
        ],
        method_not_allowed: ::std::option::Option::None,
        security: &[
            Requirement {
                all: &[
                    SchemeUse {
                        name: "list_trees",
                        scheme: Scheme::ApiKey {
                            location: ::dropforge_runtime::table::ParameterIn::Header,
                            name: "x-key",
                        },
                        scopes: &[],
                    },
                ],
            },
        ],
        max_body_bytes: 1048576,
    };
    /// `PUT /v1/a%2Fb/%7Bc%7D`
    ///
    /// Defined at `tests/golden/traps.yaml:16`.
    pub static AB2: Operation = Operation { // tests/golden/traps.yaml:16
        id: "ab",
        method: ::dropforge_runtime::http::Method::PUT,
        path: "/v1/a%2Fb/%7Bc%7D",
        segments: &[
            Segment::Literal("v1"),
            Segment::Literal("a/b"),
            Segment::Literal("{c}"),
        ],
        route: "/v1/{segment1}/{segment2}",
        pointer: "/paths/~1a%2Fb~1%7Bc%7D/put",
        parameters: &[],
        body: ::std::option::Option::None,
        responses: &[
            Response {
                status: Status::Code(204),
                headers: &HEADERS_3,
                media: &MEDIA_3,
            },
        ],
        method_not_allowed: ::std::option::Option::None,
        security: &[
            Requirement {
                all: &[
                    SchemeUse {
                        name: "list_trees",
                        scheme: Scheme::ApiKey {
                            location: ::dropforge_runtime::table::ParameterIn::Header,
                            name: "x-key",
                        },
                        scopes: &[],
                    },
                ],
            },
        ],
        max_body_bytes: 1048576,
    };
    /// `POST /v1/trees`
    ///
    /// Defined at `tests/golden/traps.yaml:19`.
    pub static ADD_TREE: Operation = Operation { // tests/golden/traps.yaml:19
        id: "addTree",
        method: ::dropforge_runtime::http::Method::POST,
        path: "/v1/trees",
        segments: &[Segment::Literal("v1"), Segment::Literal("trees")],
        route: "/v1/{segment1}",
        pointer: "/paths/~1trees/post",
        parameters: &[],
        body: ::std::option::Option::Some(
            &RequestBody {
                required: true,
                lenient: false,
                media: &[
                    MediaType {
                        name: "*/*",
                        codec: Codec::Json,
                        schema: ::std::option::Option::Some(&schemas::SCHEMA_2),
                        raw: false,
                        stream: ::dropforge_runtime::table::Framing {
                            terminator: ::std::option::Option::None,
                            event: ::std::option::Option::None,
                        },
                    },
                ],
            },
        ),
        responses: &[
            Response {
                status: Status::Code(200),
                headers: &HEADERS_4,
                media: &MEDIA_4,
            },
            Response {
                status: Status::Range(2),
                headers: &HEADERS_5,
                media: &MEDIA_5,
            },
        ],
        method_not_allowed: ::std::option::Option::None,
        security: &[
            Requirement {
                all: &[
                    SchemeUse {
                        name: "list_trees",
                        scheme: Scheme::ApiKey {
                            location: ::dropforge_runtime::table::ParameterIn::Header,
                            name: "x-key",
                        },
                        scopes: &[],
                    },
                ],
            },
        ],
        max_body_bytes: 1048576,
    };
    /// `POST /v1/pets`
    ///
    /// Defined at `tests/golden/traps.yaml:40`.
    pub static ADD_PET: Operation = Operation { // tests/golden/traps.yaml:40
        id: "addPet",
        method: ::dropforge_runtime::http::Method::POST,
        path: "/v1/pets",
        segments: &[Segment::Literal("v1"), Segment::Literal("pets")],
        route: "/v1/{segment1}",
        pointer: "/paths/~1pets/post",
        parameters: &[],
        body: ::std::option::Option::Some(
            &RequestBody {
                required: true,
                lenient: false,
                media: &[
                    MediaType {
                        name: "application/json",
                        codec: Codec::Json,
                        schema: ::std::option::Option::Some(&schemas::SCHEMA_29),
                        raw: false,
                        stream: ::dropforge_runtime::table::Framing {
                            terminator: ::std::option::Option::None,
                            event: ::std::option::Option::None,
                        },
                    },
                ],
            },
        ),
        responses: &[
            Response {
                status: Status::Code(204),
                headers: &HEADERS_6,
                media: &MEDIA_6,
            },
        ],
        method_not_allowed: ::std::option::Option::None,
        security: &[
            Requirement {
                all: &[
                    SchemeUse {
                        name: "list_trees",
                        scheme: Scheme::ApiKey {
                            location: ::dropforge_runtime::table::ParameterIn::Header,
                            name: "x-key",
                        },
                        scopes: &[],
                    },
                ],
            },
        ],
        max_body_bytes: 1048576,
    };
    /// `POST /v1/forms`
    ///
    /// Defined at `tests/golden/traps.yaml:48`.
    pub static FILL: Operation = Operation { // tests/golden/traps.yaml:48
        id: "fill",
        method: ::dropforge_runtime::http::Method::POST,
        path: "/v1/forms",
        segments: &[Segment::Literal("v1"), Segment::Literal("forms")],
        route: "/v1/{segment1}",
        pointer: "/paths/~1forms/post",
        parameters: &[],
        body: ::std::option::Option::Some(
            &RequestBody {
                required: true,
                lenient: false,
                media: &[
                    MediaType {
                        name: "application/x-www-form-urlencoded",
                        codec: Codec::Form,
                        schema: ::std::option::Option::Some(&schemas::SCHEMA_6),
                        raw: false,
                        stream: ::dropforge_runtime::table::Framing {
                            terminator: ::std::option::Option::None,
                            event: ::std::option::Option::None,
                        },
                    },
                ],
            },
        ),
        responses: &[
            Response {
                status: Status::Code(204),
                headers: &HEADERS_7,
                media: &MEDIA_7,
            },
        ],
        method_not_allowed: ::std::option::Option::None,
        security: &[
            Requirement {
                all: &[
                    SchemeUse {
                        name: "list_trees",
                        scheme: Scheme::ApiKey {
                            location: ::dropforge_runtime::table::ParameterIn::Header,
                            name: "x-key",
                        },
                        scopes: &[],
                    },
                ],
            },
        ],
        max_body_bytes: 1048576,
    };
    /// `GET /v1/keys`
    ///
    /// Defined at `tests/golden/traps.yaml:56`.
    pub static READ_KEY: Operation = Operation { // tests/golden/traps.yaml:56
        id: "readKey",
        method: ::dropforge_runtime::http::Method::GET,
        path: "/v1/keys",
        segments: &[Segment::Literal("v1"), Segment::Literal("keys")],
        route: "/v1/{segment1}",
        pointer: "/paths/~1keys/get",
        parameters: &[],
        body: ::std::option::Option::None,
        responses: &[
            Response {
                status: Status::Code(200),
                headers: &HEADERS_8,
                media: &MEDIA_8,
            },
        ],
        method_not_allowed: ::std::option::Option::None,
        security: &[
            Requirement {
                all: &[
                    SchemeUse {
                        name: "list_trees",
                        scheme: Scheme::ApiKey {
                            location: ::dropforge_runtime::table::ParameterIn::Header,
                            name: "x-key",
                        },
                        scopes: &[],
                    },
                ],
            },
        ],
        max_body_bytes: 1048576,
    };
}
mod schemas {
    use ::dropforge_runtime::table::*;
    /// Defined at `tests/golden/traps.yaml:66`.
    pub(super) static SCHEMA_0: Schema = Schema { // tests/golden/traps.yaml:66
        pointer: "/components/schemas/Unit",
        types: Types::STRING,
        enumeration: ::std::option::Option::Some(
            &["\"m²\"", "\"m³\"", "\"½\"", "\"①\"", "\"\""],
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:67`.
    pub(super) static SCHEMA_1: Schema = Schema { // tests/golden/traps.yaml:67
        pointer: "/components/schemas/Seconds",
        types: Types::INTEGER,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:68`.
    pub(super) static SCHEMA_2: Schema = Schema { // tests/golden/traps.yaml:68
        pointer: "/components/schemas/Tree",
        types: Types::OBJECT,
        object: ::std::option::Option::Some(
            &ObjectRules {
                properties: &[
                    Property {
                        name: "co₂",
                        schema: &SCHEMA_3,
                        read_only: false,
                        write_only: false,
                    },
                    Property {
                        name: "kids",
                        schema: &SCHEMA_4,
                        read_only: false,
                        write_only: false,
                    },
                    Property {
                        name: "leaves",
                        schema: &SCHEMA_5,
                        read_only: false,
                        write_only: false,
                    },
                ],
                required: &[],
                additional: Additional::Allowed,
                min_properties: ::std::option::Option::None,
                max_properties: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:71`.
    pub(super) static SCHEMA_3: Schema = Schema { // tests/golden/traps.yaml:71
        pointer: "/components/schemas/Tree/properties/co₂",
        types: Types::NUMBER,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:72`.
    pub(super) static SCHEMA_4: Schema = Schema { // tests/golden/traps.yaml:72
        pointer: "/components/schemas/Tree/properties/kids",
        types: Types::ARRAY,
        array: ::std::option::Option::Some(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_4),
                min_items: ::std::option::Option::None,
                max_items: ::std::option::Option::None,
                unique: false,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:73`.
    pub(super) static SCHEMA_5: Schema = Schema { // tests/golden/traps.yaml:73
        pointer: "/components/schemas/Tree/properties/leaves",
        types: Types::OBJECT,
        object: ::std::option::Option::Some(
            &ObjectRules {
                properties: &[],
                required: &[],
                additional: Additional::Schema(&SCHEMA_5),
                min_properties: ::std::option::Option::None,
                max_properties: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:74`.
    pub(super) static SCHEMA_6: Schema = Schema { // tests/golden/traps.yaml:74
        pointer: "/components/schemas/Form",
        types: Types::OBJECT,
        object: ::std::option::Option::Some(
            &ObjectRules {
                properties: &[
                    Property {
                        name: "name",
                        schema: &SCHEMA_7,
                        read_only: false,
                        write_only: false,
                    },
                    Property {
                        name: "filter",
                        schema: &SCHEMA_8,
                        read_only: false,
                        write_only: false,
                    },
                    Property {
                        name: "filters",
                        schema: &SCHEMA_9,
                        read_only: false,
                        write_only: false,
                    },
                ],
                required: &[],
                additional: Additional::Allowed,
                min_properties: ::std::option::Option::None,
                max_properties: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:77`.
    pub(super) static SCHEMA_7: Schema = Schema { // tests/golden/traps.yaml:77
        pointer: "/components/schemas/Form/properties/name",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:80`.
    pub(super) static SCHEMA_8: Schema = Schema { // tests/golden/traps.yaml:80
        pointer: "/components/schemas/Filter",
        types: Types::OBJECT,
        object: ::std::option::Option::Some(
            &ObjectRules {
                properties: &[
                    Property {
                        name: "a",
                        schema: &SCHEMA_10,
                        read_only: false,
                        write_only: false,
                    },
                ],
                required: &["a"],
                additional: Additional::Denied,
                min_properties: ::std::option::Option::None,
                max_properties: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:79`.
    pub(super) static SCHEMA_9: Schema = Schema { // tests/golden/traps.yaml:79
        pointer: "/components/schemas/Form/properties/filters",
        types: Types::ARRAY,
        array: ::std::option::Option::Some(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_8),
                min_items: ::std::option::Option::None,
                max_items: ::std::option::Option::None,
                unique: false,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:80`.
    pub(super) static SCHEMA_10: Schema = Schema { // tests/golden/traps.yaml:80
        pointer: "/components/schemas/Filter/properties/a",
        types: Types::INTEGER,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:81`.
    pub(super) static SCHEMA_11: Schema = Schema { // tests/golden/traps.yaml:81
        pointer: "/components/schemas/Stored",
        all_of: &[&SCHEMA_12, &SCHEMA_13],
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:83`.
    pub(super) static SCHEMA_12: Schema = Schema { // tests/golden/traps.yaml:83
        pointer: "/components/schemas/Stored/allOf/0",
        object: ::std::option::Option::Some(
            &ObjectRules {
                properties: &[
                    Property {
                        name: "id",
                        schema: &SCHEMA_14,
                        read_only: true,
                        write_only: false,
                    },
                ],
                required: &[],
                additional: Additional::Allowed,
                min_properties: ::std::option::Option::None,
                max_properties: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:84`.
    pub(super) static SCHEMA_13: Schema = Schema { // tests/golden/traps.yaml:84
        pointer: "/components/schemas/Stored/allOf/1",
        object: ::std::option::Option::Some(
            &ObjectRules {
                properties: &[],
                required: &["id"],
                additional: Additional::Allowed,
                min_properties: ::std::option::Option::None,
                max_properties: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:83`.
    pub(super) static SCHEMA_14: Schema = Schema { // tests/golden/traps.yaml:83
        pointer: "/components/schemas/Stored/allOf/0/properties/id",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:85`.
    pub(super) static SCHEMA_15: Schema = Schema { // tests/golden/traps.yaml:85
        pointer: "/components/schemas/Either",
        types: Types::OBJECT,
        object: ::std::option::Option::Some(
            &ObjectRules {
                properties: &[
                    Property {
                        name: "a",
                        schema: &SCHEMA_16,
                        read_only: false,
                        write_only: false,
                    },
                    Property {
                        name: "b",
                        schema: &SCHEMA_17,
                        read_only: false,
                        write_only: false,
                    },
                ],
                required: &[],
                additional: Additional::Allowed,
                min_properties: ::std::option::Option::None,
                max_properties: ::std::option::Option::None,
            },
        ),
        one_of: &[&SCHEMA_18, &SCHEMA_19],
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:87`.
    pub(super) static SCHEMA_16: Schema = Schema { // tests/golden/traps.yaml:87
        pointer: "/components/schemas/Either/properties/a",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:87`.
    pub(super) static SCHEMA_17: Schema = Schema { // tests/golden/traps.yaml:87
        pointer: "/components/schemas/Either/properties/b",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:89`.
    pub(super) static SCHEMA_18: Schema = Schema { // tests/golden/traps.yaml:89
        pointer: "/components/schemas/Either/oneOf/0",
        object: ::std::option::Option::Some(
            &ObjectRules {
                properties: &[],
                required: &["a"],
                additional: Additional::Allowed,
                min_properties: ::std::option::Option::None,
                max_properties: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:90`.
    pub(super) static SCHEMA_19: Schema = Schema { // tests/golden/traps.yaml:90
        pointer: "/components/schemas/Either/oneOf/1",
        object: ::std::option::Option::Some(
            &ObjectRules {
                properties: &[],
                required: &["b"],
                additional: Additional::Allowed,
                min_properties: ::std::option::Option::None,
                max_properties: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:91`.
    pub(super) static SCHEMA_20: Schema = Schema { // tests/golden/traps.yaml:91
        pointer: "/components/schemas/Key",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:92`.
    pub(super) static SCHEMA_21: Schema = Schema { // tests/golden/traps.yaml:92
        pointer: "/components/schemas/Keys",
        types: Types::OBJECT,
        object: ::std::option::Option::Some(
            &ObjectRules {
                properties: &[
                    Property {
                        name: "owner",
                        schema: &SCHEMA_22,
                        read_only: false,
                        write_only: false,
                    },
                ],
                required: &[],
                additional: Additional::Schema(&SCHEMA_20),
                min_properties: ::std::option::Option::None,
                max_properties: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:94`.
    pub(super) static SCHEMA_22: Schema = Schema { // tests/golden/traps.yaml:94
        pointer: "/components/schemas/Keys/properties/owner",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:96`.
    pub(super) static SCHEMA_23: Schema = Schema { // tests/golden/traps.yaml:96
        pointer: "/components/schemas/KeyOrKeys",
        one_of: &[&SCHEMA_20, &SCHEMA_24, &SCHEMA_25],
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:101`.
    pub(super) static SCHEMA_24: Schema = Schema { // tests/golden/traps.yaml:101
        pointer: "/components/schemas/KeyTree",
        types: Types::ARRAY,
        array: ::std::option::Option::Some(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_23),
                min_items: ::std::option::Option::None,
                max_items: ::std::option::Option::None,
                unique: false,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:100`.
    pub(super) static SCHEMA_25: Schema = Schema { // tests/golden/traps.yaml:100
        pointer: "/components/schemas/KeyOrKeys/oneOf/2",
        types: Types::INTEGER,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:102`.
    pub(super) static SCHEMA_26: Schema = Schema { // tests/golden/traps.yaml:102
        pointer: "/components/schemas/Chosen",
        types: Types::STRING,
        nullable: true,
        enumeration: ::std::option::Option::Some(&["\"red\""]),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:103`.
    pub(super) static SCHEMA_27: Schema = Schema { // tests/golden/traps.yaml:103
        pointer: "/components/schemas/ChosenOrNot",
        types: Types::STRING,
        nullable: true,
        enumeration: ::std::option::Option::Some(&["\"red\"", "null"]),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:104`.
    pub(super) static SCHEMA_28: Schema = Schema { // tests/golden/traps.yaml:104
        pointer: "/components/schemas/Choice",
        types: Types::OBJECT,
        object: ::std::option::Option::Some(
            &ObjectRules {
                properties: &[
                    Property {
                        name: "chosen",
                        schema: &SCHEMA_26,
                        read_only: false,
                        write_only: false,
                    },
                    Property {
                        name: "chosenOrNot",
                        schema: &SCHEMA_27,
                        read_only: false,
                        write_only: false,
                    },
                ],
                required: &[],
                additional: Additional::Allowed,
                min_properties: ::std::option::Option::None,
                max_properties: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:109`.
    pub(super) static SCHEMA_29: Schema = Schema { // tests/golden/traps.yaml:109
        pointer: "/components/schemas/Pet",
        types: Types::OBJECT,
        object: ::std::option::Option::Some(
            &ObjectRules {
                properties: &[
                    Property {
                        name: "petType",
                        schema: &SCHEMA_30,
                        read_only: false,
                        write_only: false,
                    },
                ],
                required: &["petType"],
                additional: Additional::Allowed,
                min_properties: ::std::option::Option::None,
                max_properties: ::std::option::Option::None,
            },
        ),
        discriminator: ::std::option::Option::Some(
            &Discriminator {
                property: "petType",
                mapping: &[("dog", &SCHEMA_31)],
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:112`.
    pub(super) static SCHEMA_30: Schema = Schema { // tests/golden/traps.yaml:112
        pointer: "/components/schemas/Pet/properties/petType",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:122`.
    pub(super) static SCHEMA_31: Schema = Schema { // tests/golden/traps.yaml:122
        pointer: "/components/schemas/Dog",
        all_of: &[&SCHEMA_29, &SCHEMA_32],
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:125`.
    pub(super) static SCHEMA_32: Schema = Schema { // tests/golden/traps.yaml:125
        pointer: "/components/schemas/Dog/allOf/1",
        types: Types::OBJECT,
        object: ::std::option::Option::Some(
            &ObjectRules {
                properties: &[
                    Property {
                        name: "bark",
                        schema: &SCHEMA_33,
                        read_only: false,
                        write_only: false,
                    },
                ],
                required: &[],
                additional: Additional::Allowed,
                min_properties: ::std::option::Option::None,
                max_properties: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:126`.
    pub(super) static SCHEMA_33: Schema = Schema { // tests/golden/traps.yaml:126
        pointer: "/components/schemas/Dog/allOf/1/properties/bark",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:116`.
    pub(super) static SCHEMA_34: Schema = Schema { // tests/golden/traps.yaml:116
        pointer: "/components/schemas/Cat",
        all_of: &[&SCHEMA_29, &SCHEMA_35],
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:119`.
    pub(super) static SCHEMA_35: Schema = Schema { // tests/golden/traps.yaml:119
        pointer: "/components/schemas/Cat/allOf/1",
        types: Types::OBJECT,
        object: ::std::option::Option::Some(
            &ObjectRules {
                properties: &[
                    Property {
                        name: "name",
                        schema: &SCHEMA_36,
                        read_only: false,
                        write_only: false,
                    },
                ],
                required: &["name"],
                additional: Additional::Allowed,
                min_properties: ::std::option::Option::None,
                max_properties: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:121`.
    pub(super) static SCHEMA_36: Schema = Schema { // tests/golden/traps.yaml:121
        pointer: "/components/schemas/Cat/allOf/1/properties/name",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    static SCHEMA_37_PATTERN: Pattern = Pattern::new("^(\\w+\\s?)*$")
        .matched_as(
            "^([A-Za-z0-9_]+[\\t-\\r \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}]?)*$",
        );
    /// Defined at `tests/golden/traps.yaml:127`.
    pub(super) static SCHEMA_37: Schema = Schema { // tests/golden/traps.yaml:127
        pointer: "/components/schemas/Words",
        types: Types::STRING,
        string: ::std::option::Option::Some(
            &StringRules {
                min_length: ::std::option::Option::None,
                max_length: ::std::option::Option::None,
                pattern: ::std::option::Option::Some(&SCHEMA_37_PATTERN),
                format: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    static SCHEMA_38_PATTERN: Pattern = Pattern::new("^(?=.*\\d)\\w+$")
        .matched_as("^(?=[^\\n\\r\\x{2028}\\x{2029}]*[0-9])[A-Za-z0-9_]+$");
    /// Defined at `tests/golden/traps.yaml:128`.
    pub(super) static SCHEMA_38: Schema = Schema { // tests/golden/traps.yaml:128
        pointer: "/components/schemas/Looking",
        types: Types::STRING,
        string: ::std::option::Option::Some(
            &StringRules {
                min_length: ::std::option::Option::None,
                max_length: ::std::option::Option::None,
                pattern: ::std::option::Option::Some(&SCHEMA_38_PATTERN),
                format: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:9`.
    pub(super) static SCHEMA_39: Schema = Schema { // tests/golden/traps.yaml:9
        pointer: "/paths/~1orders~1{id}~1items/parameters/0/schema",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:12`.
    pub(super) static SCHEMA_40: Schema = Schema { // tests/golden/traps.yaml:12
        pointer: "/paths/~1orders~1by-email~1{id}/parameters/0/schema",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:30`.
    pub(super) static SCHEMA_41: Schema = Schema { // tests/golden/traps.yaml:30
        pointer: "/paths/~1trees/post/responses/200/headers/x-filter/schema",
        types: Types::OBJECT,
        object: ::std::option::Option::Some(
            &ObjectRules {
                properties: &[
                    Property {
                        name: "a",
                        schema: &SCHEMA_42,
                        read_only: false,
                        write_only: false,
                    },
                ],
                required: &[],
                additional: Additional::Allowed,
                min_properties: ::std::option::Option::None,
                max_properties: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:30`.
    pub(super) static SCHEMA_42: Schema = Schema { // tests/golden/traps.yaml:30
        pointer: "/paths/~1trees/post/responses/200/headers/x-filter/schema/properties/a",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:30`.
    pub(super) static SCHEMA_43: Schema = Schema { // tests/golden/traps.yaml:30
        pointer: "/paths/~1trees/post/responses/200/headers/x-filter/schema",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:31`.
    pub(super) static SCHEMA_44: Schema = Schema { // tests/golden/traps.yaml:31
        pointer: "/paths/~1trees/post/responses/200/headers/Set-Cookie/schema",
        types: Types::ARRAY,
        array: ::std::option::Option::Some(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_45),
                min_items: ::std::option::Option::None,
                max_items: ::std::option::Option::None,
                unique: false,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:31`.
    pub(super) static SCHEMA_45: Schema = Schema { // tests/golden/traps.yaml:31
        pointer: "/paths/~1trees/post/responses/200/headers/Set-Cookie/schema/items",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/traps.yaml:37`.
    pub(super) static SCHEMA_46: Schema = Schema { // tests/golden/traps.yaml:37
        pointer: "/paths/~1trees/post/responses/2XX/content/image~1*/schema",
        types: Types::STRING,
        string: ::std::option::Option::Some(
            &StringRules {
                min_length: ::std::option::Option::None,
                max_length: ::std::option::Option::None,
                pattern: ::std::option::Option::None,
                format: ::std::option::Option::Some(StringFormat::Binary),
            },
        ),
        ..Schema::ANY
    }
        .prepared();
}
mod handlers {
    use super::*;
    /// Defined at `tests/golden/traps.yaml:10`.
    pub(super) enum RejectOperation {} // tests/golden/traps.yaml:10
    impl ::dropforge_runtime::OperationMarker for RejectOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::REJECT;
        const API: &'static ::dropforge_runtime::table::Api = &API;
    }
    pub(super) fn reject2<A: Traps>(
        rqctx: ::dropforge_runtime::dropshot::RequestContext<A::Context>,
        request: ::dropforge_runtime::Kept<RejectOperation>,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<
            ::dropforge_runtime::Served<RejectOperation>,
            ::dropforge_runtime::dropshot::HttpError,
        >,
    > + ::std::marker::Send {
        ::dropforge_runtime::serve(
            &API,
            &operations::REJECT,
            rqctx,
            request,
            A::reject,
            |mut exchange: ::dropforge_runtime::Exchange<A::Context>| async move {
                let caller = 'caller: {
                    let mut refused = ::dropforge_runtime::Refusals::new();
                    if let ::std::option::Option::Some(credentials) = exchange
                        .api_key(
                            ::dropforge_runtime::table::ParameterIn::Header,
                            "x-key",
                        )
                    {
                        match A::list_trees(exchange.call(), credentials, &[]).await {
                            ::std::result::Result::Ok(caller0) => {
                                break 'caller caller0;
                            }
                            ::std::result::Result::Err(denied) => refused.push(denied),
                        }
                    }
                    return ::std::result::Result::Err(refused.into_rejection());
                };
                #[allow(unused_variables, unused_mut)]
                let mut request = exchange.read::<::dropforge_runtime::Unread>().await?;
                let parameters: parameters::Reject = request.parameters()?;
                let accept = exchange.accept().clone();
                let outcome = A::reject2(exchange.into_call(), caller, parameters).await;
                ::std::result::Result::Ok(
                    ::dropforge_runtime::into_reply(outcome, &accept),
                )
            },
        )
    }
    /// Defined at `tests/golden/traps.yaml:13`.
    pub(super) enum ListTreesOperation {} // tests/golden/traps.yaml:13
    impl ::dropforge_runtime::OperationMarker for ListTreesOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::LIST_TREES;
        const API: &'static ::dropforge_runtime::table::Api = &API;
    }
    pub(super) fn list_trees2<A: Traps>(
        rqctx: ::dropforge_runtime::dropshot::RequestContext<A::Context>,
        request: ::dropforge_runtime::Kept<ListTreesOperation>,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<
            ::dropforge_runtime::Served<ListTreesOperation>,
            ::dropforge_runtime::dropshot::HttpError,
        >,
    > + ::std::marker::Send {
        ::dropforge_runtime::serve(
            &API,
            &operations::LIST_TREES,
            rqctx,
            request,
            A::reject,
            |mut exchange: ::dropforge_runtime::Exchange<A::Context>| async move {
                let caller = 'caller: {
                    let mut refused = ::dropforge_runtime::Refusals::new();
                    if let ::std::option::Option::Some(credentials) = exchange
                        .api_key(
                            ::dropforge_runtime::table::ParameterIn::Header,
                            "x-key",
                        )
                    {
                        match A::list_trees(exchange.call(), credentials, &[]).await {
                            ::std::result::Result::Ok(caller0) => {
                                break 'caller caller0;
                            }
                            ::std::result::Result::Err(denied) => refused.push(denied),
                        }
                    }
                    return ::std::result::Result::Err(refused.into_rejection());
                };
                #[allow(unused_variables, unused_mut)]
                let mut request = exchange.read::<::dropforge_runtime::Unread>().await?;
                let parameters: parameters::ListTrees = request.parameters()?;
                let accept = exchange.accept().clone();
                let outcome = A::list_trees2(exchange.into_call(), caller, parameters)
                    .await;
                ::std::result::Result::Ok(
                    ::dropforge_runtime::into_reply(outcome, &accept),
                )
            },
        )
    }
    /// Defined at `tests/golden/traps.yaml:15`.
    pub(super) enum ABOperation {} // tests/golden/traps.yaml:15
    impl ::dropforge_runtime::OperationMarker for ABOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::AB;
        const API: &'static ::dropforge_runtime::table::Api = &API;
    }
    pub(super) fn ab<A: Traps>(
        rqctx: ::dropforge_runtime::dropshot::RequestContext<A::Context>,
        request: ::dropforge_runtime::Kept<ABOperation>,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<
            ::dropforge_runtime::Served<ABOperation>,
            ::dropforge_runtime::dropshot::HttpError,
        >,
    > + ::std::marker::Send {
        ::dropforge_runtime::serve(
            &API,
            &operations::AB,
            rqctx,
            request,
            A::reject,
            |mut exchange: ::dropforge_runtime::Exchange<A::Context>| async move {
                let caller = 'caller: {
                    let mut refused = ::dropforge_runtime::Refusals::new();
                    if let ::std::option::Option::Some(credentials) = exchange
                        .api_key(
                            ::dropforge_runtime::table::ParameterIn::Header,
                            "x-key",
                        )
                    {
                        match A::list_trees(exchange.call(), credentials, &[]).await {
                            ::std::result::Result::Ok(caller0) => {
                                break 'caller caller0;
                            }
                            ::std::result::Result::Err(denied) => refused.push(denied),
                        }
                    }
                    return ::std::result::Result::Err(refused.into_rejection());
                };
                #[allow(unused_variables, unused_mut)]
                let mut request = exchange.read::<::dropforge_runtime::Unread>().await?;
                let accept = exchange.accept().clone();
                let outcome = A::ab(exchange.into_call(), caller).await;
                ::std::result::Result::Ok(
                    ::dropforge_runtime::into_reply(outcome, &accept),
                )
            },
        )
    }
    /// Defined at `tests/golden/traps.yaml:16`.
    pub(super) enum AbOperation {} // tests/golden/traps.yaml:16
    impl ::dropforge_runtime::OperationMarker for AbOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::AB2;
        const API: &'static ::dropforge_runtime::table::Api = &API;
    }
    pub(super) fn ab2<A: Traps>(
        rqctx: ::dropforge_runtime::dropshot::RequestContext<A::Context>,
        request: ::dropforge_runtime::Kept<AbOperation>,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<
            ::dropforge_runtime::Served<AbOperation>,
            ::dropforge_runtime::dropshot::HttpError,
        >,
    > + ::std::marker::Send {
        ::dropforge_runtime::serve(
            &API,
            &operations::AB2,
            rqctx,
            request,
            A::reject,
            |mut exchange: ::dropforge_runtime::Exchange<A::Context>| async move {
                let caller = 'caller: {
                    let mut refused = ::dropforge_runtime::Refusals::new();
                    if let ::std::option::Option::Some(credentials) = exchange
                        .api_key(
                            ::dropforge_runtime::table::ParameterIn::Header,
                            "x-key",
                        )
                    {
                        match A::list_trees(exchange.call(), credentials, &[]).await {
                            ::std::result::Result::Ok(caller0) => {
                                break 'caller caller0;
                            }
                            ::std::result::Result::Err(denied) => refused.push(denied),
                        }
                    }
                    return ::std::result::Result::Err(refused.into_rejection());
                };
                #[allow(unused_variables, unused_mut)]
                let mut request = exchange.read::<::dropforge_runtime::Unread>().await?;
                let accept = exchange.accept().clone();
                let outcome = A::ab2(exchange.into_call(), caller).await;
                ::std::result::Result::Ok(
                    ::dropforge_runtime::into_reply(outcome, &accept),
                )
            },
        )
    }
    /// Defined at `tests/golden/traps.yaml:19`.
    pub(super) enum AddTreeOperation {} // tests/golden/traps.yaml:19
    impl ::dropforge_runtime::OperationMarker for AddTreeOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::ADD_TREE;
        const API: &'static ::dropforge_runtime::table::Api = &API;
    }
    pub(super) fn add_tree<A: Traps>(
        rqctx: ::dropforge_runtime::dropshot::RequestContext<A::Context>,
        request: ::dropforge_runtime::Kept<AddTreeOperation>,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<
            ::dropforge_runtime::Served<AddTreeOperation>,
            ::dropforge_runtime::dropshot::HttpError,
        >,
    > + ::std::marker::Send {
        ::dropforge_runtime::serve(
            &API,
            &operations::ADD_TREE,
            rqctx,
            request,
            A::reject,
            |mut exchange: ::dropforge_runtime::Exchange<A::Context>| async move {
                let caller = 'caller: {
                    let mut refused = ::dropforge_runtime::Refusals::new();
                    if let ::std::option::Option::Some(credentials) = exchange
                        .api_key(
                            ::dropforge_runtime::table::ParameterIn::Header,
                            "x-key",
                        )
                    {
                        match A::list_trees(exchange.call(), credentials, &[]).await {
                            ::std::result::Result::Ok(caller0) => {
                                break 'caller caller0;
                            }
                            ::std::result::Result::Err(denied) => refused.push(denied),
                        }
                    }
                    return ::std::result::Result::Err(refused.into_rejection());
                };
                #[allow(unused_variables, unused_mut)]
                let mut request = exchange.read().await?;
                let body = request.body()?;
                let accept = exchange.accept().clone();
                let outcome = A::add_tree(exchange.into_call(), caller, body).await;
                ::std::result::Result::Ok(
                    ::dropforge_runtime::into_reply(outcome, &accept),
                )
            },
        )
    }
    /// Defined at `tests/golden/traps.yaml:40`.
    pub(super) enum AddPetOperation {} // tests/golden/traps.yaml:40
    impl ::dropforge_runtime::OperationMarker for AddPetOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::ADD_PET;
        const API: &'static ::dropforge_runtime::table::Api = &API;
    }
    pub(super) fn add_pet<A: Traps>(
        rqctx: ::dropforge_runtime::dropshot::RequestContext<A::Context>,
        request: ::dropforge_runtime::Kept<AddPetOperation>,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<
            ::dropforge_runtime::Served<AddPetOperation>,
            ::dropforge_runtime::dropshot::HttpError,
        >,
    > + ::std::marker::Send {
        ::dropforge_runtime::serve(
            &API,
            &operations::ADD_PET,
            rqctx,
            request,
            A::reject,
            |mut exchange: ::dropforge_runtime::Exchange<A::Context>| async move {
                let caller = 'caller: {
                    let mut refused = ::dropforge_runtime::Refusals::new();
                    if let ::std::option::Option::Some(credentials) = exchange
                        .api_key(
                            ::dropforge_runtime::table::ParameterIn::Header,
                            "x-key",
                        )
                    {
                        match A::list_trees(exchange.call(), credentials, &[]).await {
                            ::std::result::Result::Ok(caller0) => {
                                break 'caller caller0;
                            }
                            ::std::result::Result::Err(denied) => refused.push(denied),
                        }
                    }
                    return ::std::result::Result::Err(refused.into_rejection());
                };
                #[allow(unused_variables, unused_mut)]
                let mut request = exchange.read().await?;
                let body = request.body()?;
                let accept = exchange.accept().clone();
                let outcome = A::add_pet(exchange.into_call(), caller, body).await;
                ::std::result::Result::Ok(
                    ::dropforge_runtime::into_reply(outcome, &accept),
                )
            },
        )
    }
    /// Defined at `tests/golden/traps.yaml:48`.
    pub(super) enum FillOperation {} // tests/golden/traps.yaml:48
    impl ::dropforge_runtime::OperationMarker for FillOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::FILL;
        const API: &'static ::dropforge_runtime::table::Api = &API;
    }
    pub(super) fn fill<A: Traps>(
        rqctx: ::dropforge_runtime::dropshot::RequestContext<A::Context>,
        request: ::dropforge_runtime::Kept<FillOperation>,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<
            ::dropforge_runtime::Served<FillOperation>,
            ::dropforge_runtime::dropshot::HttpError,
        >,
    > + ::std::marker::Send {
        ::dropforge_runtime::serve(
            &API,
            &operations::FILL,
            rqctx,
            request,
            A::reject,
            |mut exchange: ::dropforge_runtime::Exchange<A::Context>| async move {
                let caller = 'caller: {
                    let mut refused = ::dropforge_runtime::Refusals::new();
                    if let ::std::option::Option::Some(credentials) = exchange
                        .api_key(
                            ::dropforge_runtime::table::ParameterIn::Header,
                            "x-key",
                        )
                    {
                        match A::list_trees(exchange.call(), credentials, &[]).await {
                            ::std::result::Result::Ok(caller0) => {
                                break 'caller caller0;
                            }
                            ::std::result::Result::Err(denied) => refused.push(denied),
                        }
                    }
                    return ::std::result::Result::Err(refused.into_rejection());
                };
                #[allow(unused_variables, unused_mut)]
                let mut request = exchange.read().await?;
                let body = request.body()?;
                let accept = exchange.accept().clone();
                let outcome = A::fill(exchange.into_call(), caller, body).await;
                ::std::result::Result::Ok(
                    ::dropforge_runtime::into_reply(outcome, &accept),
                )
            },
        )
    }
    /// Defined at `tests/golden/traps.yaml:56`.
    pub(super) enum ReadKeyOperation {} // tests/golden/traps.yaml:56
    impl ::dropforge_runtime::OperationMarker for ReadKeyOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::READ_KEY;
        const API: &'static ::dropforge_runtime::table::Api = &API;
    }
    pub(super) fn read_key<A: Traps>(
        rqctx: ::dropforge_runtime::dropshot::RequestContext<A::Context>,
        request: ::dropforge_runtime::Kept<ReadKeyOperation>,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<
            ::dropforge_runtime::Served<ReadKeyOperation>,
            ::dropforge_runtime::dropshot::HttpError,
        >,
    > + ::std::marker::Send {
        ::dropforge_runtime::serve(
            &API,
            &operations::READ_KEY,
            rqctx,
            request,
            A::reject,
            |mut exchange: ::dropforge_runtime::Exchange<A::Context>| async move {
                let caller = 'caller: {
                    let mut refused = ::dropforge_runtime::Refusals::new();
                    if let ::std::option::Option::Some(credentials) = exchange
                        .api_key(
                            ::dropforge_runtime::table::ParameterIn::Header,
                            "x-key",
                        )
                    {
                        match A::list_trees(exchange.call(), credentials, &[]).await {
                            ::std::result::Result::Ok(caller0) => {
                                break 'caller caller0;
                            }
                            ::std::result::Result::Err(denied) => refused.push(denied),
                        }
                    }
                    return ::std::result::Result::Err(refused.into_rejection());
                };
                #[allow(unused_variables, unused_mut)]
                let mut request = exchange.read::<::dropforge_runtime::Unread>().await?;
                let accept = exchange.accept().clone();
                let outcome = A::read_key(exchange.into_call(), caller).await;
                ::std::result::Result::Ok(
                    ::dropforge_runtime::into_reply(outcome, &accept),
                )
            },
        )
    }
}
/// Registers every operation of Traps.
///
/// # Errors
///
/// What dropshot refuses, and routes that another document has taken.
///
/// Defined at `tests/golden/traps.yaml:1`.
pub fn register<A: Traps>( // tests/golden/traps.yaml:1
    api: &mut ::dropforge_runtime::dropshot::ApiDescription<A::Context>,
) -> ::std::result::Result<(), ::dropforge_runtime::RegisterError> { // tests/golden/traps.yaml:1
    add_routes::<A>(::dropforge_runtime::Routes::new(api, &API, A::reject))
}
/// Registers every operation at a route of its own, for dropshot's OpenAPI
/// document. Unknown paths are dropshot's to answer.
///
/// # Errors
///
/// As of [`register`].
pub fn describe<A: Traps>(
    api: &mut ::dropforge_runtime::dropshot::ApiDescription<A::Context>,
) -> ::std::result::Result<(), ::dropforge_runtime::RegisterError> {
    add_routes::<A>(::dropforge_runtime::Routes::apart(api, &API, A::reject))
}
fn add_routes<A: Traps>(
    mut routes: ::dropforge_runtime::Routes<'_, A::Context>,
) -> ::std::result::Result<(), ::dropforge_runtime::RegisterError> {
    routes.folded(&[&operations::REJECT, &operations::LIST_TREES], folded_0::<A>)?;
    routes.folded(&[&operations::AB], folded_1::<A>)?;
    routes.folded(&[&operations::AB2], folded_2::<A>)?;
    routes
        .folded(
            &[&operations::ADD_TREE, &operations::ADD_PET, &operations::FILL],
            folded_3::<A>,
        )?;
    routes.folded(&[&operations::READ_KEY], folded_4::<A>)?;
    routes.finish()
}
async fn folded_0<A: Traps>(
    rqctx: ::dropforge_runtime::dropshot::RequestContext<A::Context>,
    request: ::dropforge_runtime::Kept<handlers::RejectOperation>,
) -> ::std::result::Result<
    ::dropforge_runtime::Served<handlers::RejectOperation>,
    ::dropforge_runtime::dropshot::HttpError,
> {
    match ::dropforge_runtime::select(
        &[&operations::REJECT, &operations::LIST_TREES],
        &request,
    ) {
        ::std::option::Option::Some(0usize) => {
            handlers::reject2::<A>(rqctx, request.retag())
                .await
                .map(|served| served.retag())
        }
        ::std::option::Option::Some(1usize) => {
            handlers::list_trees2::<A>(rqctx, request.retag())
                .await
                .map(|served| served.retag())
        }
        _ => {
            ::dropforge_runtime::refuse(
                    &API,
                    rqctx,
                    request,
                    A::reject,
                    ::dropforge_runtime::Rejection::NotFound,
                )
                .await
        }
    }
}
async fn folded_1<A: Traps>(
    rqctx: ::dropforge_runtime::dropshot::RequestContext<A::Context>,
    request: ::dropforge_runtime::Kept<handlers::ABOperation>,
) -> ::std::result::Result<
    ::dropforge_runtime::Served<handlers::ABOperation>,
    ::dropforge_runtime::dropshot::HttpError,
> {
    match ::dropforge_runtime::select(&[&operations::AB], &request) {
        ::std::option::Option::Some(0usize) => {
            handlers::ab::<A>(rqctx, request.retag()).await.map(|served| served.retag())
        }
        _ => {
            ::dropforge_runtime::refuse(
                    &API,
                    rqctx,
                    request,
                    A::reject,
                    ::dropforge_runtime::Rejection::NotFound,
                )
                .await
        }
    }
}
async fn folded_2<A: Traps>(
    rqctx: ::dropforge_runtime::dropshot::RequestContext<A::Context>,
    request: ::dropforge_runtime::Kept<handlers::AbOperation>,
) -> ::std::result::Result<
    ::dropforge_runtime::Served<handlers::AbOperation>,
    ::dropforge_runtime::dropshot::HttpError,
> {
    match ::dropforge_runtime::select(&[&operations::AB2], &request) {
        ::std::option::Option::Some(0usize) => {
            handlers::ab2::<A>(rqctx, request.retag()).await.map(|served| served.retag())
        }
        _ => {
            ::dropforge_runtime::refuse(
                    &API,
                    rqctx,
                    request,
                    A::reject,
                    ::dropforge_runtime::Rejection::NotFound,
                )
                .await
        }
    }
}
async fn folded_3<A: Traps>(
    rqctx: ::dropforge_runtime::dropshot::RequestContext<A::Context>,
    request: ::dropforge_runtime::Kept<handlers::AddTreeOperation>,
) -> ::std::result::Result<
    ::dropforge_runtime::Served<handlers::AddTreeOperation>,
    ::dropforge_runtime::dropshot::HttpError,
> {
    match ::dropforge_runtime::select(
        &[&operations::ADD_TREE, &operations::ADD_PET, &operations::FILL],
        &request,
    ) {
        ::std::option::Option::Some(0usize) => {
            handlers::add_tree::<A>(rqctx, request.retag())
                .await
                .map(|served| served.retag())
        }
        ::std::option::Option::Some(1usize) => {
            handlers::add_pet::<A>(rqctx, request.retag())
                .await
                .map(|served| served.retag())
        }
        ::std::option::Option::Some(2usize) => {
            handlers::fill::<A>(rqctx, request.retag())
                .await
                .map(|served| served.retag())
        }
        _ => {
            ::dropforge_runtime::refuse(
                    &API,
                    rqctx,
                    request,
                    A::reject,
                    ::dropforge_runtime::Rejection::NotFound,
                )
                .await
        }
    }
}
async fn folded_4<A: Traps>(
    rqctx: ::dropforge_runtime::dropshot::RequestContext<A::Context>,
    request: ::dropforge_runtime::Kept<handlers::ReadKeyOperation>,
) -> ::std::result::Result<
    ::dropforge_runtime::Served<handlers::ReadKeyOperation>,
    ::dropforge_runtime::dropshot::HttpError,
> {
    match ::dropforge_runtime::select(&[&operations::READ_KEY], &request) {
        ::std::option::Option::Some(0usize) => {
            handlers::read_key::<A>(rqctx, request.retag())
                .await
                .map(|served| served.retag())
        }
        _ => {
            ::dropforge_runtime::refuse(
                    &API,
                    rqctx,
                    request,
                    A::reject,
                    ::dropforge_runtime::Rejection::NotFound,
                )
                .await
        }
    }
}
/// Tests of whoever implements this document: the path of this module,
/// then that of a function that returns the
/// [`Subject`](::dropforge_runtime::contract::Subject).
#[macro_export]
macro_rules! traps_contract_tests {
    ($($api:ident)::+, $subject:path) => {
        mod reject2 { #[test] fn each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "reject",
        ::dropforge_runtime::contract::Case::Examples, $subject (),); } #[test] fn
        what_is_required_is_asked_for() { ::dropforge_runtime::contract::run(& $($api)::+
        ::API, "reject", ::dropforge_runtime::contract::Case::Required, $subject (),); }
        #[test] fn each_constraint_holds_on_both_sides() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "reject",
        ::dropforge_runtime::contract::Case::Constraints, $subject (),); } #[test] fn
        an_accept_that_nothing_fits_is_told() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "reject", ::dropforge_runtime::contract::Case::Accept, $subject
        (),); } #[test] fn nobody_comes_in_without_credentials() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "reject",
        ::dropforge_runtime::contract::Case::NoCredentials, $subject (),); } #[test] fn
        malformed_credentials_are_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "reject",
        ::dropforge_runtime::contract::Case::MalformedCredentials, $subject (),); }
        #[test] fn every_other_method_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "reject", ::dropforge_runtime::contract::Case::OtherMethods,
        $subject (),); } } mod list_trees2 { #[test] fn
        each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "list_trees",
        ::dropforge_runtime::contract::Case::Examples, $subject (),); } #[test] fn
        what_is_required_is_asked_for() { ::dropforge_runtime::contract::run(& $($api)::+
        ::API, "list_trees", ::dropforge_runtime::contract::Case::Required, $subject
        (),); } #[test] fn each_constraint_holds_on_both_sides() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "list_trees",
        ::dropforge_runtime::contract::Case::Constraints, $subject (),); } #[test] fn
        an_accept_that_nothing_fits_is_told() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "list_trees", ::dropforge_runtime::contract::Case::Accept,
        $subject (),); } #[test] fn nobody_comes_in_without_credentials() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "list_trees",
        ::dropforge_runtime::contract::Case::NoCredentials, $subject (),); } #[test] fn
        malformed_credentials_are_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "list_trees",
        ::dropforge_runtime::contract::Case::MalformedCredentials, $subject (),); }
        #[test] fn every_other_method_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "list_trees",
        ::dropforge_runtime::contract::Case::OtherMethods, $subject (),); } } mod ab {
        #[test] fn each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "a_b",
        ::dropforge_runtime::contract::Case::Examples, $subject (),); } #[test] fn
        an_accept_that_nothing_fits_is_told() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "a_b", ::dropforge_runtime::contract::Case::Accept, $subject
        (),); } #[test] fn nobody_comes_in_without_credentials() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "a_b",
        ::dropforge_runtime::contract::Case::NoCredentials, $subject (),); } #[test] fn
        malformed_credentials_are_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "a_b",
        ::dropforge_runtime::contract::Case::MalformedCredentials, $subject (),); }
        #[test] fn every_other_method_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "a_b", ::dropforge_runtime::contract::Case::OtherMethods,
        $subject (),); } } mod ab2 { #[test] fn
        each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "ab",
        ::dropforge_runtime::contract::Case::Examples, $subject (),); } #[test] fn
        an_accept_that_nothing_fits_is_told() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "ab", ::dropforge_runtime::contract::Case::Accept, $subject
        (),); } #[test] fn nobody_comes_in_without_credentials() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "ab",
        ::dropforge_runtime::contract::Case::NoCredentials, $subject (),); } #[test] fn
        malformed_credentials_are_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "ab",
        ::dropforge_runtime::contract::Case::MalformedCredentials, $subject (),); }
        #[test] fn every_other_method_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "ab", ::dropforge_runtime::contract::Case::OtherMethods,
        $subject (),); } } mod add_tree { #[test] fn
        each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "addTree",
        ::dropforge_runtime::contract::Case::Examples, $subject (),); } #[test] fn
        what_is_required_is_asked_for() { ::dropforge_runtime::contract::run(& $($api)::+
        ::API, "addTree", ::dropforge_runtime::contract::Case::Required, $subject (),); }
        #[test] fn each_constraint_holds_on_both_sides() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "addTree",
        ::dropforge_runtime::contract::Case::Constraints, $subject (),); } #[test] fn
        unknown_fields_are_treated_as_the_schema_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "addTree",
        ::dropforge_runtime::contract::Case::UnknownFields, $subject (),); } #[test] fn
        another_content_type_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "addTree", ::dropforge_runtime::contract::Case::ContentType,
        $subject (),); } #[test] fn an_accept_that_nothing_fits_is_told() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "addTree",
        ::dropforge_runtime::contract::Case::Accept, $subject (),); } #[test] fn
        nobody_comes_in_without_credentials() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "addTree", ::dropforge_runtime::contract::Case::NoCredentials,
        $subject (),); } #[test] fn malformed_credentials_are_refused() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "addTree",
        ::dropforge_runtime::contract::Case::MalformedCredentials, $subject (),); }
        #[test] fn every_other_method_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "addTree", ::dropforge_runtime::contract::Case::OtherMethods,
        $subject (),); } } mod add_pet { #[test] fn
        each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "addPet",
        ::dropforge_runtime::contract::Case::Examples, $subject (),); } #[test] fn
        what_is_required_is_asked_for() { ::dropforge_runtime::contract::run(& $($api)::+
        ::API, "addPet", ::dropforge_runtime::contract::Case::Required, $subject (),); }
        #[test] fn each_constraint_holds_on_both_sides() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "addPet",
        ::dropforge_runtime::contract::Case::Constraints, $subject (),); } #[test] fn
        unknown_fields_are_treated_as_the_schema_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "addPet",
        ::dropforge_runtime::contract::Case::UnknownFields, $subject (),); } #[test] fn
        another_content_type_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "addPet", ::dropforge_runtime::contract::Case::ContentType,
        $subject (),); } #[test] fn an_accept_that_nothing_fits_is_told() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "addPet",
        ::dropforge_runtime::contract::Case::Accept, $subject (),); } #[test] fn
        nobody_comes_in_without_credentials() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "addPet", ::dropforge_runtime::contract::Case::NoCredentials,
        $subject (),); } #[test] fn malformed_credentials_are_refused() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "addPet",
        ::dropforge_runtime::contract::Case::MalformedCredentials, $subject (),); }
        #[test] fn every_other_method_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "addPet", ::dropforge_runtime::contract::Case::OtherMethods,
        $subject (),); } } mod fill { #[test] fn
        each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "fill",
        ::dropforge_runtime::contract::Case::Examples, $subject (),); } #[test] fn
        what_is_required_is_asked_for() { ::dropforge_runtime::contract::run(& $($api)::+
        ::API, "fill", ::dropforge_runtime::contract::Case::Required, $subject (),); }
        #[test] fn each_constraint_holds_on_both_sides() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "fill",
        ::dropforge_runtime::contract::Case::Constraints, $subject (),); } #[test] fn
        unknown_fields_are_treated_as_the_schema_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "fill",
        ::dropforge_runtime::contract::Case::UnknownFields, $subject (),); } #[test] fn
        another_content_type_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "fill", ::dropforge_runtime::contract::Case::ContentType,
        $subject (),); } #[test] fn an_accept_that_nothing_fits_is_told() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "fill",
        ::dropforge_runtime::contract::Case::Accept, $subject (),); } #[test] fn
        nobody_comes_in_without_credentials() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "fill", ::dropforge_runtime::contract::Case::NoCredentials,
        $subject (),); } #[test] fn malformed_credentials_are_refused() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "fill",
        ::dropforge_runtime::contract::Case::MalformedCredentials, $subject (),); }
        #[test] fn every_other_method_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "fill", ::dropforge_runtime::contract::Case::OtherMethods,
        $subject (),); } } mod read_key { #[test] fn
        each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "readKey",
        ::dropforge_runtime::contract::Case::Examples, $subject (),); } #[test] fn
        an_accept_that_nothing_fits_is_told() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "readKey", ::dropforge_runtime::contract::Case::Accept,
        $subject (),); } #[test] fn nobody_comes_in_without_credentials() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "readKey",
        ::dropforge_runtime::contract::Case::NoCredentials, $subject (),); } #[test] fn
        malformed_credentials_are_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "readKey",
        ::dropforge_runtime::contract::Case::MalformedCredentials, $subject (),); }
        #[test] fn every_other_method_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "readKey", ::dropforge_runtime::contract::Case::OtherMethods,
        $subject (),); } }
    };
}
