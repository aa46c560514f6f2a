// How one operation is refused from deep inside its reading; the stage that reads it turns this to data.
import type { RefusalCode } from './codes.js';

/**
 * Thrown while one operation is read; never leaves the stage. `message` is the reason, `at` a JSON pointer.
 * Not an Error: a description may have thousands, and none needs a stack.
 */
export class Refused {
  readonly code: RefusalCode;
  readonly at: string;
  readonly message: string;

  constructor(code: RefusalCode, at: string, message: string) {
    this.code = code;
    this.at = at;
    this.message = message;
  }
}
