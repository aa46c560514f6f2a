// How the JavaScript engine is set for a command that several threads work on and that is soon over.
import { setFlagsFromString } from 'node:v8';

/**
 * Has code run ten times as long before it is optimized. V8 before 12 (Node 20) has one optimizing compiler, whose thread is as busy
 * in these seconds as those that read, and takes a processor from them; later ones have a quick one before it.
 */
export function optimizeLate(): void {
  if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString('--interrupt-budget=1000000');
}
