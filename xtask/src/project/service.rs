//! The service of a new project: the context, authentication, the format of errors, and an implementation of the trait
//! without methods.

use dropforge::ir::{Api, Credentials, Scheme};

/// The contents of `service.rs`; `server` is the path of the generated module.
pub(crate) fn service(api: &Api, server: &str) -> String {
    let mut used: Vec<&str> = api.schemes.iter().map(credentials).collect();
    used.extend(["Call", "Observe", "Rejection", "Reply"]);
    if !api.schemes.is_empty() {
        used.push("Denied");
    }
    used.sort_unstable();
    used.dedup();
    let used = used.join(", ");
    let context = match has_credential(api) {
        true => CREDENTIAL,
        false => NOTHING,
    };
    let types: String = api
        .schemes
        .iter()
        .map(|scheme| format!("    type {} = ();\n", scheme.type_name))
        .collect();
    let methods: String = api.schemes.iter().map(authenticate).collect();
    let traits: Vec<&str> = match api.traits.as_slice() {
        [] => vec![&api.trait_name],
        parts => parts.iter().map(|part| part.name.as_str()).collect(),
    };
    let traits: String = traits
        .iter()
        .map(|name| format!("impl {server}::{name} for Service {{}}\n"))
        .collect();
    format!(
        "\
//! The service: the context of calls, authentication, the format of errors, and the operations.

use dropforge_runtime::serde_json::json;
use dropforge_runtime::{{{used}}};

{context}
impl Observe for Context {{}}

/// Implements the document.
#[derive(Debug)]
pub struct Service;

impl {server}::Security for Service {{
    type Context = Context;
{types}{methods}
    /// The response to every request that does not reach its operation. Give it the format that the document has for
    /// errors; `rejection` has the reason.
    fn reject(_: &Call<Context>, rejection: Rejection) -> Reply {{
        let message = rejection.to_string();
        Reply::json(rejection.status(), &json!({{ \"message\": message }}))
    }}
}}

// Write methods here. The others return 501 with the operation's name.
{traits}"
    )
}

/// Whether the context has a credential: the runtime does not see those of mutual TLS.
pub(super) fn has_credential(api: &Api) -> bool {
    let mut schemes = api.schemes.iter();
    schemes.any(|scheme| !matches!(scheme.credentials, Credentials::MutualTls))
}

const NOTHING: &str = "\
/// The context of every call.
#[derive(Debug, Default)]
pub struct Context {}
";

const CREDENTIAL: &str = "\
/// The context of every call.
#[derive(Default)]
pub struct Context {
    /// The only credential that the service accepts; without it, none.
    pub credential: Option<String>,
}

impl Context {
    /// Replace this by a check of your own tokens, keys or passwords, and of the scopes.
    fn admit(&self, presented: &str) -> Result<(), Denied> {
        match &self.credential {
            Some(credential) if credential == presented => Ok(()),
            _ => Err(Denied::unauthenticated(\"the credentials are unknown\")),
        }
    }
}
";

fn credentials(scheme: &Scheme) -> &'static str {
    match scheme.credentials {
        Credentials::Bearer => "Bearer",
        Credentials::Basic => "Basic",
        Credentials::ApiKey { .. } => "ApiKey",
        Credentials::MutualTls => "MutualTls",
    }
}

/// The method of a scheme.
fn authenticate(scheme: &Scheme) -> String {
    let presented = match scheme.credentials {
        Credentials::Bearer | Credentials::ApiKey { .. } => "credentials.expose()",
        Credentials::Basic => "&credentials.password",
        Credentials::MutualTls => return refuse_certificates(&scheme.method),
    };
    let (method, credentials) = (&scheme.method, credentials(scheme));
    format!(
        "
    async fn {method}(
        call: &Call<Context>,
        credentials: {credentials},
        _scopes: &'static [&'static str],
    ) -> Result<(), Denied> {{
        call.context().admit({presented})
    }}
"
    )
}

/// The method of a scheme whose credentials the runtime does not see: it admits nobody until it is written.
fn refuse_certificates(method: &str) -> String {
    format!(
        "
    /// Replace this by a check of the certificate of the connection: `call.remote_addr()`, or a trusted proxy's header.
    async fn {method}(
        _: &Call<Context>,
        _: MutualTls,
        _scopes: &'static [&'static str],
    ) -> Result<(), Denied> {{
        Err(Denied::unauthenticated(\"client certificates are not checked yet\"))
    }}
"
    )
}
