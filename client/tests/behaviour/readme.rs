//! The Rust of the README at the top of the repository, which the compiler checks here.

/// The code between the signature and the last brace is that of the page.
#[allow(dead_code)]
#[rustfmt::skip]
async fn create(token: String, user: accord_client::accounts::types::HubUserRequest) -> Result<(), Box<dyn std::error::Error>> {
    use accord_client::{Accord, accounts::CreateUserError, accounts::types};

    let accord = Accord::builder().base_url("http://127.0.0.1:8080").access_token(token).build()?;
    let request = types::CreateUserRequest::new().hub_user(user);

    match accord.accounts().create_user().body(request).call().await {
        Ok(created) => println!("{:?}", created.into_inner()),
        // One variant for each status that the document lists.
        Err(CreateUserError::BadRequest(refused)) => eprintln!("{}", refused.error_description),
        Err(other) => return Err(other.into()),
    }
    Ok(())
}

#[test]
fn the_readme_has_the_code_that_compiles_here() {
    let readme = include_str!("../../../README.md");
    let (_, rest) = readme.split_once("```rust\n").expect("a block");
    let (code, _) = rest.split_once("```").expect("its end");
    let indented = code.lines().map(|line| match line {
        "" => "\n".to_owned(),
        line => format!("    {line}\n"),
    });
    let indented: String = indented.collect();
    assert!(include_str!("readme.rs").contains(&indented), "{indented}");
}
