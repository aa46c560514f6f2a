// The connections of a manifest against those of the store: created where they are not there, their health kept.
import { canonical, digest } from '../base/canonical.js';
import { findConnection } from '../connection/change.js';
import type { Connection, KeyConnection, Placement } from '../connection/connection.js';
import { checkedPlacement } from '../connection/grant.js';
import { isConsented } from '../connection/tokens.js';
import type { Connected, ManifestConnection } from '../manifest/manifest.js';
import { nextOrder } from './connection-record.js';
import type { ToolChanges } from './tools.js';

/** What becomes of one connection. */
export interface ConnectionAction {
  readonly kind: 'create' | 'change' | 'keep';
  /** Its label in the manifest. */
  readonly label: string;
  readonly connection: Connection;
}

/** The same label has the same id anywhere. */
function connectionId(label: string): string {
  return `conn_${digest(['connection of a manifest', label]).slice(0, 24)}`;
}

/**
 * An action for each connection of the manifest. What a person sealed, and the health, stay.
 * @throws Failure `invalid-secret`.
 */
export function planConnections(
  wanted: { readonly [label: string]: ManifestConnection },
  existing: readonly Connection[],
): readonly ConnectionAction[] {
  let order = nextOrder(existing);
  return Object.entries(wanted).map(([label, stated]): ConnectionAction => {
    const id = connectionId(label);
    const before = existing.find((one) => one.id === id);
    if (before === undefined) {
      const connection = statedConnection(id, order, stated);
      order += 1;
      return { kind: 'create', label, connection };
    }
    const connection = laidOver(before, statedConnection(id, before.order, stated));
    return { kind: canonical(connection) === canonical(before) ? 'keep' : 'change', label, connection };
  });
}

function statedConnection(id: string, order: number, stated: ManifestConnection): KeyConnection {
  return {
    id,
    provider: 'http_key',
    status: 'healthy',
    order,
    ...placementOf(stated),
    secret: { kind: 'env', name: stated.secret.slice('env:'.length) },
    ...(stated.group === undefined ? {} : { group: stated.group }),
  };
}

/**
 * What is wanted of a connection that is there: what calls found out of it, its group where none is wanted, and a secret that a
 * person sealed stay. So does the whole of an account that a person lent, which a manifest cannot state.
 */
export function laidOver(before: Connection, wanted: Connection): Connection {
  if (isConsented(before) || isConsented(wanted)) return before;
  const { status, reason, broken_by, order, group, secret } = before;
  const { reason: _reason, broken_by: _by, ...rest } = wanted;
  return {
    ...(group === undefined ? {} : { group }),
    ...rest,
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(broken_by === undefined ? {} : { broken_by }),
    order,
    ...(secret.kind === 'sealed' ? { secret } : {}),
  };
}

function placementOf({ placement = 'header', header = '', prefix, parameter = '' }: ManifestConnection): Placement {
  if (placement === 'basic') return { placement };
  if (placement === 'query') return checkedPlacement({ placement, parameter });
  return checkedPlacement({ placement, header, ...(prefix === undefined ? {} : { prefix }) });
}

/** What the manifest and the store have of connections. */
export class Links {
  readonly #labels: ReadonlySet<string>;
  readonly #all: readonly Connection[];

  constructor(actions: readonly ConnectionAction[], existing: readonly Connection[]) {
    this.#labels = new Set(actions.map(({ label }) => label));
    this.#all = [...existing, ...actions.map(({ connection }) => connection)];
  }

  /**
   * What a tool is connected through; undefined where nothing is stated.
   * @throws Failure `unknown-connection`.
   */
  of({ connection, group }: Connected): NonNullable<ToolChanges['connection']> | undefined {
    if (group !== undefined) return { group };
    if (connection === undefined) return undefined;
    const id = this.#labels.has(connection) ? connectionId(connection) : connection;
    return { id: findConnection(this.#all, id).id };
  }
}
