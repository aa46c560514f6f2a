// Which of the answers of an operation is the good one.
import type { JsonObject } from '../base/json.js';

/**
 * What is read of the answer that counts: the first 2xx in the order of the numbers of which something is read, else `2XX`, else
 * `default` where no answer below 400 is described.
 * @param read undefined where the answer has no schema in JSON.
 */
export function goodAnswer<T>(responses: JsonObject, read: (status: string) => T | undefined): T | undefined {
  const statuses = Object.keys(responses)
    .filter((status) => /^2\d\d$/.test(status))
    .sort();
  for (const status of [...statuses, ...['2XX', '2xx'].filter((range) => Object.hasOwn(responses, range))]) {
    // 204 and 205 have no content, whatever a description says (RFC 9110, sections 15.3.5 and 15.3.6).
    const found = status === '204' || status === '205' ? undefined : read(status);
    if (found !== undefined) return found;
  }
  const described = Object.keys(responses).some((status) => /^[23]/.test(status));
  return described || !Object.hasOwn(responses, 'default') ? undefined : read('default');
}
