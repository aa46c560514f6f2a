// How the JavaScript engine is set for a command that several threads work on and that is soon over.
import { setFlagsFromString } from 'node:v8';

/**
 * Has code run some fifteen times as long before it is optimized. On Node 20 the thread of the optimizing compiler is as busy in
 * these seconds as those that read, and takes a processor from them. Engines from V8 12 on do not know the bound by this name.
 */
export function optimizeLate(): void {
  if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString('--interrupt-budget=1000000');
}
