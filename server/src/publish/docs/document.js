// What a document says about an operation, with references followed.

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Fetches one document of the list at /openapi. */
export async function load(entry) {
  const answer = await fetch(entry.json);
  if (!answer.ok) throw new Error(`${entry.json}: ${answer.status}`);
  return new Document(entry.area, await answer.json());
}

class Document {
  constructor(area, root) {
    this.area = area;
    this.root = root;
    this.info = root.info;
    // Whatever name this page was reached by also reaches the areas beside it.
    this.server = root.servers?.[0]?.url ?? location.origin;
    this.operations = Object.entries(root.paths).flatMap(([path, item]) =>
      METHODS.filter((method) => item[method]).map((method) => ({
        ...item[method],
        path,
        method,
        id: item[method].operationId ?? `${method} ${path}`,
        parameters: this.parameters(item, item[method]),
      })));
  }

  /** The object itself, or the one that it refers to. */
  resolve(value) {
    for (let hops = 0; value?.$ref && hops < 20; hops += 1) {
      const steps = value.$ref.replace(/^#\//, "").split("/")
        .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
      value = steps.reduce((node, step) => node?.[step], this.root);
    }
    return value ?? {};
  }

  /** The path's parameters, unless the operation has its own of that name. */
  parameters(item, operation) {
    const found = new Map();
    for (const list of [item.parameters, operation.parameters]) {
      for (const parameter of (list ?? []).map((one) => this.resolve(one))) {
        found.set(`${parameter.in} ${parameter.name}`, parameter);
      }
    }
    return [...found.values()];
  }

  /** The security schemes of an operation, by name, each once, with the scopes it requires. */
  schemes(operation) {
    const requirements = operation.security ?? this.root.security ?? [];
    const names = new Set(requirements.flatMap((requirement) => Object.keys(requirement)));
    const optional = requirements.some((requirement) => Object.keys(requirement).length === 0);
    return [...names].map((name) => {
      const scheme = this.resolve(this.root.components?.securitySchemes?.[name]);
      const listed = requirements.flatMap((requirement) => requirement[name] ?? []);
      const required = scheme["x-scopes"] ? operation["x-required-scopes"] ?? [] : [];
      return { name, scopes: [...listed, ...required], optional, ...scheme };
    });
  }

  /** The examples of a media type: name, summary, value. */
  examples(media) {
    if (media?.example !== undefined) return [{ name: "example", value: media.example }];
    return Object.entries(media?.examples ?? {}).map(([name, example]) => {
      const { summary, value } = this.resolve(example);
      return { name, summary, value };
    });
  }
}
