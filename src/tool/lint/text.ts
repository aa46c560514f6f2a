// Every text of a JSON value that a model may be shown: hidden characters and instructions in it, each place once.
import { isObject } from '../../base/json.js';
import { under } from '../../base/pointer.js';
import { quoted } from '../../base/text.js';
import type { Finding } from './finding.js';
import { hiddenIn } from './hidden.js';
import { instructionIn } from './instruction.js';

/** Keys whose texts are prose; texts below the others are values on the wire. */
const PROSE = new Set(['description', 'summary', 'title']);
const VALUES = new Set(['enum', 'default', 'const', 'name', 'operationId', 'enumDescriptions']);
/** What no tool shows. */
const UNSHOWN = new Set(['example', 'examples', 'externalDocs', 'xml']);

/** One value on the way down; its pointer is only written where there is something to say. */
interface Step {
  readonly value: unknown;
  readonly key: string | number;
  readonly parent: Step | undefined;
  /** It stands in a list or object of values. */
  readonly shown: boolean;
}

/** Walks a value of any depth, once through its nodes. */
export function lintTexts(root: unknown): readonly Finding[] {
  const found: Finding[] = [];
  const waiting: Step[] = [{ value: root, key: '', parent: undefined, shown: false }];
  for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
    const { value, key, shown } = step;
    if (typeof value === 'string') {
      if (shown || PROSE.has(String(key)) || VALUES.has(String(key))) found.push(...lintText(value, step));
      continue;
    }
    const below: Step[] = [];
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) below.push({ value: item, key: index, parent: step, shown });
    } else if (isObject(value)) {
      const named = step.parent !== undefined && step.key === 'properties';
      for (const [name, part] of Object.entries(value)) {
        const inside = { value: part, key: name, parent: step, shown: shown || VALUES.has(name) };
        const hidden = hiddenName(name, inside);
        if (hidden !== undefined) found.push(hidden);
        if (named || !(UNSHOWN.has(name) || name.startsWith('x-')))
          below.push({ ...inside, shown: !named && inside.shown });
      }
    }
    waiting.push(...below.reverse());
  }
  return found;
}

function hiddenName(name: string, step: Step): Finding | undefined {
  const hidden = hiddenIn(name);
  if (hidden === undefined) return undefined;
  return {
    code: 'hidden-characters',
    severity: 'error',
    at: pointer(step),
    message: `its name holds ${hidden.points.join(', ')}`,
  };
}

function lintText(text: string, step: Step): readonly Finding[] {
  const hidden = hiddenIn(text);
  const instruction = instructionIn(text);
  const found: Finding[] = [];
  if (hidden !== undefined) {
    const message = `it holds ${hidden.points.slice(0, 8).join(', ')}${hidden.points.length > 8 ? '…' : ''}`;
    found.push({ code: 'hidden-characters', severity: hidden.grave ? 'error' : 'warn', at: pointer(step), message });
  }
  if (instruction !== undefined) {
    const message = `it speaks to the model: ${quoted(instruction, 100)}`;
    found.push({ code: 'instruction-to-model', severity: 'error', at: pointer(step), message });
  }
  return found;
}

function pointer(step: Step): string {
  const keys: (string | number)[] = [];
  for (let one: Step = step; one.parent !== undefined; one = one.parent) keys.push(one.key);
  return keys.reverse().reduce<string>((at, key) => under(at, key), '');
}
