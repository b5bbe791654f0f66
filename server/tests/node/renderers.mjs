// Opens the published documents in a renderer that others have written, as a reader of its pages does.
//
// Arguments: the browser, the service's address, the folder of the renderers' packages, a directory for screenshots,
// and the renderer. Everything is loaded from this machine. The console must stay empty, and the page must show the
// quick start and the events of each stream. Screenshots are taken if the environment has ACCORD_PICTURES.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { launch, openPage, PATIENCE } from "./browser.mjs";

const AREAS = ["accounts", "identity", "inference", "patterns"];

const [executablePath, service, packages, pictures, name] = process.argv.slice(2);

// How each renderer is put into a page, how it is made to show an operation (two show all of them at once), and its own
// faults, which have nothing to do with the documents.
const RENDERERS = {
  redoc: {
    page: (url) => `
      <div id="page"></div>
      <script src="/packages/redoc/bundles/redoc.standalone.js"></script>
      <script>Redoc.init(${url}, { expandResponses: "200" }, document.getElementById("page"))</script>`,
    show: async () => {},
    // Its trademark stands in every page.
    faults: [/loads https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini\.svg$/],
  },
  scalar: {
    page: (url) => `
      <div id="page"></div>
      <script src="/packages/@scalar/api-reference/dist/browser/standalone.js"></script>
      <script>Scalar.createApiReference("#page", {
        url: ${url}, telemetry: false, withDefaultFonts: false, defaultOpenAllTags: true, agent: { disabled: true },
      })</script>`,
    show: follow,
  },
  "swagger-ui": {
    page: (url) => `
      <link rel="stylesheet" href="/packages/swagger-ui-dist/swagger-ui.css">
      <div id="page"></div>
      <script src="/packages/swagger-ui-dist/swagger-ui-bundle.js"></script>
      <script>SwaggerUIBundle({ url: ${url}, dom_id: "#page", docExpansion: "full" })</script>`,
    show: async () => {},
  },
  elements: {
    page: (url) => `
      <link rel="stylesheet" href="/packages/@stoplight/elements/styles.min.css">
      <script src="/packages/@stoplight/elements/web-components.min.js"></script>
      <elements-api apiDescriptionUrl=${url} router="hash" layout="sidebar"></elements-api>`,
    show: (page, { operationId }) => page.evaluate((hash) => { location.hash = hash; }, `/operations/${operationId}`),
    // It has not moved to the next version of its router.
    faults: [/React Router Future Flag Warning/],
  },
};

const TYPES = { ".css": "text/css", ".js": "text/javascript", ".json": "application/json" };

// Serves pages, packages and documents at one address.
async function serve(renderer, documents) {
  const server = createServer(async (request, response) => {
    const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    const [, kind, area] = path.split("/");
    const send = (type, body) => response.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end(body);
    if (kind === "page") {
      const body = renderer.page(JSON.stringify(`/documents/${area}.json`));
      send("text/html", `<!doctype html><html lang="en"><title>${area}</title><link rel="icon" href="data:,">
        <body style="margin: 0">${body}</body></html>`);
    } else if (kind === "documents") {
      send("application/json", JSON.stringify(documents.get(area.replace(".json", ""))));
    } else if (kind === "packages") {
      const file = join(packages, normalize(path.slice("/packages".length)));
      const body = await readFile(file).catch(() => null);
      if (body) send(TYPES[extname(file)] ?? "application/octet-stream", body);
      else response.writeHead(404).end();
    } else {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { server, address: `http://127.0.0.1:${server.address().port}` };
}

// The operations that stream, with the texts that stand for their events.
function streams(document) {
  return Object.values(document.paths).flatMap((path) => Object.values(path)).flatMap((operation) => {
    const contents = Object.values(operation?.responses ?? {}).flatMap((response) => Object.keys(response.content ?? {}));
    if (!contents.includes("text/event-stream")) return [];
    const events = [...operation.description.matchAll(/^(?:event: \S+|data: \[DONE\])$/gm)].map(([line]) => line);
    assert.ok(events.length, `${operation.operationId}: the description shows no stream`);
    return [{ ...operation, events: [...new Set(events)] }];
  });
}

// White space is the renderer's own affair.
const squeeze = (text) => text.replace(/\s+/g, "");

// Waits until the page shows these texts, and returns those that it does not show.
async function missing(page, texts) {
  const wanted = texts.map(squeeze);
  const shows = (wanted) => {
    const text = document.body.innerText.replace(/\s+/g, "");
    return wanted.filter((part) => !text.includes(part));
  };
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    const absent = await page.evaluate(shows, wanted);
    if (!absent.length || Date.now() > deadline) return absent;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

// Follows the link of an operation in the renderer's navigation.
async function follow(page, { summary }) {
  const clicked = await page.evaluate((summary) => {
    const links = [...document.querySelectorAll("a, label, [role=menuitem], button")];
    const link = links.find((link) => link.textContent.trim().startsWith(summary));
    link?.click();
    return Boolean(link);
  }, summary);
  assert.ok(clicked, `no link to ${summary}`);
}

// Shows a text: where it stands alone, such as a heading, else where it first begins.
async function scrollTo(page, text) {
  await page.evaluate((text) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const { textContent, parentElement } = walker.currentNode;
      if (textContent.includes(text) && parentElement.checkVisibility()) found.push(walker.currentNode);
    }
    const alone = found.find((node) => node.textContent.trim() === text);
    (alone ?? found[0])?.parentElement.scrollIntoView({ block: "center" });
  }, text);
  await new Promise((resolve) => setTimeout(resolve, 500));
}

const renderer = RENDERERS[name];
const documents = new Map();
for (const area of AREAS) documents.set(area, await (await fetch(`${service}/openapi/${area}.json`)).json());
const { server, address } = await serve(renderer, documents);
const browser = await launch(executablePath);
const findings = [];
try {
  for (const [area, document] of documents) {
    const page = await openPage(browser);
    await page.setViewport({ width: 1400, height: 1200 });
    await page.setRequestInterception(true);
    page.on("request", (request) => {
      const isLocal = request.url().startsWith(address) || /^(data|blob):/.test(request.url());
      if (isLocal) return request.continue();
      findings.push(`${area}: loads ${request.url()}`);
      return request.respond({ status: 200, contentType: "image/svg+xml", body: "<svg xmlns='http://www.w3.org/2000/svg'/>" });
    });
    page.on("console", (message) => {
      if (["error", "warn"].includes(message.type())) findings.push(`${area}: ${message.type()}: ${message.text()}`);
    });
    page.on("pageerror", (error) => findings.push(`${area}: ${error.message}`));
    const photograph = async (part, text) => {
      if (!process.env.ACCORD_PICTURES) return;
      if (text) await scrollTo(page, text);
      await page.screenshot({ path: join(pictures, `${name}-${area}-${part}.png`) });
    };

    await page.goto(`${address}/page/${area}`);
    const commands = [...document.info.description.matchAll(/^```sh\n([^]*?)\n```$/gm)].map(([, block]) => block);
    assert.ok(commands.length, `${area}: info.description has no quick start`);
    const absent = await missing(page, ["Quick start", ...commands]);
    findings.push(...absent.map((part) => `${area}: does not show ${part}`));
    await photograph("top");
    await photograph("quick-start", commands[0].split("\n")[0].slice(0, 12));
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
    const first = operations.find((operation) => operation?.operationId);
    const shown = streams(document);
    for (const operation of shown.length ? shown : [{ ...first, events: [] }]) {
      await renderer.show(page, operation);
      const absent = await missing(page, [operation.summary, ...operation.events]);
      findings.push(...absent.map((part) => `${area}: ${operation.operationId} does not show ${part}`));
      await photograph(operation.operationId, operation.summary);
      if (operation.events.length) await photograph(`${operation.operationId}-events`, operation.events[0]);
    }
    await page.close();
  }
} finally {
  await browser.close();
  server.close();
}
const faults = renderer.faults ?? [];
assert.deepEqual(findings.filter((finding) => !faults.some((fault) => fault.test(finding))), []);
const mended = faults.filter((fault) => !findings.some((finding) => fault.test(finding)));
assert.deepEqual(mended, [], "faults that the renderer no longer has");
console.log("success");
