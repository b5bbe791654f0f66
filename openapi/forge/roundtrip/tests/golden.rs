//! The golden code compiles, and behaves as its document says.

/// The generated code of `golden/kitchen.yaml`, compiled.
#[allow(clippy::all, rustdoc::all, unused, missing_docs)]
mod kitchen {
    include!("../../tests/golden/kitchen.rs");
}

#[test]
fn names_that_clash_after_casing_stay_apart() {
    use kitchen::types::Kind;
    let written: Vec<&str> = Kind::ALL.iter().map(Kind::as_str).collect();
    assert_eq!(written, ["hot", "HOT", "cold", ">", ">=", ""]);
}

#[test]
fn absent_and_null_are_two_things() {
    let dish = |calories: &str| -> kitchen::types::Dish {
        serde_json::from_str(&format!(
            r#"{{"name":"A","kind":"hot","course":null{calories}}}"#
        ))
        .expect("a dish")
    };
    assert_eq!(dish("").calories, None);
    assert_eq!(dish(r#","calories":null"#).calories, Some(None));
    assert_eq!(dish(r#","calories":5"#).calories, Some(Some(5)));
    let text = serde_json::to_string(&dish(r#","calories":null"#)).expect("JSON");
    assert!(
        text.contains(r#""course":null"#) && text.contains(r#""calories":null"#),
        "{text}"
    );
}

#[test]
fn the_discriminator_tells_the_alternative() {
    use kitchen::types::Filling;
    let filling: Filling =
        serde_json::from_str(r#"{"taste":"salty","salt":3}"#).expect("a filling");
    assert!(matches!(filling, Filling::Savoury(_)), "{filling:?}");
}

#[test]
fn literals_beside_variables_share_a_route() {
    let route = |id: &str| {
        let found = kitchen::API
            .operations
            .iter()
            .find(|operation| operation.id == id);
        found.map(|operation| operation.route).unwrap_or_default()
    };
    assert_eq!(route("getDish"), route("getMenu"));
    assert_eq!(route("getPhoto"), format!("{}/photo", route("getDish")));
}

#[test]
fn null_of_an_alternative_is_not_absence() {
    let dish = |more: &str| -> (kitchen::types::Dish, String) {
        let text = format!(r#"{{"name":"A","kind":"hot","course":null{more}}}"#);
        let dish: kitchen::types::Dish = serde_json::from_str(&text).expect("a dish");
        let back = serde_json::to_string(&dish).expect("JSON");
        (dish, back)
    };
    assert_eq!(dish("").0.garnish, None);
    assert_eq!(dish(r#","garnish":null"#).0.garnish, Some(None));
    assert!(dish(r#","garnish":null"#).1.contains(r#""garnish":null"#));
    assert!(dish(r#","garnish":["dill"]"#).1.contains(r#"["dill"]"#));
    assert!(dish(r#","anything":null"#).1.contains(r#""anything":null"#));
}

#[test]
fn a_default_stands_where_nothing_is_sent() {
    use kitchen::parameters::GetDish;
    let asked: GetDish = serde_json::from_str(r#"{"dishId":"a"}"#).expect("parameters");
    assert_eq!((asked.portions, asked.kind), (2, kitchen::types::Kind::Hot));
    let asked: GetDish =
        serde_json::from_str(r#"{"dishId":"a","portions":3}"#).expect("parameters");
    assert_eq!(asked.portions, 3);
    let dish: kitchen::types::Dish =
        serde_json::from_str(r#"{"name":"A","kind":"hot","course":null}"#).expect("a dish");
    assert_eq!(dish.spices, ["salt"]);
}

#[test]
fn a_header_is_written_as_its_schema_says_and_not_as_it_displays() {
    let reply = |allergens| {
        let dish = r#"{"name":"A","kind":"hot","course":null}"#;
        let answer = kitchen::GetDishResponse::Ok(kitchen::responses::GetDishOk {
            e_tag: "a".into(),
            x_age: None,
            x_cooked: chrono::DateTime::from_timestamp(0, 0).expect("an instant"),
            x_allergens: allergens,
            body: serde_json::from_str(dish).expect("a dish"),
        });
        dropforge_runtime::IntoReply::into_reply(
            Ok::<_, std::convert::Infallible>(answer),
            &dropforge_runtime::Accept::default(),
        )
    };
    let reply = |allergens| {
        let headers = reply(allergens).headers().clone();
        move |name: &str| {
            headers
                .get(name)
                .map(|value| value.to_str().expect("text").to_owned())
        }
    };
    let some = reply(Some(vec!["milk".to_owned(), "nuts".to_owned()]));
    assert_eq!(some("x-cooked").as_deref(), Some("1970-01-01T00:00:00Z"));
    assert_eq!(some("x-allergens").as_deref(), Some("milk,nuts"));
    assert_eq!(reply(None)("x-allergens"), None);
}

/// A server that answers everything alike.
struct Always(u16);

/// The same, in a test that accepts an unlisted 200 or 500.
struct Lenient(Always);

impl dropforge_runtime::contract::Subject for Lenient {
    fn send(
        &self,
        request: http::Request<bytes::Bytes>,
    ) -> Result<http::Response<bytes::Bytes>, String> {
        self.0.send(request)
    }

    fn credentials(
        &self,
        operation: &dropforge_runtime::table::Operation,
        used: &dropforge_runtime::table::SchemeUse,
    ) -> dropforge_runtime::contract::Secret {
        self.0.credentials(operation, used)
    }

    fn insufficient(
        &self,
        used: &dropforge_runtime::table::SchemeUse,
    ) -> Option<dropforge_runtime::contract::Secret> {
        self.0.insufficient(used)
    }

    fn accepts_unlisted(
        &self,
        _: &dropforge_runtime::table::Operation,
        status: http::StatusCode,
    ) -> bool {
        matches!(status.as_u16(), 200 | 500)
    }
}

impl dropforge_runtime::contract::Subject for Always {
    fn send(&self, _: http::Request<bytes::Bytes>) -> Result<http::Response<bytes::Bytes>, String> {
        let mut response = http::Response::new(bytes::Bytes::new());
        *response.status_mut() = http::StatusCode::from_u16(self.0).map_err(|e| e.to_string())?;
        Ok(response)
    }

    fn credentials(
        &self,
        _: &dropforge_runtime::table::Operation,
        _: &dropforge_runtime::table::SchemeUse,
    ) -> dropforge_runtime::contract::Secret {
        dropforge_runtime::contract::Secret::Bearer("token".into())
    }

    fn insufficient(
        &self,
        _: &dropforge_runtime::table::SchemeUse,
    ) -> Option<dropforge_runtime::contract::Secret> {
        None
    }
}

#[test]
fn a_server_that_takes_everything_fails_its_contract_tests() {
    use dropforge_runtime::contract::{Case, run};
    let told = |case: Case| {
        std::panic::catch_unwind(|| {
            run(
                &kitchen::API,
                kitchen::SOURCE_JSON,
                "serveDish",
                case,
                &Always(204),
            )
        })
        .err()
        .and_then(|panic| panic.downcast::<String>().ok())
    };
    // What a 204 keeps, it may be answered with.
    assert_eq!(told(Case::Examples), None);
    let constraints = told(Case::Constraints).expect("id is from 1 to 10");
    assert!(constraints.contains("id: past maximum"), "{constraints}");
    assert!(constraints.contains("id: past minimum"), "{constraints}");
    assert!(!constraints.contains("id: at m"), "{constraints}");
    let methods = told(Case::OtherMethods).expect("there is only POST");
    assert!(methods.contains("method DELETE: expected 405"), "{methods}");
}

#[test]
fn a_parameter_without_an_example_is_moved_past_its_constraints() {
    use dropforge_runtime::contract::{Case, run};
    let panic = std::panic::catch_unwind(|| {
        run(
            &kitchen::API,
            kitchen::SOURCE_JSON,
            "getDish",
            Case::Constraints,
            &Always(200),
        );
    });
    let told = panic.expect_err("every kind of a dish is accepted");
    let told = told.downcast_ref::<String>().map(String::as_str);
    let expected = "kind: none of the enumeration: expected a refusal";
    assert!(told.is_some_and(|told| told.contains(expected)), "{told:?}");
}

#[test]
fn an_answer_that_is_not_listed_fails_the_contract_tests() {
    use dropforge_runtime::contract::{Case, run};
    let panic = std::panic::catch_unwind(|| {
        run(
            &kitchen::API,
            kitchen::SOURCE_JSON,
            "serveDish",
            Case::Examples,
            &Always(200),
        );
    });
    let told = panic.expect_err("200 is not listed");
    let told = told.downcast_ref::<String>().map(String::as_str);
    assert!(
        told.is_some_and(|told| told.contains("the status is not listed")),
        "{told:?}"
    );
}

#[test]
fn a_subject_says_which_statuses_may_be_unlisted() {
    use dropforge_runtime::contract::{Case, Subject, run};
    let passes = |subject: &dyn Subject| {
        let subject = std::panic::AssertUnwindSafe(subject);
        std::panic::catch_unwind(|| {
            run(
                &kitchen::API,
                kitchen::SOURCE_JSON,
                "serveDish",
                Case::Examples,
                *subject,
            )
        })
        .is_ok()
    };
    assert!(!passes(&Always(200)));
    assert!(passes(&Lenient(Always(200))));
    assert!(!passes(&Lenient(Always(299))));
    assert!(!passes(&Lenient(Always(500))));
}
