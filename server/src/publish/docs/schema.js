// A schema as a list of properties, each with its type, its rules and what it
// means; nested ones open on demand, so that recursion does no harm.

import { element, prose, section } from "./dom.js";

/** Shows a schema. */
export function schemaView(source, schema) {
  const resolved = merged(source, schema);
  const variants = resolved.oneOf ?? resolved.anyOf;
  return element("div", { class: "schema" },
    element("p", { class: "type" }, typeName(source, schema), " ", rules(resolved)),
    prose(resolved.description),
    resolved.properties ? properties(source, resolved) : undefined,
    resolved.items ? lazily(`elements: ${typeName(source, resolved.items)}`,
      () => schemaView(source, resolved.items)) : undefined,
    variants?.map((variant) => lazily(`or ${typeName(source, variant)}`,
      () => schemaView(source, variant))));
}

/** One line on a schema: its name or its type. */
export function typeName(source, schema) {
  if (schema.$ref) return schema.$ref.split("/").pop();
  if (schema.type === "array") return `array of ${typeName(source, schema.items ?? {})}`;
  const parts = [schema.type ?? (schema.oneOf || schema.anyOf ? "one of several" : "any")];
  if (schema.allOf) return schema.allOf.map((part) => typeName(source, part)).join(" and ");
  if (schema.format) parts.push(`(${schema.format})`);
  if (schema.nullable) parts.push("or null");
  return parts.join(" ");
}

function merged(source, schema) {
  const resolved = source.resolve(schema);
  if (!resolved.allOf) return resolved;
  const parts = resolved.allOf.map((part) => merged(source, part));
  return {
    ...Object.assign({}, ...parts, resolved),
    properties: Object.assign({}, ...parts.map((part) => part.properties), resolved.properties),
    required: [...parts, resolved].flatMap((part) => part.required ?? []),
  };
}

function properties(source, schema) {
  const required = new Set(schema.required ?? []);
  return element("dl", {}, Object.entries(schema.properties).map(([name, property]) => {
    const inner = merged(source, property);
    const nested = inner.properties || inner.items || inner.oneOf || inner.anyOf;
    return [
      element("dt", {},
        element("code", {}, name), " ",
        element("span", { class: "type" }, typeName(source, property)), " ",
        required.has(name) ? element("span", { class: "required" }, "required") : undefined),
      element("dd", {},
        prose(property.description ?? inner.description), rules(inner),
        nested ? lazily("what it holds", () => schemaView(source, property)) : undefined),
    ];
  }));
}

function lazily(title, make) {
  const node = section(title, false);
  node.addEventListener("toggle", () => node.append(make()), { once: true });
  return node;
}

const RULES = {
  minLength: "at least % characters", maxLength: "at most % characters", pattern: "matches %",
  minimum: "at least %", maximum: "at most %", multipleOf: "a multiple of %",
  minItems: "at least % elements", maxItems: "at most % elements", uniqueItems: "no two equal",
  minProperties: "at least % properties", maxProperties: "at most % properties",
  default: "% when absent", readOnly: "only in answers", writeOnly: "only in requests",
  deprecated: "deprecated",
};

function rules(schema) {
  const found = Object.entries(RULES).filter(([key]) => ![undefined, false].includes(schema[key]))
    .map(([key, text]) => text.replace("%", () => JSON.stringify(schema[key]).replace(/^"|"$/g, "")))
    .map((text) => text.replace(/ (1 (character|element))s$/, " $1").replace("1 properties", "1 property"));
  if (schema.exclusiveMinimum) found.push("not the minimum itself");
  if (schema.exclusiveMaximum) found.push("not the maximum itself");
  const values = (list) => list.map((value) => JSON.stringify(value)).join(", ");
  if (schema.enum) found.push(`one of ${values(schema.enum)}`);
  if (schema["x-extensible-enum"]) found.push(`one of ${values(schema["x-extensible-enum"])}, or a later value`);
  if (schema.additionalProperties === false) found.push("no other properties");
  return found.length ? element("span", { class: "rules" }, found.join("; ")) : undefined;
}
