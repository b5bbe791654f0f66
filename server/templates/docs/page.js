// The reference page: Scalar renders the documents that this service publishes.
//
// Without this script, the page lists every operation. The script replaces the list with the renderer.

import { keepAccessible } from "./accessible.js";
import { Credentials } from "./credentials.js";
import { offerFrom } from "./offer.js";
import { setUpSignIn } from "./signin.js";

const plain = document.getElementById("plain");
const { documents } = await (await fetch("/openapi")).json();
const credentials = new Credentials();
const offer = offerFrom(credentials);

/** A browser lets the page call only the address that the page comes from. */
const isHere = ({ url }) => new URL(url).origin === location.origin;

const sources = documents.map((entry) => ({
  title: entry.title,
  slug: entry.area,
  url: entry.json,
  hideTestRequestButton: !isHere(entry),
  preferredSecurityScheme: plain.querySelector(`[data-area="${entry.area}"]`).dataset.scheme || undefined,
}));

/** The renderer fetches documents and sends requests with it. Operations that can stream get a badge. */
async function fetchWithBadges(...request) {
  const response = await fetch(...request);
  const { pathname } = new URL(response.url);
  if (!response.ok || !sources.some(({ url }) => url === pathname)) return response;
  const description = await response.json();
  for (const operation of Object.values(description.paths).flatMap((item) => Object.values(item))) {
    const streams = Object.values(operation.responses ?? {}).some(({ content }) => content?.["text/event-stream"]);
    if (streams) operation["x-badges"] = [{ name: "stream", position: "after" }];
  }
  return Response.json(description);
}

// The document that is shown.
let area;

const configuration = () => sources.map(({ preferredSecurityScheme, ...source }) => ({
  ...source,
  authentication: { preferredSecurityScheme, securitySchemes: credentials.schemes() },
  // Nothing but the documents: no request to another host, no storage of credentials.
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  withDefaultFonts: false,
  persistAuth: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  theme: "none",
  documentDownloadType: "direct",
  modelsSectionLabel: "Schemas",
  showOperationId: true,
  generateTagSlug: ({ name }) => name.toLowerCase().replaceAll(" ", "-"),
  generateOperationSlug: ({ operationId }) => operationId,
  setPageTitle: ({ title, document }) => `${title} · ${document.title}`,
  redirect: current,
  customFetch: fetchWithBadges,
  onLoaded: (slug) => { area = slug; },
  onResponseReceived: offer,
}));

/** The address of an operation for its earlier form `#/area/operation`. */
function current(hash) {
  const name = hash.startsWith("#/") ? hash.slice(2) : "";
  return plain.querySelector(`[data-operation="${CSS.escape(name)}"]`)?.hash;
}

const render = () => Scalar.createApiReference("#reference", configuration());
let reference = render();
plain.hidden = true;
keepAccessible();
credentials.onChange(() => reference.updateConfiguration(configuration()));

// The renderer follows links only within the document that it shows.
addEventListener("hashchange", () => {
  const [slug] = location.hash.replace(/^#\/?/, "").split("/");
  if (slug === area || !sources.some((source) => source.slug === slug)) return;
  reference.destroy();
  reference = render();
});

const identity = documents.find((entry) => entry.area === "identity");
document.getElementById("account").href = `${identity.url}/ui/v1/account`;
if (isHere(identity)) {
  setUpSignIn((operation) => plain.querySelector(`[data-operation="identity/${operation}"]`).dataset.path, credentials);
}
