// What the validators share: a list of faults, each a place and a rule. Nothing here comes from the product.

export type Json = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Collects what a validator finds. */
export class Faults {
  readonly found: string[] = [];

  /** Notes the rule where it does not hold. */
  check(holds: boolean, at: string, rule: string): void {
    if (!holds) this.found.push(`${at}: ${rule}`);
  }

  /** Notes every key that is none of those. */
  only(node: Json, allowed: readonly string[], at: string): void {
    for (const key of Object.keys(node)) this.check(allowed.includes(key), at, `no keyword ${key}`);
  }
}

/** True of a list of different strings, each the name of a property. */
export function areProperties(required: unknown, properties: Json): boolean {
  if (!Array.isArray(required)) return false;
  return (
    new Set(required).size === required.length &&
    required.every((name) => typeof name === 'string' && Object.hasOwn(properties, name))
  );
}
