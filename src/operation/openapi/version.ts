// What the versions of OpenAPI differ in beyond their schemas.

/** True of OpenAPI 3.2 and newer: `query`, `additionalOperations`, `in: querystring`, `allowReserved` in a path. */
export function isNewer(version: string): boolean {
  return /^3\.(?:[2-9]|\d\d)/.test(version);
}
