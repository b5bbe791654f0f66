// Whether a token is valid, and whose it is. The client has the credentials of a confidential client.
use accord_client::{
    Accord,
    identity::{IntrospectTokenError, types::IntrospectionRequest},
};

pub async fn owner(accord: &Accord, token: &str) -> Result<Option<String>, IntrospectTokenError> {
    let request = IntrospectionRequest::new(token);
    let token = accord
        .identity()
        .introspect_token()
        .body(request)
        .call()
        .await?;
    Ok(token.username.clone().filter(|_| token.active))
}
