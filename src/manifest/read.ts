// The text of a manifest to what it says for one environment; every fault with its line and column.
import { createHash } from 'node:crypto';
import { dirname, isAbsolute, resolve } from 'node:path';
import { Failure } from '../base/failure.js';
import { own, put } from '../base/json.js';
import { nearest } from '../base/nearest.js';
import { under } from '../base/pointer.js';
import { count, quoted, visible } from '../base/text.js';
import { type Places, readPlaced } from '../document/placed.js';
import { type ShapeFault, shapeFaults } from './check.js';
import { MANIFEST } from './keys.js';
import type { Environment, Manifest, ManifestSource, ReadManifest } from './manifest.js';

/** Faults that are kept, and those that a message has room for. */
const MOST_FAULTS = 10;
const MOST_LINES = 5;

/** A fault of a manifest, for reports. */
interface ManifestFault {
  readonly line: number;
  readonly column: number;
  /** A JSON pointer. */
  readonly at: string;
  readonly message: string;
}

/**
 * Reads a manifest. `path` is where it stands: what is relative in it is relative to its folder. `environment` names the
 * variant; without, the manifest as it is.
 * @throws Failure `not-yaml`; `invalid-manifest`, the first faults in `data.faults`; `unknown-environment`.
 */
export function readManifest(text: string, path: string, environment?: string): ReadManifest {
  const name = quoted(path, 120);
  const { value, places } = readPlaced({ text, name });
  const shape = shapeFaults(MANIFEST, value);
  const faults = shape.length > 0 ? shape : referenceFaults(value as Manifest);
  if (faults.length > 0) throw invalid(path, placed(faults, places));
  const { environments = {}, ...manifest } = value as Manifest;
  const chosen = environment === undefined ? undefined : environmentOf(environments, environment, name);
  const folder = dirname(resolve(path));
  return {
    manifest: located(chosen === undefined ? manifest : overridden(manifest, chosen), folder),
    path,
    ...(environment === undefined ? {} : { environment }),
    sha256: createHash('sha256').update(text).digest('hex'),
    places,
  };
}

function placed(faults: readonly ShapeFault[], places: Places): ManifestFault[] {
  return faults
    .map(({ at, key, message }) => ({ ...(key ? places.ofKey(at) : places.of(at)), at, message }))
    .sort((a, b) => a.line - b.line || a.column - b.column);
}

/**
 * The failure of a manifest with these faults, the first of them in order.
 * Its message has a line for each, at most six lines.
 */
function invalid(path: string, faults: readonly ManifestFault[]): Failure {
  const kept = faults.slice(0, MOST_FAULTS);
  const line = ({ line, column, message }: ManifestFault) => `${visible(path, 120)}:${line}:${column}: ${message}`;
  const shown = kept.slice(0, kept.length > MOST_LINES + 1 ? MOST_LINES : MOST_LINES + 1).map(line);
  const more = faults.length - shown.length;
  const message = [...shown, ...(more > 0 ? [`and ${count(more)} more`] : [])].join('\n');
  return new Failure('invalid-manifest', message, { path, faults: kept, more: faults.length - kept.length });
}

/** What one part of a manifest says of another. */
function referenceFaults({ connections = {}, sources, environments = {} }: Manifest): ShapeFault[] {
  const faults: ShapeFault[] = [];
  const labels = (more: Environment | undefined) => Object.keys({ ...connections, ...more?.connections });
  const check = (label: string | undefined, known: readonly string[], at: string) => {
    if (label === undefined || known.includes(label) || /^conn_[0-9a-f]{24}$/.test(label)) return;
    const near = nearest(label, known);
    const hint = near === undefined ? '' : `; did you mean ${quoted(near)}?`;
    // What is no label may be a secret in the wrong place.
    faults.push({
      at,
      key: false,
      message: `"connection" names neither one of "connections" nor the id of one${hint}`,
    });
  };
  const all = [...new Set([undefined, ...Object.values(environments)].flatMap(labels))];
  for (const [name, source] of Object.entries(sources)) {
    const at = under('/sources', name);
    check(source.connection, all, `${at}/connection`);
    for (const [operation, tool] of Object.entries(source.tools ?? {}))
      check(tool.connection, all, `${under(`${at}/tools`, operation)}/connection`);
  }
  for (const [name, environment] of Object.entries(environments)) {
    const at = under('/environments', name);
    for (const [source, { connection }] of Object.entries(environment.sources ?? {})) {
      const here = under(`${at}/sources`, source);
      check(connection, labels(environment), `${here}/connection`);
      if (!Object.hasOwn(sources, source))
        faults.push({ at: here, key: true, message: unknown('source', source, sources) });
    }
  }
  return faults;
}

function unknown(what: string, name: string, known: object): string {
  const near = nearest(name, Object.keys(known));
  return `the manifest has no ${what} ${quoted(name)}${near === undefined ? '' : `; did you mean ${quoted(near)}?`}`;
}

function environmentOf(
  environments: { readonly [name: string]: Environment },
  name: string,
  manifest: string,
): Environment {
  const found = own(environments, name) as Environment | undefined;
  if (found !== undefined) return found;
  throw new Failure('unknown-environment', `${manifest}: ${unknown('environment', name, environments)}`, { name });
}

type Plain = ReadManifest['manifest'];

function overridden(manifest: Plain, { sources = {}, connections, ...rest }: Environment): Plain {
  const changed: Record<string, ManifestSource> = {};
  for (const [name, source] of Object.entries(manifest.sources)) {
    const over = own(sources, name) as Partial<ManifestSource> | undefined;
    put(changed, name, over === undefined ? source : sourceOf(source, over));
  }
  return { ...manifest, ...rest, connections: { ...manifest.connections, ...connections }, sources: changed };
}

/** A connection takes the place of a group, and a group that of a connection. */
function sourceOf(source: ManifestSource, over: Partial<ManifestSource>): ManifestSource {
  const { connection: _connection, group: _group, ...rest } = source;
  return { ...(over.connection === undefined && over.group === undefined ? source : rest), ...over };
}

/** With the paths of files absolute. */
function located(manifest: Plain, folder: string): Plain {
  const sources: Record<string, ManifestSource> = {};
  const at = (path: string) => (isUrl(path) || isAbsolute(path) ? path : resolve(folder, path));
  for (const [name, source] of Object.entries(manifest.sources)) {
    const { description, overlays } = source;
    put(sources, name, {
      ...source,
      description: at(description),
      ...(overlays === undefined ? {} : { overlays: overlays.map(at) }),
    });
  }
  return { ...manifest, store: storeAt(manifest.store ?? 'file:toolwright.lock.json', folder), sources };
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

/** A file of a store is relative as well. */
function storeAt(address: string, folder: string): string {
  const [, scheme, path] = /^(file|sqlite):(?!\/\/)(.+)$/s.exec(address) ?? [];
  return scheme === undefined || path === undefined ? address : `${scheme}:${resolve(folder, path)}`;
}
