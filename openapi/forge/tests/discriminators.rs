//! Discriminators whose alternatives are not in `mapping`.

use dropforge::document::Document;

/// The values that choose a `Cat` or a `Dog`, in the order of the mapping; none if the union has no discriminator.
fn chosen_by(kind_of_cat: &str, kind_of_dog: &str, mapping: &str) -> Option<String> {
    let text = format!(
        "openapi: 3.0.3\ninfo: {{title: T, version: '1'}}\npaths:\n  /a:\n    get:\n      responses:\n        \
         '200': {{description: A, content: {{application/json: {{schema: {{$ref: '#/components/schemas/Pet'}}}}}}}}\n\
         components:\n  schemas:\n    Pet:\n      oneOf: [{{$ref: '#/components/schemas/Cat'}}, \
         {{$ref: '#/components/schemas/Dog'}}]\n      discriminator: {{propertyName: kind{mapping}}}\n    \
         Cat: {{type: object, required: [kind], properties: {{kind: {kind_of_cat}}}}}\n    \
         Dog: {{type: object, required: [kind], properties: {{kind: {kind_of_dog}}}}}\n"
    );
    let document = Document::load("pets.yaml", &text).expect("YAML");
    let lowered = dropforge::lower::lower(&document, "pets").expect("accepted");
    let pet = lowered.api.schemas.iter();
    let mut pet = pet.filter(|schema| schema.component.as_deref() == Some("Pet"));
    let discriminator = pet.next().expect("the union").discriminator.as_ref()?;
    let values = discriminator.mapping.iter();
    let values: Vec<&str> = values.map(|(value, _)| value.as_str()).collect();
    Some(values.join(" "))
}

/// A server would reject every value otherwise: the name of the component is not valid.
#[test]
fn an_alternative_is_chosen_by_the_values_of_its_property() {
    let any = "{type: string}";
    let cat = "{type: string, enum: [cat]}";
    let dogs = "{type: string, enum: [dog, hound, dog]}";
    for (cat, dog, mapping, expected) in [
        (any, any, "", "Cat Dog"),
        (cat, dogs, "", "cat dog hound"),
        (cat, any, "", "cat Dog"),
        (cat, "{type: string, enum: [dog, Dog]}", "", "cat Dog"),
        (cat, dogs, ", mapping: {dog: Dog}", "dog cat"),
    ] {
        let found = chosen_by(cat, dog, mapping).expect("a discriminator");
        assert_eq!(found, expected, "{cat} {dog} {mapping}");
    }
    assert_eq!(chosen_by(cat, cat, ""), None);
}
