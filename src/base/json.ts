// Own-property access to foreign JSON. Nothing here trusts a prototype.

export type JsonObject = { readonly [key: string]: unknown };

/** True for a JSON object: neither null nor a list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The own property of a foreign object, or undefined. */
export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The own property where it is a string. */
export function ownString(object: JsonObject, key: string): string | undefined {
  const value = own(object, key);
  return typeof value === 'string' ? value : undefined;
}

/** The own property where it is an object. */
export function ownObject(object: JsonObject, key: string): JsonObject | undefined {
  const value = own(object, key);
  return isObject(value) ? value : undefined;
}

/** Sets a property under any name: `__proto__` becomes a plain one. */
export function put(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

/** True of a value with at most so many lists and objects inside each other: functions that recurse over it rely on this. */
export function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((part) => isWithin(part, levels - 1));
}

/** True of what JSON can hold, nested at most 100 deep: no NaN, no undefined, no function. */
export function isJson(value: unknown, levels = 100): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || levels === 0) return false;
  return Object.values(value).every((part) => isJson(part, levels - 1));
}

/** A JSON text read as one of these JSON Schema types; undefined where it is none of them, or no JSON. */
export function readJson(text: string, types: readonly string[]): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    const fits = types.includes(type) || (type === 'number' && types.includes('integer') && Number.isInteger(value));
    return fits ? { value } : undefined;
  } catch {
    return undefined;
  }
}
