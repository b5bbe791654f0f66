// The page: the operations of every area beside the one that is looked at. The
// address names it (#/accounts/createUser), so that it can be linked to.

import { block, element, prose, section } from "./dom.js";
import { load } from "./document.js";
import { schemaView, typeName } from "./schema.js";
import { tryView } from "./request.js";

const main = document.getElementById("main");
const navigation = document.getElementById("operations");
const search = document.getElementById("search");

const list = await (await fetch("/openapi")).json();
const sources = await Promise.all(list.documents.map(load));

navigation.append(...sources.map((source) => element("section", {},
  element("h2", {}, element("a", { href: `#/${source.area}` }, source.area)),
  element("ul", {}, source.operations.map((operation) => element("li", {},
    element("a", { href: address(source, operation), title: operation.path },
      method(operation), element("span", {}, operation.summary ?? operation.id))))))));

search.addEventListener("input", () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const link of navigation.querySelectorAll("li a")) {
    const text = `${link.textContent} ${link.title} ${link.hash}`.toLowerCase();
    link.parentElement.hidden = !words.every((word) => text.includes(word));
  }
});

window.addEventListener("hashchange", show);
show();

function show() {
  const [, area, id] = location.hash.split("/").map(decodeURIComponent);
  const source = sources.find((one) => one.area === area);
  const operation = source?.operations.find((one) => one.id === id);
  main.replaceChildren(operation ? operationView(source, operation)
    : source ? documentView(source) : overview());
  for (const link of navigation.querySelectorAll("a")) {
    if (link.hash === location.hash) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  main.scrollTo(0, 0);
}

function address(source, operation) {
  return `#/${source.area}/${encodeURIComponent(operation.id)}`;
}

function method(operation) {
  return element("b", { class: `method ${operation.method}` }, operation.method.toUpperCase());
}

function overview() {
  return element("article", {}, element("h2", {}, "The documents"),
    element("p", {}, "This service is made of these documents and keeps them."),
    sources.map((source) => element("section", {}, heading(source), prose(source.info.description))));
}

function heading(source) {
  return element("h3", {}, element("a", { href: `#/${source.area}` }, source.info.title),
    ` ${source.info.version}`);
}

function documentView(source) {
  return element("article", {}, element("h2", {}, `${source.info.title} ${source.info.version}`),
    element("p", {}, "Served at ", element("code", {}, source.server), ". The document as ",
      element("a", { href: `/openapi/${source.area}.json` }, "JSON"), " and ",
      element("a", { href: `/openapi/${source.area}.yaml` }, "YAML"), "."),
    prose(source.info.description),
    element("ul", { class: "operations" }, source.operations.map((operation) => element("li", {},
      element("a", { href: address(source, operation) }, method(operation),
        element("code", {}, operation.path)), " ", operation.summary ?? ""))));
}

function operationView(source, operation) {
  const form = element("h3", {}, "Try it");
  return element("article", {},
    element("h2", {}, operation.summary ?? operation.id),
    element("p", { class: "target" }, method(operation), " ", element("code", {}, source.server + operation.path), " ",
      element("button", { type: "button", onclick: () => form.scrollIntoView() }, "Try it")),
    prose(operation.description),
    securityView(source, operation),
    parametersView(source, operation),
    bodyView(source, operation),
    form,
    tryView(source, operation),
    element("h3", {}, "Answers"),
    Object.entries(operation.responses).map(([status, response]) =>
      responseView(source, status, source.resolve(response))));
}

function securityView(source, operation) {
  const schemes = source.schemes(operation);
  if (!schemes.length) return element("p", {}, "Open to anybody.");
  return element("div", {}, element("h3", {}, "Who may call it"), schemes.map((scheme) =>
    element("div", {},
      element("p", {}, element("code", {}, scheme.name),
        scheme.scopes.length ? [" with ", element("code", {}, scheme.scopes.join(" "))] : undefined,
        scheme.optional ? ", or nobody in particular" : undefined),
      prose(scheme.description))));
}

function parametersView(source, operation) {
  if (!operation.parameters.length) return undefined;
  return element("div", {}, element("h3", {}, "Parameters"),
    element("dl", {}, operation.parameters.map((parameter) => [
      element("dt", {}, element("code", {}, parameter.name), ` in ${parameter.in} `,
        element("span", { class: "type" }, typeName(source, parameter.schema ?? {})), " ",
        parameter.required ? element("span", { class: "required" }, "required") : undefined),
      element("dd", {}, prose(parameter.description),
        section("what it must be", false, schemaView(source, parameter.schema ?? {}))),
    ])));
}

function bodyView(source, operation) {
  const body = source.resolve(operation.requestBody);
  if (!body.content) return undefined;
  return element("div", {}, element("h3", {}, body.required ? "Body" : "Body, which may be left out"),
    prose(body.description), contentView(source, body.content));
}

function contentView(source, content) {
  return Object.entries(content).map(([type, media]) => section(type, Object.keys(content).length === 1,
    media.schema ? schemaView(source, media.schema) : undefined,
    source.examples(media).map((example) =>
      section(`Example: ${example.summary ?? example.name}`, false, block(example.value)))));
}

function responseView(source, status, response) {
  const headers = Object.entries(response.headers ?? {});
  return section(`${status}: ${(response.description ?? "").split("\n")[0]}`, false,
    headers.length ? element("dl", {}, headers.map(([name, header]) => [
      element("dt", {}, element("code", {}, name)),
      element("dd", {}, prose(source.resolve(header).description)),
    ])) : undefined,
    contentView(source, response.content ?? {}));
}
