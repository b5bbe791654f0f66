/// One type for each schema that has a name.
pub mod types {
    /// Defined at `tests/golden/kitchen.yaml:123`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub struct Result { // tests/golden/kitchen.yaml:123
        /// title
        ///
        /// Defined at `tests/golden/kitchen.yaml:127`.
        #[serde(rename = "title")]
        pub title: ::std::string::String, // tests/golden/kitchen.yaml:127
        /// Option
        ///
        /// Defined at `tests/golden/kitchen.yaml:128`.
        #[serde(
            rename = "Option",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub option: ::std::option::Option<::std::string::String>, // tests/golden/kitchen.yaml:128
    }
    /// Defined at `tests/golden/kitchen.yaml:129`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub struct Dish { // tests/golden/kitchen.yaml:129
        /// name
        ///
        /// Defined at `tests/golden/kitchen.yaml:134`.
        #[serde(rename = "name")]
        pub name: ::std::string::String, // tests/golden/kitchen.yaml:134
        /// kind
        ///
        /// Defined at `tests/golden/kitchen.yaml:135`.
        #[serde(rename = "kind")]
        pub kind: self::Kind, // tests/golden/kitchen.yaml:135
        /// course
        ///
        /// Defined at `tests/golden/kitchen.yaml:136`.
        #[serde(
            rename = "course",
            deserialize_with = "::dropforge_runtime::fields::required_nullable"
        )]
        pub course: ::std::option::Option<i32>, // tests/golden/kitchen.yaml:136
        /// type
        ///
        /// Defined at `tests/golden/kitchen.yaml:137`.
        #[serde(
            rename = "type",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub type_: ::std::option::Option<::std::string::String>, // tests/golden/kitchen.yaml:137
        /// self
        ///
        /// Defined at `tests/golden/kitchen.yaml:138`.
        #[serde(
            rename = "self",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub self_: ::std::option::Option<f64>, // tests/golden/kitchen.yaml:138
        /// since
        ///
        /// Defined at `tests/golden/kitchen.yaml:139`.
        #[serde(
            rename = "since",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub since: ::std::option::Option< // tests/golden/kitchen.yaml:139
            ::dropforge_runtime::chrono::DateTime<::dropforge_runtime::chrono::Utc>,
        >,
        /// calories
        ///
        /// Defined at `tests/golden/kitchen.yaml:140`.
        #[serde(
            rename = "calories",
            default,
            skip_serializing_if = "::std::option::Option::is_none",
            deserialize_with = "::dropforge_runtime::fields::optional_nullable"
        )]
        pub calories: ::std::option::Option<::std::option::Option<i64>>, // tests/golden/kitchen.yaml:140
        /// filling
        ///
        /// Defined at `tests/golden/kitchen.yaml:141`.
        #[serde(
            rename = "filling",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub filling: ::std::option::Option<self::Filling>, // tests/golden/kitchen.yaml:141
        /// parts
        ///
        /// Defined at `tests/golden/kitchen.yaml:142`.
        #[serde(
            rename = "parts",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub parts: ::std::option::Option<::std::vec::Vec<self::Dish>>, // tests/golden/kitchen.yaml:142
        /// around
        ///
        /// Defined at `tests/golden/kitchen.yaml:143`.
        #[serde(
            rename = "around",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub around: ::std::option::Option<::std::boxed::Box<self::Dish>>, // tests/golden/kitchen.yaml:143
        /// spices
        ///
        /// Defined at `tests/golden/kitchen.yaml:144`.
        #[serde(rename = "spices", default = "Dish::default_spices")]
        pub spices: ::std::vec::Vec<::std::string::String>, // tests/golden/kitchen.yaml:144
        /// garnish
        ///
        /// Defined at `tests/golden/kitchen.yaml:145`.
        #[serde(
            rename = "garnish",
            default,
            skip_serializing_if = "::std::option::Option::is_none",
            deserialize_with = "::dropforge_runtime::fields::optional_nullable"
        )]
        pub garnish: ::std::option::Option<::std::option::Option<self::Garnish>>, // tests/golden/kitchen.yaml:145
        /// anything
        ///
        /// Defined at `tests/golden/kitchen.yaml:146`.
        #[serde(
            rename = "anything",
            default,
            skip_serializing_if = "::std::option::Option::is_none",
            deserialize_with = "::dropforge_runtime::fields::present"
        )]
        pub anything: ::std::option::Option<::dropforge_runtime::serde_json::Value>, // tests/golden/kitchen.yaml:146
        /// notes
        ///
        /// Defined at `tests/golden/kitchen.yaml:147`.
        #[serde(
            rename = "notes",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub notes: ::std::option::Option< // tests/golden/kitchen.yaml:147
            ::std::collections::BTreeMap<::std::string::String, ::std::string::String>,
        >,
    }
    impl Dish {
        fn default_spices() -> ::std::vec::Vec<::std::string::String> {
            ::std::vec![::std::string::String::from("salt")]
        }
    }
    /// Defined at `tests/golden/kitchen.yaml:152`.
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
    pub enum Kind { // tests/golden/kitchen.yaml:152
        /// `hot`
        #[serde(rename = "hot")]
        Hot,
        /// `HOT`
        #[serde(rename = "HOT")]
        Hot2,
        /// `cold`
        #[serde(rename = "cold")]
        Cold,
        /// `>`
        #[serde(rename = ">")]
        Greater,
        /// `>=`
        #[serde(rename = ">=")]
        GreaterEqual,
        /// ``
        #[serde(rename = "")]
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
            match self {
                Kind::Hot => "hot",
                Kind::Hot2 => "HOT",
                Kind::Cold => "cold",
                Kind::Greater => ">",
                Kind::GreaterEqual => ">=",
                Kind::Empty => "",
            }
        }
    }
    impl ::std::fmt::Display for Kind {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.write_str(self.as_str())
        }
    }
    impl ::std::str::FromStr for Kind {
        type Err = &'static str;
        fn from_str(text: &str) -> ::std::result::Result<Self, &'static str> {
            match text {
                "hot" => ::std::result::Result::Ok(Kind::Hot),
                "HOT" => ::std::result::Result::Ok(Kind::Hot2),
                "cold" => ::std::result::Result::Ok(Kind::Cold),
                ">" => ::std::result::Result::Ok(Kind::Greater),
                ">=" => ::std::result::Result::Ok(Kind::GreaterEqual),
                "" => ::std::result::Result::Ok(Kind::Empty),
                _ => ::std::result::Result::Err("not a value of Kind"),
            }
        }
    }
    /// Defined at `tests/golden/kitchen.yaml:155`.
    #[derive(Debug, Clone, PartialEq, ::dropforge_runtime::serde::Serialize)]
    #[serde(crate = "::dropforge_runtime::serde")]
    #[serde(untagged)]
    pub enum Filling { // tests/golden/kitchen.yaml:155
        #[allow(missing_docs)]
        Sweet(self::Sweet),
        #[allow(missing_docs)]
        Savoury(self::Savoury),
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Filling {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> ::std::result::Result<Self, D::Error> {
            let value = <::dropforge_runtime::serde_json::Value as ::dropforge_runtime::serde::Deserialize>::deserialize(
                deserializer,
            )?;
            match ::dropforge_runtime::check::alternative(
                &super::schemas::SCHEMA_11,
                &value,
            ) {
                ::std::option::Option::Some(0usize) => {
                    ::dropforge_runtime::serde_json::from_value(value)
                        .map(Filling::Sweet)
                        .map_err(::dropforge_runtime::serde::de::Error::custom)
                }
                ::std::option::Option::Some(1usize) => {
                    ::dropforge_runtime::serde_json::from_value(value)
                        .map(Filling::Savoury)
                        .map_err(::dropforge_runtime::serde::de::Error::custom)
                }
                _ => {
                    ::std::result::Result::Err(
                        ::dropforge_runtime::serde::de::Error::custom(
                            "none of the alternatives of Filling",
                        ),
                    )
                }
            }
        }
    }
    /// Defined at `tests/golden/kitchen.yaml:148`.
    #[derive(Debug, Clone, PartialEq, ::dropforge_runtime::serde::Serialize)]
    #[serde(crate = "::dropforge_runtime::serde")]
    #[serde(untagged)]
    pub enum Garnish { // tests/golden/kitchen.yaml:148
        #[allow(missing_docs)]
        String(::std::string::String),
        #[allow(missing_docs)]
        Array(::std::vec::Vec<::std::string::String>),
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Garnish {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> ::std::result::Result<Self, D::Error> {
            let value = <::dropforge_runtime::serde_json::Value as ::dropforge_runtime::serde::Deserialize>::deserialize(
                deserializer,
            )?;
            match ::dropforge_runtime::check::alternative(
                &super::schemas::SCHEMA_14,
                &value,
            ) {
                ::std::option::Option::Some(0usize) => {
                    ::dropforge_runtime::serde_json::from_value(value)
                        .map(Garnish::String)
                        .map_err(::dropforge_runtime::serde::de::Error::custom)
                }
                ::std::option::Option::Some(1usize) => {
                    ::dropforge_runtime::serde_json::from_value(value)
                        .map(Garnish::Array)
                        .map_err(::dropforge_runtime::serde::de::Error::custom)
                }
                _ => {
                    ::std::result::Result::Err(
                        ::dropforge_runtime::serde::de::Error::custom(
                            "none of the alternatives of Garnish",
                        ),
                    )
                }
            }
        }
    }
    /// Defined at `tests/golden/kitchen.yaml:162`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub struct Sweet { // tests/golden/kitchen.yaml:162
        /// taste
        ///
        /// Defined at `tests/golden/kitchen.yaml:165`.
        #[serde(rename = "taste")]
        pub taste: ::std::string::String, // tests/golden/kitchen.yaml:165
        /// sugar
        ///
        /// Defined at `tests/golden/kitchen.yaml:165`.
        #[serde(
            rename = "sugar",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub sugar: ::std::option::Option<i64>, // tests/golden/kitchen.yaml:165
    }
    /// Defined at `tests/golden/kitchen.yaml:166`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub struct Savoury { // tests/golden/kitchen.yaml:166
        /// taste
        ///
        /// Defined at `tests/golden/kitchen.yaml:170`.
        #[serde(rename = "taste")]
        pub taste: ::std::string::String, // tests/golden/kitchen.yaml:170
        /// salt
        ///
        /// Defined at `tests/golden/kitchen.yaml:172`.
        #[serde(
            rename = "salt",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub salt: ::std::option::Option<self::SavourySalt>, // tests/golden/kitchen.yaml:172
    }
    /// Defined at `tests/golden/kitchen.yaml:172`.
    #[derive(Debug, Clone, PartialEq, ::dropforge_runtime::serde::Serialize)]
    #[serde(crate = "::dropforge_runtime::serde")]
    #[serde(untagged)]
    pub enum SavourySalt { // tests/golden/kitchen.yaml:172
        #[allow(missing_docs)]
        Integer(i64),
        #[allow(missing_docs)]
        String(::std::string::String),
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for SavourySalt {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> ::std::result::Result<Self, D::Error> {
            let value = <::dropforge_runtime::serde_json::Value as ::dropforge_runtime::serde::Deserialize>::deserialize(
                deserializer,
            )?;
            match ::dropforge_runtime::check::alternative(
                &super::schemas::SCHEMA_29,
                &value,
            ) {
                ::std::option::Option::Some(0usize) => {
                    ::dropforge_runtime::serde_json::from_value(value)
                        .map(SavourySalt::Integer)
                        .map_err(::dropforge_runtime::serde::de::Error::custom)
                }
                ::std::option::Option::Some(1usize) => {
                    ::dropforge_runtime::serde_json::from_value(value)
                        .map(SavourySalt::String)
                        .map_err(::dropforge_runtime::serde::de::Error::custom)
                }
                _ => {
                    ::std::result::Result::Err(
                        ::dropforge_runtime::serde::de::Error::custom(
                            "none of the alternatives of SavourySalt",
                        ),
                    )
                }
            }
        }
    }
    /// Defined at `tests/golden/kitchen.yaml:173`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub struct Order { // tests/golden/kitchen.yaml:173
        /// table
        ///
        /// Defined at `tests/golden/kitchen.yaml:177`.
        #[serde(rename = "table")]
        pub table: i64, // tests/golden/kitchen.yaml:177
        /// dishes
        ///
        /// Defined at `tests/golden/kitchen.yaml:178`.
        #[serde(
            rename = "dishes",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub dishes: ::std::option::Option<::std::vec::Vec<::std::string::String>>, // tests/golden/kitchen.yaml:178
        /// secret
        ///
        /// Defined at `tests/golden/kitchen.yaml:179`.
        #[serde(
            rename = "secret",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub secret: ::std::option::Option<::std::string::String>, // tests/golden/kitchen.yaml:179
        /// id
        ///
        /// Defined at `tests/golden/kitchen.yaml:180`.
        #[serde(
            rename = "id",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub id: ::std::option::Option<::dropforge_runtime::uuid::Uuid>, // tests/golden/kitchen.yaml:180
        /// Every other member.
        #[serde(flatten)]
        pub additional: ::std::collections::BTreeMap<
            ::std::string::String,
            ::dropforge_runtime::serde_json::Value,
        >,
    }
    /// Defined at `tests/golden/kitchen.yaml:182`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    #[serde(transparent)]
    pub struct Tree(pub ::std::vec::Vec<self::Tree>); // tests/golden/kitchen.yaml:182
    /// Defined at `tests/golden/kitchen.yaml:74`.
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
    pub enum GetMenuMethodNotAllowedAllow { // tests/golden/kitchen.yaml:74
        /// `GET`
        #[serde(rename = "GET")]
        Get,
    }
    impl GetMenuMethodNotAllowedAllow {
        /// Every value, in the document's order.
        pub const ALL: &'static [GetMenuMethodNotAllowedAllow] = &[
            GetMenuMethodNotAllowedAllow::Get,
        ];
        /// The value as the document writes it.
        pub fn as_str(&self) -> &'static str {
            match self {
                GetMenuMethodNotAllowedAllow::Get => "GET",
            }
        }
    }
    impl ::std::fmt::Display for GetMenuMethodNotAllowedAllow {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.write_str(self.as_str())
        }
    }
    impl ::std::str::FromStr for GetMenuMethodNotAllowedAllow {
        type Err = &'static str;
        fn from_str(text: &str) -> ::std::result::Result<Self, &'static str> {
            match text {
                "GET" => ::std::result::Result::Ok(GetMenuMethodNotAllowedAllow::Get),
                _ => {
                    ::std::result::Result::Err(
                        "not a value of GetMenuMethodNotAllowedAllow",
                    )
                }
            }
        }
    }
}
/// The parameters of each operation.
pub mod parameters {
    /// Parameters of `getDish`.
    ///
    /// Defined at `tests/golden/kitchen.yaml:24`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub struct GetDish { // tests/golden/kitchen.yaml:24
        /// dishId
        ///
        /// Defined at `tests/golden/kitchen.yaml:19`.
        #[serde(rename = "dishId")]
        pub dish_id: ::std::string::String, // tests/golden/kitchen.yaml:19
        /// fields
        ///
        /// Defined at `tests/golden/kitchen.yaml:27`.
        #[serde(
            rename = "fields",
            default,
            skip_serializing_if = "::std::option::Option::is_none"
        )]
        pub fields: ::std::option::Option<::std::vec::Vec<::std::string::String>>, // tests/golden/kitchen.yaml:27
        /// X-Trace
        ///
        /// Defined at `tests/golden/kitchen.yaml:32`.
        #[serde(
            rename = "X-Trace",
            default,
            skip_serializing_if = "::std::option::Option::is_none",
            deserialize_with = "::dropforge_runtime::fields::optional_nullable"
        )]
        pub x_trace: ::std::option::Option<::std::option::Option<::std::string::String>>, // tests/golden/kitchen.yaml:32
        /// portions
        ///
        /// Defined at `tests/golden/kitchen.yaml:35`.
        #[serde(rename = "portions", default = "GetDish::default_portions")]
        pub portions: i32, // tests/golden/kitchen.yaml:35
        /// kind
        ///
        /// Defined at `tests/golden/kitchen.yaml:36`.
        #[serde(rename = "kind", default = "GetDish::default_kind")]
        pub kind: super::types::Kind, // tests/golden/kitchen.yaml:36
    }
    impl GetDish {
        fn default_portions() -> i32 {
            2i32
        }
        fn default_kind() -> super::types::Kind {
            super::types::Kind::Hot
        }
    }
    /// Parameters of `putDish`.
    ///
    /// Defined at `tests/golden/kitchen.yaml:55`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub struct PutDish { // tests/golden/kitchen.yaml:55
        /// dishId
        ///
        /// Defined at `tests/golden/kitchen.yaml:19`.
        #[serde(rename = "dishId")]
        pub dish_id: ::std::string::String, // tests/golden/kitchen.yaml:19
    }
    /// Parameters of `serveDish`.
    ///
    /// Defined at `tests/golden/kitchen.yaml:87`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub struct ServeDish { // tests/golden/kitchen.yaml:87
        /// id
        ///
        /// Defined at `tests/golden/kitchen.yaml:89`.
        #[serde(rename = "id")]
        pub id: i64, // tests/golden/kitchen.yaml:89
    }
    /// Parameters of `getPhoto`.
    ///
    /// Defined at `tests/golden/kitchen.yaml:99`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub struct GetPhoto { // tests/golden/kitchen.yaml:99
        /// other
        ///
        /// Defined at `tests/golden/kitchen.yaml:101`.
        #[serde(rename = "other")]
        pub other: ::std::string::String, // tests/golden/kitchen.yaml:101
    }
    /// Parameters of `delete_dishes_other_photo`.
    ///
    /// Defined at `tests/golden/kitchen.yaml:105`.
    #[derive(
        Debug,
        Clone,
        PartialEq,
        ::dropforge_runtime::serde::Serialize,
        ::dropforge_runtime::serde::Deserialize
    )]
    #[serde(crate = "::dropforge_runtime::serde")]
    pub struct DeleteDishesOtherPhoto { // tests/golden/kitchen.yaml:105
        /// other
        ///
        /// Defined at `tests/golden/kitchen.yaml:107`.
        #[serde(rename = "other")]
        pub other: ::std::string::String, // tests/golden/kitchen.yaml:107
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
                Some(value) => {
                    reply
                        .header_integer(
                            const {
                                ::dropforge_runtime::http::HeaderName::from_static("x-age")
                            },
                            value,
                        )
                }
                None => reply,
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
/// Who may call, and how a refusal looks.
pub trait Security: ::std::marker::Sized + ::std::marker::Send + ::std::marker::Sync + 'static {
    /// What every call has at hand.
    type Context: ::dropforge_runtime::dropshot::ServerContext
        + ::dropforge_runtime::Observe;
    /// Who `badge` says is calling.
    ///
    /// Defined at `tests/golden/kitchen.yaml:112`.
    type Badge: ::std::marker::Send; // tests/golden/kitchen.yaml:112
    /// Finds out who presents these credentials of `badge`, and whether they hold `scopes`.
    ///
    /// Defined at `tests/golden/kitchen.yaml:112`.
    fn badge( // tests/golden/kitchen.yaml:112
        call: &::dropforge_runtime::Call<Self::Context>,
        credentials: ::dropforge_runtime::Bearer,
        scopes: &'static [&'static str],
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<Self::Badge, ::dropforge_runtime::Denied>,
    > + ::std::marker::Send; // tests/golden/kitchen.yaml:112
    /// Who `key` says is calling.
    ///
    /// Defined at `tests/golden/kitchen.yaml:115`.
    type Key: ::std::marker::Send; // tests/golden/kitchen.yaml:115
    /// Finds out who presents these credentials of `key`, and whether they hold `scopes`.
    ///
    /// Defined at `tests/golden/kitchen.yaml:115`.
    fn key( // tests/golden/kitchen.yaml:115
        call: &::dropforge_runtime::Call<Self::Context>,
        credentials: ::dropforge_runtime::ApiKey,
        scopes: &'static [&'static str],
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<Self::Key, ::dropforge_runtime::Denied>,
    > + ::std::marker::Send; // tests/golden/kitchen.yaml:115
    /// The document's own shape for everything that is refused before
    /// or around an operation.
    fn reject(
        call: &::dropforge_runtime::Call<Self::Context>,
        rejection: ::dropforge_runtime::Rejection,
    ) -> ::dropforge_runtime::Reply;
}
/// How the caller of `getDish` is known.
///
/// Defined at `tests/golden/kitchen.yaml:24`.
pub enum GetDishCaller<S: Security> { // tests/golden/kitchen.yaml:24
    #[allow(missing_docs)]
    Badge(S::Badge),
    #[allow(missing_docs)]
    KeyBadge(S::Key, S::Badge),
}
/// How the caller of `putDish` is known.
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
/// What `getDish` refuses with.
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
/// What `putDish` refuses with.
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
/// What `getMenu` refuses with.
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
/// What `serveDish` refuses with.
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
/// What `getPhoto` refuses with.
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
/// What `delete_dishes_other_photo` refuses with.
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
    document: "{\"openapi\":\"3.0.3\",\"info\":{\"title\":\"Kitchen\",\"version\":\"1.2.0\",\"description\":\"One of everything that generated servers must be able to do.\"},\"servers\":[{\"url\":\"{base}/kitchen/v1\",\"variables\":{\"base\":{\"default\":\"http://127.0.0.1:8080\"}}}],\"x-dropforge-method-not-allowed\":{\"$ref\":\"#/components/responses/Problem\"},\"x-dropforge-not-found\":{\"/\":{\"$ref\":\"#/components/responses/Problem\"},\"/dishes\":{\"description\":\"There is no such dish.\"}},\"paths\":{\"/dishes/{dishId}\":{\"parameters\":[{\"name\":\"dishId\",\"in\":\"path\",\"required\":true,\"schema\":{\"type\":\"string\",\"maxLength\":40}}],\"get\":{\"operationId\":\"getDish\",\"summary\":\"Get a dish\",\"parameters\":[{\"name\":\"fields\",\"in\":\"query\",\"explode\":false,\"style\":\"form\",\"schema\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"uniqueItems\":true}},{\"name\":\"X-Trace\",\"in\":\"header\",\"schema\":{\"type\":\"string\",\"nullable\":true}},{\"name\":\"portions\",\"in\":\"query\",\"schema\":{\"type\":\"integer\",\"format\":\"int32\",\"default\":2}},{\"name\":\"kind\",\"in\":\"query\",\"schema\":{\"allOf\":[{\"$ref\":\"#/components/schemas/Kind\"}],\"default\":\"hot\"}}],\"security\":[{\"badge\":[\"dishes.read\"]},{\"key\":[],\"badge\":[]}],\"responses\":{\"200\":{\"description\":\"The dish.\",\"headers\":{\"ETag\":{\"required\":true,\"schema\":{\"type\":\"string\"}},\"X-Age\":{\"schema\":{\"type\":\"integer\"}},\"X-Cooked\":{\"required\":true,\"schema\":{\"type\":\"string\",\"format\":\"date-time\"}},\"X-Allergens\":{\"schema\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Dish\"}},\"application/vnd.kitchen+json\":{\"schema\":{\"$ref\":\"#/components/schemas/Dish\"}}}},\"404\":{\"$ref\":\"#/components/responses/Problem\"},\"default\":{\"$ref\":\"#/components/responses/Problem\"}}},\"put\":{\"operationId\":\"putDish\",\"security\":[{},{\"badge\":[]}],\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Dish\"}},\"application/x-www-form-urlencoded\":{\"schema\":{\"$ref\":\"#/components/schemas/Order\"}},\"text/plain\":{\"schema\":{\"type\":\"string\"}},\"image/png\":{}}},\"responses\":{\"200\":{\"description\":\"Replaced.\",\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Dish\"}}}},\"201\":{\"description\":\"Created.\",\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Dish\"}}}},\"4XX\":{\"$ref\":\"#/components/responses/Problem\"}}}},\"/dishes/menu\":{\"x-dropforge-method-not-allowed\":{\"description\":\"There is one menu, and it can be read.\",\"headers\":{\"Allow\":{\"required\":true,\"schema\":{\"type\":\"string\",\"enum\":[\"GET\"]}}}},\"get\":{\"operationId\":\"getMenu\",\"responses\":{\"200\":{\"description\":\"The menu, whole or dish by dish.\",\"content\":{\"text/plain\":{\"schema\":{\"type\":\"string\"}},\"text/event-stream\":{\"schema\":{\"$ref\":\"#/components/schemas/Dish\"},\"x-dropforge-stream\":{\"terminator\":\"[END]\"}}}}}}},\"/dishes/{id}:serve\":{\"post\":{\"operationId\":\"serveDish\",\"parameters\":[{\"name\":\"id\",\"in\":\"path\",\"required\":true,\"schema\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":10}}],\"requestBody\":{\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Order\"},\"x-dropforge-raw\":true}}},\"responses\":{\"204\":{\"description\":\"Served.\"},\"400\":{\"$ref\":\"#/components/responses/Problem\"},\"500\":{\"$ref\":\"#/components/responses/Problem\"}}}},\"/dishes/{other}/photo\":{\"get\":{\"operationId\":\"getPhoto\",\"parameters\":[{\"name\":\"other\",\"in\":\"path\",\"required\":true,\"schema\":{\"type\":\"string\"}}],\"responses\":{\"200\":{\"description\":\"A picture.\",\"content\":{\"image/png\":{\"schema\":{\"type\":\"string\",\"format\":\"binary\"}}}},\"302\":{\"description\":\"Elsewhere.\",\"headers\":{\"Location\":{\"required\":true,\"schema\":{\"type\":\"string\"}}}}}},\"delete\":{\"parameters\":[{\"name\":\"other\",\"in\":\"path\",\"required\":true,\"schema\":{\"type\":\"string\"}}],\"responses\":{\"204\":{\"description\":\"Gone.\"}}}}},\"components\":{\"securitySchemes\":{\"badge\":{\"type\":\"oauth2\",\"flows\":{\"clientCredentials\":{\"tokenUrl\":\"http://127.0.0.1/token\",\"scopes\":{\"dishes.read\":\"Read dishes.\"}}}},\"key\":{\"type\":\"apiKey\",\"in\":\"header\",\"name\":\"X-Key\"}},\"responses\":{\"Problem\":{\"description\":\"What went wrong.\",\"content\":{\"application/problem+json\":{\"schema\":{\"$ref\":\"#/components/schemas/Result\"}}}}},\"schemas\":{\"Result\":{\"type\":\"object\",\"required\":[\"title\"],\"properties\":{\"title\":{\"type\":\"string\",\"minLength\":1},\"Option\":{\"type\":\"string\"}}},\"Dish\":{\"type\":\"object\",\"required\":[\"name\",\"kind\",\"course\"],\"additionalProperties\":false,\"properties\":{\"name\":{\"type\":\"string\",\"pattern\":\"^[A-Z]\",\"minLength\":1,\"maxLength\":40},\"kind\":{\"$ref\":\"#/components/schemas/Kind\"},\"course\":{\"type\":\"integer\",\"format\":\"int32\",\"minimum\":1,\"maximum\":5,\"nullable\":true},\"type\":{\"type\":\"string\"},\"self\":{\"type\":\"number\",\"minimum\":0,\"exclusiveMinimum\":true,\"multipleOf\":0.5},\"since\":{\"type\":\"string\",\"format\":\"date-time\"},\"calories\":{\"type\":\"integer\",\"nullable\":true},\"filling\":{\"$ref\":\"#/components/schemas/Filling\"},\"parts\":{\"type\":\"array\",\"minItems\":1,\"maxItems\":9,\"items\":{\"$ref\":\"#/components/schemas/Dish\"}},\"around\":{\"$ref\":\"#/components/schemas/Dish\"},\"spices\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"default\":[\"salt\"]},\"garnish\":{\"$ref\":\"#/components/schemas/Garnish\"},\"anything\":{},\"notes\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"string\"},\"maxProperties\":3}}},\"Garnish\":{\"oneOf\":[{\"type\":\"string\",\"nullable\":true},{\"type\":\"array\",\"items\":{\"type\":\"string\"}}]},\"Kind\":{\"type\":\"string\",\"enum\":[\"hot\",\"HOT\",\"cold\",\">\",\">=\",\"\"]},\"Filling\":{\"oneOf\":[{\"$ref\":\"#/components/schemas/Sweet\"},{\"$ref\":\"#/components/schemas/Savoury\"}],\"discriminator\":{\"propertyName\":\"taste\",\"mapping\":{\"sweet\":\"#/components/schemas/Sweet\",\"salty\":\"Savoury\"}}},\"Sweet\":{\"type\":\"object\",\"required\":[\"taste\"],\"properties\":{\"taste\":{\"type\":\"string\"},\"sugar\":{\"type\":\"integer\"}}},\"Savoury\":{\"allOf\":[{\"type\":\"object\",\"required\":[\"taste\"],\"properties\":{\"taste\":{\"type\":\"string\"}}},{\"type\":\"object\",\"properties\":{\"salt\":{\"oneOf\":[{\"type\":\"integer\"},{\"type\":\"string\"}]}}}]},\"Order\":{\"type\":\"object\",\"required\":[\"table\"],\"properties\":{\"table\":{\"type\":\"integer\"},\"dishes\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},\"secret\":{\"type\":\"string\",\"writeOnly\":true},\"id\":{\"type\":\"string\",\"format\":\"uuid\",\"readOnly\":true}},\"additionalProperties\":true},\"Tree\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/Tree\"}}}}}",
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
        Header {
            name: "ETag",
            required: true,
            schema: &schemas::SCHEMA_45,
            source: HeaderSource::Handler,
        },
        Header {
            name: "X-Age",
            required: false,
            schema: &schemas::SCHEMA_46,
            source: HeaderSource::Handler,
        },
        Header {
            name: "X-Cooked",
            required: true,
            schema: &schemas::SCHEMA_47,
            source: HeaderSource::Handler,
        },
        Header {
            name: "X-Allergens",
            required: false,
            schema: &schemas::SCHEMA_48,
            source: HeaderSource::Handler,
        },
    ];
    static MEDIA_0: [MediaType; 2usize] = [
        MediaType {
            name: "application/json",
            codec: Codec::Json,
            schema: ::std::option::Option::Some(&schemas::SCHEMA_3),
            raw: false,
            stream: ::dropforge_runtime::table::Framing {
                terminator: ::std::option::Option::None,
                event: ::std::option::Option::None,
            },
        },
        MediaType {
            name: "application/vnd.kitchen+json",
            codec: Codec::Json,
            schema: ::std::option::Option::Some(&schemas::SCHEMA_3),
            raw: false,
            stream: ::dropforge_runtime::table::Framing {
                terminator: ::std::option::Option::None,
                event: ::std::option::Option::None,
            },
        },
    ];
    static HEADERS_1: [Header; 0usize] = [];
    static MEDIA_1: [MediaType; 1usize] = [
        MediaType {
            name: "application/problem+json",
            codec: Codec::Json,
            schema: ::std::option::Option::Some(&schemas::SCHEMA_0),
            raw: false,
            stream: ::dropforge_runtime::table::Framing {
                terminator: ::std::option::Option::None,
                event: ::std::option::Option::None,
            },
        },
    ];
    static HEADERS_2: [Header; 0usize] = [];
    static MEDIA_2: [MediaType; 1usize] = [
        MediaType {
            name: "application/json",
            codec: Codec::Json,
            schema: ::std::option::Option::Some(&schemas::SCHEMA_3),
            raw: false,
            stream: ::dropforge_runtime::table::Framing {
                terminator: ::std::option::Option::None,
                event: ::std::option::Option::None,
            },
        },
    ];
    static HEADERS_3: [Header; 0usize] = [];
    static MEDIA_3: [MediaType; 1usize] = [
        MediaType {
            name: "application/json",
            codec: Codec::Json,
            schema: ::std::option::Option::Some(&schemas::SCHEMA_3),
            raw: false,
            stream: ::dropforge_runtime::table::Framing {
                terminator: ::std::option::Option::None,
                event: ::std::option::Option::None,
            },
        },
    ];
    static HEADERS_4: [Header; 0usize] = [];
    static MEDIA_4: [MediaType; 2usize] = [
        MediaType {
            name: "text/plain",
            codec: Codec::Text,
            schema: ::std::option::Option::Some(&schemas::SCHEMA_51),
            raw: false,
            stream: ::dropforge_runtime::table::Framing {
                terminator: ::std::option::Option::None,
                event: ::std::option::Option::None,
            },
        },
        MediaType {
            name: "text/event-stream",
            codec: Codec::EventStream,
            schema: ::std::option::Option::Some(&schemas::SCHEMA_3),
            raw: false,
            stream: ::dropforge_runtime::table::Framing {
                terminator: ::std::option::Option::Some("[END]"),
                event: ::std::option::Option::None,
            },
        },
    ];
    static HEADERS_5: [Header; 1usize] = [
        Header {
            name: "Allow",
            required: true,
            schema: &schemas::SCHEMA_52,
            source: HeaderSource::Handler,
        },
    ];
    static MEDIA_5: [MediaType; 0usize] = [];
    static HEADERS_6: [Header; 0usize] = [];
    static MEDIA_6: [MediaType; 0usize] = [];
    static HEADERS_7: [Header; 0usize] = [];
    static MEDIA_7: [MediaType; 1usize] = [
        MediaType {
            name: "image/png",
            codec: Codec::Binary,
            schema: ::std::option::Option::Some(&schemas::SCHEMA_55),
            raw: false,
            stream: ::dropforge_runtime::table::Framing {
                terminator: ::std::option::Option::None,
                event: ::std::option::Option::None,
            },
        },
    ];
    static HEADERS_8: [Header; 1usize] = [
        Header {
            name: "Location",
            required: true,
            schema: &schemas::SCHEMA_56,
            source: HeaderSource::Handler,
        },
    ];
    static MEDIA_8: [MediaType; 0usize] = [];
    static HEADERS_9: [Header; 0usize] = [];
    static MEDIA_9: [MediaType; 0usize] = [];
    static HEADERS_10: [Header; 0usize] = [];
    static MEDIA_10: [MediaType; 0usize] = [];
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
            Parameter {
                name: "dishId",
                location: ::dropforge_runtime::table::ParameterIn::Path,
                required: true,
                style: Style::Simple,
                explode: false,
                json: false,
                schema: &schemas::SCHEMA_39,
            },
            Parameter {
                name: "fields",
                location: ::dropforge_runtime::table::ParameterIn::Query,
                required: false,
                style: Style::Form,
                explode: false,
                json: false,
                schema: &schemas::SCHEMA_40,
            },
            Parameter {
                name: "X-Trace",
                location: ::dropforge_runtime::table::ParameterIn::Header,
                required: false,
                style: Style::Simple,
                explode: false,
                json: false,
                schema: &schemas::SCHEMA_42,
            },
            Parameter {
                name: "portions",
                location: ::dropforge_runtime::table::ParameterIn::Query,
                required: false,
                style: Style::Form,
                explode: true,
                json: false,
                schema: &schemas::SCHEMA_43,
            },
            Parameter {
                name: "kind",
                location: ::dropforge_runtime::table::ParameterIn::Query,
                required: false,
                style: Style::Form,
                explode: true,
                json: false,
                schema: &schemas::SCHEMA_44,
            },
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
                headers: &HEADERS_1,
                media: &MEDIA_1,
            },
            Response {
                status: Status::Default,
                headers: &HEADERS_1,
                media: &MEDIA_1,
            },
        ],
        method_not_allowed: ::std::option::Option::Some(
            &Response {
                status: Status::Code(405),
                headers: &HEADERS_1,
                media: &MEDIA_1,
            },
        ),
        security: &[
            Requirement {
                all: &[
                    SchemeUse {
                        name: "badge",
                        scheme: Scheme::Bearer,
                        scopes: &["dishes.read"],
                    },
                ],
            },
            Requirement {
                all: &[
                    SchemeUse {
                        name: "key",
                        scheme: Scheme::ApiKey {
                            location: ::dropforge_runtime::table::ParameterIn::Header,
                            name: "X-Key",
                        },
                        scopes: &[],
                    },
                    SchemeUse {
                        name: "badge",
                        scheme: Scheme::Bearer,
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
            Parameter {
                name: "dishId",
                location: ::dropforge_runtime::table::ParameterIn::Path,
                required: true,
                style: Style::Simple,
                explode: false,
                json: false,
                schema: &schemas::SCHEMA_39,
            },
        ],
        body: ::std::option::Option::Some(
            &RequestBody {
                required: true,
                lenient: false,
                media: &[
                    MediaType {
                        name: "application/json",
                        codec: Codec::Json,
                        schema: ::std::option::Option::Some(&schemas::SCHEMA_3),
                        raw: false,
                        stream: ::dropforge_runtime::table::Framing {
                            terminator: ::std::option::Option::None,
                            event: ::std::option::Option::None,
                        },
                    },
                    MediaType {
                        name: "application/x-www-form-urlencoded",
                        codec: Codec::Form,
                        schema: ::std::option::Option::Some(&schemas::SCHEMA_32),
                        raw: false,
                        stream: ::dropforge_runtime::table::Framing {
                            terminator: ::std::option::Option::None,
                            event: ::std::option::Option::None,
                        },
                    },
                    MediaType {
                        name: "text/plain",
                        codec: Codec::Text,
                        schema: ::std::option::Option::Some(&schemas::SCHEMA_50),
                        raw: false,
                        stream: ::dropforge_runtime::table::Framing {
                            terminator: ::std::option::Option::None,
                            event: ::std::option::Option::None,
                        },
                    },
                    MediaType {
                        name: "image/png",
                        codec: Codec::Binary,
                        schema: ::std::option::Option::None,
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
                headers: &HEADERS_2,
                media: &MEDIA_2,
            },
            Response {
                status: Status::Code(201),
                headers: &HEADERS_3,
                media: &MEDIA_3,
            },
            Response {
                status: Status::Range(4),
                headers: &HEADERS_1,
                media: &MEDIA_1,
            },
        ],
        method_not_allowed: ::std::option::Option::Some(
            &Response {
                status: Status::Code(405),
                headers: &HEADERS_1,
                media: &MEDIA_1,
            },
        ),
        security: &[
            Requirement { all: &[] },
            Requirement {
                all: &[
                    SchemeUse {
                        name: "badge",
                        scheme: Scheme::Bearer,
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
                headers: &HEADERS_4,
                media: &MEDIA_4,
            },
        ],
        method_not_allowed: ::std::option::Option::Some(
            &Response {
                status: Status::Code(405),
                headers: &HEADERS_5,
                media: &MEDIA_5,
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
            Parameter {
                name: "id",
                location: ::dropforge_runtime::table::ParameterIn::Path,
                required: true,
                style: Style::Simple,
                explode: false,
                json: false,
                schema: &schemas::SCHEMA_53,
            },
        ],
        body: ::std::option::Option::Some(
            &RequestBody {
                required: false,
                lenient: false,
                media: &[
                    MediaType {
                        name: "application/json",
                        codec: Codec::Json,
                        schema: ::std::option::Option::Some(&schemas::SCHEMA_32),
                        raw: true,
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
            Response {
                status: Status::Code(400),
                headers: &HEADERS_1,
                media: &MEDIA_1,
            },
            Response {
                status: Status::Code(500),
                headers: &HEADERS_1,
                media: &MEDIA_1,
            },
        ],
        method_not_allowed: ::std::option::Option::Some(
            &Response {
                status: Status::Code(405),
                headers: &HEADERS_1,
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
            Parameter {
                name: "other",
                location: ::dropforge_runtime::table::ParameterIn::Path,
                required: true,
                style: Style::Simple,
                explode: false,
                json: false,
                schema: &schemas::SCHEMA_54,
            },
        ],
        body: ::std::option::Option::None,
        responses: &[
            Response {
                status: Status::Code(200),
                headers: &HEADERS_7,
                media: &MEDIA_7,
            },
            Response {
                status: Status::Code(302),
                headers: &HEADERS_8,
                media: &MEDIA_8,
            },
        ],
        method_not_allowed: ::std::option::Option::Some(
            &Response {
                status: Status::Code(405),
                headers: &HEADERS_1,
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
            Parameter {
                name: "other",
                location: ::dropforge_runtime::table::ParameterIn::Path,
                required: true,
                style: Style::Simple,
                explode: false,
                json: false,
                schema: &schemas::SCHEMA_57,
            },
        ],
        body: ::std::option::Option::None,
        responses: &[
            Response {
                status: Status::Code(204),
                headers: &HEADERS_9,
                media: &MEDIA_9,
            },
        ],
        method_not_allowed: ::std::option::Option::Some(
            &Response {
                status: Status::Code(405),
                headers: &HEADERS_1,
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
                headers: &HEADERS_1,
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
                headers: &HEADERS_10,
                media: &MEDIA_10,
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
    pub(super) static SCHEMA_0: Schema = Schema { // tests/golden/kitchen.yaml:123
        pointer: "/components/schemas/Result",
        types: Types::OBJECT,
        object: ::std::option::Option::Some(
            &ObjectRules {
                properties: &[
                    Property {
                        name: "title",
                        schema: &SCHEMA_1,
                        read_only: false,
                        write_only: false,
                    },
                    Property {
                        name: "Option",
                        schema: &SCHEMA_2,
                        read_only: false,
                        write_only: false,
                    },
                ],
                required: &["title"],
                additional: Additional::Allowed,
                min_properties: ::std::option::Option::None,
                max_properties: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:127`.
    pub(super) static SCHEMA_1: Schema = Schema { // tests/golden/kitchen.yaml:127
        pointer: "/components/schemas/Result/properties/title",
        types: Types::STRING,
        string: ::std::option::Option::Some(
            &StringRules {
                min_length: ::std::option::Option::Some(1),
                max_length: ::std::option::Option::None,
                pattern: ::std::option::Option::None,
                format: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:128`.
    pub(super) static SCHEMA_2: Schema = Schema { // tests/golden/kitchen.yaml:128
        pointer: "/components/schemas/Result/properties/Option",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:129`.
    pub(super) static SCHEMA_3: Schema = Schema { // tests/golden/kitchen.yaml:129
        pointer: "/components/schemas/Dish",
        types: Types::OBJECT,
        object: ::std::option::Option::Some(
            &ObjectRules {
                properties: &[
                    Property {
                        name: "name",
                        schema: &SCHEMA_4,
                        read_only: false,
                        write_only: false,
                    },
                    Property {
                        name: "kind",
                        schema: &SCHEMA_5,
                        read_only: false,
                        write_only: false,
                    },
                    Property {
                        name: "course",
                        schema: &SCHEMA_6,
                        read_only: false,
                        write_only: false,
                    },
                    Property {
                        name: "type",
                        schema: &SCHEMA_7,
                        read_only: false,
                        write_only: false,
                    },
                    Property {
                        name: "self",
                        schema: &SCHEMA_8,
                        read_only: false,
                        write_only: false,
                    },
                    Property {
                        name: "since",
                        schema: &SCHEMA_9,
                        read_only: false,
                        write_only: false,
                    },
                    Property {
                        name: "calories",
                        schema: &SCHEMA_10,
                        read_only: false,
                        write_only: false,
                    },
                    Property {
                        name: "filling",
                        schema: &SCHEMA_11,
                        read_only: false,
                        write_only: false,
                    },
                    Property {
                        name: "parts",
                        schema: &SCHEMA_12,
                        read_only: false,
                        write_only: false,
                    },
                    Property {
                        name: "around",
                        schema: &SCHEMA_3,
                        read_only: false,
                        write_only: false,
                    },
                    Property {
                        name: "spices",
                        schema: &SCHEMA_13,
                        read_only: false,
                        write_only: false,
                    },
                    Property {
                        name: "garnish",
                        schema: &SCHEMA_14,
                        read_only: false,
                        write_only: false,
                    },
                    Property {
                        name: "anything",
                        schema: &SCHEMA_15,
                        read_only: false,
                        write_only: false,
                    },
                    Property {
                        name: "notes",
                        schema: &SCHEMA_16,
                        read_only: false,
                        write_only: false,
                    },
                ],
                required: &["name", "kind", "course"],
                additional: Additional::Denied,
                min_properties: ::std::option::Option::None,
                max_properties: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    static SCHEMA_4_PATTERN: Pattern = Pattern::new("^[A-Z]");
    /// Defined at `tests/golden/kitchen.yaml:134`.
    pub(super) static SCHEMA_4: Schema = Schema { // tests/golden/kitchen.yaml:134
        pointer: "/components/schemas/Dish/properties/name",
        types: Types::STRING,
        string: ::std::option::Option::Some(
            &StringRules {
                min_length: ::std::option::Option::Some(1),
                max_length: ::std::option::Option::Some(40),
                pattern: ::std::option::Option::Some(&SCHEMA_4_PATTERN),
                format: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:152`.
    pub(super) static SCHEMA_5: Schema = Schema { // tests/golden/kitchen.yaml:152
        pointer: "/components/schemas/Kind",
        types: Types::STRING,
        enumeration: ::std::option::Option::Some(
            &["\"hot\"", "\"HOT\"", "\"cold\"", "\">\"", "\">=\"", "\"\""],
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:136`.
    pub(super) static SCHEMA_6: Schema = Schema { // tests/golden/kitchen.yaml:136
        pointer: "/components/schemas/Dish/properties/course",
        types: Types::INTEGER,
        nullable: true,
        number: ::std::option::Option::Some(
            &NumberRules {
                minimum: ::std::option::Option::Some((Number::Integer(1), false)),
                maximum: ::std::option::Option::Some((Number::Integer(5), false)),
                multiple_of: ::std::option::Option::None,
                format: ::std::option::Option::Some(NumberFormat::Int32),
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:137`.
    pub(super) static SCHEMA_7: Schema = Schema { // tests/golden/kitchen.yaml:137
        pointer: "/components/schemas/Dish/properties/type",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:138`.
    pub(super) static SCHEMA_8: Schema = Schema { // tests/golden/kitchen.yaml:138
        pointer: "/components/schemas/Dish/properties/self",
        types: Types::NUMBER,
        number: ::std::option::Option::Some(
            &NumberRules {
                minimum: ::std::option::Option::Some((Number::Integer(0), true)),
                maximum: ::std::option::Option::None,
                multiple_of: ::std::option::Option::Some(Number::Float(0.5)),
                format: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:139`.
    pub(super) static SCHEMA_9: Schema = Schema { // tests/golden/kitchen.yaml:139
        pointer: "/components/schemas/Dish/properties/since",
        types: Types::STRING,
        string: ::std::option::Option::Some(
            &StringRules {
                min_length: ::std::option::Option::None,
                max_length: ::std::option::Option::None,
                pattern: ::std::option::Option::None,
                format: ::std::option::Option::Some(StringFormat::DateTime),
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:140`.
    pub(super) static SCHEMA_10: Schema = Schema { // tests/golden/kitchen.yaml:140
        pointer: "/components/schemas/Dish/properties/calories",
        types: Types::INTEGER,
        nullable: true,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:155`.
    pub(super) static SCHEMA_11: Schema = Schema { // tests/golden/kitchen.yaml:155
        pointer: "/components/schemas/Filling",
        one_of: &[&SCHEMA_17, &SCHEMA_18],
        discriminator: ::std::option::Option::Some(
            &Discriminator {
                property: "taste",
                mapping: &[("sweet", &SCHEMA_17), ("salty", &SCHEMA_18)],
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:142`.
    pub(super) static SCHEMA_12: Schema = Schema { // tests/golden/kitchen.yaml:142
        pointer: "/components/schemas/Dish/properties/parts",
        types: Types::ARRAY,
        array: ::std::option::Option::Some(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_3),
                min_items: ::std::option::Option::Some(1),
                max_items: ::std::option::Option::Some(9),
                unique: false,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:144`.
    pub(super) static SCHEMA_13: Schema = Schema { // tests/golden/kitchen.yaml:144
        pointer: "/components/schemas/Dish/properties/spices",
        types: Types::ARRAY,
        array: ::std::option::Option::Some(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_19),
                min_items: ::std::option::Option::None,
                max_items: ::std::option::Option::None,
                unique: false,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:148`.
    pub(super) static SCHEMA_14: Schema = Schema { // tests/golden/kitchen.yaml:148
        pointer: "/components/schemas/Garnish",
        one_of: &[&SCHEMA_20, &SCHEMA_21],
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:146`.
    pub(super) static SCHEMA_15: Schema = Schema { // tests/golden/kitchen.yaml:146
        pointer: "/components/schemas/Dish/properties/anything",
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:147`.
    pub(super) static SCHEMA_16: Schema = Schema { // tests/golden/kitchen.yaml:147
        pointer: "/components/schemas/Dish/properties/notes",
        types: Types::OBJECT,
        object: ::std::option::Option::Some(
            &ObjectRules {
                properties: &[],
                required: &[],
                additional: Additional::Schema(&SCHEMA_22),
                min_properties: ::std::option::Option::None,
                max_properties: ::std::option::Option::Some(3),
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:162`.
    pub(super) static SCHEMA_17: Schema = Schema { // tests/golden/kitchen.yaml:162
        pointer: "/components/schemas/Sweet",
        types: Types::OBJECT,
        object: ::std::option::Option::Some(
            &ObjectRules {
                properties: &[
                    Property {
                        name: "taste",
                        schema: &SCHEMA_23,
                        read_only: false,
                        write_only: false,
                    },
                    Property {
                        name: "sugar",
                        schema: &SCHEMA_24,
                        read_only: false,
                        write_only: false,
                    },
                ],
                required: &["taste"],
                additional: Additional::Allowed,
                min_properties: ::std::option::Option::None,
                max_properties: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:166`.
    pub(super) static SCHEMA_18: Schema = Schema { // tests/golden/kitchen.yaml:166
        pointer: "/components/schemas/Savoury",
        all_of: &[&SCHEMA_25, &SCHEMA_26],
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:144`.
    pub(super) static SCHEMA_19: Schema = Schema { // tests/golden/kitchen.yaml:144
        pointer: "/components/schemas/Dish/properties/spices/items",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:150`.
    pub(super) static SCHEMA_20: Schema = Schema { // tests/golden/kitchen.yaml:150
        pointer: "/components/schemas/Garnish/oneOf/0",
        types: Types::STRING,
        nullable: true,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:151`.
    pub(super) static SCHEMA_21: Schema = Schema { // tests/golden/kitchen.yaml:151
        pointer: "/components/schemas/Garnish/oneOf/1",
        types: Types::ARRAY,
        array: ::std::option::Option::Some(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_27),
                min_items: ::std::option::Option::None,
                max_items: ::std::option::Option::None,
                unique: false,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:147`.
    pub(super) static SCHEMA_22: Schema = Schema { // tests/golden/kitchen.yaml:147
        pointer: "/components/schemas/Dish/properties/notes/additionalProperties",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:165`.
    pub(super) static SCHEMA_23: Schema = Schema { // tests/golden/kitchen.yaml:165
        pointer: "/components/schemas/Sweet/properties/taste",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:165`.
    pub(super) static SCHEMA_24: Schema = Schema { // tests/golden/kitchen.yaml:165
        pointer: "/components/schemas/Sweet/properties/sugar",
        types: Types::INTEGER,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:168`.
    pub(super) static SCHEMA_25: Schema = Schema { // tests/golden/kitchen.yaml:168
        pointer: "/components/schemas/Savoury/allOf/0",
        types: Types::OBJECT,
        object: ::std::option::Option::Some(
            &ObjectRules {
                properties: &[
                    Property {
                        name: "taste",
                        schema: &SCHEMA_28,
                        read_only: false,
                        write_only: false,
                    },
                ],
                required: &["taste"],
                additional: Additional::Allowed,
                min_properties: ::std::option::Option::None,
                max_properties: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:171`.
    pub(super) static SCHEMA_26: Schema = Schema { // tests/golden/kitchen.yaml:171
        pointer: "/components/schemas/Savoury/allOf/1",
        types: Types::OBJECT,
        object: ::std::option::Option::Some(
            &ObjectRules {
                properties: &[
                    Property {
                        name: "salt",
                        schema: &SCHEMA_29,
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
    /// Defined at `tests/golden/kitchen.yaml:151`.
    pub(super) static SCHEMA_27: Schema = Schema { // tests/golden/kitchen.yaml:151
        pointer: "/components/schemas/Garnish/oneOf/1/items",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:170`.
    pub(super) static SCHEMA_28: Schema = Schema { // tests/golden/kitchen.yaml:170
        pointer: "/components/schemas/Savoury/allOf/0/properties/taste",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:172`.
    pub(super) static SCHEMA_29: Schema = Schema { // tests/golden/kitchen.yaml:172
        pointer: "/components/schemas/Savoury/allOf/1/properties/salt",
        one_of: &[&SCHEMA_30, &SCHEMA_31],
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:172`.
    pub(super) static SCHEMA_30: Schema = Schema { // tests/golden/kitchen.yaml:172
        pointer: "/components/schemas/Savoury/allOf/1/properties/salt/oneOf/0",
        types: Types::INTEGER,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:172`.
    pub(super) static SCHEMA_31: Schema = Schema { // tests/golden/kitchen.yaml:172
        pointer: "/components/schemas/Savoury/allOf/1/properties/salt/oneOf/1",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:173`.
    pub(super) static SCHEMA_32: Schema = Schema { // tests/golden/kitchen.yaml:173
        pointer: "/components/schemas/Order",
        types: Types::OBJECT,
        object: ::std::option::Option::Some(
            &ObjectRules {
                properties: &[
                    Property {
                        name: "table",
                        schema: &SCHEMA_33,
                        read_only: false,
                        write_only: false,
                    },
                    Property {
                        name: "dishes",
                        schema: &SCHEMA_34,
                        read_only: false,
                        write_only: false,
                    },
                    Property {
                        name: "secret",
                        schema: &SCHEMA_35,
                        read_only: false,
                        write_only: true,
                    },
                    Property {
                        name: "id",
                        schema: &SCHEMA_36,
                        read_only: true,
                        write_only: false,
                    },
                ],
                required: &["table"],
                additional: Additional::Allowed,
                min_properties: ::std::option::Option::None,
                max_properties: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:177`.
    pub(super) static SCHEMA_33: Schema = Schema { // tests/golden/kitchen.yaml:177
        pointer: "/components/schemas/Order/properties/table",
        types: Types::INTEGER,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:178`.
    pub(super) static SCHEMA_34: Schema = Schema { // tests/golden/kitchen.yaml:178
        pointer: "/components/schemas/Order/properties/dishes",
        types: Types::ARRAY,
        array: ::std::option::Option::Some(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_37),
                min_items: ::std::option::Option::None,
                max_items: ::std::option::Option::None,
                unique: false,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:179`.
    pub(super) static SCHEMA_35: Schema = Schema { // tests/golden/kitchen.yaml:179
        pointer: "/components/schemas/Order/properties/secret",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:180`.
    pub(super) static SCHEMA_36: Schema = Schema { // tests/golden/kitchen.yaml:180
        pointer: "/components/schemas/Order/properties/id",
        types: Types::STRING,
        string: ::std::option::Option::Some(
            &StringRules {
                min_length: ::std::option::Option::None,
                max_length: ::std::option::Option::None,
                pattern: ::std::option::Option::None,
                format: ::std::option::Option::Some(StringFormat::Uuid),
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:178`.
    pub(super) static SCHEMA_37: Schema = Schema { // tests/golden/kitchen.yaml:178
        pointer: "/components/schemas/Order/properties/dishes/items",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:182`.
    pub(super) static SCHEMA_38: Schema = Schema { // tests/golden/kitchen.yaml:182
        pointer: "/components/schemas/Tree",
        types: Types::ARRAY,
        array: ::std::option::Option::Some(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_38),
                min_items: ::std::option::Option::None,
                max_items: ::std::option::Option::None,
                unique: false,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:22`.
    pub(super) static SCHEMA_39: Schema = Schema { // tests/golden/kitchen.yaml:22
        pointer: "/paths/~1dishes~1{dishId}/parameters/0/schema",
        types: Types::STRING,
        string: ::std::option::Option::Some(
            &StringRules {
                min_length: ::std::option::Option::None,
                max_length: ::std::option::Option::Some(40),
                pattern: ::std::option::Option::None,
                format: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:31`.
    pub(super) static SCHEMA_40: Schema = Schema { // tests/golden/kitchen.yaml:31
        pointer: "/paths/~1dishes~1{dishId}/get/parameters/0/schema",
        types: Types::ARRAY,
        array: ::std::option::Option::Some(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_41),
                min_items: ::std::option::Option::None,
                max_items: ::std::option::Option::None,
                unique: true,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:31`.
    pub(super) static SCHEMA_41: Schema = Schema { // tests/golden/kitchen.yaml:31
        pointer: "/paths/~1dishes~1{dishId}/get/parameters/0/schema/items",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:34`.
    pub(super) static SCHEMA_42: Schema = Schema { // tests/golden/kitchen.yaml:34
        pointer: "/paths/~1dishes~1{dishId}/get/parameters/1/schema",
        types: Types::STRING,
        nullable: true,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:35`.
    pub(super) static SCHEMA_43: Schema = Schema { // tests/golden/kitchen.yaml:35
        pointer: "/paths/~1dishes~1{dishId}/get/parameters/2/schema",
        types: Types::INTEGER,
        number: ::std::option::Option::Some(
            &NumberRules {
                minimum: ::std::option::Option::None,
                maximum: ::std::option::Option::None,
                multiple_of: ::std::option::Option::None,
                format: ::std::option::Option::Some(NumberFormat::Int32),
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:36`.
    pub(super) static SCHEMA_44: Schema = Schema { // tests/golden/kitchen.yaml:36
        pointer: "/paths/~1dishes~1{dishId}/get/parameters/3/schema",
        all_of: &[&SCHEMA_5],
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:45`.
    pub(super) static SCHEMA_45: Schema = Schema { // tests/golden/kitchen.yaml:45
        pointer: "/paths/~1dishes~1{dishId}/get/responses/200/headers/ETag/schema",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:46`.
    pub(super) static SCHEMA_46: Schema = Schema { // tests/golden/kitchen.yaml:46
        pointer: "/paths/~1dishes~1{dishId}/get/responses/200/headers/X-Age/schema",
        types: Types::INTEGER,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:47`.
    pub(super) static SCHEMA_47: Schema = Schema { // tests/golden/kitchen.yaml:47
        pointer: "/paths/~1dishes~1{dishId}/get/responses/200/headers/X-Cooked/schema",
        types: Types::STRING,
        string: ::std::option::Option::Some(
            &StringRules {
                min_length: ::std::option::Option::None,
                max_length: ::std::option::Option::None,
                pattern: ::std::option::Option::None,
                format: ::std::option::Option::Some(StringFormat::DateTime),
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:48`.
    pub(super) static SCHEMA_48: Schema = Schema { // tests/golden/kitchen.yaml:48
        pointer: "/paths/~1dishes~1{dishId}/get/responses/200/headers/X-Allergens/schema",
        types: Types::ARRAY,
        array: ::std::option::Option::Some(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_49),
                min_items: ::std::option::Option::None,
                max_items: ::std::option::Option::None,
                unique: false,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:48`.
    pub(super) static SCHEMA_49: Schema = Schema { // tests/golden/kitchen.yaml:48
        pointer: "/paths/~1dishes~1{dishId}/get/responses/200/headers/X-Allergens/schema/items",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:64`.
    pub(super) static SCHEMA_50: Schema = Schema { // tests/golden/kitchen.yaml:64
        pointer: "/paths/~1dishes~1{dishId}/put/requestBody/content/text~1plain/schema",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:81`.
    pub(super) static SCHEMA_51: Schema = Schema { // tests/golden/kitchen.yaml:81
        pointer: "/paths/~1dishes~1menu/get/responses/200/content/text~1plain/schema",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:74`.
    pub(super) static SCHEMA_52: Schema = Schema { // tests/golden/kitchen.yaml:74
        pointer: "/paths/~1dishes~1menu/x-dropforge-method-not-allowed/headers/Allow/schema",
        types: Types::STRING,
        enumeration: ::std::option::Option::Some(&["\"GET\""]),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:89`.
    pub(super) static SCHEMA_53: Schema = Schema { // tests/golden/kitchen.yaml:89
        pointer: "/paths/~1dishes~1{id}:serve/post/parameters/0/schema",
        types: Types::INTEGER,
        number: ::std::option::Option::Some(
            &NumberRules {
                minimum: ::std::option::Option::Some((Number::Integer(1), false)),
                maximum: ::std::option::Option::Some((Number::Integer(10), false)),
                multiple_of: ::std::option::Option::None,
                format: ::std::option::Option::None,
            },
        ),
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:101`.
    pub(super) static SCHEMA_54: Schema = Schema { // tests/golden/kitchen.yaml:101
        pointer: "/paths/~1dishes~1{other}~1photo/get/parameters/0/schema",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:103`.
    pub(super) static SCHEMA_55: Schema = Schema { // tests/golden/kitchen.yaml:103
        pointer: "/paths/~1dishes~1{other}~1photo/get/responses/200/content/image~1png/schema",
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
    /// Defined at `tests/golden/kitchen.yaml:104`.
    pub(super) static SCHEMA_56: Schema = Schema { // tests/golden/kitchen.yaml:104
        pointer: "/paths/~1dishes~1{other}~1photo/get/responses/302/headers/Location/schema",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
    /// Defined at `tests/golden/kitchen.yaml:107`.
    pub(super) static SCHEMA_57: Schema = Schema { // tests/golden/kitchen.yaml:107
        pointer: "/paths/~1dishes~1{other}~1photo/delete/parameters/0/schema",
        types: Types::STRING,
        ..Schema::ANY
    }
        .prepared();
}
mod handlers {
    use super::*;
    /// Defined at `tests/golden/kitchen.yaml:24`.
    pub(super) enum GetDishOperation {} // tests/golden/kitchen.yaml:24
    impl ::dropforge_runtime::OperationMarker for GetDishOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::GET_DISH;
        const API: &'static ::dropforge_runtime::table::Api = &API;
    }
    pub(super) fn get_dish<A: Kitchen>(
        rqctx: ::dropforge_runtime::dropshot::RequestContext<A::Context>,
        request: ::dropforge_runtime::Kept<GetDishOperation>,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<
            ::dropforge_runtime::Served<GetDishOperation>,
            ::dropforge_runtime::dropshot::HttpError,
        >,
    > + ::std::marker::Send {
        ::dropforge_runtime::serve(
            &API,
            &operations::GET_DISH,
            rqctx,
            request,
            A::reject,
            |mut exchange: ::dropforge_runtime::Exchange<A::Context>| async move {
                let caller = 'caller: {
                    let mut refused = ::dropforge_runtime::Refusals::new();
                    if let ::std::option::Option::Some(credentials) = exchange.bearer() {
                        match A::badge(exchange.call(), credentials, &["dishes.read"])
                            .await
                        {
                            ::std::result::Result::Ok(caller0) => {
                                break 'caller GetDishCaller::Badge(caller0);
                            }
                            ::std::result::Result::Err(denied) => refused.push(denied),
                        }
                    }
                    if let ::std::option::Option::Some(credentials) = exchange
                        .api_key(
                            ::dropforge_runtime::table::ParameterIn::Header,
                            "X-Key",
                        )
                    {
                        match A::key(exchange.call(), credentials, &[]).await {
                            ::std::result::Result::Ok(caller0) => {
                                if let ::std::option::Option::Some(credentials) = exchange
                                    .bearer()
                                {
                                    match A::badge(exchange.call(), credentials, &[]).await {
                                        ::std::result::Result::Ok(caller1) => {
                                            break 'caller GetDishCaller::KeyBadge(caller0, caller1);
                                        }
                                        ::std::result::Result::Err(denied) => refused.push(denied),
                                    }
                                }
                            }
                            ::std::result::Result::Err(denied) => refused.push(denied),
                        }
                    }
                    return ::std::result::Result::Err(refused.into_rejection());
                };
                #[allow(unused_variables, unused_mut)]
                let mut request = exchange.read::<::dropforge_runtime::Unread>().await?;
                let parameters: parameters::GetDish = request.parameters()?;
                let accept = exchange.accept().clone();
                let outcome = A::get_dish(exchange.into_call(), caller, parameters)
                    .await;
                ::std::result::Result::Ok(
                    ::dropforge_runtime::into_reply(outcome, &accept),
                )
            },
        )
    }
    /// Defined at `tests/golden/kitchen.yaml:55`.
    pub(super) enum PutDishOperation {} // tests/golden/kitchen.yaml:55
    impl ::dropforge_runtime::OperationMarker for PutDishOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::PUT_DISH;
        const API: &'static ::dropforge_runtime::table::Api = &API;
    }
    pub(super) fn put_dish<A: Kitchen>(
        rqctx: ::dropforge_runtime::dropshot::RequestContext<A::Context>,
        request: ::dropforge_runtime::Kept<PutDishOperation>,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<
            ::dropforge_runtime::Served<PutDishOperation>,
            ::dropforge_runtime::dropshot::HttpError,
        >,
    > + ::std::marker::Send {
        ::dropforge_runtime::serve(
            &API,
            &operations::PUT_DISH,
            rqctx,
            request,
            A::reject,
            |mut exchange: ::dropforge_runtime::Exchange<A::Context>| async move {
                let caller = 'caller: {
                    let mut refused = ::dropforge_runtime::Refusals::new();
                    if let ::std::option::Option::Some(credentials) = exchange.bearer() {
                        match A::badge(exchange.call(), credentials, &[]).await {
                            ::std::result::Result::Ok(caller0) => {
                                break 'caller PutDishCaller::Badge(caller0);
                            }
                            ::std::result::Result::Err(denied) => refused.push(denied),
                        }
                    }
                    if refused.is_empty() {
                        break 'caller PutDishCaller::Anonymous;
                    }
                    return ::std::result::Result::Err(refused.into_rejection());
                };
                #[allow(unused_variables, unused_mut)]
                let mut request = exchange.read::<::dropforge_runtime::Unread>().await?;
                let parameters: parameters::PutDish = request.parameters()?;
                let body = match match request.media_index() {
                    ::std::option::Option::Some(0) => {
                        ::std::option::Option::Some(
                            PutDishBody::Json(request.body_as()?),
                        )
                    }
                    ::std::option::Option::Some(1) => {
                        ::std::option::Option::Some(
                            PutDishBody::Form(request.body_as()?),
                        )
                    }
                    ::std::option::Option::Some(2) => {
                        ::std::option::Option::Some(
                            PutDishBody::TextPlain(request.text_body()?),
                        )
                    }
                    ::std::option::Option::Some(3) => {
                        ::std::option::Option::Some(
                            PutDishBody::ImagePng(request.bytes_body()?),
                        )
                    }
                    _ => ::std::option::Option::None,
                } {
                    ::std::option::Option::Some(body) => body,
                    ::std::option::Option::None => {
                        return ::std::result::Result::Err(
                            ::dropforge_runtime::Rejection::missing_body(),
                        );
                    }
                };
                let accept = exchange.accept().clone();
                let outcome = A::put_dish(exchange.into_call(), caller, parameters, body)
                    .await;
                ::std::result::Result::Ok(
                    ::dropforge_runtime::into_reply(outcome, &accept),
                )
            },
        )
    }
    /// Defined at `tests/golden/kitchen.yaml:76`.
    pub(super) enum GetMenuOperation {} // tests/golden/kitchen.yaml:76
    impl ::dropforge_runtime::OperationMarker for GetMenuOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::GET_MENU;
        const API: &'static ::dropforge_runtime::table::Api = &API;
    }
    pub(super) fn get_menu<A: Kitchen>(
        rqctx: ::dropforge_runtime::dropshot::RequestContext<A::Context>,
        request: ::dropforge_runtime::Kept<GetMenuOperation>,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<
            ::dropforge_runtime::Served<GetMenuOperation>,
            ::dropforge_runtime::dropshot::HttpError,
        >,
    > + ::std::marker::Send {
        ::dropforge_runtime::serve(
            &API,
            &operations::GET_MENU,
            rqctx,
            request,
            A::reject,
            |mut exchange: ::dropforge_runtime::Exchange<A::Context>| async move {
                #[allow(unused_variables, unused_mut)]
                let mut request = exchange.read::<::dropforge_runtime::Unread>().await?;
                let accept = exchange.accept().clone();
                let outcome = A::get_menu(exchange.into_call()).await;
                ::std::result::Result::Ok(
                    ::dropforge_runtime::into_reply(outcome, &accept),
                )
            },
        )
    }
    /// Defined at `tests/golden/kitchen.yaml:87`.
    pub(super) enum ServeDishOperation {} // tests/golden/kitchen.yaml:87
    impl ::dropforge_runtime::OperationMarker for ServeDishOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::SERVE_DISH;
        const API: &'static ::dropforge_runtime::table::Api = &API;
    }
    pub(super) fn serve_dish<A: Kitchen>(
        rqctx: ::dropforge_runtime::dropshot::RequestContext<A::Context>,
        request: ::dropforge_runtime::Kept<ServeDishOperation>,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<
            ::dropforge_runtime::Served<ServeDishOperation>,
            ::dropforge_runtime::dropshot::HttpError,
        >,
    > + ::std::marker::Send {
        ::dropforge_runtime::serve(
            &API,
            &operations::SERVE_DISH,
            rqctx,
            request,
            A::reject,
            |mut exchange: ::dropforge_runtime::Exchange<A::Context>| async move {
                #[allow(unused_variables, unused_mut)]
                let mut request = exchange.read::<::dropforge_runtime::Unread>().await?;
                let parameters: parameters::ServeDish = request.parameters()?;
                let body = match request.media_index() {
                    ::std::option::Option::Some(_) => {
                        ::std::option::Option::Some(request.raw_body()?)
                    }
                    ::std::option::Option::None => ::std::option::Option::None,
                };
                let accept = exchange.accept().clone();
                let outcome = A::serve_dish(exchange.into_call(), parameters, body)
                    .await;
                ::std::result::Result::Ok(
                    ::dropforge_runtime::into_reply(outcome, &accept),
                )
            },
        )
    }
    /// Defined at `tests/golden/kitchen.yaml:99`.
    pub(super) enum GetPhotoOperation {} // tests/golden/kitchen.yaml:99
    impl ::dropforge_runtime::OperationMarker for GetPhotoOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::GET_PHOTO;
        const API: &'static ::dropforge_runtime::table::Api = &API;
    }
    pub(super) fn get_photo<A: Kitchen>(
        rqctx: ::dropforge_runtime::dropshot::RequestContext<A::Context>,
        request: ::dropforge_runtime::Kept<GetPhotoOperation>,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<
            ::dropforge_runtime::Served<GetPhotoOperation>,
            ::dropforge_runtime::dropshot::HttpError,
        >,
    > + ::std::marker::Send {
        ::dropforge_runtime::serve(
            &API,
            &operations::GET_PHOTO,
            rqctx,
            request,
            A::reject,
            |mut exchange: ::dropforge_runtime::Exchange<A::Context>| async move {
                #[allow(unused_variables, unused_mut)]
                let mut request = exchange.read::<::dropforge_runtime::Unread>().await?;
                let parameters: parameters::GetPhoto = request.parameters()?;
                let accept = exchange.accept().clone();
                let outcome = A::get_photo(exchange.into_call(), parameters).await;
                ::std::result::Result::Ok(
                    ::dropforge_runtime::into_reply(outcome, &accept),
                )
            },
        )
    }
    /// Defined at `tests/golden/kitchen.yaml:105`.
    pub(super) enum DeleteDishesOtherPhotoOperation {} // tests/golden/kitchen.yaml:105
    impl ::dropforge_runtime::OperationMarker for DeleteDishesOtherPhotoOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::DELETE_DISHES_OTHER_PHOTO;
        const API: &'static ::dropforge_runtime::table::Api = &API;
    }
    pub(super) fn delete_dishes_other_photo<A: Kitchen>(
        rqctx: ::dropforge_runtime::dropshot::RequestContext<A::Context>,
        request: ::dropforge_runtime::Kept<DeleteDishesOtherPhotoOperation>,
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<
            ::dropforge_runtime::Served<DeleteDishesOtherPhotoOperation>,
            ::dropforge_runtime::dropshot::HttpError,
        >,
    > + ::std::marker::Send {
        ::dropforge_runtime::serve(
            &API,
            &operations::DELETE_DISHES_OTHER_PHOTO,
            rqctx,
            request,
            A::reject,
            |mut exchange: ::dropforge_runtime::Exchange<A::Context>| async move {
                #[allow(unused_variables, unused_mut)]
                let mut request = exchange.read::<::dropforge_runtime::Unread>().await?;
                let parameters: parameters::DeleteDishesOtherPhoto = request
                    .parameters()?;
                let accept = exchange.accept().clone();
                let outcome = A::delete_dishes_other_photo(
                        exchange.into_call(),
                        parameters,
                    )
                    .await;
                ::std::result::Result::Ok(
                    ::dropforge_runtime::into_reply(outcome, &accept),
                )
            },
        )
    }
}
/// Registers every operation of Kitchen.
///
/// Every path below the prefixes of `x-dropforge-not-found` goes to one route of dropshot's, so that unknown paths get the response of the document. Dropshot's own OpenAPI document leaves such routes out: see [`describe`].
///
/// # Errors
///
/// What dropshot refuses, and routes that another document has taken.
///
/// Defined at `tests/golden/kitchen.yaml:1`.
pub fn register<A: Kitchen>( // tests/golden/kitchen.yaml:1
    api: &mut ::dropforge_runtime::dropshot::ApiDescription<A::Context>,
) -> ::std::result::Result<(), ::dropforge_runtime::RegisterError> { // tests/golden/kitchen.yaml:1
    add_routes::<A>(::dropforge_runtime::Routes::new(api, &API, A::reject))
}
/// Registers every operation at a route of its own, for dropshot's OpenAPI
/// document. Unknown paths are dropshot's to answer.
///
/// # Errors
///
/// As of [`register`].
pub fn describe<A: Kitchen>(
    api: &mut ::dropforge_runtime::dropshot::ApiDescription<A::Context>,
) -> ::std::result::Result<(), ::dropforge_runtime::RegisterError> {
    add_routes::<A>(::dropforge_runtime::Routes::apart(api, &API, A::reject))
}
fn add_routes<A: Kitchen>(
    mut routes: ::dropforge_runtime::Routes<'_, A::Context>,
) -> ::std::result::Result<(), ::dropforge_runtime::RegisterError> {
    routes.folded(&[&operations::GET_DISH, &operations::GET_MENU], folded_0::<A>)?;
    routes.operation(&operations::PUT_DISH, handlers::put_dish::<A>)?;
    routes.folded(&[&operations::SERVE_DISH], folded_2::<A>)?;
    routes.operation(&operations::GET_PHOTO, handlers::get_photo::<A>)?;
    routes
        .operation(
            &operations::DELETE_DISHES_OTHER_PHOTO,
            handlers::delete_dishes_other_photo::<A>,
        )?;
    routes.finish()
}
async fn folded_0<A: Kitchen>(
    rqctx: ::dropforge_runtime::dropshot::RequestContext<A::Context>,
    request: ::dropforge_runtime::Kept<handlers::GetDishOperation>,
) -> ::std::result::Result<
    ::dropforge_runtime::Served<handlers::GetDishOperation>,
    ::dropforge_runtime::dropshot::HttpError,
> {
    match ::dropforge_runtime::select(
        &[&operations::GET_DISH, &operations::GET_MENU],
        &request,
    ) {
        ::std::option::Option::Some(0usize) => {
            handlers::get_dish::<A>(rqctx, request.retag())
                .await
                .map(|served| served.retag())
        }
        ::std::option::Option::Some(1usize) => {
            handlers::get_menu::<A>(rqctx, request.retag())
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
async fn folded_2<A: Kitchen>(
    rqctx: ::dropforge_runtime::dropshot::RequestContext<A::Context>,
    request: ::dropforge_runtime::Kept<handlers::ServeDishOperation>,
) -> ::std::result::Result<
    ::dropforge_runtime::Served<handlers::ServeDishOperation>,
    ::dropforge_runtime::dropshot::HttpError,
> {
    match ::dropforge_runtime::select(&[&operations::SERVE_DISH], &request) {
        ::std::option::Option::Some(0usize) => {
            handlers::serve_dish::<A>(rqctx, request.retag())
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
macro_rules! kitchen_contract_tests {
    ($($api:ident)::+, $subject:path) => {
        mod get_dish { #[test] fn each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "getDish",
        ::dropforge_runtime::contract::Case::Examples, $subject (),); } #[test] fn
        what_is_required_is_asked_for() { ::dropforge_runtime::contract::run(& $($api)::+
        ::API, "getDish", ::dropforge_runtime::contract::Case::Required, $subject (),); }
        #[test] fn each_constraint_holds_on_both_sides() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "getDish",
        ::dropforge_runtime::contract::Case::Constraints, $subject (),); } #[test] fn
        an_accept_that_nothing_fits_is_told() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "getDish", ::dropforge_runtime::contract::Case::Accept,
        $subject (),); } #[test] fn nobody_comes_in_without_credentials() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "getDish",
        ::dropforge_runtime::contract::Case::NoCredentials, $subject (),); } #[test] fn
        malformed_credentials_are_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "getDish",
        ::dropforge_runtime::contract::Case::MalformedCredentials, $subject (),); }
        #[test] fn credentials_that_grant_too_little_are_refused() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "getDish",
        ::dropforge_runtime::contract::Case::InsufficientCredentials, $subject (),); }
        #[test] fn every_other_method_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "getDish", ::dropforge_runtime::contract::Case::OtherMethods,
        $subject (),); } } mod put_dish { #[test] fn
        each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "putDish",
        ::dropforge_runtime::contract::Case::Examples, $subject (),); } #[test] fn
        what_is_required_is_asked_for() { ::dropforge_runtime::contract::run(& $($api)::+
        ::API, "putDish", ::dropforge_runtime::contract::Case::Required, $subject (),); }
        #[test] fn each_constraint_holds_on_both_sides() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "putDish",
        ::dropforge_runtime::contract::Case::Constraints, $subject (),); } #[test] fn
        unknown_fields_are_treated_as_the_schema_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "putDish",
        ::dropforge_runtime::contract::Case::UnknownFields, $subject (),); } #[test] fn
        another_content_type_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "putDish", ::dropforge_runtime::contract::Case::ContentType,
        $subject (),); } #[test] fn an_accept_that_nothing_fits_is_told() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "putDish",
        ::dropforge_runtime::contract::Case::Accept, $subject (),); } #[test] fn
        every_other_method_is_refused() { ::dropforge_runtime::contract::run(& $($api)::+
        ::API, "putDish", ::dropforge_runtime::contract::Case::OtherMethods, $subject
        (),); } } mod get_menu { #[test] fn
        each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "getMenu",
        ::dropforge_runtime::contract::Case::Examples, $subject (),); } #[test] fn
        an_accept_that_nothing_fits_is_told() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "getMenu", ::dropforge_runtime::contract::Case::Accept,
        $subject (),); } #[test] fn every_other_method_is_refused() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "getMenu",
        ::dropforge_runtime::contract::Case::OtherMethods, $subject (),); } } mod
        serve_dish { #[test] fn each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "serveDish",
        ::dropforge_runtime::contract::Case::Examples, $subject (),); } #[test] fn
        what_is_required_is_asked_for() { ::dropforge_runtime::contract::run(& $($api)::+
        ::API, "serveDish", ::dropforge_runtime::contract::Case::Required, $subject (),);
        } #[test] fn each_constraint_holds_on_both_sides() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "serveDish",
        ::dropforge_runtime::contract::Case::Constraints, $subject (),); } #[test] fn
        unknown_fields_are_treated_as_the_schema_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "serveDish",
        ::dropforge_runtime::contract::Case::UnknownFields, $subject (),); } #[test] fn
        another_content_type_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "serveDish", ::dropforge_runtime::contract::Case::ContentType,
        $subject (),); } #[test] fn an_accept_that_nothing_fits_is_told() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "serveDish",
        ::dropforge_runtime::contract::Case::Accept, $subject (),); } #[test] fn
        every_other_method_is_refused() { ::dropforge_runtime::contract::run(& $($api)::+
        ::API, "serveDish", ::dropforge_runtime::contract::Case::OtherMethods, $subject
        (),); } } mod get_photo { #[test] fn
        each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "getPhoto",
        ::dropforge_runtime::contract::Case::Examples, $subject (),); } #[test] fn
        what_is_required_is_asked_for() { ::dropforge_runtime::contract::run(& $($api)::+
        ::API, "getPhoto", ::dropforge_runtime::contract::Case::Required, $subject (),);
        } #[test] fn each_constraint_holds_on_both_sides() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "getPhoto",
        ::dropforge_runtime::contract::Case::Constraints, $subject (),); } #[test] fn
        an_accept_that_nothing_fits_is_told() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, "getPhoto", ::dropforge_runtime::contract::Case::Accept,
        $subject (),); } #[test] fn every_other_method_is_refused() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, "getPhoto",
        ::dropforge_runtime::contract::Case::OtherMethods, $subject (),); } } mod
        delete_dishes_other_photo { #[test] fn
        each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API,
        "delete_dishes_other_photo", ::dropforge_runtime::contract::Case::Examples,
        $subject (),); } #[test] fn what_is_required_is_asked_for() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API,
        "delete_dishes_other_photo", ::dropforge_runtime::contract::Case::Required,
        $subject (),); } #[test] fn each_constraint_holds_on_both_sides() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API,
        "delete_dishes_other_photo", ::dropforge_runtime::contract::Case::Constraints,
        $subject (),); } #[test] fn an_accept_that_nothing_fits_is_told() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API,
        "delete_dishes_other_photo", ::dropforge_runtime::contract::Case::Accept,
        $subject (),); } #[test] fn every_other_method_is_refused() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API,
        "delete_dishes_other_photo", ::dropforge_runtime::contract::Case::OtherMethods,
        $subject (),); } }
    };
}
