// The security of a description: requirements as lists of schemes that hold together, and the scheme that is a key.
import type { Budget } from '../base/budget.js';
import { isObject, type JsonObject, own, ownString } from '../base/json.js';
import type { Requirement, SecurityScheme } from './operation.js';

/** The alternatives of a `security` list; undefined where there is none. An empty list, or `{}`, asks for nothing. */
export function requirements(list: unknown, budget: Budget): Requirement[] | undefined {
  if (!Array.isArray(list)) return undefined;
  if (list.length === 0) return [new Map()];
  budget.spendApart(Math.floor(list.length / 100));
  return list.filter(isObject).map((alternative) => {
    const requirement = new Map<string, readonly string[]>();
    const names = Object.keys(alternative);
    budget.spendApart(Math.floor(names.length / 100));
    for (const name of names) {
      const scopes = alternative[name];
      requirement.set(name, Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : []);
    }
    return requirement;
  });
}

/** A scheme of the type `apiKey`. */
export function keyScheme(node: JsonObject): SecurityScheme {
  const place = own(node, 'in');
  const name = ownString(node, 'name');
  const known = place === 'header' || place === 'query' || place === 'cookie';
  return known && name !== undefined && name !== ''
    ? { kind: 'key', in: place, name }
    : { kind: 'other', type: 'apiKey without a place' };
}
