// The media types that an operation takes, and what is chosen of them (Swagger 2.0, Operation Object, `consumes`).
import { isObject, type JsonObject, own } from '../../base/json.js';
import { FIXED_LIMITS } from '../../base/limits.js';
import type { Lookup, Place } from '../../document/lookup.js';
import { bodyMedia, carriedMediaType } from '../media.js';
import type { Body } from '../operation.js';

/** One list, looked through once where operations share it. */
interface Types {
  /** How a body parameter is sent, or why it is not. */
  readonly whole: Pick<Body, 'form' | 'content_type'> | string;
  /** Without parameters, in lower case. */
  readonly names: ReadonlySet<string>;
}

/** The list that counts for one operation, and its pointer. */
export interface Consumes extends Types {
  readonly at: string;
}

/** The lists of one description. */
export class ConsumesLists {
  readonly #general: unknown;
  readonly #known = new Map<unknown, Types>();

  constructor({ document }: Lookup) {
    this.#general = isObject(document.root) ? own(document.root, 'consumes') : undefined;
  }

  /** An operation's list stands for that of the description, an empty one as well. */
  of(operation: JsonObject, { at }: Place): Consumes {
    const listed = own(operation, 'consumes');
    return Array.isArray(listed)
      ? { ...this.#types(listed), at: `${at}/consumes` }
      : { ...this.#types(this.#general), at: '/consumes' };
  }

  #types(list: unknown): Types {
    let types = this.#known.get(list);
    if (types === undefined) {
      types = typesOf(list);
      this.#known.set(list, types);
    }
    return types;
  }
}

function typesOf(list: unknown): Types {
  // One character over the bound is as good as all of them: it is not sent.
  const most = FIXED_LIMITS.media_type_chars + 1;
  const types = (Array.isArray(list) ? list : [])
    .filter((type): type is string => typeof type === 'string')
    .map((type) => type.slice(0, most));
  const names = new Set(types.map((type) => type.replace(/;.*$/s, '').trim().toLowerCase()));
  if (types.length === 0) return { whole: { form: 'json', content_type: 'application/json' }, names };
  const carried = carriedMediaType(types);
  const whole =
    carried === undefined ? bodyMedia(types, 'extended') : { form: carried.form, content_type: carried.content_type };
  return { whole, names };
}
