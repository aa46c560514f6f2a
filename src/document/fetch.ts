// A URL -> the bytes behind it: redirects, the deadline, and what an answer is that is no description.
import { Failure } from '../base/failure.js';
import { counted, cut, quoted } from '../base/text.js';
import type { Answer, AnswerHead } from '../wire/exchange.js';
import { tooLarge } from './bytes.js';
import { isHtml } from './decode.js';
import type { Network, Opened } from './document.js';

/** What a URL held; `url` and `name` as in `Opened`. */
interface Fetched extends Required<Pick<Opened, 'url' | 'name'>> {
  readonly bytes: Buffer;
}

const MOST_REDIRECTS = 3;
/** How much of an HTML page is looked at for its title. */
const PAGE_BYTES = 64 * 1024;

/**
 * Fetches a description from the public internet; redirects are followed, and the guard checks each host anew.
 * @param bound the most bytes that are read
 * @param seconds the most time all of it may take
 * @throws Failure `invalid-url`, `address-refused`, `fetch-failed`, `fetch-timeout`, `fetch-unauthorized`,
 *   `source-too-large`, or `not-a-description` for an HTML page.
 */
export async function fetchDescription(
  address: string,
  bound: number,
  seconds: number,
  network: Network,
): Promise<Fetched> {
  const start = parsedUrl(address);
  return within(start, seconds * 1000, seconds, (signal) => fetched(start, bound, network, signal, false));
}

/**
 * Fetches another file of a description: as the description itself, and a redirect does not leave the origin.
 * @param left milliseconds that are left of `seconds`
 * @throws Failure as `fetchDescription` does.
 */
export function fetchFile(url: URL, bound: number, left: number, seconds: number, network: Network): Promise<Fetched> {
  return within(url, left, seconds, (signal) => fetched(url, bound, network, signal, true));
}

async function within(
  start: URL,
  left: number,
  seconds: number,
  run: (signal: AbortSignal) => Promise<Fetched>,
): Promise<Fetched> {
  const deadline = new AbortController();
  const late = new Failure('fetch-timeout', `${shown(start)} was not read within ${counted(seconds, 'second')}`, {
    limit: 'fetch_seconds',
    bound: seconds,
  });
  if (left <= 0) throw late;
  // Not AbortSignal.timeout: its timer alone does not keep the process alive until the failure is reported.
  const timer = setTimeout(() => deadline.abort(late), Math.min(left, 2 ** 31 - 1));
  try {
    return await run(deadline.signal);
  } finally {
    clearTimeout(timer);
  }
}

function parsedUrl(address: string): URL {
  if (URL.canParse(address)) return new URL(address);
  const [start = ''] = address.split(/[?#]/, 1);
  // In a text that is no URL, what stands around an @ may be a password.
  const named = address.includes('@') ? 'the address' : quoted(start);
  throw new Failure('invalid-url', `${named} is not an absolute http(s) URL`);
}

async function fetched(
  start: URL,
  bound: number,
  network: Network,
  signal: AbortSignal,
  stays: boolean,
): Promise<Fetched> {
  const { exchange } = await import('../wire/exchange.js');
  let url = start;
  for (let redirects = 0; ; redirects += 1) {
    const answer = await exchange(
      { url, method: 'GET', headers: HEADERS },
      {
        ...network,
        signal,
        maxBytes: (head) => (head.status >= 200 && head.status < 300 ? wantedBytes(head, bound) : 0),
      },
    );
    const next = redirectTarget(answer, url);
    if (next === null) return received(answer, url, start, bound);
    if (redirects === MOST_REDIRECTS) {
      throw new Failure('fetch-failed', `${shown(start)} redirects more than ${MOST_REDIRECTS} times`, {
        reason: 'redirects',
      });
    }
    if (stays && next.origin !== start.origin) {
      throw new Failure('fetch-failed', `${shown(start)} redirects to another origin, which is not followed`, {
        reason: 'redirects',
      });
    }
    url = next;
  }
}

const HEADERS = {
  accept: 'application/json, */*;q=0.5',
  'accept-encoding': 'gzip, br',
  'user-agent': 'toolwright',
} as const;

/** Refuses a body by the length it announces, before any of it is read. */
function wantedBytes(head: AnswerHead, bound: number): number {
  const length = Number(head.headers['content-length'] ?? 0);
  if (head.headers['content-encoding'] === undefined && length > bound) throw tooLarge('', length, bound);
  return bound;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Where a redirect leads; null where the answer is none. The guard checks the host again when it is asked. */
function redirectTarget(answer: AnswerHead, from: URL): URL | null {
  const location = answer.headers.location;
  if (!REDIRECTS.has(answer.status) || typeof location !== 'string') return null;
  if (!URL.canParse(location, from.href)) {
    throw new Failure('fetch-failed', `${shown(from)} redirects to something that is no URL`, { reason: 'redirects' });
  }
  const url = new URL(location, from);
  if (from.protocol === 'https:' && url.protocol === 'http:') {
    throw new Failure('fetch-failed', `${shown(from)} redirects from https to http, which is not followed`, {
      reason: 'redirects',
    });
  }
  return url;
}

function received(answer: Answer, url: URL, start: URL, bound: number): Fetched {
  const name = shown(url);
  if (answer.status === 401 || answer.status === 403) {
    throw unauthorized(`${name} answered ${answer.status}: a sign-in is needed to read it`, answer.status);
  }
  if (answer.status < 200 || answer.status >= 300) {
    throw new Failure('fetch-failed', `${name} answered ${answer.status} instead of a description`, {
      status: answer.status,
    });
  }
  if (answer.cut) throw tooLarge('at least ', answer.body.length + 1, bound);
  refuseHtml(answer, url, start);
  const located = new URL(url);
  located.hash = '';
  return { bytes: answer.body, url: located.href, name };
}

function unauthorized(message: string, status: number): Failure {
  return new Failure('fetch-unauthorized', message, { status });
}

function refuseHtml(answer: Answer, url: URL, start: URL): void {
  const page = answer.body.toString('latin1', 0, PAGE_BYTES);
  if (!isHtml(page)) return;
  const name = shown(url);
  const type = answer.headers['content-type'];
  const found = `an HTML page (content type ${typeof type === 'string' ? quoted(type) : 'none'})`;
  const title = /<title[^>]{0,200}>([^<]{0,300})/i.exec(page)?.[1] ?? '';
  if (url.host !== start.host || /\b(?:sign|log)[ -]?(?:in|on)\b|\bsso\b|\bauthenticat/i.test(title)) {
    throw unauthorized(
      `${name} answered ${found} to sign in at: a sign-in is needed to read ${shown(start)}`,
      answer.status,
    );
  }
  throw new Failure('not-a-description', `${name} answered ${found} instead of a description`, {
    found: 'an HTML page',
  });
}

/** A URL for a message: neither query nor user name, and not longer than a line. */
function shown(url: URL): string {
  return cut(`${url.origin}${url.pathname}`, 120);
}
