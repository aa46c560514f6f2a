// Drives the built library for wire vectors: a piece of a description and arguments by place become one call.
import { callTool, compile, diff, identify, isEmission, wantedTool } from '../../dist/index.js';

const compiled = new Map();

function compilationOf(description) {
  let known = compiled.get(description);
  if (known === undefined) {
    known = compile(identify(description));
    compiled.set(description, known);
  }
  return known;
}

/** The tool of one operation, as an import would make it. */
function toolOf(description, operationId) {
  const { operations, servers } = compilationOf(description);
  const { result } = operations.find(({ head }) => head.key === operationId);
  if (!isEmission(result)) throw new Error(`${result.code}: ${result.reason}`);
  const server = (result.draft.servers ?? servers)[0].url.replace(/\/$/, '');
  const wanted = [wantedTool(result, server)];
  return diff({ server, wanted, keys: new Map(), tool_name_chars: 64 }, []).actions[0].tool;
}

/** A file as the tool takes it. */
function withFiles(value) {
  if (Array.isArray(value)) return value.map(withFiles);
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, '$file')) return value;
  const { base64, name, type } = value.$file;
  return { data: base64, filename: name, content_type: type };
}

/** Values by place and wire name to the tool's own arguments; one for which the tool has no place is dropped. */
function argumentsOf({ input_schema, config }, args) {
  const found = {};
  for (const name of Object.keys(input_schema.properties)) {
    const location = config.locations[name] ?? { in: 'path' };
    const place = typeof location === 'string' ? { in: location } : location;
    const given = config.body?.whole === name ? { [name]: args.body } : args[place.in];
    const wire = config.body?.whole === name ? name : (place.name ?? name);
    if (given !== undefined && given !== null && Object.hasOwn(given, wire)) found[name] = withFiles(given[wire]);
  }
  return found;
}

export default {
  name: 'toolwright',
  discovery: true,
  async call(description, operationId, args) {
    const tool = toolOf(description, operationId);
    const result = await callTool({ tool, arguments: argumentsOf(tool, args) }, { network: { allow: ['127.0.0.1'] } });
    if (result.kind === 'refused') throw new Error(result.reason);
    return result;
  },
};
