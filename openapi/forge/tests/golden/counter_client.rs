#[allow(unused_imports)]
pub use ::dropforge_client::progenitor_client::{
    ByteStream, ClientInfo, Error, ResponseValue,
};
#[allow(unused_imports)]
use ::dropforge_client::progenitor_client::{
    encode_path, ClientHooks, OperationInfo, RequestBuilderExt,
};
/// Types used as operation parameters and responses.
#[allow(clippy::all)]
pub mod types {
    #[allow(unused_imports)]
    use super::open;
    #[allow(unused_imports)]
    pub use super::open::*;
    impl ::dropforge_client::List for Counters {
        type Item = Counter;
        fn into_items(self) -> ::std::vec::Vec<Counter> {
            self.counters
        }
    }
    ///`Busy`
    ///
    /// Defined at `tests/golden/counter.yaml:121`.
    #[derive(Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct Busy { // tests/golden/counter.yaml:121
        /// Defined at `tests/golden/counter.yaml:125`.
        pub seconds: i32, // tests/golden/counter.yaml:125
    }
    impl ::dropforge_client::serde::Serialize for Busy {
        fn serialize<S: ::dropforge_client::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_client::fields::write(to, "Busy", 1usize)
                .put("seconds", &self.seconds)
                .end()
        }
    }
    impl<'de> ::dropforge_client::serde::Deserialize<'de> for Busy {
        fn deserialize<D: ::dropforge_client::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_client::fields::read(from)
        }
    }
    impl ::dropforge_client::fields::Fields for Busy {
        const NAMES: &'static [&'static str] = &["seconds"];
        fn read<'de, A: ::dropforge_client::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_client::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let mut f0 = ::std::option::Option::None;
            while members.next_field()?.is_some() {
                members.value(&mut f0)?;
            }
            ::std::result::Result::Ok(Self {
                seconds: members.required("seconds", f0)?,
            })
        }
    }
    ///`Counter`
    ///
    /// Defined at `tests/golden/counter.yaml:107`.
    #[derive(Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct Counter { // tests/golden/counter.yaml:107
        /// Defined at `tests/golden/counter.yaml:113`.
        pub labels: ::std::option::Option< // tests/golden/counter.yaml:113
            ::std::collections::BTreeMap<::std::string::String, ::std::string::String>,
        >,
        /// Defined at `tests/golden/counter.yaml:112`.
        pub mode: ::std::option::Option<open::CounterMode>, // tests/golden/counter.yaml:112
        /// Defined at `tests/golden/counter.yaml:114`.
        pub self_: ::std::option::Option<::std::string::String>, // tests/golden/counter.yaml:114
        /// Defined at `tests/golden/counter.yaml:111`.
        pub value: i64, // tests/golden/counter.yaml:111
    }
    impl ::dropforge_client::serde::Serialize for Counter {
        fn serialize<S: ::dropforge_client::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_client::fields::write(to, "Counter", 4usize)
                .put_some("labels", &self.labels)
                .put_some("mode", &self.mode)
                .put_some("self", &self.self_)
                .put("value", &self.value)
                .end()
        }
    }
    impl<'de> ::dropforge_client::serde::Deserialize<'de> for Counter {
        fn deserialize<D: ::dropforge_client::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_client::fields::read(from)
        }
    }
    impl ::dropforge_client::fields::Fields for Counter {
        const NAMES: &'static [&'static str] = &["labels", "mode", "self", "value"];
        fn read<'de, A: ::dropforge_client::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_client::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let (mut f0, mut f1, mut f2, mut f3) = (
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
                    _ => members.value(&mut f3),
                }?;
            }
            ::std::result::Result::Ok(Self {
                labels: f0.flatten(),
                mode: f1.flatten(),
                self_: f2.flatten(),
                value: members.required("value", f3)?,
            })
        }
    }
    impl Counter {
        /// A value with the required members.
        pub fn new(value: i64) -> Self {
            Self {
                labels: ::std::option::Option::None,
                mode: ::std::option::Option::None,
                self_: ::std::option::Option::None,
                value: value.into(),
            }
        }
        /// Sets `labels`.
        pub fn labels(
            mut self,
            value: impl ::std::convert::Into<
                ::std::collections::BTreeMap<
                    ::std::string::String,
                    ::std::string::String,
                >,
            >,
        ) -> Self {
            self.labels = ::std::option::Option::Some(value.into());
            self
        }
        /// Sets `mode`.
        pub fn mode(
            mut self,
            value: impl ::std::convert::Into<open::CounterMode>,
        ) -> Self {
            self.mode = ::std::option::Option::Some(value.into());
            self
        }
        /// Sets `self_`.
        pub fn self_(
            mut self,
            value: impl ::std::convert::Into<::std::string::String>,
        ) -> Self {
            self.self_ = ::std::option::Option::Some(value.into());
            self
        }
    }
    ///`Counters`
    ///
    /// Defined at `tests/golden/counter.yaml:115`.
    #[derive(Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct Counters { // tests/golden/counter.yaml:115
        /// Defined at `tests/golden/counter.yaml:119`.
        pub counters: ::std::vec::Vec<Counter>, // tests/golden/counter.yaml:119
        /// Defined at `tests/golden/counter.yaml:120`.
        pub total: ::std::option::Option<i32>, // tests/golden/counter.yaml:120
    }
    impl ::dropforge_client::serde::Serialize for Counters {
        fn serialize<S: ::dropforge_client::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_client::fields::write(to, "Counters", 2usize)
                .put("counters", &self.counters)
                .put_some("total", &self.total)
                .end()
        }
    }
    impl<'de> ::dropforge_client::serde::Deserialize<'de> for Counters {
        fn deserialize<D: ::dropforge_client::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_client::fields::read(from)
        }
    }
    impl ::dropforge_client::fields::Fields for Counters {
        const NAMES: &'static [&'static str] = &["counters", "total"];
        fn read<'de, A: ::dropforge_client::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_client::fields::Members<A>,
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
                counters: members.required("counters", f0)?,
                total: f1.flatten(),
            })
        }
    }
    ///`Draft`
    ///
    /// Defined at `tests/golden/counter.yaml:162`.
    #[derive(Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct Draft { // tests/golden/counter.yaml:162
        /// Defined at `tests/golden/counter.yaml:166`.
        pub kind: open::DraftKind, // tests/golden/counter.yaml:166
    }
    impl ::dropforge_client::serde::Serialize for Draft {
        fn serialize<S: ::dropforge_client::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_client::fields::write(to, "Draft", 1usize)
                .put("kind", &self.kind)
                .end()
        }
    }
    impl<'de> ::dropforge_client::serde::Deserialize<'de> for Draft {
        fn deserialize<D: ::dropforge_client::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_client::fields::read(from)
        }
    }
    impl ::dropforge_client::fields::Fields for Draft {
        const NAMES: &'static [&'static str] = &["kind"];
        fn read<'de, A: ::dropforge_client::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_client::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let mut f0 = ::std::option::Option::None;
            while members.next_field()?.is_some() {
                members.value(&mut f0)?;
            }
            ::std::result::Result::Ok(Self {
                kind: members.required("kind", f0)?,
            })
        }
    }
    ///`NoteObject`
    ///
    /// Defined at `tests/golden/counter.yaml:147`.
    #[derive(Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct NoteObject { // tests/golden/counter.yaml:147
        pub reply: open::Note,
    }
    impl ::dropforge_client::serde::Serialize for NoteObject {
        fn serialize<S: ::dropforge_client::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_client::fields::write(to, "NoteObject", 1usize)
                .put("reply", &self.reply)
                .end()
        }
    }
    impl<'de> ::dropforge_client::serde::Deserialize<'de> for NoteObject {
        fn deserialize<D: ::dropforge_client::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_client::fields::read(from)
        }
    }
    impl ::dropforge_client::fields::Fields for NoteObject {
        const NAMES: &'static [&'static str] = &["reply"];
        fn read<'de, A: ::dropforge_client::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_client::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let mut f0 = ::std::option::Option::None;
            while members.next_field()?.is_some() {
                members.value(&mut f0)?;
            }
            ::std::result::Result::Ok(Self {
                reply: members.required("reply", f0)?,
            })
        }
    }
    ///`NoteOfLater`
    ///
    /// Defined at `tests/golden/counter.yaml:167`.
    #[derive(Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct NoteOfLater { // tests/golden/counter.yaml:167
        /// Defined at `tests/golden/counter.yaml:171`.
        pub kind: ::std::string::String, // tests/golden/counter.yaml:171
    }
    impl ::dropforge_client::serde::Serialize for NoteOfLater {
        fn serialize<S: ::dropforge_client::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_client::fields::write(to, "NoteOfLater", 1usize)
                .put("kind", &self.kind)
                .end()
        }
    }
    impl<'de> ::dropforge_client::serde::Deserialize<'de> for NoteOfLater {
        fn deserialize<D: ::dropforge_client::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_client::fields::read(from)
        }
    }
    impl ::dropforge_client::fields::Fields for NoteOfLater {
        const NAMES: &'static [&'static str] = &["kind"];
        fn read<'de, A: ::dropforge_client::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_client::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let mut f0 = ::std::option::Option::None;
            while members.next_field()?.is_some() {
                members.value(&mut f0)?;
            }
            ::std::result::Result::Ok(Self {
                kind: members.required("kind", f0)?,
            })
        }
    }
    ///`Pinned`
    ///
    /// Defined at `tests/golden/counter.yaml:156`.
    #[derive(Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct Pinned { // tests/golden/counter.yaml:156
        /// Defined at `tests/golden/counter.yaml:160`.
        pub kind: open::PinnedKind, // tests/golden/counter.yaml:160
        /// Defined at `tests/golden/counter.yaml:161`.
        pub text: ::std::option::Option<::std::string::String>, // tests/golden/counter.yaml:161
    }
    impl ::dropforge_client::serde::Serialize for Pinned {
        fn serialize<S: ::dropforge_client::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_client::fields::write(to, "Pinned", 2usize)
                .put("kind", &self.kind)
                .put_some("text", &self.text)
                .end()
        }
    }
    impl<'de> ::dropforge_client::serde::Deserialize<'de> for Pinned {
        fn deserialize<D: ::dropforge_client::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_client::fields::read(from)
        }
    }
    impl ::dropforge_client::fields::Fields for Pinned {
        const NAMES: &'static [&'static str] = &["kind", "text"];
        fn read<'de, A: ::dropforge_client::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_client::fields::Members<A>,
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
                kind: members.required("kind", f0)?,
                text: f1.flatten(),
            })
        }
    }
    ///`Problem`
    ///
    /// Defined at `tests/golden/counter.yaml:126`.
    #[derive(Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct Problem { // tests/golden/counter.yaml:126
        /// Defined at `tests/golden/counter.yaml:131`.
        pub title: ::std::string::String, // tests/golden/counter.yaml:131
    }
    impl ::dropforge_client::serde::Serialize for Problem {
        fn serialize<S: ::dropforge_client::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_client::fields::write(to, "Problem", 1usize)
                .put("title", &self.title)
                .end()
        }
    }
    impl<'de> ::dropforge_client::serde::Deserialize<'de> for Problem {
        fn deserialize<D: ::dropforge_client::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_client::fields::read(from)
        }
    }
    impl ::dropforge_client::fields::Fields for Problem {
        const NAMES: &'static [&'static str] = &["title"];
        fn read<'de, A: ::dropforge_client::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_client::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let mut f0 = ::std::option::Option::None;
            while members.next_field()?.is_some() {
                members.value(&mut f0)?;
            }
            ::std::result::Result::Ok(Self {
                title: members.required("title", f0)?,
            })
        }
    }
    ///`Raised`
    ///
    /// Defined at `tests/golden/counter.yaml:172`.
    #[derive(Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct Raised { // tests/golden/counter.yaml:172
        /// Defined at `tests/golden/counter.yaml:177`.
        pub by: i64, // tests/golden/counter.yaml:177
        /// Defined at `tests/golden/counter.yaml:176`.
        pub kind: ::std::string::String, // tests/golden/counter.yaml:176
    }
    impl ::dropforge_client::serde::Serialize for Raised {
        fn serialize<S: ::dropforge_client::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_client::fields::write(to, "Raised", 2usize)
                .put("by", &self.by)
                .put("kind", &self.kind)
                .end()
        }
    }
    impl<'de> ::dropforge_client::serde::Deserialize<'de> for Raised {
        fn deserialize<D: ::dropforge_client::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_client::fields::read(from)
        }
    }
    impl ::dropforge_client::fields::Fields for Raised {
        const NAMES: &'static [&'static str] = &["by", "kind"];
        fn read<'de, A: ::dropforge_client::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_client::fields::Members<A>,
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
                by: members.required("by", f0)?,
                kind: members.required("kind", f1)?,
            })
        }
    }
    ///`Reset`
    ///
    /// Defined at `tests/golden/counter.yaml:178`.
    #[derive(Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct Reset { // tests/golden/counter.yaml:178
        /// Defined at `tests/golden/counter.yaml:182`.
        pub kind: ::std::string::String, // tests/golden/counter.yaml:182
    }
    impl ::dropforge_client::serde::Serialize for Reset {
        fn serialize<S: ::dropforge_client::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_client::fields::write(to, "Reset", 1usize)
                .put("kind", &self.kind)
                .end()
        }
    }
    impl<'de> ::dropforge_client::serde::Deserialize<'de> for Reset {
        fn deserialize<D: ::dropforge_client::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_client::fields::read(from)
        }
    }
    impl ::dropforge_client::fields::Fields for Reset {
        const NAMES: &'static [&'static str] = &["kind"];
        fn read<'de, A: ::dropforge_client::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_client::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let mut f0 = ::std::option::Option::None;
            while members.next_field()?.is_some() {
                members.value(&mut f0)?;
            }
            ::std::result::Result::Ok(Self {
                kind: members.required("kind", f0)?,
            })
        }
    }
    ///`SetCounterBadRequest`
    ///
    /// Defined at `tests/golden/counter.yaml:75`.
    #[derive(Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    pub struct SetCounterBadRequest { // tests/golden/counter.yaml:75
        /// Defined at `tests/golden/counter.yaml:75`.
        pub why: ::std::option::Option<SetCounterBadRequestWhy>, // tests/golden/counter.yaml:75
    }
    impl ::dropforge_client::serde::Serialize for SetCounterBadRequest {
        fn serialize<S: ::dropforge_client::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_client::fields::write(to, "SetCounterBadRequest", 1usize)
                .put_some("why", &self.why)
                .end()
        }
    }
    impl<'de> ::dropforge_client::serde::Deserialize<'de> for SetCounterBadRequest {
        fn deserialize<D: ::dropforge_client::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_client::fields::read(from)
        }
    }
    impl ::dropforge_client::fields::Fields for SetCounterBadRequest {
        const NAMES: &'static [&'static str] = &["why"];
        fn read<'de, A: ::dropforge_client::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_client::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let mut f0 = ::std::option::Option::None;
            while members.next_field()?.is_some() {
                members.value(&mut f0)?;
            }
            ::std::result::Result::Ok(Self { why: f0.flatten() })
        }
    }
    ///`SetCounterBadRequestWhy`
    ///
    /// Defined at `tests/golden/counter.yaml:75`.
    #[derive(Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    pub struct SetCounterBadRequestWhy { // tests/golden/counter.yaml:75
        /// Defined at `tests/golden/counter.yaml:75`.
        pub text: ::std::option::Option<::std::string::String>, // tests/golden/counter.yaml:75
    }
    impl ::dropforge_client::serde::Serialize for SetCounterBadRequestWhy {
        fn serialize<S: ::dropforge_client::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_client::fields::write(to, "SetCounterBadRequestWhy", 1usize)
                .put_some("text", &self.text)
                .end()
        }
    }
    impl<'de> ::dropforge_client::serde::Deserialize<'de> for SetCounterBadRequestWhy {
        fn deserialize<D: ::dropforge_client::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_client::fields::read(from)
        }
    }
    impl ::dropforge_client::fields::Fields for SetCounterBadRequestWhy {
        const NAMES: &'static [&'static str] = &["text"];
        fn read<'de, A: ::dropforge_client::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_client::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let mut f0 = ::std::option::Option::None;
            while members.next_field()?.is_some() {
                members.value(&mut f0)?;
            }
            ::std::result::Result::Ok(Self { text: f0.flatten() })
        }
    }
    ///`SetCounterUnprocessableContent`
    ///
    /// Defined at `tests/golden/counter.yaml:79`.
    #[derive(Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    pub struct SetCounterUnprocessableContent { // tests/golden/counter.yaml:79
        /// Defined at `tests/golden/counter.yaml:79`.
        pub why: ::std::option::Option<SetCounterUnprocessableContentWhy>, // tests/golden/counter.yaml:79
    }
    impl ::dropforge_client::serde::Serialize for SetCounterUnprocessableContent {
        fn serialize<S: ::dropforge_client::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_client::fields::write(
                    to,
                    "SetCounterUnprocessableContent",
                    1usize,
                )
                .put_some("why", &self.why)
                .end()
        }
    }
    impl<'de> ::dropforge_client::serde::Deserialize<'de>
    for SetCounterUnprocessableContent {
        fn deserialize<D: ::dropforge_client::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_client::fields::read(from)
        }
    }
    impl ::dropforge_client::fields::Fields for SetCounterUnprocessableContent {
        const NAMES: &'static [&'static str] = &["why"];
        fn read<'de, A: ::dropforge_client::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_client::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let mut f0 = ::std::option::Option::None;
            while members.next_field()?.is_some() {
                members.value(&mut f0)?;
            }
            ::std::result::Result::Ok(Self { why: f0.flatten() })
        }
    }
    ///`SetCounterUnprocessableContentWhy`
    ///
    /// Defined at `tests/golden/counter.yaml:79`.
    #[derive(Clone, Debug, Default, PartialEq)]
    #[non_exhaustive]
    pub struct SetCounterUnprocessableContentWhy { // tests/golden/counter.yaml:79
        /// Defined at `tests/golden/counter.yaml:79`.
        pub text: ::std::option::Option<::std::string::String>, // tests/golden/counter.yaml:79
    }
    impl ::dropforge_client::serde::Serialize for SetCounterUnprocessableContentWhy {
        fn serialize<S: ::dropforge_client::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_client::fields::write(
                    to,
                    "SetCounterUnprocessableContentWhy",
                    1usize,
                )
                .put_some("text", &self.text)
                .end()
        }
    }
    impl<'de> ::dropforge_client::serde::Deserialize<'de>
    for SetCounterUnprocessableContentWhy {
        fn deserialize<D: ::dropforge_client::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_client::fields::read(from)
        }
    }
    impl ::dropforge_client::fields::Fields for SetCounterUnprocessableContentWhy {
        const NAMES: &'static [&'static str] = &["text"];
        fn read<'de, A: ::dropforge_client::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_client::fields::Members<A>,
        ) -> ::std::result::Result<Self, A::Error> {
            let mut f0 = ::std::option::Option::None;
            while members.next_field()?.is_some() {
                members.value(&mut f0)?;
            }
            ::std::result::Result::Ok(Self { text: f0.flatten() })
        }
    }
    ///`Watch`
    ///
    /// Defined at `tests/golden/counter.yaml:132`.
    #[derive(Clone, Debug, PartialEq)]
    #[non_exhaustive]
    pub struct Watch { // tests/golden/counter.yaml:132
        /// Defined at `tests/golden/counter.yaml:136`.
        pub name: ::std::string::String, // tests/golden/counter.yaml:136
        /// Defined at `tests/golden/counter.yaml:137`.
        pub stream: ::std::option::Option<bool>, // tests/golden/counter.yaml:137
    }
    impl ::dropforge_client::serde::Serialize for Watch {
        fn serialize<S: ::dropforge_client::serde::Serializer>(
            &self,
            to: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            ::dropforge_client::fields::write(to, "Watch", 2usize)
                .put("name", &self.name)
                .put_some("stream", &self.stream)
                .end()
        }
    }
    impl<'de> ::dropforge_client::serde::Deserialize<'de> for Watch {
        fn deserialize<D: ::dropforge_client::serde::Deserializer<'de>>(
            from: D,
        ) -> ::std::result::Result<Self, D::Error> {
            ::dropforge_client::fields::read(from)
        }
    }
    impl ::dropforge_client::fields::Fields for Watch {
        const NAMES: &'static [&'static str] = &["name", "stream"];
        fn read<'de, A: ::dropforge_client::serde::de::MapAccess<'de>>(
            members: &mut ::dropforge_client::fields::Members<A>,
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
                name: members.required("name", f0)?,
                stream: f1.flatten(),
            })
        }
    }
    impl Watch {
        /// A value with the required members.
        pub fn new(name: impl ::std::convert::Into<::std::string::String>) -> Self {
            Self {
                name: name.into(),
                stream: ::std::option::Option::None,
            }
        }
        /// Sets `stream`.
        pub fn stream(mut self, value: bool) -> Self {
            self.stream = ::std::option::Option::Some(value.into());
            self
        }
    }
    /// Error types.
    pub mod error {
        /// Error from a `TryFrom` or `FromStr` implementation.
        pub struct ConversionError(::std::borrow::Cow<'static, str>);
        impl ::std::error::Error for ConversionError {}
        impl ::std::fmt::Display for ConversionError {
            fn fmt(
                &self,
                f: &mut ::std::fmt::Formatter<'_>,
            ) -> Result<(), ::std::fmt::Error> {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }
        impl ::std::fmt::Debug for ConversionError {
            fn fmt(
                &self,
                f: &mut ::std::fmt::Formatter<'_>,
            ) -> Result<(), ::std::fmt::Error> {
                ::std::fmt::Debug::fmt(&self.0, f)
            }
        }
        impl From<&'static str> for ConversionError {
            fn from(value: &'static str) -> Self {
                Self(value.into())
            }
        }
        impl From<String> for ConversionError {
            fn from(value: String) -> Self {
                Self(value.into())
            }
        }
    }
}
#[derive(Clone, Debug)]
/**Client for Counter

Version: 1*/
pub struct Client {
    pub(crate) baseurl: String,
    pub(crate) client: ::dropforge_client::reqwest::Client,
    pub(crate) inner: ::dropforge_client::Session,
}
impl Client {
    /// Create a new client.
    ///
    /// `baseurl` is the base URL provided to the internal
    /// `reqwest::Client`, and should include a scheme and hostname,
    /// as well as port and a path stem if applicable.
    pub fn new(baseurl: &str, inner: ::dropforge_client::Session) -> Self {
        #[cfg(not(target_arch = "wasm32"))]
        let client = {
            let dur = ::std::time::Duration::from_secs(15u64);
            ::dropforge_client::reqwest::ClientBuilder::new()
                .connect_timeout(dur)
                .timeout(dur)
        };
        #[cfg(target_arch = "wasm32")]
        let client = ::dropforge_client::reqwest::ClientBuilder::new();
        Self::new_with_client(baseurl, client.build().unwrap(), inner)
    }
    /// Construct a new client with an existing `reqwest::Client`,
    /// allowing more control over its configuration.
    ///
    /// `baseurl` is the base URL provided to the internal
    /// `reqwest::Client`, and should include a scheme and hostname,
    /// as well as port and a path stem if applicable.
    pub fn new_with_client(
        baseurl: &str,
        client: ::dropforge_client::reqwest::Client,
        inner: ::dropforge_client::Session,
    ) -> Self {
        Self {
            baseurl: baseurl.to_string(),
            client,
            inner,
        }
    }
}
impl ClientInfo<::dropforge_client::Session> for Client {
    fn api_version() -> &'static str {
        "1"
    }
    fn baseurl(&self) -> &str {
        self.baseurl.as_str()
    }
    fn client(&self) -> &::dropforge_client::reqwest::Client {
        &self.client
    }
    fn inner(&self) -> &::dropforge_client::Session {
        &self.inner
    }
}
const _: () = {
    #[allow(dead_code)]
    fn assert_client_hooks()
    where
        Client: ClientHooks<::dropforge_client::Session>,
    {}
};
impl Client {
    /**Sends a `GET` request to `/counters`

```text
let response = client.list_counters()
    .offset(offset)
    .page(page)
    .call()
    .await?;
```*/
    ///
    /// Defined at `tests/golden/counter.yaml:14`.
    pub fn list_counters(&self) -> builder::ListCounters<'_> { // tests/golden/counter.yaml:14
        builder::ListCounters::new(self)
    }
    /**Sends a `POST` request to `/counters`

```text
let response = client.reset_counters()
    .idempotency_key(idempotency_key)
    .call()
    .await?;
```*/
    ///
    /// Defined at `tests/golden/counter.yaml:26`.
    pub fn reset_counters(&self) -> builder::ResetCounters<'_> { // tests/golden/counter.yaml:26
        builder::ResetCounters::new(self)
    }
    /**Sends a `GET` request to `/counters/{name}`

Arguments:
- `name` (required)
- `new2`
- `accept`: The media type of the response.
- `session`

```text
let response = client.get_counter()
    .name(name)
    .new2(new2)
    .accept(accept)
    .session(session)
    .call()
    .await?;
```*/
    ///
    /// Defined at `tests/golden/counter.yaml:34`.
    pub fn get_counter(&self) -> builder::GetCounter<'_> { // tests/golden/counter.yaml:34
        builder::GetCounter::new(self)
    }
    /**Sends a `PUT` request to `/counters/{name}`

```text
let response = client.set_counter()
    .name(name)
    .call()
    .await?;
```*/
    ///
    /// Defined at `tests/golden/counter.yaml:59`.
    pub fn set_counter(&self) -> builder::SetCounter<'_> { // tests/golden/counter.yaml:59
        builder::SetCounter::new(self)
    }
    /**Sends a `PUT` request to `/counters/{name}`

```text
let response = client.set_counter_with_body()
    .name(name)
    .body(body)
    .call()
    .await?;
```*/
    #[doc(hidden)]
    pub fn set_counter_with_body(&self) -> builder::SetCounterWithBody<'_> {
        builder::SetCounterWithBody::new(self)
    }
    /**Sends a `POST` request to `/watch`

```text
let response = client.watch()
    .body(body)
    .call()
    .await?;
```*/
    ///
    /// Defined at `tests/golden/counter.yaml:82`.
    pub fn watch(&self) -> builder::Watch<'_> { // tests/golden/counter.yaml:82
        builder::Watch::new(self)
    }
    /**Sends a `POST` request to `/watch`

```text
let response = client.watch_stream()
    .body(body)
    .call()
    .await?;
```*/
    pub fn watch_stream(&self) -> builder::WatchStream<'_> {
        builder::WatchStream::new(self)
    }
    /**Sends a `GET` request to `/notes`

```text
let response = client.get_note()
    .call()
    .await?;
```*/
    ///
    /// Defined at `tests/golden/counter.yaml:97`.
    pub fn get_note(&self) -> builder::GetNote<'_> { // tests/golden/counter.yaml:97
        builder::GetNote::new(self)
    }
}
/// Types for composing operation parameters.
#[allow(clippy::all)]
pub mod builder {
    #[allow(unused_imports)]
    use super::open;
    impl<'a> ListCounters<'a> {
        /// Sends the request; errors have a variant for each status.
        pub async fn call(
            self,
        ) -> Result<ResponseValue<types::Counters>, super::ListCountersError> {
            let session = self.client.inner.clone();
            match self.send().await {
                Ok(response) => Ok(response),
                Err(error) => {
                    Err(super::ListCountersError::from_error(error, &session).await)
                }
            }
        }
    }
    impl<'a> ListCounters<'a> {
        /// The pages of the list, each requested when the stream is polled for it.
        pub fn pages(
            self,
        ) -> ::dropforge_client::Pages<'a, types::Counters, super::ListCountersError> {
            ::dropforge_client::Pages::new(
                self,
                "next",
                |request, page| Self {
                    offset: Ok(None),
                    ..request.page(page)
                },
                |request| ::std::boxed::Box::pin(request.call()),
                super::ListCountersError::Other,
            )
        }
        /// The items of the list, from all of its pages.
        pub fn items(
            self,
        ) -> ::dropforge_client::Items<
            'a,
            <types::Counters as ::dropforge_client::List>::Item,
            super::ListCountersError,
        > {
            self.pages().items()
        }
    }
    impl<'a> ResetCounters<'a> {
        /// Sends the request; errors have a variant for each status.
        pub async fn call(self) -> Result<ResponseValue<()>, super::ResetCountersError> {
            let session = self.client.inner.clone();
            match self.send().await {
                Ok(response) => Ok(response),
                Err(error) => {
                    Err(super::ResetCountersError::from_error(error, &session).await)
                }
            }
        }
    }
    impl<'a> GetCounter<'a> {
        /// Sends the request; errors have a variant for each status.
        pub async fn call(
            self,
        ) -> Result<ResponseValue<types::Counter>, super::GetCounterError> {
            let session = self.client.inner.clone();
            match self.send().await {
                Ok(response) => Ok(response),
                Err(error) => {
                    Err(super::GetCounterError::from_error(error, &session).await)
                }
            }
        }
    }
    impl<'a> SetCounter<'a> {
        /// Sends the request; responses and errors have a variant for each status.
        pub async fn call(
            self,
        ) -> Result<ResponseValue<super::SetCounterSuccess>, super::SetCounterError> {
            let session = self.client.inner.clone();
            match self.send().await {
                Ok(response) => {
                    match ::dropforge_client::Buffered::read(response, &session).await {
                        Ok(buffered) => {
                            super::SetCounterSuccess::read(buffered)
                                .map_err(super::SetCounterError::Other)
                        }
                        Err(error) => Err(super::SetCounterError::Other(error)),
                    }
                }
                Err(error) => {
                    Err(super::SetCounterError::from_error(error, &session).await)
                }
            }
        }
    }
    impl<'a> SetCounter<'a> {
        /// Sends an optional body with the request.
        pub fn body<V>(self, value: V) -> SetCounterWithBody<'a>
        where
            V: std::convert::TryInto<types::Counter>,
            <V as std::convert::TryInto<types::Counter>>::Error: std::fmt::Display,
        {
            #[allow(unused_mut)]
            let mut other = SetCounterWithBody::new(self.client);
            other.name = self.name;
            other.body(value)
        }
    }
    impl<'a> SetCounterWithBody<'a> {
        /// Sends the request; responses and errors have a variant for each status.
        pub async fn call(
            self,
        ) -> Result<ResponseValue<super::SetCounterSuccess>, super::SetCounterError> {
            let session = self.client.inner.clone();
            match self.send().await {
                Ok(response) => {
                    match ::dropforge_client::Buffered::read(response, &session).await {
                        Ok(buffered) => {
                            super::SetCounterSuccess::read(buffered)
                                .map_err(super::SetCounterError::Other)
                        }
                        Err(error) => Err(super::SetCounterError::Other(error)),
                    }
                }
                Err(error) => {
                    Err(super::SetCounterError::from_error(error, &session).await)
                }
            }
        }
    }
    impl<'a> Watch<'a> {
        /// Sends the request; errors have a variant for each status.
        pub async fn call(
            self,
        ) -> Result<ResponseValue<types::Counter>, super::WatchError> {
            let session = self.client.inner.clone();
            match self.send().await {
                Ok(response) => Ok(response),
                Err(error) => Err(super::WatchError::from_error(error, &session).await),
            }
        }
    }
    impl<'a> WatchStream<'a> {
        /// Sends the request and returns its events as they arrive.
        pub async fn call(
            self,
        ) -> Result<::dropforge_client::EventStream<types::Change>, super::WatchError> {
            let session = self.client.inner.clone();
            match self
                .body_map(|mut body| {
                    body.stream = true.into();
                    body
                })
                .send()
                .await
            {
                Ok(response) => {
                    ::dropforge_client::EventStream::open(
                            response,
                            ::dropforge_client::Framing::new()
                                .with_terminator("[DONE]")
                                .with_event("kind"),
                            &session,
                        )
                        .await
                        .map_err(super::WatchError::Other)
                }
                Err(error) => Err(super::WatchError::from_error(error, &session).await),
            }
        }
    }
    impl<'a> GetNote<'a> {
        /// Sends the request; errors have a variant for each status.
        pub async fn call(
            self,
        ) -> Result<ResponseValue<open::Note>, super::GetNoteError> {
            let session = self.client.inner.clone();
            match self.send().await {
                Ok(response) => Ok(response),
                Err(error) => Err(super::GetNoteError::from_error(error, &session).await),
            }
        }
    }
    use super::types;
    #[allow(unused_imports)]
    use super::{
        encode_path, ByteStream, ClientInfo, ClientHooks, Error, OperationInfo,
        RequestBuilderExt, ResponseValue,
    };
    /**Builder for [`Client::list_counters`]

[`Client::list_counters`]: super::Client::list_counters*/
    ///
    /// Defined at `tests/golden/counter.yaml:14`.
    #[derive(Debug, Clone)]
    pub struct ListCounters<'a> { // tests/golden/counter.yaml:14
        client: &'a super::Client,
        offset: Result<Option<i64>, String>,
        page: Result<Option<::std::string::String>, String>,
    }
    impl<'a> ListCounters<'a> {
        pub fn new(client: &'a super::Client) -> Self {
            Self {
                client: client,
                offset: Ok(None),
                page: Ok(None),
            }
        }
        /// Sets `offset`.
        pub fn offset<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<i64>,
            <V as std::convert::TryInto<i64>>::Error: std::fmt::Display,
        {
            self.offset = ::dropforge_client::optional(
                value,
                "the value of `offset` cannot be converted to `i64`",
            );
            self
        }
        /// Sets `page`.
        pub fn page<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::std::string::String>,
            <V as std::convert::TryInto<
                ::std::string::String,
            >>::Error: std::fmt::Display,
        {
            self.page = ::dropforge_client::optional(
                value,
                "the value of `page` cannot be converted to `String`",
            );
            self
        }
        ///Sends a `GET` request to `/counters`
        #[doc(hidden)]
        pub async fn send(self) -> Result<ResponseValue<types::Counters>, Error<()>> {
            let Self { client, offset, page } = self;
            let offset = offset.map_err(Error::InvalidRequest)?;
            let page = page.map_err(Error::InvalidRequest)?;
            let url = format!("{}/counters", client.baseurl,);
            let mut header_map = ::dropforge_client::reqwest::header::HeaderMap::with_capacity(
                1usize,
            );
            header_map
                .append(
                    ::dropforge_client::reqwest::header::HeaderName::from_static(
                        "api-version",
                    ),
                    ::dropforge_client::reqwest::header::HeaderValue::from_static(
                        super::Client::api_version(),
                    ),
                );
            #[allow(unused_mut)]
            let mut request = client
                .client
                .get(url)
                .header(
                    ::dropforge_client::reqwest::header::ACCEPT,
                    ::dropforge_client::reqwest::header::HeaderValue::from_static(
                        "application/json",
                    ),
                )
                .query(
                    &::dropforge_client::progenitor_client::QueryParam::new(
                        "offset",
                        &offset,
                    ),
                )
                .query(
                    &::dropforge_client::progenitor_client::QueryParam::new(
                        "page",
                        &page,
                    ),
                )
                .headers(header_map)
                .build()?;
            let info = OperationInfo {
                operation_id: "list_counters",
            };
            let response = super::perform(client, request, &info).await?;
            match response.status().as_u16() {
                200u16 => ::dropforge_client::read_json(response).await,
                _ => Err(Error::UnexpectedResponse(response)),
            }
        }
    }
    /**Builder for [`Client::reset_counters`]

[`Client::reset_counters`]: super::Client::reset_counters*/
    ///
    /// Defined at `tests/golden/counter.yaml:26`.
    #[derive(Debug, Clone)]
    pub struct ResetCounters<'a> { // tests/golden/counter.yaml:26
        client: &'a super::Client,
        idempotency_key: Result<Option<::std::string::String>, String>,
    }
    impl<'a> ResetCounters<'a> {
        pub fn new(client: &'a super::Client) -> Self {
            Self {
                client: client,
                idempotency_key: Ok(None),
            }
        }
        /// Sets `idempotency_key`.
        pub fn idempotency_key<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::std::string::String>,
            <V as std::convert::TryInto<
                ::std::string::String,
            >>::Error: std::fmt::Display,
        {
            self.idempotency_key = ::dropforge_client::optional(
                value,
                "the value of `idempotency_key` cannot be converted to `String`",
            );
            self
        }
        ///Sends a `POST` request to `/counters`
        #[doc(hidden)]
        pub async fn send(self) -> Result<ResponseValue<()>, Error<()>> {
            let Self { client, idempotency_key } = self;
            let idempotency_key = idempotency_key.map_err(Error::InvalidRequest)?;
            let url = format!("{}/counters", client.baseurl,);
            let mut header_map = ::dropforge_client::reqwest::header::HeaderMap::with_capacity(
                2usize,
            );
            header_map
                .append(
                    ::dropforge_client::reqwest::header::HeaderName::from_static(
                        "api-version",
                    ),
                    ::dropforge_client::reqwest::header::HeaderValue::from_static(
                        super::Client::api_version(),
                    ),
                );
            if let Some(value) = idempotency_key {
                header_map.append("idempotency-key", value.to_string().try_into()?);
            }
            #[allow(unused_mut)]
            let mut request = client.client.post(url).headers(header_map).build()?;
            let info = OperationInfo {
                operation_id: "reset_counters",
            };
            let response = super::perform(client, request, &info).await?;
            match response.status().as_u16() {
                204u16 => Ok(ResponseValue::empty(response)),
                _ => Err(Error::UnexpectedResponse(response)),
            }
        }
    }
    /**Builder for [`Client::get_counter`]

[`Client::get_counter`]: super::Client::get_counter*/
    ///
    /// Defined at `tests/golden/counter.yaml:34`.
    #[derive(Debug, Clone)]
    pub struct GetCounter<'a> { // tests/golden/counter.yaml:34
        client: &'a super::Client,
        name: Result<::std::string::String, String>,
        new2: Result<Option<bool>, String>,
        accept: Result<Option<open::GetCounterAccept>, String>,
        session: Result<Option<::std::string::String>, String>,
    }
    impl<'a> GetCounter<'a> {
        pub fn new(client: &'a super::Client) -> Self {
            Self {
                client: client,
                name: Err("the value of `name` is missing".to_string()),
                new2: Ok(None),
                accept: Ok(None),
                session: Ok(None),
            }
        }
        /// Sets `name`, which is required.
        pub fn name<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::std::string::String>,
            <V as std::convert::TryInto<
                ::std::string::String,
            >>::Error: std::fmt::Display,
        {
            self.name = ::dropforge_client::required(
                value,
                "the value of `name` cannot be converted to `String`",
            );
            self
        }
        /// Sets `new2`.
        pub fn new2<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<bool>,
            <V as std::convert::TryInto<bool>>::Error: std::fmt::Display,
        {
            self.new2 = ::dropforge_client::optional(
                value,
                "the value of `new2` cannot be converted to `bool`",
            );
            self
        }
        /// Sets `accept`.
        pub fn accept<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<open::GetCounterAccept>,
            <V as std::convert::TryInto<
                open::GetCounterAccept,
            >>::Error: std::fmt::Display,
        {
            self.accept = ::dropforge_client::optional(
                value,
                "the value of `accept` cannot be converted to `GetCounterAccept`",
            );
            self
        }
        /// Sets `session`.
        pub fn session<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::std::string::String>,
            <V as std::convert::TryInto<
                ::std::string::String,
            >>::Error: std::fmt::Display,
        {
            self.session = ::dropforge_client::optional(
                value,
                "the value of `session` cannot be converted to `String`",
            );
            self
        }
        ///Sends a `GET` request to `/counters/{name}`
        #[doc(hidden)]
        pub async fn send(
            self,
        ) -> Result<ResponseValue<types::Counter>, Error<ByteStream>> {
            let Self { client, name, new2, accept, session } = self;
            let name = name.map_err(Error::InvalidRequest)?;
            let new2 = new2.map_err(Error::InvalidRequest)?;
            let accept = accept.map_err(Error::InvalidRequest)?;
            let session = session.map_err(Error::InvalidRequest)?;
            let url = format!(
                "{}/counters/{}", client.baseurl, ::dropforge_client::encode_path(& name
                .to_string()),
            );
            let mut header_map = ::dropforge_client::reqwest::header::HeaderMap::with_capacity(
                3usize,
            );
            header_map
                .append(
                    ::dropforge_client::reqwest::header::HeaderName::from_static(
                        "api-version",
                    ),
                    ::dropforge_client::reqwest::header::HeaderValue::from_static(
                        super::Client::api_version(),
                    ),
                );
            if let Some(value) = accept {
                header_map.append("accept", value.to_string().try_into()?);
            }
            if let Some(value) = session {
                header_map.append("session", value.to_string().try_into()?);
            }
            #[allow(unused_mut)]
            let mut request = client
                .client
                .get(url)
                .header(
                    ::dropforge_client::reqwest::header::ACCEPT,
                    ::dropforge_client::reqwest::header::HeaderValue::from_static(
                        "application/json",
                    ),
                )
                .query(
                    &::dropforge_client::progenitor_client::QueryParam::new(
                        "new2",
                        &new2,
                    ),
                )
                .headers(header_map)
                .build()?;
            let info = OperationInfo {
                operation_id: "get_counter",
            };
            let response = super::perform(client, request, &info).await?;
            match response.status().as_u16() {
                200u16 => ::dropforge_client::read_json(response).await,
                400u16..=499u16 => {
                    Err(Error::ErrorResponse(ResponseValue::stream(response)))
                }
                404u16 | 409u16 => {
                    Err(Error::ErrorResponse(ResponseValue::stream(response)))
                }
                500u16..=599u16 => {
                    Err(Error::ErrorResponse(ResponseValue::stream(response)))
                }
                _ => Err(Error::UnexpectedResponse(response)),
            }
        }
    }
    /**Builder for [`Client::set_counter`]

[`Client::set_counter`]: super::Client::set_counter*/
    ///
    /// Defined at `tests/golden/counter.yaml:59`.
    #[derive(Debug, Clone)]
    pub struct SetCounter<'a> { // tests/golden/counter.yaml:59
        client: &'a super::Client,
        name: Result<::std::string::String, String>,
    }
    impl<'a> SetCounter<'a> {
        pub fn new(client: &'a super::Client) -> Self {
            Self {
                client: client,
                name: Err("the value of `name` is missing".to_string()),
            }
        }
        /// Sets `name`, which is required.
        pub fn name<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::std::string::String>,
            <V as std::convert::TryInto<
                ::std::string::String,
            >>::Error: std::fmt::Display,
        {
            self.name = ::dropforge_client::required(
                value,
                "the value of `name` cannot be converted to `String`",
            );
            self
        }
        ///Sends a `PUT` request to `/counters/{name}`
        #[doc(hidden)]
        pub async fn send(self) -> Result<ResponseValue<ByteStream>, Error<ByteStream>> {
            let Self { client, name } = self;
            let name = name.map_err(Error::InvalidRequest)?;
            let url = format!(
                "{}/counters/{}", client.baseurl, ::dropforge_client::encode_path(& name
                .to_string()),
            );
            let mut header_map = ::dropforge_client::reqwest::header::HeaderMap::with_capacity(
                1usize,
            );
            header_map
                .append(
                    ::dropforge_client::reqwest::header::HeaderName::from_static(
                        "api-version",
                    ),
                    ::dropforge_client::reqwest::header::HeaderValue::from_static(
                        super::Client::api_version(),
                    ),
                );
            #[allow(unused_mut)]
            let mut request = client.client.put(url).headers(header_map).build()?;
            let info = OperationInfo {
                operation_id: "set_counter",
            };
            let response = super::perform(client, request, &info).await?;
            match response.status().as_u16() {
                200u16 | 204u16 => Ok(ResponseValue::stream(response)),
                400u16 | 422u16 => {
                    Err(Error::ErrorResponse(ResponseValue::stream(response)))
                }
                _ => Err(Error::UnexpectedResponse(response)),
            }
        }
    }
    /**Builder for [`Client::set_counter_with_body`]

[`Client::set_counter_with_body`]: super::Client::set_counter_with_body*/
    ///
    /// Defined at `tests/golden/counter.yaml:59`.
    #[derive(Debug, Clone)]
    pub struct SetCounterWithBody<'a> { // tests/golden/counter.yaml:59
        client: &'a super::Client,
        name: Result<::std::string::String, String>,
        body: Result<types::Counter, String>,
    }
    impl<'a> SetCounterWithBody<'a> {
        pub fn new(client: &'a super::Client) -> Self {
            Self {
                client: client,
                name: Err("the value of `name` is missing".to_string()),
                body: Err("the body is missing".to_string()),
            }
        }
        /// Sets `name`, which is required.
        pub fn name<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<::std::string::String>,
            <V as std::convert::TryInto<
                ::std::string::String,
            >>::Error: std::fmt::Display,
        {
            self.name = ::dropforge_client::required(
                value,
                "the value of `name` cannot be converted to `String`",
            );
            self
        }
        /// Sets the body, which is required.
        pub fn body<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<types::Counter>,
            <V as std::convert::TryInto<types::Counter>>::Error: std::fmt::Display,
        {
            self.body = ::dropforge_client::required(
                value,
                "the body cannot be converted to `Counter`",
            );
            self
        }
        pub fn body_map<F>(mut self, f: F) -> Self
        where
            F: std::ops::FnOnce(types::Counter) -> types::Counter,
        {
            self.body = self.body.map(f);
            self
        }
        ///Sends a `PUT` request to `/counters/{name}`
        #[doc(hidden)]
        pub async fn send(self) -> Result<ResponseValue<ByteStream>, Error<ByteStream>> {
            let Self { client, name, body } = self;
            let name = name.map_err(Error::InvalidRequest)?;
            let body = body.map_err(Error::InvalidRequest)?;
            let url = format!(
                "{}/counters/{}", client.baseurl, ::dropforge_client::encode_path(& name
                .to_string()),
            );
            let mut header_map = ::dropforge_client::reqwest::header::HeaderMap::with_capacity(
                1usize,
            );
            header_map
                .append(
                    ::dropforge_client::reqwest::header::HeaderName::from_static(
                        "api-version",
                    ),
                    ::dropforge_client::reqwest::header::HeaderValue::from_static(
                        super::Client::api_version(),
                    ),
                );
            #[allow(unused_mut)]
            let mut request = client
                .client
                .put(url)
                .json(&body)
                .headers(header_map)
                .build()?;
            let info = OperationInfo {
                operation_id: "set_counter_with_body",
            };
            let response = super::perform(client, request, &info).await?;
            match response.status().as_u16() {
                200u16 | 204u16 => Ok(ResponseValue::stream(response)),
                400u16 | 422u16 => {
                    Err(Error::ErrorResponse(ResponseValue::stream(response)))
                }
                _ => Err(Error::UnexpectedResponse(response)),
            }
        }
    }
    /**Builder for [`Client::watch`]

[`Client::watch`]: super::Client::watch*/
    ///
    /// Defined at `tests/golden/counter.yaml:132`.
    #[derive(Debug, Clone)]
    pub struct Watch<'a> { // tests/golden/counter.yaml:132
        client: &'a super::Client,
        body: Result<types::Watch, String>,
    }
    impl<'a> Watch<'a> {
        pub fn new(client: &'a super::Client) -> Self {
            Self {
                client: client,
                body: Err("the body is missing".to_string()),
            }
        }
        /// Sets the body, which is required.
        pub fn body<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<types::Watch>,
            <V as std::convert::TryInto<types::Watch>>::Error: std::fmt::Display,
        {
            self.body = ::dropforge_client::required(
                value,
                "the body cannot be converted to `Watch`",
            );
            self
        }
        pub fn body_map<F>(mut self, f: F) -> Self
        where
            F: std::ops::FnOnce(types::Watch) -> types::Watch,
        {
            self.body = self.body.map(f);
            self
        }
        ///Sends a `POST` request to `/watch`
        #[doc(hidden)]
        pub async fn send(self) -> Result<ResponseValue<types::Counter>, Error<()>> {
            let Self { client, body } = self;
            let body = body.map_err(Error::InvalidRequest)?;
            let url = format!("{}/watch", client.baseurl,);
            let mut header_map = ::dropforge_client::reqwest::header::HeaderMap::with_capacity(
                1usize,
            );
            header_map
                .append(
                    ::dropforge_client::reqwest::header::HeaderName::from_static(
                        "api-version",
                    ),
                    ::dropforge_client::reqwest::header::HeaderValue::from_static(
                        super::Client::api_version(),
                    ),
                );
            #[allow(unused_mut)]
            let mut request = client
                .client
                .post(url)
                .header(
                    ::dropforge_client::reqwest::header::ACCEPT,
                    ::dropforge_client::reqwest::header::HeaderValue::from_static(
                        "application/json",
                    ),
                )
                .json(&body)
                .headers(header_map)
                .build()?;
            let info = OperationInfo {
                operation_id: "watch",
            };
            let response = super::perform(client, request, &info).await?;
            match response.status().as_u16() {
                200u16 => ::dropforge_client::read_json(response).await,
                _ => Err(Error::UnexpectedResponse(response)),
            }
        }
    }
    /**Builder for [`Client::watch_stream`]

[`Client::watch_stream`]: super::Client::watch_stream*/
    ///
    /// Defined at `tests/golden/counter.yaml:137`.
    #[derive(Debug, Clone)]
    pub struct WatchStream<'a> { // tests/golden/counter.yaml:137
        client: &'a super::Client,
        body: Result<types::Watch, String>,
    }
    impl<'a> WatchStream<'a> {
        pub fn new(client: &'a super::Client) -> Self {
            Self {
                client: client,
                body: Err("the body is missing".to_string()),
            }
        }
        /// Sets the body, which is required.
        pub fn body<V>(mut self, value: V) -> Self
        where
            V: std::convert::TryInto<types::Watch>,
            <V as std::convert::TryInto<types::Watch>>::Error: std::fmt::Display,
        {
            self.body = ::dropforge_client::required(
                value,
                "the body cannot be converted to `Watch`",
            );
            self
        }
        pub fn body_map<F>(mut self, f: F) -> Self
        where
            F: std::ops::FnOnce(types::Watch) -> types::Watch,
        {
            self.body = self.body.map(f);
            self
        }
        ///Sends a `POST` request to `/watch`
        #[doc(hidden)]
        pub async fn send(self) -> Result<ResponseValue<ByteStream>, Error<()>> {
            let Self { client, body } = self;
            let body = body.map_err(Error::InvalidRequest)?;
            let url = format!("{}/watch", client.baseurl,);
            let mut header_map = ::dropforge_client::reqwest::header::HeaderMap::with_capacity(
                1usize,
            );
            header_map
                .append(
                    ::dropforge_client::reqwest::header::HeaderName::from_static(
                        "api-version",
                    ),
                    ::dropforge_client::reqwest::header::HeaderValue::from_static(
                        super::Client::api_version(),
                    ),
                );
            #[allow(unused_mut)]
            let mut request = client
                .client
                .post(url)
                .json(&body)
                .headers(header_map)
                .build()?;
            let info = OperationInfo {
                operation_id: "watch_stream",
            };
            let response = super::perform(client, request, &info).await?;
            match response.status().as_u16() {
                200u16 => Ok(ResponseValue::stream(response)),
                _ => Err(Error::UnexpectedResponse(response)),
            }
        }
    }
    /**Builder for [`Client::get_note`]

[`Client::get_note`]: super::Client::get_note*/
    ///
    /// Defined at `tests/golden/counter.yaml:97`.
    #[derive(Debug, Clone)]
    pub struct GetNote<'a> { // tests/golden/counter.yaml:97
        client: &'a super::Client,
    }
    impl<'a> GetNote<'a> {
        pub fn new(client: &'a super::Client) -> Self {
            Self { client: client }
        }
        ///Sends a `GET` request to `/notes`
        #[doc(hidden)]
        pub async fn send(self) -> Result<ResponseValue<open::Note>, Error<()>> {
            let Self { client } = self;
            let url = format!("{}/notes", client.baseurl,);
            let mut header_map = ::dropforge_client::reqwest::header::HeaderMap::with_capacity(
                1usize,
            );
            header_map
                .append(
                    ::dropforge_client::reqwest::header::HeaderName::from_static(
                        "api-version",
                    ),
                    ::dropforge_client::reqwest::header::HeaderValue::from_static(
                        super::Client::api_version(),
                    ),
                );
            #[allow(unused_mut)]
            let mut request = client
                .client
                .get(url)
                .header(
                    ::dropforge_client::reqwest::header::ACCEPT,
                    ::dropforge_client::reqwest::header::HeaderValue::from_static(
                        "application/json",
                    ),
                )
                .headers(header_map)
                .build()?;
            let info = OperationInfo {
                operation_id: "get_note",
            };
            let response = super::perform(client, request, &info).await?;
            match response.status().as_u16() {
                200u16 => ::dropforge_client::read_json(response).await,
                _ => Err(Error::UnexpectedResponse(response)),
            }
        }
    }
}
/// The path that every address begins with, behind the address of the service: a client's base address is the
/// two together.
pub const BASE_PATH: &str = "/v1";
static SCHEME_0: ::dropforge_client::Scheme = ::dropforge_client::Scheme::new(
    "token",
    ::dropforge_client::SchemeKind::Bearer,
);
const REQUEST_IDS: &[&str] = &[];
/// The operations, as a session sees them. An operation whose response is also an event stream has a second
/// entry with `streams`.
pub static OPERATIONS: &[::dropforge_client::Operation] = &[
    ::dropforge_client::Operation::new("listCounters", "GET", "/counters")
        .with_request_ids(REQUEST_IDS),
    ::dropforge_client::Operation::new("resetCounters", "POST", "/counters")
        .with_idempotency_keys(&["idempotency-key"])
        .with_request_ids(REQUEST_IDS),
    ::dropforge_client::Operation::new("getCounter", "GET", "/counters/{name}")
        .with_parameters(
            &[
                ::dropforge_client::Parameter::new(
                    ::dropforge_client::Place::Query("new2"),
                    ::dropforge_client::Place::Query("new"),
                    ::dropforge_client::Form::Text,
                ),
                ::dropforge_client::Parameter::new(
                    ::dropforge_client::Place::Header("session"),
                    ::dropforge_client::Place::Cookie("session"),
                    ::dropforge_client::Form::Text,
                ),
            ],
        )
        .with_security(
            &[&[::dropforge_client::Requirement::new(&SCHEME_0, &["read"])], &[]],
        )
        .with_request_ids(REQUEST_IDS),
    ::dropforge_client::Operation::new("setCounter", "PUT", "/counters/{name}")
        .with_accept("application/json")
        .with_request_ids(REQUEST_IDS),
    ::dropforge_client::Operation::new("watch", "POST", "/watch")
        .with_request_ids(REQUEST_IDS),
    ::dropforge_client::Operation::new("watch", "POST", "/watch")
        .with_accept("text/event-stream")
        .with_streams()
        .with_request_ids(REQUEST_IDS),
    ::dropforge_client::Operation::new("getNote", "GET", "/notes")
        .with_request_ids(REQUEST_IDS),
];
/// The operations of `OPERATIONS` with an optional body, if a call sends it.
static WITH_BODY: &[::dropforge_client::Operation] = &[
    ::dropforge_client::Operation::new("setCounter", "PUT", "/counters/{name}")
        .with_accept("application/json")
        .with_request_ids(REQUEST_IDS),
];
/// The operation of a method, by the name of that method.
fn operation(method: &str) -> Option<&'static ::dropforge_client::Operation> {
    match method {
        "list_counters" => OPERATIONS.get(0usize),
        "reset_counters" => OPERATIONS.get(1usize),
        "get_counter" => OPERATIONS.get(2usize),
        "set_counter" => OPERATIONS.get(3usize),
        "watch" => OPERATIONS.get(4usize),
        "watch_stream" => OPERATIONS.get(5usize),
        "get_note" => OPERATIONS.get(6usize),
        "set_counter_with_body" => WITH_BODY.get(0usize),
        _ => None,
    }
}
/// Sends a request between its hooks.
#[allow(dead_code)]
async fn perform<E>(
    client: &Client,
    mut request: ::dropforge_client::reqwest::Request,
    info: &OperationInfo,
) -> Result<::dropforge_client::reqwest::Response, Error<E>> {
    client.pre(&mut request, info).await?;
    let result = client.exec(request, info).await;
    client.post(&result, info).await?;
    Ok(result?)
}
impl ClientHooks<::dropforge_client::Session> for Client {
    async fn pre<E>(
        &self,
        request: &mut ::dropforge_client::reqwest::Request,
        info: &OperationInfo,
    ) -> Result<(), Error<E>> {
        match operation(info.operation_id) {
            Some(operation) => {
                ::dropforge_client::prepare(request, operation).map_err(Error::Custom)
            }
            None => Ok(()),
        }
    }
    async fn exec(
        &self,
        request: ::dropforge_client::reqwest::Request,
        info: &OperationInfo,
    ) -> ::dropforge_client::reqwest::Result<::dropforge_client::reqwest::Response> {
        match operation(info.operation_id) {
            Some(operation) => {
                ::dropforge_client::execute(
                        &self.inner,
                        &self.client,
                        request,
                        operation,
                    )
                    .await
            }
            None => self.client.execute(request).await,
        }
    }
}
/// How [`Client::list_counters`] fails.
///
/// Defined at `tests/golden/counter.yaml:14`.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)]
#[non_exhaustive]
pub enum ListCountersError { // tests/golden/counter.yaml:14
    /// Anything else: the request could not be sent, or the document does not describe the response.
    Other(::dropforge_client::Failure),
}
impl ListCountersError {
    /// Classifies an error of this operation by its status.
    #[doc(hidden)]
    pub async fn from_error(
        error: Error<()>,
        session: &::dropforge_client::Session,
    ) -> Self {
        ::dropforge_client::classify_by_value(error, Self::listed)
            .await
            .unwrap_or_else(Self::Other)
    }
    fn listed(response: ResponseValue<()>) -> Result<Self, ResponseValue<()>> {
        match response.status().as_u16() {
            _ => Err(response),
        }
    }
}
impl ::dropforge_client::OperationError for ListCountersError {
    fn outcome(
        &self,
    ) -> Result<::dropforge_client::Described<'_>, &::dropforge_client::Failure> {
        match self {
            Self::Other(failure) => Err(failure),
        }
    }
}
impl ::std::fmt::Display for ListCountersError {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        ::dropforge_client::describe(self, f)
    }
}
impl ::std::error::Error for ListCountersError {
    fn source(&self) -> Option<&(dyn ::std::error::Error + 'static)> {
        ::dropforge_client::OperationError::failure(self)
            .and_then(::std::error::Error::source)
    }
}
/// The headers of a success of [`Client::list_counters`]: `ListCountersHeaders::try_from(response.headers())`.
///
/// Defined at `tests/golden/counter.yaml:14`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ListCountersHeaders { // tests/golden/counter.yaml:14
    /// `next`.
    pub next: ::std::option::Option<::std::string::String>,
}
impl ::std::convert::TryFrom<&::dropforge_client::http::HeaderMap>
for ListCountersHeaders {
    type Error = ::dropforge_client::HeaderError;
    fn try_from(
        headers: &::dropforge_client::http::HeaderMap,
    ) -> ::std::result::Result<Self, Self::Error> {
        Ok(Self {
            next: ::dropforge_client::header(headers, "next")?,
        })
    }
}
/// How [`Client::reset_counters`] fails.
///
/// Defined at `tests/golden/counter.yaml:26`.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)]
#[non_exhaustive]
pub enum ResetCountersError { // tests/golden/counter.yaml:26
    /// Anything else: the request could not be sent, or the document does not describe the response.
    Other(::dropforge_client::Failure),
}
impl ResetCountersError {
    /// Classifies an error of this operation by its status.
    #[doc(hidden)]
    pub async fn from_error(
        error: Error<()>,
        session: &::dropforge_client::Session,
    ) -> Self {
        ::dropforge_client::classify_by_value(error, Self::listed)
            .await
            .unwrap_or_else(Self::Other)
    }
    fn listed(response: ResponseValue<()>) -> Result<Self, ResponseValue<()>> {
        match response.status().as_u16() {
            _ => Err(response),
        }
    }
}
impl ::dropforge_client::OperationError for ResetCountersError {
    fn outcome(
        &self,
    ) -> Result<::dropforge_client::Described<'_>, &::dropforge_client::Failure> {
        match self {
            Self::Other(failure) => Err(failure),
        }
    }
}
impl ::std::fmt::Display for ResetCountersError {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        ::dropforge_client::describe(self, f)
    }
}
impl ::std::error::Error for ResetCountersError {
    fn source(&self) -> Option<&(dyn ::std::error::Error + 'static)> {
        ::dropforge_client::OperationError::failure(self)
            .and_then(::std::error::Error::source)
    }
}
/// How [`Client::get_counter`] fails.
///
/// Defined at `tests/golden/counter.yaml:34`.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)]
#[non_exhaustive]
pub enum GetCounterError { // tests/golden/counter.yaml:34
    /// 404: There is none.
    NotFound(ResponseValue<()>),
    /// 409: It is being changed.
    Conflict(ResponseValue<types::Busy>),
    /// Any other status: Something else.
    Default(ResponseValue<types::Problem>),
    /// Anything else: the request could not be sent, or the document does not describe the response.
    Other(::dropforge_client::Failure),
}
impl GetCounterError {
    /// Classifies an error of this operation by its status.
    #[doc(hidden)]
    pub async fn from_error(
        error: Error<ByteStream>,
        session: &::dropforge_client::Session,
    ) -> Self {
        ::dropforge_client::classify_by_bytes(error, session, Self::listed)
            .await
            .unwrap_or_else(Self::Other)
    }
    fn listed(
        response: ::dropforge_client::Buffered,
    ) -> Result<Self, ::dropforge_client::Failure> {
        match response.status.as_u16() {
            404u16 => response.empty().map(Self::NotFound),
            409u16 => response.json().map(Self::Conflict),
            _ => response.json().map(Self::Default),
        }
    }
}
impl ::dropforge_client::OperationError for GetCounterError {
    fn outcome(
        &self,
    ) -> Result<::dropforge_client::Described<'_>, &::dropforge_client::Failure> {
        match self {
            Self::NotFound(response) => {
                Ok(::dropforge_client::Described::opaque(response))
            }
            Self::Conflict(response) => Ok(::dropforge_client::Described::json(response)),
            Self::Default(response) => Ok(::dropforge_client::Described::json(response)),
            Self::Other(failure) => Err(failure),
        }
    }
}
impl ::std::fmt::Display for GetCounterError {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        ::dropforge_client::describe(self, f)
    }
}
impl ::std::error::Error for GetCounterError {
    fn source(&self) -> Option<&(dyn ::std::error::Error + 'static)> {
        ::dropforge_client::OperationError::failure(self)
            .and_then(::std::error::Error::source)
    }
}
/// How [`Client::set_counter`] fails.
///
/// Defined at `tests/golden/counter.yaml:59`.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)]
#[non_exhaustive]
pub enum SetCounterError { // tests/golden/counter.yaml:59
    /// 400: It cannot be that.
    BadRequest(ResponseValue<types::SetCounterBadRequest>),
    /// 422: It cannot be that now.
    UnprocessableContent(ResponseValue<types::SetCounterUnprocessableContent>),
    /// Anything else: the request could not be sent, or the document does not describe the response.
    Other(::dropforge_client::Failure),
}
impl SetCounterError {
    /// Classifies an error of this operation by its status.
    #[doc(hidden)]
    pub async fn from_error(
        error: Error<ByteStream>,
        session: &::dropforge_client::Session,
    ) -> Self {
        ::dropforge_client::classify_by_bytes(error, session, Self::listed)
            .await
            .unwrap_or_else(Self::Other)
    }
    fn listed(
        response: ::dropforge_client::Buffered,
    ) -> Result<Self, ::dropforge_client::Failure> {
        match response.status.as_u16() {
            400u16 => response.json().map(Self::BadRequest),
            422u16 => response.json().map(Self::UnprocessableContent),
            _ => Err(response.unlisted()),
        }
    }
}
impl ::dropforge_client::OperationError for SetCounterError {
    fn outcome(
        &self,
    ) -> Result<::dropforge_client::Described<'_>, &::dropforge_client::Failure> {
        match self {
            Self::BadRequest(response) => {
                Ok(::dropforge_client::Described::json(response))
            }
            Self::UnprocessableContent(response) => {
                Ok(::dropforge_client::Described::json(response))
            }
            Self::Other(failure) => Err(failure),
        }
    }
}
impl ::std::fmt::Display for SetCounterError {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        ::dropforge_client::describe(self, f)
    }
}
impl ::std::error::Error for SetCounterError {
    fn source(&self) -> Option<&(dyn ::std::error::Error + 'static)> {
        ::dropforge_client::OperationError::failure(self)
            .and_then(::std::error::Error::source)
    }
}
/// The responses of [`Client::set_counter`].
///
/// Defined at `tests/golden/counter.yaml:59`.
#[derive(Debug, Clone, PartialEq)]
#[allow(clippy::large_enum_variant)]
#[non_exhaustive]
pub enum SetCounterSuccess { // tests/golden/counter.yaml:59
    /// 200: It was there.
    Ok(types::Counter),
    /// 204: It is new.
    NoContent,
}
impl SetCounterSuccess {
    fn read(
        buffered: ::dropforge_client::Buffered,
    ) -> Result<ResponseValue<Self>, ::dropforge_client::Failure> {
        let (status, headers) = (buffered.status, buffered.headers.clone());
        let value = match status.as_u16() {
            200u16 => {
                buffered
                    .json::<types::Counter>()
                    .map(|value| Self::Ok(value.into_inner()))
            }
            204u16 => Ok(Self::NoContent),
            _ => Err(buffered.unlisted()),
        };
        value.map(|value| ResponseValue::new(value, status, headers))
    }
}
/// How [`Client::watch`] fails.
///
/// Defined at `tests/golden/counter.yaml:82`.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)]
#[non_exhaustive]
pub enum WatchError { // tests/golden/counter.yaml:82
    /// Anything else: the request could not be sent, or the document does not describe the response.
    Other(::dropforge_client::Failure),
}
impl WatchError {
    /// Classifies an error of this operation by its status.
    #[doc(hidden)]
    pub async fn from_error(
        error: Error<()>,
        session: &::dropforge_client::Session,
    ) -> Self {
        ::dropforge_client::classify_by_value(error, Self::listed)
            .await
            .unwrap_or_else(Self::Other)
    }
    fn listed(response: ResponseValue<()>) -> Result<Self, ResponseValue<()>> {
        match response.status().as_u16() {
            _ => Err(response),
        }
    }
}
impl ::dropforge_client::OperationError for WatchError {
    fn outcome(
        &self,
    ) -> Result<::dropforge_client::Described<'_>, &::dropforge_client::Failure> {
        match self {
            Self::Other(failure) => Err(failure),
        }
    }
}
impl ::std::fmt::Display for WatchError {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        ::dropforge_client::describe(self, f)
    }
}
impl ::std::error::Error for WatchError {
    fn source(&self) -> Option<&(dyn ::std::error::Error + 'static)> {
        ::dropforge_client::OperationError::failure(self)
            .and_then(::std::error::Error::source)
    }
}
/// How [`Client::get_note`] fails.
///
/// Defined at `tests/golden/counter.yaml:97`.
#[derive(Debug)]
#[allow(clippy::large_enum_variant)]
#[non_exhaustive]
pub enum GetNoteError { // tests/golden/counter.yaml:97
    /// Anything else: the request could not be sent, or the document does not describe the response.
    Other(::dropforge_client::Failure),
}
impl GetNoteError {
    /// Classifies an error of this operation by its status.
    #[doc(hidden)]
    pub async fn from_error(
        error: Error<()>,
        session: &::dropforge_client::Session,
    ) -> Self {
        ::dropforge_client::classify_by_value(error, Self::listed)
            .await
            .unwrap_or_else(Self::Other)
    }
    fn listed(response: ResponseValue<()>) -> Result<Self, ResponseValue<()>> {
        match response.status().as_u16() {
            _ => Err(response),
        }
    }
}
impl ::dropforge_client::OperationError for GetNoteError {
    fn outcome(
        &self,
    ) -> Result<::dropforge_client::Described<'_>, &::dropforge_client::Failure> {
        match self {
            Self::Other(failure) => Err(failure),
        }
    }
}
impl ::std::fmt::Display for GetNoteError {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        ::dropforge_client::describe(self, f)
    }
}
impl ::std::error::Error for GetNoteError {
    fn source(&self) -> Option<&(dyn ::std::error::Error + 'static)> {
        ::dropforge_client::OperationError::failure(self)
            .and_then(::std::error::Error::source)
    }
}
/// Types that typify has no words for.
#[allow(clippy::all)]
mod open {
    #[allow(unused_imports)]
    use super::types;
    ///CounterMode
    ///
    /// Defined at `tests/golden/counter.yaml:112`.
    #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum CounterMode { // tests/golden/counter.yaml:112
        /// `up`
        Up,
        /// `down`
        Down,
        /// A value that the document does not list.
        Unknown(::std::string::String),
    }
    impl CounterMode {
        /// The values that the document lists.
        pub const VALUES: &'static [&'static str] = &["up", "down"];
        /// The value as it is sent.
        pub fn as_str(&self) -> &str {
            match self {
                Self::Up => "up",
                Self::Down => "down",
                Self::Unknown(value) => value,
            }
        }
    }
    impl ::std::convert::From<&str> for CounterMode {
        fn from(value: &str) -> Self {
            match value {
                "up" => Self::Up,
                "down" => Self::Down,
                other => Self::Unknown(other.to_owned()),
            }
        }
    }
    impl ::std::convert::From<::std::string::String> for CounterMode {
        fn from(value: ::std::string::String) -> Self {
            match value.as_str() {
                "up" => Self::Up,
                "down" => Self::Down,
                _ => Self::Unknown(value),
            }
        }
    }
    impl ::std::str::FromStr for CounterMode {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            ::std::result::Result::Ok(value.into())
        }
    }
    impl ::std::fmt::Display for CounterMode {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.write_str(self.as_str())
        }
    }
    impl ::dropforge_client::serde::Serialize for CounterMode {
        fn serialize<S: ::dropforge_client::serde::Serializer>(
            &self,
            serializer: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            serializer.serialize_str(self.as_str())
        }
    }
    impl<'de> ::dropforge_client::serde::Deserialize<'de> for CounterMode {
        fn deserialize<D: ::dropforge_client::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> ::std::result::Result<Self, D::Error> {
            <::std::string::String as ::dropforge_client::serde::Deserialize>::deserialize(
                    deserializer,
                )
                .map(Self::from)
        }
    }
    ///PinnedKind
    ///
    /// Defined at `tests/golden/counter.yaml:160`.
    #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum PinnedKind { // tests/golden/counter.yaml:160
        /// `pinned`
        Pinned,
        /// A value that the document does not list.
        Unknown(::std::string::String),
    }
    impl PinnedKind {
        /// The values that the document lists.
        pub const VALUES: &'static [&'static str] = &["pinned"];
        /// The value as it is sent.
        pub fn as_str(&self) -> &str {
            match self {
                Self::Pinned => "pinned",
                Self::Unknown(value) => value,
            }
        }
    }
    impl ::std::convert::From<&str> for PinnedKind {
        fn from(value: &str) -> Self {
            match value {
                "pinned" => Self::Pinned,
                other => Self::Unknown(other.to_owned()),
            }
        }
    }
    impl ::std::convert::From<::std::string::String> for PinnedKind {
        fn from(value: ::std::string::String) -> Self {
            match value.as_str() {
                "pinned" => Self::Pinned,
                _ => Self::Unknown(value),
            }
        }
    }
    impl ::std::str::FromStr for PinnedKind {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            ::std::result::Result::Ok(value.into())
        }
    }
    impl ::std::fmt::Display for PinnedKind {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.write_str(self.as_str())
        }
    }
    impl ::dropforge_client::serde::Serialize for PinnedKind {
        fn serialize<S: ::dropforge_client::serde::Serializer>(
            &self,
            serializer: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            serializer.serialize_str(self.as_str())
        }
    }
    impl<'de> ::dropforge_client::serde::Deserialize<'de> for PinnedKind {
        fn deserialize<D: ::dropforge_client::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> ::std::result::Result<Self, D::Error> {
            <::std::string::String as ::dropforge_client::serde::Deserialize>::deserialize(
                    deserializer,
                )
                .map(Self::from)
        }
    }
    ///DraftKind
    ///
    /// Defined at `tests/golden/counter.yaml:166`.
    #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum DraftKind { // tests/golden/counter.yaml:166
        /// `draft`
        Draft,
        /// `sketch`
        Sketch,
        /// A value that the document does not list.
        Unknown(::std::string::String),
    }
    impl DraftKind {
        /// The values that the document lists.
        pub const VALUES: &'static [&'static str] = &["draft", "sketch"];
        /// The value as it is sent.
        pub fn as_str(&self) -> &str {
            match self {
                Self::Draft => "draft",
                Self::Sketch => "sketch",
                Self::Unknown(value) => value,
            }
        }
    }
    impl ::std::convert::From<&str> for DraftKind {
        fn from(value: &str) -> Self {
            match value {
                "draft" => Self::Draft,
                "sketch" => Self::Sketch,
                other => Self::Unknown(other.to_owned()),
            }
        }
    }
    impl ::std::convert::From<::std::string::String> for DraftKind {
        fn from(value: ::std::string::String) -> Self {
            match value.as_str() {
                "draft" => Self::Draft,
                "sketch" => Self::Sketch,
                _ => Self::Unknown(value),
            }
        }
    }
    impl ::std::str::FromStr for DraftKind {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            ::std::result::Result::Ok(value.into())
        }
    }
    impl ::std::fmt::Display for DraftKind {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.write_str(self.as_str())
        }
    }
    impl ::dropforge_client::serde::Serialize for DraftKind {
        fn serialize<S: ::dropforge_client::serde::Serializer>(
            &self,
            serializer: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            serializer.serialize_str(self.as_str())
        }
    }
    impl<'de> ::dropforge_client::serde::Deserialize<'de> for DraftKind {
        fn deserialize<D: ::dropforge_client::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> ::std::result::Result<Self, D::Error> {
            <::std::string::String as ::dropforge_client::serde::Deserialize>::deserialize(
                    deserializer,
                )
                .map(Self::from)
        }
    }
    ///GetCounterAccept
    ///
    /// Defined at `tests/golden/counter.yaml:34`.
    #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum GetCounterAccept { // tests/golden/counter.yaml:34
        /// `application/json`
        ApplicationJson,
        /// `application/vnd.counter+json`
        ApplicationVndCounterJson,
        /// A value that the document does not list.
        Unknown(::std::string::String),
    }
    impl GetCounterAccept {
        /// The values that the document lists.
        pub const VALUES: &'static [&'static str] = &[
            "application/json",
            "application/vnd.counter+json",
        ];
        /// The value as it is sent.
        pub fn as_str(&self) -> &str {
            match self {
                Self::ApplicationJson => "application/json",
                Self::ApplicationVndCounterJson => "application/vnd.counter+json",
                Self::Unknown(value) => value,
            }
        }
    }
    impl ::std::convert::From<&str> for GetCounterAccept {
        fn from(value: &str) -> Self {
            match value {
                "application/json" => Self::ApplicationJson,
                "application/vnd.counter+json" => Self::ApplicationVndCounterJson,
                other => Self::Unknown(other.to_owned()),
            }
        }
    }
    impl ::std::convert::From<::std::string::String> for GetCounterAccept {
        fn from(value: ::std::string::String) -> Self {
            match value.as_str() {
                "application/json" => Self::ApplicationJson,
                "application/vnd.counter+json" => Self::ApplicationVndCounterJson,
                _ => Self::Unknown(value),
            }
        }
    }
    impl ::std::str::FromStr for GetCounterAccept {
        type Err = ::std::convert::Infallible;
        fn from_str(value: &str) -> ::std::result::Result<Self, Self::Err> {
            ::std::result::Result::Ok(value.into())
        }
    }
    impl ::std::fmt::Display for GetCounterAccept {
        fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
            f.write_str(self.as_str())
        }
    }
    impl ::dropforge_client::serde::Serialize for GetCounterAccept {
        fn serialize<S: ::dropforge_client::serde::Serializer>(
            &self,
            serializer: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            serializer.serialize_str(self.as_str())
        }
    }
    impl<'de> ::dropforge_client::serde::Deserialize<'de> for GetCounterAccept {
        fn deserialize<D: ::dropforge_client::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> ::std::result::Result<Self, D::Error> {
            <::std::string::String as ::dropforge_client::serde::Deserialize>::deserialize(
                    deserializer,
                )
                .map(Self::from)
        }
    }
    ///Change
    ///
    /// Defined at `tests/golden/counter.yaml:138`.
    #[derive(Debug, Clone, PartialEq)]
    #[non_exhaustive]
    pub enum Change { // tests/golden/counter.yaml:138
        /// With kind `raised`.
        Raised(types::Raised),
        /// With kind `reset`.
        Reset(types::Reset),
        /// A value that the document does not list.
        Unknown(::dropforge_client::serde_json::Value),
    }
    impl ::dropforge_client::serde::Serialize for Change {
        fn serialize<S: ::dropforge_client::serde::Serializer>(
            &self,
            serializer: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            match self {
                Self::Raised(value) => {
                    ::dropforge_client::write_tagged(value, "kind", "raised", serializer)
                }
                Self::Reset(value) => {
                    ::dropforge_client::write_tagged(value, "kind", "reset", serializer)
                }
                Self::Unknown(value) => {
                    ::dropforge_client::serde::Serialize::serialize(value, serializer)
                }
            }
        }
    }
    impl<'de> ::dropforge_client::serde::Deserialize<'de> for Change {
        fn deserialize<D: ::dropforge_client::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> ::std::result::Result<Self, D::Error> {
            let value = <::dropforge_client::serde_json::Value as ::dropforge_client::serde::Deserialize>::deserialize(
                deserializer,
            )?;
            let tag = value
                .get("kind")
                .and_then(::dropforge_client::serde_json::Value::as_str);
            let read = match tag {
                ::std::option::Option::Some("raised") => {
                    ::dropforge_client::serde_json::from_value(value).map(Self::Raised)
                }
                ::std::option::Option::Some("reset") => {
                    ::dropforge_client::serde_json::from_value(value).map(Self::Reset)
                }
                _ => ::std::result::Result::Ok(Self::Unknown(value)),
            };
            read.map_err(::dropforge_client::serde::de::Error::custom)
        }
    }
    impl ::std::convert::From<types::Raised> for Change {
        fn from(value: types::Raised) -> Self {
            Self::Raised(value)
        }
    }
    impl ::std::convert::From<types::Reset> for Change {
        fn from(value: types::Reset) -> Self {
            Self::Reset(value)
        }
    }
    ///Note
    ///
    /// Defined at `tests/golden/counter.yaml:147`.
    #[derive(Debug, Clone, PartialEq)]
    #[non_exhaustive]
    pub enum Note { // tests/golden/counter.yaml:147
        String(::std::string::String),
        /// With kind `pinned`.
        Pinned(types::Pinned),
        Draft(types::Draft),
        NoteOfLater(types::NoteOfLater),
        Many(::std::vec::Vec<types::Note>),
        Object(::std::boxed::Box<types::NoteObject>),
        Array(::std::vec::Vec<bool>),
    }
    impl ::dropforge_client::serde::Serialize for Note {
        fn serialize<S: ::dropforge_client::serde::Serializer>(
            &self,
            serializer: S,
        ) -> ::std::result::Result<S::Ok, S::Error> {
            match self {
                Self::String(value) => {
                    ::dropforge_client::serde::Serialize::serialize(value, serializer)
                }
                Self::Pinned(value) => {
                    ::dropforge_client::serde::Serialize::serialize(value, serializer)
                }
                Self::Draft(value) => {
                    ::dropforge_client::serde::Serialize::serialize(value, serializer)
                }
                Self::NoteOfLater(value) => {
                    ::dropforge_client::serde::Serialize::serialize(value, serializer)
                }
                Self::Many(value) => {
                    ::dropforge_client::serde::Serialize::serialize(value, serializer)
                }
                Self::Object(value) => {
                    ::dropforge_client::serde::Serialize::serialize(value, serializer)
                }
                Self::Array(value) => {
                    ::dropforge_client::serde::Serialize::serialize(value, serializer)
                }
            }
        }
    }
    impl<'de> ::dropforge_client::serde::Deserialize<'de> for Note {
        fn deserialize<D: ::dropforge_client::serde::Deserializer<'de>>(
            deserializer: D,
        ) -> ::std::result::Result<Self, D::Error> {
            let mut reader = ::dropforge_client::UnionReader::new("Note", deserializer)?;
            while reader.next_round() {
                if let ::std::option::Option::Some(value) = reader
                    .read::<::std::string::String>(&[])
                {
                    return ::std::result::Result::Ok(Self::String(value));
                }
                if let ::std::option::Option::Some(value) = reader
                    .read::<types::Pinned>(&[("kind", &["pinned"])])
                {
                    return ::std::result::Result::Ok(Self::Pinned(value));
                }
                if let ::std::option::Option::Some(value) = reader
                    .read::<types::Draft>(&[("kind", &["draft", "sketch"])])
                {
                    return ::std::result::Result::Ok(Self::Draft(value));
                }
                if let ::std::option::Option::Some(value) = reader
                    .read::<types::NoteOfLater>(&[])
                {
                    return ::std::result::Result::Ok(Self::NoteOfLater(value));
                }
                if let ::std::option::Option::Some(value) = reader
                    .read::<::std::vec::Vec<types::Note>>(&[])
                {
                    return ::std::result::Result::Ok(Self::Many(value));
                }
                if let ::std::option::Option::Some(value) = reader
                    .read::<types::NoteObject>(&[])
                {
                    return ::std::result::Result::Ok(
                        Self::Object(::std::boxed::Box::new(value)),
                    );
                }
                if let ::std::option::Option::Some(value) = reader
                    .read::<::std::vec::Vec<bool>>(&[])
                {
                    return ::std::result::Result::Ok(Self::Array(value));
                }
            }
            ::std::result::Result::Err(reader.error())
        }
    }
    impl ::std::convert::From<::std::string::String> for Note {
        fn from(value: ::std::string::String) -> Self {
            Self::String(value)
        }
    }
    impl ::std::convert::From<&str> for Note {
        fn from(value: &str) -> Self {
            Self::String(value.to_owned())
        }
    }
    impl ::std::convert::From<types::Pinned> for Note {
        fn from(value: types::Pinned) -> Self {
            Self::Pinned(value)
        }
    }
    impl ::std::convert::From<types::Draft> for Note {
        fn from(value: types::Draft) -> Self {
            Self::Draft(value)
        }
    }
    impl ::std::convert::From<types::NoteOfLater> for Note {
        fn from(value: types::NoteOfLater) -> Self {
            Self::NoteOfLater(value)
        }
    }
    impl ::std::convert::From<::std::vec::Vec<types::Note>> for Note {
        fn from(value: ::std::vec::Vec<types::Note>) -> Self {
            Self::Many(value)
        }
    }
    impl ::std::convert::From<types::NoteObject> for Note {
        fn from(value: types::NoteObject) -> Self {
            Self::Object(::std::boxed::Box::new(value))
        }
    }
    impl ::std::convert::From<::std::vec::Vec<bool>> for Note {
        fn from(value: ::std::vec::Vec<bool>) -> Self {
            Self::Array(value)
        }
    }
}
