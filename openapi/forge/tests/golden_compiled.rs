//! The golden code compiles, and behaves as its document says.

/// The generated code of `golden/kitchen.yaml`, compiled.
#[allow(clippy::all, rustdoc::all, unused, missing_docs)]
mod kitchen {
    include!("golden/kitchen.rs");
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
