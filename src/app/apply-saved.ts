// A plan in a file: what was reviewed, and the marks of everything that it was made from.
import { Failure } from '../base/failure.js';
import { isObject, own } from '../base/json.js';
import { quoted } from '../base/text.js';
import type { Connection } from '../connection/connection.js';
import type { ReadManifest } from '../manifest/manifest.js';
import type { Difference } from '../plan/plan.js';
import { listOf, oneOf, optional, recordOf, rule, text, toolFault, wholeNumber } from '../store/record.js';
import type { ConnectionAction } from './apply-connection.js';
import type { ApplyAction, ApplyPlan, Waiting } from './apply-plan.js';

const FORMAT = 'toolwright-plan';
const VERSION = 1;

/** What a plan was made from: where one of it is another now, the plan is not applied. */
export interface PlanMarks {
  /** SHA-256 in hexadecimal. */
  readonly manifest: string;
  /** The revision of the store. */
  readonly store: string;
  readonly sources: ApplyPlan['sources'];
}

export interface SavedPlan {
  /** The path of the manifest, relative to the plan. */
  readonly manifest: string;
  readonly environment?: string;
  /** The address of the store, for people; never a secret. */
  readonly store: string;
  readonly marks: PlanMarks;
  /** What is to be written. */
  readonly actions: readonly ApplyAction[];
  /** The labels of connections that are to be created or changed. */
  readonly connections: readonly string[];
  /** How many tools stay as they are. */
  readonly unchanged?: number;
  readonly waiting?: readonly Waiting[];
}

/** The marks of a plan. */
export function marksOf({ sha256 }: Pick<ReadManifest, 'sha256'>, { revision, sources }: ApplyPlan): PlanMarks {
  return { manifest: sha256, store: revision, sources };
}

/** The text of a plan: the same plan, the same bytes. */
export function encodePlan(plan: SavedPlan): string {
  return `${JSON.stringify({ format: FORMAT, version: VERSION, ...plan }, null, 2)}\n`;
}

/** True of a text that calls itself a saved plan, of any version. */
export function isPlan(text: string): boolean {
  if (!text.trimStart().startsWith('{')) return false;
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && own(value, 'format') === FORMAT;
  } catch {
    return false;
  }
}

/**
 * The plan of a text: what it holds is shown and written as it stands there. `name` is for messages.
 * @throws Failure `plan-foreign`.
 */
export function decodePlan(written: string, name: string): SavedPlan {
  const value: unknown = JSON.parse(written);
  const refuse = (what: string) => new Failure('plan-foreign', `${name} is not a plan that can be applied: ${what}`);
  if (!isObject(value)) throw refuse('it is no object');
  const version = own(value, 'version');
  if (version !== VERSION) throw refuse(`its version is ${quoted(String(version), 20)}, and ${VERSION} is read`);
  const { format: _format, version: _version, ...plan } = value;
  const fault = planFault(plan, '');
  if (fault !== undefined) throw refuse(`${quoted(fault.at, 120)} ${fault.message}`);
  return plan as unknown as SavedPlan;
}

/** A word of ours: it is printed as it is. */
const word = rule('a word', (value) => typeof value === 'string' && /^[a-z_-]{1,64}$/.test(value));

const number = wholeNumber(0, Number.MAX_SAFE_INTEGER);

const actionFault = recordOf<ApplyAction>({
  kind: oneOf('create', 'refresh', 'hold', 'edit'),
  source: text,
  tool: toolFault,
  fields: listOf(word),
  differences: listOf(
    recordOf<Difference>({ at: text, code: word, class: oneOf('breaking', 'safe', 'text'), message: text }),
  ),
});

const planFault = recordOf<SavedPlan>({
  manifest: text,
  environment: optional(text),
  store: text,
  marks: recordOf<PlanMarks>({
    manifest: text,
    store: text,
    sources: listOf(recordOf<PlanMarks['sources'][number]>({ name: text, digests: listOf(text) })),
  }),
  actions: listOf(rule('an action as it was planned', (value) => actionFault(value, '') === undefined)),
  connections: listOf(text),
  unchanged: optional(number),
  waiting: optional(listOf(recordOf<Waiting>({ source: text, tools: number }))),
});

/**
 * Refuses a plan that was made from something else than what there is now.
 * @throws Failure `plan-moved`, naming it.
 */
export function checkMarks(planned: PlanMarks, now: PlanMarks, store: string): void {
  if (planned.manifest !== now.manifest) throw moved('the manifest');
  if (planned.store !== now.store) throw moved(`the store ${store}`);
  for (const { name, digests } of planned.sources) {
    const found = now.sources.find((source) => source.name === name);
    if (found?.digests.join() !== digests.join())
      throw moved(`the description of ${quoted(name, 80)}, or an overlay of it,`);
  }
}

/**
 * Refuses a plan of which a connection is another now: nothing is written that it did not show, and no tool is put behind a
 * connection that is gone. One that is by now what the plan makes of it is no other: the plan may have been begun already.
 * `now`: what becomes of the connections of the manifest; `existing`: those of the store.
 * @throws Failure `plan-moved`, naming it.
 */
export function checkConnections(
  { connections, actions }: Pick<SavedPlan, 'connections' | 'actions'>,
  now: readonly ConnectionAction[],
  existing: readonly Connection[],
): void {
  const other = now.find(({ kind, label }) => kind !== 'keep' && !connections.includes(label));
  if (other !== undefined) throw moved(`the connection ${quoted(other.label, 80)}`);
  const there = new Set([...existing, ...now.map(({ connection }) => connection)].map(({ id }) => id));
  for (const { kind, fields, tool } of actions) {
    const { name, connection_id: id } = tool;
    // A tool that the plan leaves behind a connection that is gone was so before.
    if (id === undefined || there.has(id) || (kind !== 'create' && !fields.includes('connection_id'))) continue;
    throw moved(`the connection of ${name}, ${id}, which is gone,`);
  }
}

function moved(what: string): Failure {
  return new Failure('plan-moved', `${what} changed since the plan was made; make the plan anew`);
}
