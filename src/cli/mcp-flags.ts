// The options of `toolwright mcp`, and what it serves.
import type { ConnectionStore } from '../connection/connection.js';
import type { Level } from '../mcp/log.js';
import type { ToolStore } from '../store/store.js';
import type { PlacementFlags } from './connections.js';
import type { ReadingFlags, SelectFlags } from './options.js';

export type ClientName = 'claude-desktop' | 'claude-code' | 'cursor' | 'vscode';

export interface McpFlags extends ReadingFlags, SelectFlags, PlacementFlags {
  readonly store: string;
  readonly server?: string;
  readonly overrideServers?: boolean;
  readonly connection?: string;
  readonly group?: string;
  readonly secret?: string;
  readonly prefixKey?: string;
  readonly http?: number;
  readonly host: string;
  readonly allowHost: readonly string[];
  readonly token?: string;
  readonly tokenFile?: string;
  readonly search?: boolean;
  readonly maxTools: number;
  readonly maxAnswer: number;
  readonly readOnly?: boolean;
  readonly confirm?: 'destructive';
  readonly logLevel: Level;
  readonly logFormat: 'text' | 'json';
  readonly printConfig?: ClientName;
  readonly name: string;
}

/** What is served: tools, and what their calls need. */
export interface Served {
  readonly store: ToolStore;
  readonly connections: ConnectionStore;
}

/** Options that say where a key goes. */
export const KEYS = ['placement', 'header', 'prefixKey', 'parameter'] as const;

/** How a secret itself is given to a server: by a connection of the store, which is sealed. */
export const SECRET_WAYS = '--connection, to one that `toolwright connections add` made of it';
