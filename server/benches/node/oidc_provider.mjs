// `oidc-provider` with its store in memory and the device flow on, at a port.

import { Provider } from "oidc-provider";

const [port] = process.argv.slice(2);
const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [{
    client_id: "bench",
    token_endpoint_auth_method: "none",
    application_type: "native",
    grant_types: ["urn:ietf:params:oauth:grant-type:device_code"],
    response_types: [],
    redirect_uris: [],
  }],
  cookies: { keys: ["bench"] },
  features: { deviceFlow: { enabled: true }, devInteractions: { enabled: false } },
});
provider.listen(Number(port), "127.0.0.1");
