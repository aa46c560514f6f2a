// What the server says beside the protocol: lines on the standard error, as text or JSON; never an argument or a secret.
import { visible } from '../base/text.js';

const LEVELS = ['error', 'warning', 'info', 'debug'] as const;
/** Of one line. */
const MOST_CHARS = 1_000;
export type Level = (typeof LEVELS)[number];

export interface Log {
  error(message: string): void;
  warning(message: string): void;
  info(message: string): void;
  debug(message: string): void;
}

/** A log of what is at least as grave as `most`. */
export function logTo(write: (line: string) => void, most: Level, json: boolean): Log {
  const at = (level: Level) => {
    if (LEVELS.indexOf(level) > LEVELS.indexOf(most)) return () => {};
    return (text: string) => {
      const message = visible(text, MOST_CHARS);
      const line = json ? JSON.stringify({ at: new Date().toISOString(), level, message }) : `${level}: ${message}`;
      write(`${line}\n`);
    };
  };
  return { error: at('error'), warning: at('warning'), info: at('info'), debug: at('debug') };
}

/** What the SDK says of a message that it refused; never what stood in it, which the SDK quotes as JSON at the end. */
export function remarkOf(error: Error): string {
  const said = error instanceof SyntaxError ? 'it is not JSON' : error.message.replace(/[[{][\s\S]*$/, '…');
  return `a message was refused: ${said}`;
}

/** Where something crashed: the kind of error and its frames, not its message, which may hold what was being read. */
export function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return [error.name, ...frames.slice(0, 6).map((line) => line.trim())].join(' ');
}
