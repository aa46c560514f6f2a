// What a manifest says, as a person writes it: the sources of a store of tools, and what is theirs of each tool.
import type { Limits } from '../base/limits.js';
import type { Profile } from '../base/profile.js';
import type { Places } from '../document/placed.js';

/** `toolwright.yaml`. Paths in it are relative to it. */
export interface Manifest {
  readonly $schema?: string;
  readonly store?: string;
  readonly profile?: Profile;
  readonly limits?: Partial<Limits>;
  readonly allow_private?: readonly string[];
  readonly hold?: Hold;
  readonly connections?: { readonly [label: string]: ManifestConnection };
  readonly sources: { readonly [name: string]: ManifestSource };
  readonly environments?: { readonly [name: string]: Environment };
}

/** Which changes of a tool wait for an approval. */
export type Hold = 'breaking' | 'text' | 'all';

/** A key; the secret is in an environment variable and nowhere else. */
export interface ManifestConnection {
  readonly provider: 'http_key';
  /** `header` by default. */
  readonly placement?: 'header' | 'query' | 'basic';
  readonly header?: string;
  readonly prefix?: string;
  readonly parameter?: string;
  /** `env:NAME`. */
  readonly secret: string;
  readonly group?: string;
}

/** Through what a tool is called: the label of a connection of the manifest or an id, or a group. Not both. */
export interface Connected {
  readonly connection?: string;
  readonly group?: string;
}

export interface ManifestSource extends Connected {
  /** A path or a URL; so are the overlays. */
  readonly description: string;
  readonly overlays?: readonly string[];
  readonly server: string;
  readonly prefix?: string;
  readonly set?: string;
  readonly override_servers?: boolean;
  readonly select: ManifestSelect;
  readonly budget_tokens?: number;
  readonly hold?: Hold;
  /** By the keys of operations. */
  readonly tools?: { readonly [operation: string]: ToolEdit };
}

/** Kinds narrow each other; within one kind any value will do. */
export interface ManifestSelect {
  readonly all?: true;
  readonly keys?: readonly string[];
  readonly tags?: readonly string[];
  readonly methods?: readonly string[];
  readonly paths?: readonly string[];
  /** Keys, and globs over paths, which begin with a slash. */
  readonly exclude?: readonly string[];
  /** false: none that is deprecated. */
  readonly deprecated?: boolean;
}

/** What a person states of one tool; what is not stated stays as it is. */
export interface ToolEdit extends Connected {
  readonly name?: string;
  readonly description?: string;
  readonly fixed_parameters?: { readonly [name: string]: unknown };
  readonly deadline_seconds?: number;
  readonly attempts?: number;
  readonly show?: readonly string[];
  readonly hide?: readonly string[];
}

/** What one environment says in the place of the manifest. */
export interface Environment {
  readonly store?: string;
  readonly allow_private?: readonly string[];
  readonly connections?: { readonly [label: string]: ManifestConnection };
  readonly sources?: { readonly [name: string]: SourceOverride };
}

export interface SourceOverride extends Connected {
  readonly description?: string;
  readonly overlays?: readonly string[];
  readonly server?: string;
}

/** A manifest of one environment, read: paths are absolute, and everything has its place in the text. */
export interface ReadManifest {
  readonly manifest: Omit<Manifest, 'environments'>;
  /** As it was given, for messages and reports. */
  readonly path: string;
  readonly environment?: string;
  /** Of the text, in hexadecimal. */
  readonly sha256: string;
  readonly places: Places;
}
