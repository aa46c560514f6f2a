// Counts what a description declares as inputs of its operations: parameters, and the properties of bodies at their root.
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** The names of the inputs of each operation, by `method path`. Local references are followed. */
export function declaredInputs(document) {
  const at = (node) => {
    for (let hops = 0; node?.$ref !== undefined && hops < 20; hops += 1) {
      const keys = node.$ref.slice(2).split('/');
      node = keys.reduce((part, key) => part?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], document);
    }
    return node ?? {};
  };
  const properties = (schema, depth = 0) => {
    const { properties: own = {}, allOf = [], anyOf = [], oneOf = [] } = at(schema);
    const parts = depth < 10 ? [...allOf, ...anyOf, ...oneOf].flatMap((part) => properties(part, depth + 1)) : [];
    return [...Object.keys(own), ...parts];
  };
  const inputs = new Map();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS.filter((name) => item[name] !== undefined)) {
      const { parameters = [], requestBody } = item[method];
      const all = [...(item.parameters ?? []), ...parameters].map(at);
      const [content] = Object.values(at(requestBody).content ?? {});
      const body = content === undefined ? [] : new Set(properties(content.schema));
      const named = new Set(all.map(({ name, in: where }) => `${where} ${name}`));
      // A body that is no object is one input.
      const count = named.size + (content !== undefined && body.size === 0 ? 1 : (body.size ?? 0));
      inputs.set(`${method.toUpperCase()} ${path}`, count);
    }
  }
  return inputs;
}
