// The parameters of operations as OpenAPI and Swagger list them: inherited, overridden, and read once where operations share them.
import type { Budget } from '../base/budget.js';
import { isObject, type JsonObject, own, ownString } from '../base/json.js';
import { Refused } from '../base/refused.js';
import { quoted } from '../base/text.js';
import type { Lookup, Place } from '../document/lookup.js';
import { checkName, type Head } from './operation.js';
import { describe } from './schema/shape.js';

/** What identifies a parameter. */
interface Identified {
  readonly name: string;
  readonly in: string;
}

/** The parameters of one list, and the steps that reading them took. */
interface ReadList<P> {
  readonly parameters: readonly P[];
  readonly steps: number;
}

/** How the parameters of one kind of description are read. */
export interface ParameterRules<P extends Identified> {
  /**
   * Reads one. `written`: where the list has it; `place`: where a reference there leads to; `shared`: other operations have it too.
   * @throws Refused `malformed`.
   */
  read(written: Place, place: Place, shared: boolean): P;
  /** One that a reference led to, under what stands beside that reference. */
  refer?(written: Place, parameter: P): P;
}

/** Reads the lists of one description. */
export class ParameterLists<P extends Identified> {
  readonly #lookup: Lookup;
  readonly #budget: Budget;
  readonly #rules: ParameterRules<P>;
  /** Parameters that references lead to, by their nodes. */
  readonly #referred = new Map<JsonObject, { readonly parameter: P; readonly steps: number }>();
  /** Those of path items, which their operations share. */
  readonly #lists = new Map<unknown, ReadList<P>>();

  constructor(lookup: Lookup, budget: Budget, rules: ParameterRules<P>) {
    this.#lookup = lookup;
    this.#budget = budget;
    this.#rules = rules;
  }

  /**
   * Those of the path item, overridden by those of the operation, by name and place; header names in any case.
   * @throws Refused where one cannot be read.
   */
  of(head: Head): P[] {
    const effective = new Map<string, P>();
    const add = (parameter: P) => {
      const name = parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name;
      effective.set(`${parameter.in} ${name}`, parameter);
    };
    for (const item of head.items) this.#sharedList(item).forEach(add);
    this.#list(head.place, false).forEach(add);
    return [...effective.values()];
  }

  #sharedList(item: Place): readonly P[] {
    const known = this.#lists.get(item.node);
    if (known !== undefined) {
      this.#budget.spend(known.steps);
      return known.parameters;
    }
    const before = this.#budget.operation;
    const parameters = this.#list(item, true);
    this.#lists.set(item.node, { parameters, steps: this.#budget.operation - before });
    return parameters;
  }

  #list(owner: Place, shared: boolean): readonly P[] {
    const list = isObject(owner.node) ? own(owner.node, 'parameters') : undefined;
    if (list === undefined || list === null) return [];
    const place = this.#lookup.down(owner, 'parameters', list);
    if (!Array.isArray(list)) {
      throw new Refused('malformed', place.at, `its parameters are ${describe(list)}, not a list`);
    }
    return list.map((node, i) => this.#parameterAt(this.#lookup.down(place, i, node), shared));
  }

  #parameterAt(written: Place, shared: boolean): P {
    this.#budget.spend(1);
    const place = this.#lookup.settle(written);
    if (place === written || !isObject(place.node)) return this.#rules.read(written, place, shared);
    let known = this.#referred.get(place.node);
    if (known === undefined) {
      const before = this.#budget.operation;
      const parameter = this.#rules.read(written, place, true);
      known = { parameter, steps: this.#budget.operation - before };
      this.#referred.set(place.node, known);
    } else this.#budget.spend(known.steps);
    return this.#rules.refer?.(written, known.parameter) ?? known.parameter;
  }
}

/**
 * The node of a parameter and its name.
 * @throws Refused `malformed` where it is no object or has no name.
 */
export function namedNode(written: Place, { node }: Place): { readonly node: JsonObject; readonly name: string } {
  if (!isObject(node)) throw new Refused('malformed', written.at, `a parameter is ${describe(node)}, not an object`);
  const name = ownString(node, 'name');
  if (name === undefined || name === '') throw new Refused('malformed', written.at, 'a parameter has no name');
  checkName(name, written.at);
  return { node, name };
}

/** @throws Refused `malformed` naming the `in` of a parameter that the specification does not have. */
export function unknownPlace(written: Place, name: string, where: unknown, specification: string): Refused {
  const found =
    where === undefined ? 'has no "in"' : `has in: ${describe(where)}, which is not allowed in ${specification}`;
  return new Refused('malformed', written.at, `the parameter ${quoted(name)} ${found}`);
}

/** A text that is not blank. */
export function filled(text: string | undefined): string | undefined {
  return text?.trim() === '' ? undefined : text;
}
