// Counts the steps of reading and stops at their bounds.
import { Failure } from './failure.js';
import type { Limits } from './limits.js';
import { Refused } from './refused.js';
import { count } from './text.js';

/** Steps spent on the current operation and on the whole description. */
export class Budget {
  readonly #limits: Limits;
  #at = '';
  #operation = 0;
  #total = 0;
  #lifted = false;
  #beyond = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Steps spent since `begin`. */
  get operation(): number {
    return this.#operation;
  }

  /** Steps the current operation may still spend. */
  get left(): number {
    return this.#limits.operation_steps - this.#operation;
  }

  /** Starts the count of one operation; `at` is its JSON pointer. */
  begin(at: string): void {
    this.#at = at;
    this.#operation = 0;
    this.#lifted = false;
  }

  /**
   * Where the core profile would refuse the operation: what is read of it from here on has a budget of the description's size of
   * its own, so that it takes nothing from what both profiles read.
   */
  lift(): void {
    this.#lifted = true;
  }

  /**
   * Spends steps on the current operation.
   * @throws Refused `too-large` past `operation_steps`, Failure `description-too-large` past `description_steps`.
   */
  spend(steps: number): void {
    this.#operation += steps;
    this.spendApart(steps);
    if (this.#operation > this.#limits.operation_steps) {
      const most = count(this.#limits.operation_steps);
      throw new Refused('too-large', this.#at, `reading its parameters and body takes more than ${most} steps`);
    }
  }

  /** Spends a step for every 100 entries looked past or copied. */
  spendEntries(entries: number): void {
    if (entries >= 100) this.spend(Math.floor(entries / 100));
  }

  /** Spends for a foreign text that is listed whole: what many operations share of a long one would cost its square. */
  spendText(length: number): void {
    if (length > 1_000) this.spendApart(Math.floor(length / 100));
  }

  /** Spends steps that belong to the description but to no operation. */
  spendApart(steps: number): void {
    if (this.#lifted) {
      this.#spendBeyond(steps);
      return;
    }
    this.#total += steps;
    if (this.#total > this.#limits.description_steps) {
      const most = count(this.#limits.description_steps);
      throw new Failure('description-too-large', `reading the description takes more than ${most} steps`, {
        limit: 'description_steps',
        bound: this.#limits.description_steps,
      });
    }
  }

  #spendBeyond(steps: number): void {
    this.#beyond += steps;
    if (this.#beyond <= this.#limits.description_steps) return;
    const most = count(this.#limits.description_steps);
    throw new Refused('too-large', this.#at, `what only the extended profile reads takes more than ${most} steps`);
  }
}
