// What a comparison of two forms finds, within a number of steps; a trial is one that may be thrown away.
import { canonical } from '../base/canonical.js';
import type { DifferenceCode } from '../base/codes.js';
import { FIXED_LIMITS } from '../base/limits.js';
import type { ChangeClass, Difference } from './plan.js';

/** What each difference means to those who call the tool: what is not proved to be safe is breaking. */
export const DIFFERENCE_CLASSES: { readonly [code in DifferenceCode]: ChangeClass } = {
  'endpoint-changed': 'breaking',
  'method-changed': 'breaking',
  'body-changed': 'breaking',
  'place-moved': 'breaking',
  'argument-required': 'breaking',
  'argument-removed': 'breaking',
  'type-narrowed': 'breaking',
  'enum-narrowed': 'breaking',
  'bound-narrowed': 'breaking',
  'pattern-changed': 'breaking',
  'format-changed': 'breaking',
  'entries-narrowed': 'breaking',
  'alternative-removed': 'breaking',
  'default-changed': 'breaking',
  'schema-changed': 'breaking',
  'not-compared': 'breaking',
  'argument-added': 'safe',
  'argument-optional': 'safe',
  'type-widened': 'safe',
  'enum-widened': 'safe',
  'bound-widened': 'safe',
  'format-widened': 'safe',
  'entries-widened': 'safe',
  'alternative-added': 'safe',
  'body-presence-changed': 'safe',
  'output-changed': 'safe',
  rewritten: 'safe',
  'text-changed': 'text',
  'text-added': 'text',
};

/** Characters of JSON that are written in one step. */
const CHARACTERS = 256;

/** The steps of a comparison are spent. */
export class TooManySteps extends Error {}

export class Findings {
  readonly #steps: { left: number };
  readonly #differences: Difference[] = [];

  constructor(steps: { left: number } = { left: FIXED_LIMITS.compared_nodes }) {
    this.#steps = steps;
  }

  get differences(): readonly Difference[] {
    return this.#differences;
  }

  get breaking(): boolean {
    return this.#differences.some((one) => one.class === 'breaking');
  }

  add(code: DifferenceCode, at: string, message: string): void {
    this.#differences.push({ at, code, class: DIFFERENCE_CLASSES[code], message });
  }

  /** @throws TooManySteps */
  spend(steps = 1): void {
    this.#steps.left -= steps;
    if (this.#steps.left < 0) throw new TooManySteps();
  }

  /**
   * The canonical JSON of a value, empty where there is none. A long one is paid for: what stands deep inside is written at each level above, and for each
   * form that it is compared with.
   * @throws TooManySteps
   */
  text(value: unknown): string {
    const text = value === undefined ? '' : canonical(value);
    this.spend(Math.floor(text.length / CHARACTERS));
    return text;
  }

  /** Findings of their own, from the same steps. */
  trial(): Findings {
    return new Findings(this.#steps);
  }

  take({ differences }: Findings): void {
    this.#differences.push(...differences);
  }
}
