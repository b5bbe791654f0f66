/// One type for each schema that has a name.
pub mod types {
    /// Defined at `tests/golden/traps.yaml:66`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Unit { // tests/golden/traps.yaml:66
        /// `m²`
        M,
        /// `m³`
        M2,
        /// `½`
        Empty,
        /// `①`
        Empty2,
        /// ``
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
            <Self as ::dropforge_runtime::names::Names>::NAMES[*self as usize]
        }
    }
    impl ::dropforge_runtime::names::Names for Unit {
        const VALUES: &'static [Self] = Self::ALL;
        const NAMES: &'static [&'static str] = &["m²", "m³", "½", "①", ""];
        const MESSAGE: &'static str = "not a value of Unit";
    }
    impl ::std::fmt::Display for Unit {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.write_str(self.as_str())
        }
    }
    impl ::std::str::FromStr for Unit {
        type Err = &'static str;
        fn from_str(text: &str) -> ::std::result::Result<Self, &'static str> {
            ::dropforge_runtime::names::parse(text)
        }
    }
    impl ::dropforge_runtime::serde::Serialize for Unit {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            to.serialize_str(self.as_str())
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Unit {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::names::read(from)
        }
    }
    /// Defined at `tests/golden/traps.yaml:67`.
    pub type Seconds = i64; // tests/golden/traps.yaml:67
    /// Defined at `tests/golden/traps.yaml:68`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Tree { // tests/golden/traps.yaml:68
        /// co₂
        ///
        /// Defined at `tests/golden/traps.yaml:71`.
        pub co: ::std::option::Option<f64>, // tests/golden/traps.yaml:71
        /// kids
        ///
        /// Defined at `tests/golden/traps.yaml:72`.
        pub kids: ::std::option::Option<self::TreeKidsItem>, // tests/golden/traps.yaml:72
        /// leaves
        ///
        /// Defined at `tests/golden/traps.yaml:73`.
        pub leaves: ::std::option::Option<self::TreeLeavesValue>, // tests/golden/traps.yaml:73
    }
    impl ::dropforge_runtime::serde::Serialize for Tree {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write(to, "Tree", 3usize)
                .put_some("co₂", &self.co)
                .put_some("kids", &self.kids)
                .put_some("leaves", &self.leaves)
                .end()
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Tree {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for Tree {
        const NAMES: &'static [&'static str] = &["co₂", "kids", "leaves"];
        fn read<'de, A: ::dropforge_runtime::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_runtime::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let (mut f0, mut f1, mut f2) = (
                ::std::option::Option::None,
                ::std::option::Option::None,
                ::std::option::Option::None,
            );
            while let ::std::option::Option::Some(at) = members.next_field()? {
                match at {
                    0 => members.value(&mut f0),
                    1 => members.value(&mut f1),
                    _ => members.value(&mut f2),
                }?;
            }
            ::std::result::Result::Ok(Self {
                co: f0.flatten(),
                kids: f1.flatten(),
                leaves: f2.flatten(),
            })
        }
    }
    /// Defined at `tests/golden/traps.yaml:72`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct TreeKidsItem(pub ::std::vec::Vec<self::TreeKidsItem>); // tests/golden/traps.yaml:72
    impl ::dropforge_runtime::serde::Serialize for TreeKidsItem {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::serde::Serialize::serialize(&self.0, to)
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for TreeKidsItem {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::serde::Deserialize::deserialize(from).map(Self)
        }
    }
    /// Defined at `tests/golden/traps.yaml:73`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct TreeLeavesValue( // tests/golden/traps.yaml:73
        pub ::std::collections::BTreeMap<::std::string::String, self::TreeLeavesValue>,
    );
    impl ::dropforge_runtime::serde::Serialize for TreeLeavesValue {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::serde::Serialize::serialize(&self.0, to)
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for TreeLeavesValue {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::serde::Deserialize::deserialize(from).map(Self)
        }
    }
    /// Defined at `tests/golden/traps.yaml:74`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Form { // tests/golden/traps.yaml:74
        /// name
        ///
        /// Defined at `tests/golden/traps.yaml:77`.
        pub name: ::std::option::Option<::std::string::String>, // tests/golden/traps.yaml:77
        /// filter
        ///
        /// Defined at `tests/golden/traps.yaml:78`.
        pub filter: ::std::option::Option<self::Filter>, // tests/golden/traps.yaml:78
        /// filters
        ///
        /// Defined at `tests/golden/traps.yaml:79`.
        pub filters: ::std::option::Option<::std::vec::Vec<self::Filter>>, // tests/golden/traps.yaml:79
    }
    impl ::dropforge_runtime::serde::Serialize for Form {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write(to, "Form", 3usize)
                .put_some("name", &self.name)
                .put_some("filter", &self.filter)
                .put_some("filters", &self.filters)
                .end()
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Form {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for Form {
        const NAMES: &'static [&'static str] = &["name", "filter", "filters"];
        fn read<'de, A: ::dropforge_runtime::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_runtime::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let (mut f0, mut f1, mut f2) = (
                ::std::option::Option::None,
                ::std::option::Option::None,
                ::std::option::Option::None,
            );
            while let ::std::option::Option::Some(at) = members.next_field()? {
                match at {
                    0 => members.value(&mut f0),
                    1 => members.value(&mut f1),
                    _ => members.value(&mut f2),
                }?;
            }
            ::std::result::Result::Ok(Self {
                name: f0.flatten(),
                filter: f1.flatten(),
                filters: f2.flatten(),
            })
        }
    }
    /// Defined at `tests/golden/traps.yaml:80`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Filter { // tests/golden/traps.yaml:80
        /// a
        ///
        /// Defined at `tests/golden/traps.yaml:80`.
        pub a: i64, // tests/golden/traps.yaml:80
    }
    impl ::dropforge_runtime::serde::Serialize for Filter {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write(to, "Filter", 1usize)
                .put("a", &self.a)
                .end()
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Filter {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for Filter {
        const NAMES: &'static [&'static str] = &["a"];
        fn read<'de, A: ::dropforge_runtime::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_runtime::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let mut f0 = ::std::option::Option::None;
            while members.next_field()?.is_some() {
                members.value(&mut f0)?;
            }
            ::std::result::Result::Ok(Self {
                a: members.required("a", f0)?,
            })
        }
    }
    /// Defined at `tests/golden/traps.yaml:81`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Stored { // tests/golden/traps.yaml:81
        /// id
        ///
        /// Defined at `tests/golden/traps.yaml:83`.
        pub id: ::std::option::Option<::std::string::String>, // tests/golden/traps.yaml:83
    }
    impl ::dropforge_runtime::serde::Serialize for Stored {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write(to, "Stored", 1usize)
                .put_some("id", &self.id)
                .end()
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Stored {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for Stored {
        const NAMES: &'static [&'static str] = &["id"];
        fn read<'de, A: ::dropforge_runtime::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_runtime::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let mut f0 = ::std::option::Option::None;
            while members.next_field()?.is_some() {
                members.value(&mut f0)?;
            }
            ::std::result::Result::Ok(Self { id: f0.flatten() })
        }
    }
    /// Defined at `tests/golden/traps.yaml:85`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Either { // tests/golden/traps.yaml:85
        /// a
        ///
        /// Defined at `tests/golden/traps.yaml:87`.
        pub a: ::std::option::Option<::std::string::String>, // tests/golden/traps.yaml:87
        /// b
        ///
        /// Defined at `tests/golden/traps.yaml:87`.
        pub b: ::std::option::Option<::std::string::String>, // tests/golden/traps.yaml:87
    }
    impl ::dropforge_runtime::serde::Serialize for Either {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write(to, "Either", 2usize)
                .put_some("a", &self.a)
                .put_some("b", &self.b)
                .end()
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Either {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for Either {
        const NAMES: &'static [&'static str] = &["a", "b"];
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
                a: f0.flatten(),
                b: f1.flatten(),
            })
        }
    }
    /// Defined at `tests/golden/traps.yaml:91`.
    pub type Key = ::std::string::String; // tests/golden/traps.yaml:91
    /// Defined at `tests/golden/traps.yaml:92`.
    #[derive(Clone, PartialEq)]
    pub struct Keys { // tests/golden/traps.yaml:92
        /// owner
        ///
        /// Defined at `tests/golden/traps.yaml:94`.
        pub owner: ::std::option::Option<::std::string::String>, // tests/golden/traps.yaml:94
        /// Every other member.
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
    impl ::dropforge_runtime::serde::Serialize for Keys {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write_open(to)
                .put_some("owner", &self.owner)
                .end(&self.additional)
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Keys {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for Keys {
        const NAMES: &'static [&'static str] = &["owner"];
        fn read<'de, A: ::dropforge_runtime::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_runtime::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let mut additional = ::std::collections::BTreeMap::new();
            let mut f0 = ::std::option::Option::None;
            while members.next_field_or(&mut additional)?.is_some() {
                members.value(&mut f0)?;
            }
            ::std::result::Result::Ok(Self {
                owner: f0.flatten(),
                additional,
            })
        }
    }
    /// Defined at `tests/golden/traps.yaml:96`.
    #[derive(Clone, PartialEq)]
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
    impl ::dropforge_runtime::serde::Serialize for KeyOrKeys {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            match self {
                Self::Key(value) => {
                    ::dropforge_runtime::serde::Serialize::serialize(value, to)
                }
                Self::KeyTree(value) => {
                    ::dropforge_runtime::serde::Serialize::serialize(value, to)
                }
                Self::Integer(value) => {
                    ::dropforge_runtime::serde::Serialize::serialize(value, to)
                }
            }
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for KeyOrKeys {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            let (at, value) = ::dropforge_runtime::check::choose(
                from,
                &super::schemas::SCHEMA_23,
                "KeyOrKeys",
                3usize,
            )?;
            match at {
                0 => ::dropforge_runtime::serde_json::from_value(value).map(Self::Key),
                1 => {
                    ::dropforge_runtime::serde_json::from_value(value).map(Self::KeyTree)
                }
                _ => {
                    ::dropforge_runtime::serde_json::from_value(value).map(Self::Integer)
                }
            }
                .map_err(::dropforge_runtime::serde::de::Error::custom)
        }
    }
    /// Defined at `tests/golden/traps.yaml:101`.
    #[derive(Clone, PartialEq)]
    pub struct KeyTree(pub ::std::vec::Vec<self::KeyOrKeys>); // tests/golden/traps.yaml:101
    impl ::std::fmt::Debug for KeyTree {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_tuple("KeyTree").field(&"…").finish()
        }
    }
    impl ::dropforge_runtime::serde::Serialize for KeyTree {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::serde::Serialize::serialize(&self.0, to)
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for KeyTree {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::serde::Deserialize::deserialize(from).map(Self)
        }
    }
    /// Defined at `tests/golden/traps.yaml:102`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Some(pub ::std::vec::Vec<self::Some>); // tests/golden/traps.yaml:102
    impl ::dropforge_runtime::serde::Serialize for Some {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::serde::Serialize::serialize(&self.0, to)
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Some {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::serde::Deserialize::deserialize(from).map(Self)
        }
    }
    /// Defined at `tests/golden/traps.yaml:103`.
    #[derive(Clone, PartialEq)]
    pub struct Again { // tests/golden/traps.yaml:103
        /// Who calls.
        ///
        /// Defined at `tests/golden/traps.yaml:106`.
        pub token: ::std::option::Option<::std::string::String>, // tests/golden/traps.yaml:106
    }
    impl ::std::fmt::Debug for Again {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("Again").field("token", &"…").finish()
        }
    }
    impl ::dropforge_runtime::serde::Serialize for Again {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write(to, "Again", 1usize)
                .put_some("token", &self.token)
                .end()
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Again {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for Again {
        const NAMES: &'static [&'static str] = &["token"];
        fn read<'de, A: ::dropforge_runtime::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_runtime::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let mut f0 = ::std::option::Option::None;
            while members.next_field()?.is_some() {
                members.value(&mut f0)?;
            }
            ::std::result::Result::Ok(Self { token: f0.flatten() })
        }
    }
    /// Defined at `tests/golden/traps.yaml:107`.
    pub type Guarded = ::dropforge_runtime::serde_json::Value; // tests/golden/traps.yaml:107
    /// Defined at `tests/golden/traps.yaml:112`.
    #[derive(Clone, PartialEq)]
    pub struct Guards { // tests/golden/traps.yaml:112
        /// one
        ///
        /// Defined at `tests/golden/traps.yaml:115`.
        pub one: ::std::option::Option<self::Guarded>, // tests/golden/traps.yaml:115
        /// several
        ///
        /// Defined at `tests/golden/traps.yaml:116`.
        pub several: ::std::option::Option<::std::vec::Vec<self::Guarded>>, // tests/golden/traps.yaml:116
        /// account
        ///
        /// Defined at `tests/golden/traps.yaml:117`.
        pub account: ::std::option::Option<self::Account>, // tests/golden/traps.yaml:117
        /// Every other member.
        pub additional: ::std::collections::BTreeMap<
            ::std::string::String,
            self::Guarded,
        >,
    }
    impl ::std::fmt::Debug for Guards {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("Guards")
                .field("one", &"…")
                .field("several", &"…")
                .field("account", &self.account)
                .field("additional", &"…")
                .finish()
        }
    }
    impl ::dropforge_runtime::serde::Serialize for Guards {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write_open(to)
                .put_some("one", &self.one)
                .put_some("several", &self.several)
                .put_some("account", &self.account)
                .end(&self.additional)
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Guards {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for Guards {
        const NAMES: &'static [&'static str] = &["one", "several", "account"];
        fn read<'de, A: ::dropforge_runtime::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_runtime::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let mut additional = ::std::collections::BTreeMap::new();
            let (mut f0, mut f1, mut f2) = (
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
                    _ => members.value(&mut f2),
                }?;
            }
            ::std::result::Result::Ok(Self {
                one: f0.flatten(),
                several: f1.flatten(),
                account: f2.flatten(),
                additional,
            })
        }
    }
    /// Defined at `tests/golden/traps.yaml:123`.
    #[derive(Clone, PartialEq)]
    pub struct Account { // tests/golden/traps.yaml:123
        /// name
        ///
        /// Defined at `tests/golden/traps.yaml:126`.
        pub name: ::std::option::Option<::std::string::String>, // tests/golden/traps.yaml:126
        /// password
        ///
        /// Defined at `tests/golden/traps.yaml:127`.
        pub password: ::std::option::Option<::std::string::String>, // tests/golden/traps.yaml:127
    }
    impl ::std::fmt::Debug for Account {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.debug_struct("Account")
                .field("name", &self.name)
                .field("password", &"…")
                .finish()
        }
    }
    impl ::dropforge_runtime::serde::Serialize for Account {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write(to, "Account", 2usize)
                .put_some("name", &self.name)
                .put_some("password", &self.password)
                .end()
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Account {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for Account {
        const NAMES: &'static [&'static str] = &["name", "password"];
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
                name: f0.flatten(),
                password: f1.flatten(),
            })
        }
    }
    /// Defined at `tests/golden/traps.yaml:119`.
    #[derive(Clone, PartialEq)]
    pub enum GuardedOrNot { // tests/golden/traps.yaml:119
        #[allow(missing_docs)]
        Guarded(self::Guarded),
        #[allow(missing_docs)]
        Integer(i64),
    }
    impl ::std::fmt::Debug for GuardedOrNot {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            match self {
                Self::Guarded(_) => f.debug_tuple("Guarded").field(&"…").finish(),
                Self::Integer(value) => f.debug_tuple("Integer").field(value).finish(),
            }
        }
    }
    impl ::dropforge_runtime::serde::Serialize for GuardedOrNot {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            match self {
                Self::Guarded(value) => {
                    ::dropforge_runtime::serde::Serialize::serialize(value, to)
                }
                Self::Integer(value) => {
                    ::dropforge_runtime::serde::Serialize::serialize(value, to)
                }
            }
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for GuardedOrNot {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            let (at, value) = ::dropforge_runtime::check::choose(
                from,
                &super::schemas::SCHEMA_43,
                "GuardedOrNot",
                2usize,
            )?;
            match at {
                0 => {
                    ::dropforge_runtime::serde_json::from_value(value).map(Self::Guarded)
                }
                _ => {
                    ::dropforge_runtime::serde_json::from_value(value).map(Self::Integer)
                }
            }
                .map_err(::dropforge_runtime::serde::de::Error::custom)
        }
    }
    /// Defined at `tests/golden/traps.yaml:128`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Chosen { // tests/golden/traps.yaml:128
        /// `red`
        Red,
    }
    impl Chosen {
        /// Every value, in the document's order.
        pub const ALL: &'static [Chosen] = &[Chosen::Red];
        /// The value as the document writes it.
        pub fn as_str(&self) -> &'static str {
            <Self as ::dropforge_runtime::names::Names>::NAMES[*self as usize]
        }
    }
    impl ::dropforge_runtime::names::Names for Chosen {
        const VALUES: &'static [Self] = Self::ALL;
        const NAMES: &'static [&'static str] = &["red"];
        const MESSAGE: &'static str = "not a value of Chosen";
    }
    impl ::std::fmt::Display for Chosen {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.write_str(self.as_str())
        }
    }
    impl ::std::str::FromStr for Chosen {
        type Err = &'static str;
        fn from_str(text: &str) -> ::std::result::Result<Self, &'static str> {
            ::dropforge_runtime::names::parse(text)
        }
    }
    impl ::dropforge_runtime::serde::Serialize for Chosen {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            to.serialize_str(self.as_str())
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Chosen {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::names::read(from)
        }
    }
    /// Defined at `tests/golden/traps.yaml:129`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum ChosenOrNot { // tests/golden/traps.yaml:129
        /// `red`
        Red,
    }
    impl ChosenOrNot {
        /// Every value, in the document's order.
        pub const ALL: &'static [ChosenOrNot] = &[ChosenOrNot::Red];
        /// The value as the document writes it.
        pub fn as_str(&self) -> &'static str {
            <Self as ::dropforge_runtime::names::Names>::NAMES[*self as usize]
        }
    }
    impl ::dropforge_runtime::names::Names for ChosenOrNot {
        const VALUES: &'static [Self] = Self::ALL;
        const NAMES: &'static [&'static str] = &["red"];
        const MESSAGE: &'static str = "not a value of ChosenOrNot";
    }
    impl ::std::fmt::Display for ChosenOrNot {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.write_str(self.as_str())
        }
    }
    impl ::std::str::FromStr for ChosenOrNot {
        type Err = &'static str;
        fn from_str(text: &str) -> ::std::result::Result<Self, &'static str> {
            ::dropforge_runtime::names::parse(text)
        }
    }
    impl ::dropforge_runtime::serde::Serialize for ChosenOrNot {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            to.serialize_str(self.as_str())
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for ChosenOrNot {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::names::read(from)
        }
    }
    /// Defined at `tests/golden/traps.yaml:130`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Choice { // tests/golden/traps.yaml:130
        /// chosen
        ///
        /// Defined at `tests/golden/traps.yaml:133`.
        pub chosen: ::std::option::Option<self::Chosen>, // tests/golden/traps.yaml:133
        /// chosenOrNot
        ///
        /// Defined at `tests/golden/traps.yaml:134`.
        pub chosen_or_not: ::std::option::Option< // tests/golden/traps.yaml:134
            ::std::option::Option<self::ChosenOrNot>,
        >,
    }
    impl ::dropforge_runtime::serde::Serialize for Choice {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write(to, "Choice", 2usize)
                .put_some("chosen", &self.chosen)
                .put_some("chosenOrNot", &self.chosen_or_not)
                .end()
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Choice {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for Choice {
        const NAMES: &'static [&'static str] = &["chosen", "chosenOrNot"];
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
                chosen: f0.flatten(),
                chosen_or_not: f1,
            })
        }
    }
    /// Defined at `tests/golden/traps.yaml:135`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Pet { // tests/golden/traps.yaml:135
        /// petType
        ///
        /// Defined at `tests/golden/traps.yaml:138`.
        pub pet_type: ::std::string::String, // tests/golden/traps.yaml:138
    }
    impl ::dropforge_runtime::serde::Serialize for Pet {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write(to, "Pet", 1usize)
                .put("petType", &self.pet_type)
                .end()
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Pet {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for Pet {
        const NAMES: &'static [&'static str] = &["petType"];
        fn read<'de, A: ::dropforge_runtime::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_runtime::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let mut f0 = ::std::option::Option::None;
            while members.next_field()?.is_some() {
                members.value(&mut f0)?;
            }
            ::std::result::Result::Ok(Self {
                pet_type: members.required("petType", f0)?,
            })
        }
    }
    /// Defined at `tests/golden/traps.yaml:142`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Cat { // tests/golden/traps.yaml:142
        /// petType
        ///
        /// Defined at `tests/golden/traps.yaml:138`.
        pub pet_type: ::std::string::String, // tests/golden/traps.yaml:138
        /// name
        ///
        /// Defined at `tests/golden/traps.yaml:147`.
        pub name: ::std::string::String, // tests/golden/traps.yaml:147
    }
    impl ::dropforge_runtime::serde::Serialize for Cat {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write(to, "Cat", 2usize)
                .put("petType", &self.pet_type)
                .put("name", &self.name)
                .end()
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Cat {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for Cat {
        const NAMES: &'static [&'static str] = &["petType", "name"];
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
                pet_type: members.required("petType", f0)?,
                name: members.required("name", f1)?,
            })
        }
    }
    /// Defined at `tests/golden/traps.yaml:148`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Dog { // tests/golden/traps.yaml:148
        /// petType
        ///
        /// Defined at `tests/golden/traps.yaml:138`.
        pub pet_type: ::std::string::String, // tests/golden/traps.yaml:138
        /// bark
        ///
        /// Defined at `tests/golden/traps.yaml:152`.
        pub bark: ::std::option::Option<::std::string::String>, // tests/golden/traps.yaml:152
    }
    impl ::dropforge_runtime::serde::Serialize for Dog {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write(to, "Dog", 2usize)
                .put("petType", &self.pet_type)
                .put_some("bark", &self.bark)
                .end()
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Dog {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for Dog {
        const NAMES: &'static [&'static str] = &["petType", "bark"];
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
                pet_type: members.required("petType", f0)?,
                bark: f1.flatten(),
            })
        }
    }
    /// Defined at `tests/golden/traps.yaml:153`.
    pub type Words = ::std::string::String; // tests/golden/traps.yaml:153
    /// Defined at `tests/golden/traps.yaml:154`.
    pub type Looking = ::std::string::String; // tests/golden/traps.yaml:154
    /// Defined at `tests/golden/traps.yaml:30`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct AddTreeOkXFilter { // tests/golden/traps.yaml:30
        /// a
        ///
        /// Defined at `tests/golden/traps.yaml:30`.
        pub a: ::std::option::Option<::std::string::String>, // tests/golden/traps.yaml:30
    }
    impl ::dropforge_runtime::serde::Serialize for AddTreeOkXFilter {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write(to, "AddTreeOkXFilter", 1usize)
                .put_some("a", &self.a)
                .end()
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for AddTreeOkXFilter {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for AddTreeOkXFilter {
        const NAMES: &'static [&'static str] = &["a"];
        fn read<'de, A: ::dropforge_runtime::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_runtime::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let mut f0 = ::std::option::Option::None;
            while members.next_field()?.is_some() {
                members.value(&mut f0)?;
            }
            ::std::result::Result::Ok(Self { a: f0.flatten() })
        }
    }
}
/// The parameters of each operation.
pub mod parameters {
    /// Parameters of `reject`.
    ///
    /// Defined at `tests/golden/traps.yaml:10`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct Reject { // tests/golden/traps.yaml:10
        /// id
        ///
        /// Defined at `tests/golden/traps.yaml:9`.
        pub id: ::std::string::String, // tests/golden/traps.yaml:9
    }
    impl ::dropforge_runtime::serde::Serialize for Reject {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write(to, "Reject", 1usize)
                .put("id", &self.id)
                .end()
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for Reject {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for Reject {
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
    /// Parameters of `list_trees`.
    ///
    /// Defined at `tests/golden/traps.yaml:13`.
    #[derive(Debug, Clone, PartialEq)]
    pub struct ListTrees { // tests/golden/traps.yaml:13
        /// id
        ///
        /// Defined at `tests/golden/traps.yaml:12`.
        pub id: ::std::string::String, // tests/golden/traps.yaml:12
    }
    impl ::dropforge_runtime::serde::Serialize for ListTrees {
        fn serialize<S: ::dropforge_runtime::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_runtime::fields::write(to, "ListTrees", 1usize)
                .put("id", &self.id)
                .end()
        }
    }
    impl<'de> ::dropforge_runtime::serde::Deserialize<'de> for ListTrees {
        fn deserialize<D: ::dropforge_runtime::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_runtime::fields::read(from)
        }
    }
    impl ::dropforge_runtime::fields::Fields for ListTrees {
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
                ::std::option::Option::Some(value) => {
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
                ::std::option::Option::None => reply,
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
/// Authenticates callers, and defines the form of errors.
pub trait Security: ::std::marker::Sized + ::std::marker::Send + ::std::marker::Sync + 'static {
    /// The context of the server.
    type Context: ::dropforge_runtime::dropshot::ServerContext
        + ::dropforge_runtime::Observe;
    /// The caller that `list_trees` identifies.
    ///
    /// Defined at `tests/golden/traps.yaml:64`.
    type ListTrees: ::std::marker::Send; // tests/golden/traps.yaml:64
    /// Identifies the caller by these credentials of `list_trees`, which must grant `scopes`.
    ///
    /// Defined at `tests/golden/traps.yaml:64`.
    fn list_trees( // tests/golden/traps.yaml:64
        call: &::dropforge_runtime::Call<Self::Context>,
        credentials: ::dropforge_runtime::ApiKey,
        scopes: &'static [&'static str],
    ) -> impl ::std::future::Future<
        Output = ::std::result::Result<Self::ListTrees, ::dropforge_runtime::Denied>,
    > + ::std::marker::Send; // tests/golden/traps.yaml:64
    /// The document's own form for every rejection before or around an operation.
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
/// The errors of `reject`.
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
/// The errors of `list_trees`.
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
/// The errors of `a_b`.
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
/// The errors of `ab`.
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
/// The errors of `addTree`.
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
/// The errors of `addPet`.
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
/// The errors of `fill`.
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
/// The errors of `readKey`.
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
    static HEADERS_4: [Header; 4usize] = [
        Header::of("x-unit", &schemas::SCHEMA_0).required(),
        Header::of("x-wait", &schemas::SCHEMA_1).required(),
        Header::of("x-filter", &schemas::SCHEMA_62),
        Header::of("Set-Cookie", &schemas::SCHEMA_63).required(),
    ];
    static MEDIA_4: [MediaType; 1usize] = [
        MediaType::of("application/*", Codec::Json).schema(&schemas::SCHEMA_2),
    ];
    static MEDIA_5: [MediaType; 1usize] = [
        MediaType::of("image/*", Codec::Binary).schema(&schemas::SCHEMA_65),
    ];
    static HEADERS_8: [Header; 1usize] = [
        Header::of("x-key", &schemas::SCHEMA_20).required(),
    ];
    static MEDIA_8: [MediaType; 1usize] = [
        MediaType::of("application/json", Codec::Json).schema(&schemas::SCHEMA_20),
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
            Parameter::of(
                    ::dropforge_runtime::table::ParameterIn::Path,
                    "id",
                    Style::Simple,
                    &schemas::SCHEMA_58,
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
        method_not_allowed: ::std::option::Option::None,
        security: &[
            Requirement {
                all: &[
                    SchemeUse {
                        name: "list_trees",
                        scheme: ::dropforge_runtime::table::Scheme::ApiKey {
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
            Parameter::of(
                    ::dropforge_runtime::table::ParameterIn::Path,
                    "id",
                    Style::Simple,
                    &schemas::SCHEMA_59,
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
        method_not_allowed: ::std::option::Option::None,
        security: &[
            Requirement {
                all: &[
                    SchemeUse {
                        name: "list_trees",
                        scheme: ::dropforge_runtime::table::Scheme::ApiKey {
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
                headers: &[],
                media: &[],
            },
        ],
        method_not_allowed: ::std::option::Option::None,
        security: &[
            Requirement {
                all: &[
                    SchemeUse {
                        name: "list_trees",
                        scheme: ::dropforge_runtime::table::Scheme::ApiKey {
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
                headers: &[],
                media: &[],
            },
        ],
        method_not_allowed: ::std::option::Option::None,
        security: &[
            Requirement {
                all: &[
                    SchemeUse {
                        name: "list_trees",
                        scheme: ::dropforge_runtime::table::Scheme::ApiKey {
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
                media: &[MediaType::of("*/*", Codec::Json).schema(&schemas::SCHEMA_2)],
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
                headers: &[],
                media: &MEDIA_5,
            },
        ],
        method_not_allowed: ::std::option::Option::None,
        security: &[
            Requirement {
                all: &[
                    SchemeUse {
                        name: "list_trees",
                        scheme: ::dropforge_runtime::table::Scheme::ApiKey {
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
                    MediaType::of("application/json", Codec::Json)
                        .schema(&schemas::SCHEMA_48),
                ],
            },
        ),
        responses: &[
            Response {
                status: Status::Code(204),
                headers: &[],
                media: &[],
            },
        ],
        method_not_allowed: ::std::option::Option::None,
        security: &[
            Requirement {
                all: &[
                    SchemeUse {
                        name: "list_trees",
                        scheme: ::dropforge_runtime::table::Scheme::ApiKey {
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
                    MediaType::of("application/x-www-form-urlencoded", Codec::Form)
                        .schema(&schemas::SCHEMA_6),
                ],
            },
        ),
        responses: &[
            Response {
                status: Status::Code(204),
                headers: &[],
                media: &[],
            },
        ],
        method_not_allowed: ::std::option::Option::None,
        security: &[
            Requirement {
                all: &[
                    SchemeUse {
                        name: "list_trees",
                        scheme: ::dropforge_runtime::table::Scheme::ApiKey {
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
                        scheme: ::dropforge_runtime::table::Scheme::ApiKey {
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
    pub(super) static SCHEMA_0: Schema = Schema::of( // tests/golden/traps.yaml:66
            Types::STRING,
            "/components/schemas/Unit",
        )
        .enumeration(&["\"m²\"", "\"m³\"", "\"½\"", "\"①\"", "\"\""]);
    /// Defined at `tests/golden/traps.yaml:67`.
    pub(super) static SCHEMA_1: Schema = Schema::of( // tests/golden/traps.yaml:67
        Types::INTEGER,
        "/components/schemas/Seconds",
    );
    /// Defined at `tests/golden/traps.yaml:68`.
    pub(super) static SCHEMA_2: Schema = Schema::of( // tests/golden/traps.yaml:68
            Types::OBJECT,
            "/components/schemas/Tree",
        )
        .object(
            &ObjectRules {
                properties: &[
                    Property::of("co₂", &SCHEMA_3),
                    Property::of("kids", &SCHEMA_4),
                    Property::of("leaves", &SCHEMA_5),
                ],
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:71`.
    pub(super) static SCHEMA_3: Schema = Schema::of( // tests/golden/traps.yaml:71
        Types::NUMBER,
        "/components/schemas/Tree/properties/co₂",
    );
    /// Defined at `tests/golden/traps.yaml:72`.
    pub(super) static SCHEMA_4: Schema = Schema::of( // tests/golden/traps.yaml:72
            Types::ARRAY,
            "/components/schemas/Tree/properties/kids",
        )
        .array(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_4),
                ..ArrayRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:73`.
    pub(super) static SCHEMA_5: Schema = Schema::of( // tests/golden/traps.yaml:73
            Types::OBJECT,
            "/components/schemas/Tree/properties/leaves",
        )
        .object(
            &ObjectRules {
                additional: Additional::Schema(&SCHEMA_5),
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:74`.
    pub(super) static SCHEMA_6: Schema = Schema::of( // tests/golden/traps.yaml:74
            Types::OBJECT,
            "/components/schemas/Form",
        )
        .object(
            &ObjectRules {
                properties: &[
                    Property::of("name", &SCHEMA_7),
                    Property::of("filter", &SCHEMA_8),
                    Property::of("filters", &SCHEMA_9),
                ],
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:77`.
    pub(super) static SCHEMA_7: Schema = Schema::of( // tests/golden/traps.yaml:77
        Types::STRING,
        "/components/schemas/Form/properties/name",
    );
    /// Defined at `tests/golden/traps.yaml:80`.
    pub(super) static SCHEMA_8: Schema = Schema::of( // tests/golden/traps.yaml:80
            Types::OBJECT,
            "/components/schemas/Filter",
        )
        .object(
            &ObjectRules {
                properties: &[Property::of("a", &SCHEMA_10)],
                required: &["a"],
                additional: Additional::Denied,
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:79`.
    pub(super) static SCHEMA_9: Schema = Schema::of( // tests/golden/traps.yaml:79
            Types::ARRAY,
            "/components/schemas/Form/properties/filters",
        )
        .array(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_8),
                ..ArrayRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:80`.
    pub(super) static SCHEMA_10: Schema = Schema::of( // tests/golden/traps.yaml:80
        Types::INTEGER,
        "/components/schemas/Filter/properties/a",
    );
    /// Defined at `tests/golden/traps.yaml:81`.
    pub(super) static SCHEMA_11: Schema = Schema::of( // tests/golden/traps.yaml:81
            Types::ANY,
            "/components/schemas/Stored",
        )
        .all_of(&[&SCHEMA_12, &SCHEMA_13]);
    /// Defined at `tests/golden/traps.yaml:83`.
    pub(super) static SCHEMA_12: Schema = Schema::of( // tests/golden/traps.yaml:83
            Types::ANY,
            "/components/schemas/Stored/allOf/0",
        )
        .object(
            &ObjectRules {
                properties: &[Property::of("id", &SCHEMA_14).read_only()],
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:84`.
    pub(super) static SCHEMA_13: Schema = Schema::of( // tests/golden/traps.yaml:84
            Types::ANY,
            "/components/schemas/Stored/allOf/1",
        )
        .object(
            &ObjectRules {
                required: &["id"],
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:83`.
    pub(super) static SCHEMA_14: Schema = Schema::of( // tests/golden/traps.yaml:83
        Types::STRING,
        "/components/schemas/Stored/allOf/0/properties/id",
    );
    /// Defined at `tests/golden/traps.yaml:85`.
    pub(super) static SCHEMA_15: Schema = Schema::of( // tests/golden/traps.yaml:85
            Types::OBJECT,
            "/components/schemas/Either",
        )
        .object(
            &ObjectRules {
                properties: &[
                    Property::of("a", &SCHEMA_16),
                    Property::of("b", &SCHEMA_17),
                ],
                ..ObjectRules::ANY
            },
        )
        .one_of(&[&SCHEMA_18, &SCHEMA_19]);
    /// Defined at `tests/golden/traps.yaml:87`.
    pub(super) static SCHEMA_16: Schema = Schema::of( // tests/golden/traps.yaml:87
        Types::STRING,
        "/components/schemas/Either/properties/a",
    );
    /// Defined at `tests/golden/traps.yaml:87`.
    pub(super) static SCHEMA_17: Schema = Schema::of( // tests/golden/traps.yaml:87
        Types::STRING,
        "/components/schemas/Either/properties/b",
    );
    /// Defined at `tests/golden/traps.yaml:89`.
    pub(super) static SCHEMA_18: Schema = Schema::of( // tests/golden/traps.yaml:89
            Types::ANY,
            "/components/schemas/Either/oneOf/0",
        )
        .object(
            &ObjectRules {
                required: &["a"],
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:90`.
    pub(super) static SCHEMA_19: Schema = Schema::of( // tests/golden/traps.yaml:90
            Types::ANY,
            "/components/schemas/Either/oneOf/1",
        )
        .object(
            &ObjectRules {
                required: &["b"],
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:91`.
    pub(super) static SCHEMA_20: Schema = Schema::of( // tests/golden/traps.yaml:91
        Types::STRING,
        "/components/schemas/Key",
    );
    /// Defined at `tests/golden/traps.yaml:92`.
    pub(super) static SCHEMA_21: Schema = Schema::of( // tests/golden/traps.yaml:92
            Types::OBJECT,
            "/components/schemas/Keys",
        )
        .object(
            &ObjectRules {
                properties: &[Property::of("owner", &SCHEMA_22)],
                additional: Additional::Schema(&SCHEMA_20),
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:94`.
    pub(super) static SCHEMA_22: Schema = Schema::of( // tests/golden/traps.yaml:94
        Types::STRING,
        "/components/schemas/Keys/properties/owner",
    );
    /// Defined at `tests/golden/traps.yaml:96`.
    pub(super) static SCHEMA_23: Schema = Schema::of( // tests/golden/traps.yaml:96
            Types::ANY,
            "/components/schemas/KeyOrKeys",
        )
        .one_of(&[&SCHEMA_20, &SCHEMA_24, &SCHEMA_25]);
    /// Defined at `tests/golden/traps.yaml:101`.
    pub(super) static SCHEMA_24: Schema = Schema::of( // tests/golden/traps.yaml:101
            Types::ARRAY,
            "/components/schemas/KeyTree",
        )
        .array(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_23),
                ..ArrayRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:100`.
    pub(super) static SCHEMA_25: Schema = Schema::of( // tests/golden/traps.yaml:100
        Types::INTEGER,
        "/components/schemas/KeyOrKeys/oneOf/2",
    );
    /// Defined at `tests/golden/traps.yaml:102`.
    pub(super) static SCHEMA_26: Schema = Schema::of( // tests/golden/traps.yaml:102
            Types::ARRAY,
            "/components/schemas/Some",
        )
        .array(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_26),
                ..ArrayRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:103`.
    pub(super) static SCHEMA_27: Schema = Schema::of( // tests/golden/traps.yaml:103
            Types::ANY,
            "/components/schemas/Again",
        )
        .all_of(&[&SCHEMA_28, &SCHEMA_29]);
    /// Defined at `tests/golden/traps.yaml:105`.
    pub(super) static SCHEMA_28: Schema = Schema::of( // tests/golden/traps.yaml:105
            Types::OBJECT,
            "/components/schemas/Again/allOf/0",
        )
        .object(
            &ObjectRules {
                properties: &[Property::of("token", &SCHEMA_30)],
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:106`.
    pub(super) static SCHEMA_29: Schema = Schema::of( // tests/golden/traps.yaml:106
            Types::OBJECT,
            "/components/schemas/Again/allOf/1",
        )
        .object(
            &ObjectRules {
                properties: &[Property::of("token", &SCHEMA_31)],
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:105`.
    pub(super) static SCHEMA_30: Schema = Schema::of( // tests/golden/traps.yaml:105
        Types::STRING,
        "/components/schemas/Again/allOf/0/properties/token",
    );
    /// Defined at `tests/golden/traps.yaml:106`.
    pub(super) static SCHEMA_31: Schema = Schema::of( // tests/golden/traps.yaml:106
        Types::STRING,
        "/components/schemas/Again/allOf/1/properties/token",
    );
    /// Defined at `tests/golden/traps.yaml:107`.
    pub(super) static SCHEMA_32: Schema = Schema::of( // tests/golden/traps.yaml:107
            Types::ANY,
            "/components/schemas/Guarded",
        )
        .object(
            &ObjectRules {
                properties: &[Property::of("password", &SCHEMA_33)],
                ..ObjectRules::ANY
            },
        )
        .one_of(&[&SCHEMA_34, &SCHEMA_35]);
    /// Defined at `tests/golden/traps.yaml:108`.
    pub(super) static SCHEMA_33: Schema = Schema::of( // tests/golden/traps.yaml:108
        Types::STRING,
        "/components/schemas/Guarded/properties/password",
    );
    /// Defined at `tests/golden/traps.yaml:110`.
    pub(super) static SCHEMA_34: Schema = Schema::of( // tests/golden/traps.yaml:110
            Types::ANY,
            "/components/schemas/Guarded/oneOf/0",
        )
        .object(
            &ObjectRules {
                properties: &[Property::of("user", &SCHEMA_36)],
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:111`.
    pub(super) static SCHEMA_35: Schema = Schema::of( // tests/golden/traps.yaml:111
            Types::ANY,
            "/components/schemas/Guarded/oneOf/1",
        )
        .object(
            &ObjectRules {
                properties: &[Property::of("group", &SCHEMA_37)],
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:110`.
    pub(super) static SCHEMA_36: Schema = Schema::of( // tests/golden/traps.yaml:110
        Types::STRING,
        "/components/schemas/Guarded/oneOf/0/properties/user",
    );
    /// Defined at `tests/golden/traps.yaml:111`.
    pub(super) static SCHEMA_37: Schema = Schema::of( // tests/golden/traps.yaml:111
        Types::STRING,
        "/components/schemas/Guarded/oneOf/1/properties/group",
    );
    /// Defined at `tests/golden/traps.yaml:112`.
    pub(super) static SCHEMA_38: Schema = Schema::of( // tests/golden/traps.yaml:112
            Types::OBJECT,
            "/components/schemas/Guards",
        )
        .object(
            &ObjectRules {
                properties: &[
                    Property::of("one", &SCHEMA_32),
                    Property::of("several", &SCHEMA_39),
                    Property::of("account", &SCHEMA_40),
                ],
                additional: Additional::Schema(&SCHEMA_32),
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:116`.
    pub(super) static SCHEMA_39: Schema = Schema::of( // tests/golden/traps.yaml:116
            Types::ARRAY,
            "/components/schemas/Guards/properties/several",
        )
        .array(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_32),
                ..ArrayRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:123`.
    pub(super) static SCHEMA_40: Schema = Schema::of( // tests/golden/traps.yaml:123
            Types::OBJECT,
            "/components/schemas/Account",
        )
        .object(
            &ObjectRules {
                properties: &[
                    Property::of("name", &SCHEMA_41),
                    Property::of("password", &SCHEMA_42),
                ],
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:126`.
    pub(super) static SCHEMA_41: Schema = Schema::of( // tests/golden/traps.yaml:126
        Types::STRING,
        "/components/schemas/Account/properties/name",
    );
    /// Defined at `tests/golden/traps.yaml:127`.
    pub(super) static SCHEMA_42: Schema = Schema::of( // tests/golden/traps.yaml:127
        Types::STRING,
        "/components/schemas/Account/properties/password",
    );
    /// Defined at `tests/golden/traps.yaml:119`.
    pub(super) static SCHEMA_43: Schema = Schema::of( // tests/golden/traps.yaml:119
            Types::ANY,
            "/components/schemas/GuardedOrNot",
        )
        .one_of(&[&SCHEMA_32, &SCHEMA_44]);
    /// Defined at `tests/golden/traps.yaml:122`.
    pub(super) static SCHEMA_44: Schema = Schema::of( // tests/golden/traps.yaml:122
        Types::INTEGER,
        "/components/schemas/GuardedOrNot/oneOf/1",
    );
    /// Defined at `tests/golden/traps.yaml:128`.
    pub(super) static SCHEMA_45: Schema = Schema::of( // tests/golden/traps.yaml:128
            Types::STRING,
            "/components/schemas/Chosen",
        )
        .nullable()
        .enumeration(&["\"red\""]);
    /// Defined at `tests/golden/traps.yaml:129`.
    pub(super) static SCHEMA_46: Schema = Schema::of( // tests/golden/traps.yaml:129
            Types::STRING,
            "/components/schemas/ChosenOrNot",
        )
        .nullable()
        .enumeration(&["\"red\"", "null"]);
    /// Defined at `tests/golden/traps.yaml:130`.
    pub(super) static SCHEMA_47: Schema = Schema::of( // tests/golden/traps.yaml:130
            Types::OBJECT,
            "/components/schemas/Choice",
        )
        .object(
            &ObjectRules {
                properties: &[
                    Property::of("chosen", &SCHEMA_45),
                    Property::of("chosenOrNot", &SCHEMA_46),
                ],
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:135`.
    pub(super) static SCHEMA_48: Schema = Schema::of( // tests/golden/traps.yaml:135
            Types::OBJECT,
            "/components/schemas/Pet",
        )
        .object(
            &ObjectRules {
                properties: &[Property::of("petType", &SCHEMA_49)],
                required: &["petType"],
                ..ObjectRules::ANY
            },
        )
        .discriminator(
            &Discriminator {
                property: "petType",
                mapping: &[("dog", &SCHEMA_50)],
            },
        );
    /// Defined at `tests/golden/traps.yaml:138`.
    pub(super) static SCHEMA_49: Schema = Schema::of( // tests/golden/traps.yaml:138
        Types::STRING,
        "/components/schemas/Pet/properties/petType",
    );
    /// Defined at `tests/golden/traps.yaml:148`.
    pub(super) static SCHEMA_50: Schema = Schema::of( // tests/golden/traps.yaml:148
            Types::ANY,
            "/components/schemas/Dog",
        )
        .all_of(&[&SCHEMA_48, &SCHEMA_51]);
    /// Defined at `tests/golden/traps.yaml:151`.
    pub(super) static SCHEMA_51: Schema = Schema::of( // tests/golden/traps.yaml:151
            Types::OBJECT,
            "/components/schemas/Dog/allOf/1",
        )
        .object(
            &ObjectRules {
                properties: &[Property::of("bark", &SCHEMA_52)],
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:152`.
    pub(super) static SCHEMA_52: Schema = Schema::of( // tests/golden/traps.yaml:152
        Types::STRING,
        "/components/schemas/Dog/allOf/1/properties/bark",
    );
    /// Defined at `tests/golden/traps.yaml:142`.
    pub(super) static SCHEMA_53: Schema = Schema::of( // tests/golden/traps.yaml:142
            Types::ANY,
            "/components/schemas/Cat",
        )
        .all_of(&[&SCHEMA_48, &SCHEMA_54]);
    /// Defined at `tests/golden/traps.yaml:145`.
    pub(super) static SCHEMA_54: Schema = Schema::of( // tests/golden/traps.yaml:145
            Types::OBJECT,
            "/components/schemas/Cat/allOf/1",
        )
        .object(
            &ObjectRules {
                properties: &[Property::of("name", &SCHEMA_55)],
                required: &["name"],
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:147`.
    pub(super) static SCHEMA_55: Schema = Schema::of( // tests/golden/traps.yaml:147
        Types::STRING,
        "/components/schemas/Cat/allOf/1/properties/name",
    );
    static SCHEMA_56_PATTERN: Pattern = Pattern::new("^(\\w+\\s?)*$")
        .matched_as(
            "^([A-Za-z0-9_]+[\\t-\\r \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}]?)*$",
        );
    /// Defined at `tests/golden/traps.yaml:153`.
    pub(super) static SCHEMA_56: Schema = Schema::of( // tests/golden/traps.yaml:153
            Types::STRING,
            "/components/schemas/Words",
        )
        .string(
            &StringRules {
                pattern: ::std::option::Option::Some(&SCHEMA_56_PATTERN),
                ..StringRules::ANY
            },
        );
    static SCHEMA_57_PATTERN: Pattern = Pattern::new("^(?=.*\\d)\\w+$")
        .matched_as("^(?=[^\\n\\r\\x{2028}\\x{2029}]*[0-9])[A-Za-z0-9_]+$");
    /// Defined at `tests/golden/traps.yaml:154`.
    pub(super) static SCHEMA_57: Schema = Schema::of( // tests/golden/traps.yaml:154
            Types::STRING,
            "/components/schemas/Looking",
        )
        .string(
            &StringRules {
                pattern: ::std::option::Option::Some(&SCHEMA_57_PATTERN),
                ..StringRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:9`.
    pub(super) static SCHEMA_58: Schema = Schema::of( // tests/golden/traps.yaml:9
        Types::STRING,
        "/paths/~1orders~1{id}~1items/parameters/0/schema",
    );
    /// Defined at `tests/golden/traps.yaml:12`.
    pub(super) static SCHEMA_59: Schema = Schema::of( // tests/golden/traps.yaml:12
        Types::STRING,
        "/paths/~1orders~1by-email~1{id}/parameters/0/schema",
    );
    /// Defined at `tests/golden/traps.yaml:30`.
    pub(super) static SCHEMA_60: Schema = Schema::of( // tests/golden/traps.yaml:30
            Types::OBJECT,
            "/paths/~1trees/post/responses/200/headers/x-filter/schema",
        )
        .object(
            &ObjectRules {
                properties: &[Property::of("a", &SCHEMA_61)],
                ..ObjectRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:30`.
    pub(super) static SCHEMA_61: Schema = Schema::of( // tests/golden/traps.yaml:30
        Types::STRING,
        "/paths/~1trees/post/responses/200/headers/x-filter/schema/properties/a",
    );
    /// Defined at `tests/golden/traps.yaml:30`.
    pub(super) static SCHEMA_62: Schema = Schema::of( // tests/golden/traps.yaml:30
        Types::STRING,
        "/paths/~1trees/post/responses/200/headers/x-filter/schema",
    );
    /// Defined at `tests/golden/traps.yaml:31`.
    pub(super) static SCHEMA_63: Schema = Schema::of( // tests/golden/traps.yaml:31
            Types::ARRAY,
            "/paths/~1trees/post/responses/200/headers/Set-Cookie/schema",
        )
        .array(
            &ArrayRules {
                items: ::std::option::Option::Some(&SCHEMA_64),
                ..ArrayRules::ANY
            },
        );
    /// Defined at `tests/golden/traps.yaml:31`.
    pub(super) static SCHEMA_64: Schema = Schema::of( // tests/golden/traps.yaml:31
        Types::STRING,
        "/paths/~1trees/post/responses/200/headers/Set-Cookie/schema/items",
    );
    /// Defined at `tests/golden/traps.yaml:37`.
    pub(super) static SCHEMA_65: Schema = Schema::of( // tests/golden/traps.yaml:37
            Types::STRING,
            "/paths/~1trees/post/responses/2XX/content/image~1*/schema",
        )
        .string(
            &StringRules {
                format: ::std::option::Option::Some(StringFormat::Binary),
                ..StringRules::ANY
            },
        );
}
mod handlers {
    use super::*;
    /// Defined at `tests/golden/traps.yaml:10`.
    pub(super) enum RejectOperation {} // tests/golden/traps.yaml:10
    impl<A: Traps> ::dropforge_runtime::Handle<A, A::Context> for RejectOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::REJECT;
        type Caller = <A as Security>::ListTrees;
        type Parameters = parameters::Reject;
        type Body = ();
        type Outcome = ::std::result::Result<RejectResponse, RejectError>;
        fn authenticate(
            call: &::dropforge_runtime::Call<A::Context>,
        ) -> impl ::std::future::Future<
            Output = ::std::result::Result<Self::Caller, ::dropforge_runtime::Rejection>,
        > + ::std::marker::Send {
            ::dropforge_runtime::admit(call, &operations::REJECT, A::list_trees)
        }
        fn call(
            call: ::dropforge_runtime::Call<A::Context>,
            caller: Self::Caller,
            parameters: Self::Parameters,
            _: (),
        ) -> impl ::std::future::Future<Output = Self::Outcome> + ::std::marker::Send {
            A::reject2(call, caller, parameters)
        }
    }
    /// Defined at `tests/golden/traps.yaml:13`.
    pub(super) enum ListTreesOperation {} // tests/golden/traps.yaml:13
    impl<A: Traps> ::dropforge_runtime::Handle<A, A::Context> for ListTreesOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::LIST_TREES;
        type Caller = <A as Security>::ListTrees;
        type Parameters = parameters::ListTrees;
        type Body = ();
        type Outcome = ::std::result::Result<ListTreesResponse, ListTreesError>;
        fn authenticate(
            call: &::dropforge_runtime::Call<A::Context>,
        ) -> impl ::std::future::Future<
            Output = ::std::result::Result<Self::Caller, ::dropforge_runtime::Rejection>,
        > + ::std::marker::Send {
            ::dropforge_runtime::admit(call, &operations::LIST_TREES, A::list_trees)
        }
        fn call(
            call: ::dropforge_runtime::Call<A::Context>,
            caller: Self::Caller,
            parameters: Self::Parameters,
            _: (),
        ) -> impl ::std::future::Future<Output = Self::Outcome> + ::std::marker::Send {
            A::list_trees2(call, caller, parameters)
        }
    }
    /// Defined at `tests/golden/traps.yaml:15`.
    pub(super) enum ABOperation {} // tests/golden/traps.yaml:15
    impl<A: Traps> ::dropforge_runtime::Handle<A, A::Context> for ABOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::AB;
        type Caller = <A as Security>::ListTrees;
        type Parameters = ::dropforge_runtime::serde::de::IgnoredAny;
        type Body = ();
        type Outcome = ::std::result::Result<ABResponse, ABError>;
        fn authenticate(
            call: &::dropforge_runtime::Call<A::Context>,
        ) -> impl ::std::future::Future<
            Output = ::std::result::Result<Self::Caller, ::dropforge_runtime::Rejection>,
        > + ::std::marker::Send {
            ::dropforge_runtime::admit(call, &operations::AB, A::list_trees)
        }
        fn call(
            call: ::dropforge_runtime::Call<A::Context>,
            caller: Self::Caller,
            _: Self::Parameters,
            _: (),
        ) -> impl ::std::future::Future<Output = Self::Outcome> + ::std::marker::Send {
            A::ab(call, caller)
        }
    }
    /// Defined at `tests/golden/traps.yaml:16`.
    pub(super) enum AbOperation {} // tests/golden/traps.yaml:16
    impl<A: Traps> ::dropforge_runtime::Handle<A, A::Context> for AbOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::AB2;
        type Caller = <A as Security>::ListTrees;
        type Parameters = ::dropforge_runtime::serde::de::IgnoredAny;
        type Body = ();
        type Outcome = ::std::result::Result<AbResponse, AbError>;
        fn authenticate(
            call: &::dropforge_runtime::Call<A::Context>,
        ) -> impl ::std::future::Future<
            Output = ::std::result::Result<Self::Caller, ::dropforge_runtime::Rejection>,
        > + ::std::marker::Send {
            ::dropforge_runtime::admit(call, &operations::AB2, A::list_trees)
        }
        fn call(
            call: ::dropforge_runtime::Call<A::Context>,
            caller: Self::Caller,
            _: Self::Parameters,
            _: (),
        ) -> impl ::std::future::Future<Output = Self::Outcome> + ::std::marker::Send {
            A::ab2(call, caller)
        }
    }
    /// Defined at `tests/golden/traps.yaml:19`.
    pub(super) enum AddTreeOperation {} // tests/golden/traps.yaml:19
    impl<A: Traps> ::dropforge_runtime::Handle<A, A::Context> for AddTreeOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::ADD_TREE;
        type Caller = <A as Security>::ListTrees;
        type Parameters = ::dropforge_runtime::serde::de::IgnoredAny;
        type Body = ::dropforge_runtime::Typed<types::Tree>;
        type Outcome = ::std::result::Result<AddTreeResponse, AddTreeError>;
        fn authenticate(
            call: &::dropforge_runtime::Call<A::Context>,
        ) -> impl ::std::future::Future<
            Output = ::std::result::Result<Self::Caller, ::dropforge_runtime::Rejection>,
        > + ::std::marker::Send {
            ::dropforge_runtime::admit(call, &operations::ADD_TREE, A::list_trees)
        }
        fn call(
            call: ::dropforge_runtime::Call<A::Context>,
            caller: Self::Caller,
            _: Self::Parameters,
            body: types::Tree,
        ) -> impl ::std::future::Future<Output = Self::Outcome> + ::std::marker::Send {
            A::add_tree(call, caller, body)
        }
    }
    /// Defined at `tests/golden/traps.yaml:40`.
    pub(super) enum AddPetOperation {} // tests/golden/traps.yaml:40
    impl<A: Traps> ::dropforge_runtime::Handle<A, A::Context> for AddPetOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::ADD_PET;
        type Caller = <A as Security>::ListTrees;
        type Parameters = ::dropforge_runtime::serde::de::IgnoredAny;
        type Body = ::dropforge_runtime::Typed<types::Pet>;
        type Outcome = ::std::result::Result<AddPetResponse, AddPetError>;
        fn authenticate(
            call: &::dropforge_runtime::Call<A::Context>,
        ) -> impl ::std::future::Future<
            Output = ::std::result::Result<Self::Caller, ::dropforge_runtime::Rejection>,
        > + ::std::marker::Send {
            ::dropforge_runtime::admit(call, &operations::ADD_PET, A::list_trees)
        }
        fn call(
            call: ::dropforge_runtime::Call<A::Context>,
            caller: Self::Caller,
            _: Self::Parameters,
            body: types::Pet,
        ) -> impl ::std::future::Future<Output = Self::Outcome> + ::std::marker::Send {
            A::add_pet(call, caller, body)
        }
    }
    /// Defined at `tests/golden/traps.yaml:48`.
    pub(super) enum FillOperation {} // tests/golden/traps.yaml:48
    impl<A: Traps> ::dropforge_runtime::Handle<A, A::Context> for FillOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::FILL;
        type Caller = <A as Security>::ListTrees;
        type Parameters = ::dropforge_runtime::serde::de::IgnoredAny;
        type Body = ::dropforge_runtime::Typed<types::Form>;
        type Outcome = ::std::result::Result<FillResponse, FillError>;
        fn authenticate(
            call: &::dropforge_runtime::Call<A::Context>,
        ) -> impl ::std::future::Future<
            Output = ::std::result::Result<Self::Caller, ::dropforge_runtime::Rejection>,
        > + ::std::marker::Send {
            ::dropforge_runtime::admit(call, &operations::FILL, A::list_trees)
        }
        fn call(
            call: ::dropforge_runtime::Call<A::Context>,
            caller: Self::Caller,
            _: Self::Parameters,
            body: types::Form,
        ) -> impl ::std::future::Future<Output = Self::Outcome> + ::std::marker::Send {
            A::fill(call, caller, body)
        }
    }
    /// Defined at `tests/golden/traps.yaml:56`.
    pub(super) enum ReadKeyOperation {} // tests/golden/traps.yaml:56
    impl<A: Traps> ::dropforge_runtime::Handle<A, A::Context> for ReadKeyOperation {
        const OPERATION: &'static ::dropforge_runtime::table::Operation = &operations::READ_KEY;
        type Caller = <A as Security>::ListTrees;
        type Parameters = ::dropforge_runtime::serde::de::IgnoredAny;
        type Body = ();
        type Outcome = ::std::result::Result<ReadKeyResponse, ReadKeyError>;
        fn authenticate(
            call: &::dropforge_runtime::Call<A::Context>,
        ) -> impl ::std::future::Future<
            Output = ::std::result::Result<Self::Caller, ::dropforge_runtime::Rejection>,
        > + ::std::marker::Send {
            ::dropforge_runtime::admit(call, &operations::READ_KEY, A::list_trees)
        }
        fn call(
            call: ::dropforge_runtime::Call<A::Context>,
            caller: Self::Caller,
            _: Self::Parameters,
            _: (),
        ) -> impl ::std::future::Future<Output = Self::Outcome> + ::std::marker::Send {
            A::read_key(call, caller)
        }
    }
}
/// Registers every operation of Traps.
///
/// # Errors
///
/// When dropshot rejects a route, or another document has registered it.
///
/// Defined at `tests/golden/traps.yaml:1`.
pub fn register<A: Traps>( // tests/golden/traps.yaml:1
    api: &mut ::dropforge_runtime::dropshot::ApiDescription<A::Context>,
) -> ::std::result::Result<(), ::dropforge_runtime::RegisterError> { // tests/golden/traps.yaml:1
    let mut routes = ::dropforge_runtime::Routes::new(api, &API, A::reject);
    routes
        .fold([
            routes.entry::<A, handlers::RejectOperation>(),
            routes.entry::<A, handlers::ListTreesOperation>(),
        ])?;
    routes.fold([routes.entry::<A, handlers::ABOperation>()])?;
    routes.fold([routes.entry::<A, handlers::AbOperation>()])?;
    routes
        .fold([
            routes.entry::<A, handlers::AddTreeOperation>(),
            routes.entry::<A, handlers::AddPetOperation>(),
            routes.entry::<A, handlers::FillOperation>(),
        ])?;
    routes.fold([routes.entry::<A, handlers::ReadKeyOperation>()])?;
    routes.finish()
}
/// The document as JSON, for the contract tests. Programs that do not name it do not contain it.
pub static SOURCE_JSON: &str = "{\"openapi\":\"3.0.3\",\"info\":{\"title\":\"Traps\",\"version\":\"1\"},\"servers\":[{\"url\":\"https://example.com/{version}/\",\"variables\":{\"version\":{\"default\":\"v1\"}}}],\"security\":[{\"list_trees\":[]}],\"paths\":{\"/orders/{id}/items\":{\"parameters\":[{\"name\":\"id\",\"in\":\"path\",\"required\":true,\"schema\":{\"type\":\"string\"}}],\"get\":{\"operationId\":\"reject\",\"responses\":{\"204\":{\"description\":\"Done\"}}}},\"/orders/by-email/{id}\":{\"parameters\":[{\"name\":\"id\",\"in\":\"path\",\"required\":true,\"schema\":{\"type\":\"string\"}}],\"get\":{\"operationId\":\"list_trees\",\"responses\":{\"204\":{\"description\":\"Done\"}}}},\"/a%2Fb/%7Bc%7D\":{\"get\":{\"operationId\":\"a_b\",\"responses\":{\"204\":{\"description\":\"Done\"}}},\"put\":{\"operationId\":\"ab\",\"responses\":{\"204\":{\"description\":\"Done\"}}}},\"/trees\":{\"post\":{\"operationId\":\"addTree\",\"requestBody\":{\"required\":true,\"content\":{\"*/*\":{\"schema\":{\"$ref\":\"#/components/schemas/Tree\"}}}},\"responses\":{\"200\":{\"description\":\"The tree.\",\"headers\":{\"x-unit\":{\"required\":true,\"schema\":{\"$ref\":\"#/components/schemas/Unit\"}},\"x-wait\":{\"required\":true,\"schema\":{\"$ref\":\"#/components/schemas/Seconds\"}},\"x-filter\":{\"schema\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}}}},\"Set-Cookie\":{\"required\":true,\"schema\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}}}},\"content\":{\"application/*\":{\"schema\":{\"$ref\":\"#/components/schemas/Tree\"}}}},\"2XX\":{\"description\":\"A file.\",\"content\":{\"image/*\":{\"schema\":{\"type\":\"string\",\"format\":\"binary\"}}}}}}},\"/pets\":{\"post\":{\"operationId\":\"addPet\",\"requestBody\":{\"required\":true,\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Pet\"}}}},\"responses\":{\"204\":{\"description\":\"Done\"}}}},\"/forms\":{\"post\":{\"operationId\":\"fill\",\"requestBody\":{\"required\":true,\"content\":{\"application/x-www-form-urlencoded\":{\"schema\":{\"$ref\":\"#/components/schemas/Form\"}}}},\"responses\":{\"204\":{\"description\":\"Done\"}}}},\"/keys\":{\"get\":{\"operationId\":\"readKey\",\"responses\":{\"200\":{\"description\":\"A key.\",\"headers\":{\"x-key\":{\"required\":true,\"schema\":{\"$ref\":\"#/components/schemas/Key\"}}},\"content\":{\"application/json\":{\"schema\":{\"$ref\":\"#/components/schemas/Key\"}}}}}}}},\"components\":{\"securitySchemes\":{\"list_trees\":{\"type\":\"apiKey\",\"in\":\"header\",\"name\":\"x-key\"}},\"schemas\":{\"Unit\":{\"type\":\"string\",\"enum\":[\"m²\",\"m³\",\"½\",\"①\",\"\"]},\"Seconds\":{\"type\":\"integer\"},\"Tree\":{\"type\":\"object\",\"properties\":{\"co₂\":{\"type\":\"number\"},\"kids\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/Tree/properties/kids\"}},\"leaves\":{\"type\":\"object\",\"additionalProperties\":{\"$ref\":\"#/components/schemas/Tree/properties/leaves\"}}}},\"Form\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},\"filter\":{\"$ref\":\"#/components/schemas/Filter\"},\"filters\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/Filter\"}}}},\"Filter\":{\"type\":\"object\",\"required\":[\"a\"],\"properties\":{\"a\":{\"type\":\"integer\"}},\"additionalProperties\":false},\"Stored\":{\"allOf\":[{\"properties\":{\"id\":{\"type\":\"string\",\"readOnly\":true}}},{\"required\":[\"id\"]}]},\"Either\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"},\"b\":{\"type\":\"string\"}},\"oneOf\":[{\"required\":[\"a\"]},{\"required\":[\"b\"]}]},\"Key\":{\"type\":\"string\",\"x-dropforge-secret\":true},\"Keys\":{\"type\":\"object\",\"properties\":{\"owner\":{\"type\":\"string\"}},\"additionalProperties\":{\"$ref\":\"#/components/schemas/Key\"}},\"KeyOrKeys\":{\"oneOf\":[{\"$ref\":\"#/components/schemas/Key\"},{\"$ref\":\"#/components/schemas/KeyTree\"},{\"type\":\"integer\"}]},\"KeyTree\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/KeyOrKeys\"}},\"Some\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/Some\"}},\"Again\":{\"allOf\":[{\"type\":\"object\",\"properties\":{\"token\":{\"type\":\"string\",\"x-dropforge-secret\":true}}},{\"type\":\"object\",\"properties\":{\"token\":{\"type\":\"string\",\"description\":\"Who calls.\"}}}]},\"Guarded\":{\"properties\":{\"password\":{\"type\":\"string\",\"x-dropforge-secret\":true}},\"oneOf\":[{\"properties\":{\"user\":{\"type\":\"string\"}}},{\"properties\":{\"group\":{\"type\":\"string\"}}}]},\"Guards\":{\"type\":\"object\",\"properties\":{\"one\":{\"$ref\":\"#/components/schemas/Guarded\"},\"several\":{\"type\":\"array\",\"items\":{\"$ref\":\"#/components/schemas/Guarded\"}},\"account\":{\"$ref\":\"#/components/schemas/Account\"}},\"additionalProperties\":{\"$ref\":\"#/components/schemas/Guarded\"}},\"GuardedOrNot\":{\"oneOf\":[{\"$ref\":\"#/components/schemas/Guarded\"},{\"type\":\"integer\"}]},\"Account\":{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},\"password\":{\"type\":\"string\",\"format\":\"password\"}}},\"Chosen\":{\"type\":\"string\",\"nullable\":true,\"enum\":[\"red\"]},\"ChosenOrNot\":{\"type\":\"string\",\"nullable\":true,\"enum\":[\"red\",null]},\"Choice\":{\"type\":\"object\",\"properties\":{\"chosen\":{\"$ref\":\"#/components/schemas/Chosen\"},\"chosenOrNot\":{\"$ref\":\"#/components/schemas/ChosenOrNot\"}}},\"Pet\":{\"type\":\"object\",\"required\":[\"petType\"],\"properties\":{\"petType\":{\"type\":\"string\"}},\"discriminator\":{\"propertyName\":\"petType\",\"mapping\":{\"dog\":\"Dog\"}}},\"Cat\":{\"allOf\":[{\"$ref\":\"#/components/schemas/Pet\"},{\"type\":\"object\",\"required\":[\"name\"],\"properties\":{\"name\":{\"type\":\"string\"}}}]},\"Dog\":{\"allOf\":[{\"$ref\":\"#/components/schemas/Pet\"},{\"type\":\"object\",\"properties\":{\"bark\":{\"type\":\"string\"}}}]},\"Words\":{\"type\":\"string\",\"pattern\":\"^(\\\\w+\\\\s?)*$\"},\"Looking\":{\"type\":\"string\",\"pattern\":\"^(?=.*\\\\d)\\\\w+$\"}}}}";
/// Tests for the implementer of this document: the path of this module, then that of a
/// function that returns the [`Subject`](::dropforge_runtime::contract::Subject).
#[macro_export]
macro_rules! traps_contract_tests {
    ($($api:ident)::+, $subject:path) => {
        mod reject2 { #[test] fn each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "reject", ::dropforge_runtime::contract::Case::Examples, $subject (),); } #[test]
        fn what_is_required_is_asked_for() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "reject",
        ::dropforge_runtime::contract::Case::Required, $subject (),); } #[test] fn
        each_constraint_holds_on_both_sides() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "reject",
        ::dropforge_runtime::contract::Case::Constraints, $subject (),); } #[test] fn
        an_accept_that_nothing_fits_is_told() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "reject",
        ::dropforge_runtime::contract::Case::Accept, $subject (),); } #[test] fn
        nobody_comes_in_without_credentials() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "reject",
        ::dropforge_runtime::contract::Case::NoCredentials, $subject (),); } #[test] fn
        malformed_credentials_are_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "reject",
        ::dropforge_runtime::contract::Case::MalformedCredentials, $subject (),); }
        #[test] fn every_other_method_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "reject",
        ::dropforge_runtime::contract::Case::OtherMethods, $subject (),); } } mod
        list_trees2 { #[test] fn each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "list_trees", ::dropforge_runtime::contract::Case::Examples, $subject (),); }
        #[test] fn what_is_required_is_asked_for() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "list_trees",
        ::dropforge_runtime::contract::Case::Required, $subject (),); } #[test] fn
        each_constraint_holds_on_both_sides() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "list_trees",
        ::dropforge_runtime::contract::Case::Constraints, $subject (),); } #[test] fn
        an_accept_that_nothing_fits_is_told() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "list_trees",
        ::dropforge_runtime::contract::Case::Accept, $subject (),); } #[test] fn
        nobody_comes_in_without_credentials() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "list_trees",
        ::dropforge_runtime::contract::Case::NoCredentials, $subject (),); } #[test] fn
        malformed_credentials_are_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "list_trees",
        ::dropforge_runtime::contract::Case::MalformedCredentials, $subject (),); }
        #[test] fn every_other_method_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "list_trees",
        ::dropforge_runtime::contract::Case::OtherMethods, $subject (),); } } mod ab {
        #[test] fn each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "a_b", ::dropforge_runtime::contract::Case::Examples, $subject (),); } #[test] fn
        an_accept_that_nothing_fits_is_told() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "a_b",
        ::dropforge_runtime::contract::Case::Accept, $subject (),); } #[test] fn
        nobody_comes_in_without_credentials() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "a_b",
        ::dropforge_runtime::contract::Case::NoCredentials, $subject (),); } #[test] fn
        malformed_credentials_are_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "a_b",
        ::dropforge_runtime::contract::Case::MalformedCredentials, $subject (),); }
        #[test] fn every_other_method_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "a_b",
        ::dropforge_runtime::contract::Case::OtherMethods, $subject (),); } } mod ab2 {
        #[test] fn each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "ab", ::dropforge_runtime::contract::Case::Examples, $subject (),); } #[test] fn
        an_accept_that_nothing_fits_is_told() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "ab",
        ::dropforge_runtime::contract::Case::Accept, $subject (),); } #[test] fn
        nobody_comes_in_without_credentials() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "ab",
        ::dropforge_runtime::contract::Case::NoCredentials, $subject (),); } #[test] fn
        malformed_credentials_are_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "ab",
        ::dropforge_runtime::contract::Case::MalformedCredentials, $subject (),); }
        #[test] fn every_other_method_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "ab",
        ::dropforge_runtime::contract::Case::OtherMethods, $subject (),); } } mod
        add_tree { #[test] fn each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "addTree", ::dropforge_runtime::contract::Case::Examples, $subject (),); }
        #[test] fn what_is_required_is_asked_for() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "addTree",
        ::dropforge_runtime::contract::Case::Required, $subject (),); } #[test] fn
        each_constraint_holds_on_both_sides() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "addTree",
        ::dropforge_runtime::contract::Case::Constraints, $subject (),); } #[test] fn
        unknown_fields_are_treated_as_the_schema_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "addTree", ::dropforge_runtime::contract::Case::UnknownFields, $subject (),); }
        #[test] fn another_content_type_is_refused() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "addTree", ::dropforge_runtime::contract::Case::ContentType, $subject (),); }
        #[test] fn an_accept_that_nothing_fits_is_told() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "addTree", ::dropforge_runtime::contract::Case::Accept, $subject (),); } #[test]
        fn nobody_comes_in_without_credentials() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "addTree",
        ::dropforge_runtime::contract::Case::NoCredentials, $subject (),); } #[test] fn
        malformed_credentials_are_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "addTree",
        ::dropforge_runtime::contract::Case::MalformedCredentials, $subject (),); }
        #[test] fn every_other_method_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "addTree",
        ::dropforge_runtime::contract::Case::OtherMethods, $subject (),); } } mod add_pet
        { #[test] fn each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "addPet", ::dropforge_runtime::contract::Case::Examples, $subject (),); } #[test]
        fn what_is_required_is_asked_for() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "addPet",
        ::dropforge_runtime::contract::Case::Required, $subject (),); } #[test] fn
        each_constraint_holds_on_both_sides() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "addPet",
        ::dropforge_runtime::contract::Case::Constraints, $subject (),); } #[test] fn
        unknown_fields_are_treated_as_the_schema_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "addPet", ::dropforge_runtime::contract::Case::UnknownFields, $subject (),); }
        #[test] fn another_content_type_is_refused() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "addPet", ::dropforge_runtime::contract::Case::ContentType, $subject (),); }
        #[test] fn an_accept_that_nothing_fits_is_told() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "addPet", ::dropforge_runtime::contract::Case::Accept, $subject (),); } #[test]
        fn nobody_comes_in_without_credentials() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "addPet",
        ::dropforge_runtime::contract::Case::NoCredentials, $subject (),); } #[test] fn
        malformed_credentials_are_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "addPet",
        ::dropforge_runtime::contract::Case::MalformedCredentials, $subject (),); }
        #[test] fn every_other_method_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "addPet",
        ::dropforge_runtime::contract::Case::OtherMethods, $subject (),); } } mod fill {
        #[test] fn each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "fill", ::dropforge_runtime::contract::Case::Examples, $subject (),); } #[test]
        fn what_is_required_is_asked_for() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "fill",
        ::dropforge_runtime::contract::Case::Required, $subject (),); } #[test] fn
        each_constraint_holds_on_both_sides() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "fill",
        ::dropforge_runtime::contract::Case::Constraints, $subject (),); } #[test] fn
        unknown_fields_are_treated_as_the_schema_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "fill", ::dropforge_runtime::contract::Case::UnknownFields, $subject (),); }
        #[test] fn another_content_type_is_refused() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "fill", ::dropforge_runtime::contract::Case::ContentType, $subject (),); }
        #[test] fn an_accept_that_nothing_fits_is_told() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "fill", ::dropforge_runtime::contract::Case::Accept, $subject (),); } #[test] fn
        nobody_comes_in_without_credentials() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "fill",
        ::dropforge_runtime::contract::Case::NoCredentials, $subject (),); } #[test] fn
        malformed_credentials_are_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "fill",
        ::dropforge_runtime::contract::Case::MalformedCredentials, $subject (),); }
        #[test] fn every_other_method_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "fill",
        ::dropforge_runtime::contract::Case::OtherMethods, $subject (),); } } mod
        read_key { #[test] fn each_example_is_answered_as_the_document_says() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "readKey", ::dropforge_runtime::contract::Case::Examples, $subject (),); }
        #[test] fn an_accept_that_nothing_fits_is_told() {
        ::dropforge_runtime::contract::run(& $($api)::+ ::API, $($api)::+ ::SOURCE_JSON,
        "readKey", ::dropforge_runtime::contract::Case::Accept, $subject (),); } #[test]
        fn nobody_comes_in_without_credentials() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "readKey",
        ::dropforge_runtime::contract::Case::NoCredentials, $subject (),); } #[test] fn
        malformed_credentials_are_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "readKey",
        ::dropforge_runtime::contract::Case::MalformedCredentials, $subject (),); }
        #[test] fn every_other_method_is_refused() { ::dropforge_runtime::contract::run(&
        $($api)::+ ::API, $($api)::+ ::SOURCE_JSON, "readKey",
        ::dropforge_runtime::contract::Case::OtherMethods, $subject (),); } }
    };
}
