// What the API owns of a stored tool: taken out, put in, approved, and without what nobody is to be shown.
import { digest } from '../base/canonical.js';
import { isObject } from '../base/json.js';
import type { HttpTool, OwnedForm } from '../tool/tool.js';

/** The part of a tool that an import refreshes. */
export function ownedForm(tool: HttpTool): OwnedForm {
  const { config, input_schema, output_schema } = tool;
  const { endpoint, method, locations = {}, body } = config;
  return {
    endpoint,
    method,
    locations,
    ...(body === undefined ? {} : { body }),
    input_schema,
    ...(output_schema === undefined ? {} : { output_schema }),
    description: tool.imported_description ?? tool.description,
  };
}

/** The tool with another owned form, and nothing pending. What a person set stays; their description stays in front. */
export function withForm(tool: HttpTool, form: OwnedForm): HttpTool {
  const { pending: _waited, output_schema: _replaced, ...kept } = tool;
  const { body: _body, ...config } = tool.config;
  const { endpoint, method, locations, body, input_schema, output_schema, description } = form;
  return {
    ...kept,
    ...(tool.imported_description === undefined ? { description } : { imported_description: description }),
    input_schema,
    ...(output_schema === undefined ? {} : { output_schema }),
    config: { ...config, endpoint, method, locations, ...(body === undefined ? {} : { body }) },
  };
}

/** The tool whose owned form, the pending one where one waits, a person approved. */
export function approve(tool: HttpTool): HttpTool {
  return approved(tool.pending === undefined ? tool : withForm(tool, tool.pending));
}

/** The tool, its owned form as it is held for approved. */
export function approved(tool: HttpTool): HttpTool {
  return { ...tool, approved: digest(ownedForm(tool)) };
}

/**
 * A form without the arguments that a person hides. One that is required stays, since no call could do without it; so does one
 * with a fixed value, which reaches the API through its location and is not shown either way.
 */
export function withoutHidden(
  form: OwnedForm,
  { hidden_parameters = [], fixed_parameters }: Pick<HttpTool, 'hidden_parameters' | 'fixed_parameters'>,
): OwnedForm {
  const { properties, required } = form.input_schema;
  if (!isObject(properties)) return form;
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  const hidden = new Set(
    hidden_parameters.filter((name) => {
      return Object.hasOwn(properties, name) && !needed.includes(name) && !Object.hasOwn(fixed_parameters, name);
    }),
  );
  if (hidden.size === 0) return form;
  return {
    ...form,
    input_schema: { ...form.input_schema, properties: without(properties, hidden) },
    locations: without(form.locations, hidden),
  };
}

function without<T>(
  entries: { readonly [name: string]: T },
  names: ReadonlySet<string>,
): { readonly [name: string]: T } {
  return Object.fromEntries(Object.entries(entries).filter(([name]) => !names.has(name)));
}
