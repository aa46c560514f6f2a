// What comes back on a connection: the head of an answer, and its body, decompressed as it comes and kept up to a bound.
import type { Duplex } from 'node:stream';
import type { Dispatcher } from 'undici';
import { codingsOf, decoding } from './coding.js';
import { Gathered } from './gather.js';

/** Header names are in lower case; a header that came more than once is a list. */
type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface AnswerHead {
  readonly status: number;
  readonly headers: AnswerHeaders;
}

export interface Answer extends AnswerHead {
  /** The decompressed body, at most `maxBytes` of it. */
  readonly body: Buffer;
  /** True where the body went on past `maxBytes`, or was not read at all. */
  readonly cut: boolean;
}

/** What a compressed body may be longer than its bound while it waits to be decoded. */
const LAG_BYTES = 256 * 1024;

/** How many bytes of the decompressed body are kept; 0: the body is not read. May throw, which ends the exchange. */
export type MaxBytes = number | ((head: AnswerHead) => number);

interface Received {
  readonly answer: Answer;
  /** Nothing of the answer is left on the socket. */
  readonly whole: boolean;
}

/** The answer to one request, and no bytes of it in any error but in the causes that undici has. */
export function received(
  dispatch: (handler: Dispatcher.DispatchHandler) => void,
  maxBytes: MaxBytes,
): Promise<Received> {
  return new Promise((resolve, reject) => dispatch(new Reception(maxBytes, resolve, reject)));
}

/** What is thrown in here ends the request, and comes back as its error. */
class Reception implements Dispatcher.DispatchHandler {
  readonly #maxBytes: MaxBytes;
  readonly #resolve: (received: Received) => void;
  readonly #reject: (error: Error) => void;
  #head: AnswerHead | undefined;
  #gathered = new Gathered(0);
  #codings: readonly string[] = [];
  #decoder: Duplex | undefined;
  #ended = false;
  #settled = false;

  constructor(maxBytes: MaxBytes, resolve: (received: Received) => void, reject: (error: Error) => void) {
    this.#maxBytes = maxBytes;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  onRequestStart(): void {}

  onResponseStart(_controller: unknown, status: number, headers: AnswerHeaders): void {
    // The answer itself is still to come (RFC 9110, section 15.2).
    if (status < 200) return;
    this.#head = { status, headers };
    const most = typeof this.#maxBytes === 'number' ? this.#maxBytes : this.#maxBytes(this.#head);
    this.#gathered = new Gathered(most);
    if (most === 0) this.#settle(true);
    else this.#codings = codingsOf(headers['content-encoding']);
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    if (this.#settled || this.#decoder?.writableEnded === true) return;
    if (this.#codings.length === 0) {
      this.#add(chunk);
      return;
    }
    // Not before there is something to decode: an empty body is no compressed text, whatever the header says.
    this.#decoder ??= decoding(
      this.#codings,
      (piece) => this.#add(piece),
      (error) => this.#decoded(error),
    );
    this.#decoder.write(chunk);
    // A decoder that lags is given no more than could fill the bound. The parser of undici is never paused: a socket that is
    // reset while it is would throw where nobody catches.
    if (this.#decoder.writableLength > this.#gathered.most + LAG_BYTES) this.#decoder.end();
  }

  onResponseEnd(): void {
    this.#ended = true;
    if (this.#decoder === undefined) this.#settle(false);
    else if (!this.#decoder.writableEnded) this.#decoder.end();
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#settled = true;
    this.#reject(error);
    this.#decoder?.destroy();
  }

  #add(chunk: Buffer): void {
    if (!this.#settled && !this.#gathered.add(chunk)) this.#settle(true);
  }

  #decoded(error: Error | null | undefined): void {
    if (error) this.#reject(error);
    else this.#settle(false);
  }

  #settle(cut: boolean): void {
    if (this.#settled || this.#head === undefined) return;
    this.#settled = true;
    const { status, headers } = this.#head;
    const answer = { status, headers, body: this.#gathered.bytes, cut };
    this.#resolve({ answer, whole: this.#ended && !cut });
    this.#decoder?.destroy();
  }
}
