// Differences of a tool on the terminal: one line each, what breaks first.
import { count, visible } from '../base/text.js';
import type { ChangeClass, Difference } from '../plan/plan.js';
import { paint } from './terminal.js';

const CLASSES: readonly ChangeClass[] = ['breaking', 'text', 'safe'];
const COLOURS = { breaking: 'red', text: 'yellow', safe: 'green' } as const;

/** `style` puts a text in a style, or leaves it as it is. */
export function differenceLines(differences: readonly Difference[], style = paint): readonly string[] {
  return CLASSES.flatMap((kind) =>
    differences
      .filter((one) => one.class === kind)
      .map(
        ({ at, code, message }) =>
          `    ${style(COLOURS[kind], kind)} ${code} at ${visible(at, 200)}: ${visible(message, 1_000)}`,
      ),
  );
}

/** As `2 breaking, 1 text`. */
export function classCounts(differences: readonly Difference[]): string {
  return CLASSES.flatMap((kind) => {
    const number = differences.filter((one) => one.class === kind).length;
    return number === 0 ? [] : [`${count(number)} ${kind}`];
  }).join(', ');
}
