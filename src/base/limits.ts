// The bounds of the compiler: the only place that holds these numbers.
import { Failure } from './failure.js';

/**
 * Every bound with its default. Sizes are in bytes of UTF-8, times in seconds, lengths in code points.
 * A step is one parameter, one schema node read, one reference followed, and every 100 entries looked past or copied.
 */
export const DEFAULT_LIMITS = {
  description_bytes: 16 * 1024 * 1024,
  fetch_seconds: 30,
  operations_listed: 3_000,
  operations_per_import: 50,
  reference_chain: 32,
  optional_properties: 20,
  nesting: 5,
  operation_steps: 2_000,
  operation_schema_bytes: 64 * 1024,
  description_steps: 400_000,
  tool_name_chars: 64,
  tool_description_chars: 1_024,
  parameter_description_chars: 300,
} as const;

/**
 * Bounds that nobody sets: what lies beyond them is no description that is meant, and would cost its square.
 * Depths in nodes, lengths in characters.
 */
export const FIXED_LIMITS = {
  /** Schema nodes on one path down; allOf and anyOf, which are no levels, count. */
  schema_depth: 512,
  /** Alternatives in alternatives: what is emitted nests with them. */
  alternatives_depth: 32,
  /** Lists and objects in an enum, a const or a default. */
  literal_depth: 16,
  /** Steps to read the answers of all operations of a description, in equal shares; of one at most `operation_steps`. */
  answer_steps: 2_000_000,
  /** Values of an answer times values of the schema it is held against: what is more is not held against it. */
  answer_checks: 100_000_000,
  /** References that a remembered reading may depend on. */
  remembered_references: 512,
  /** The path of an operation. */
  path_chars: 8_192,
  /** A name on the wire. */
  name_chars: 1_024,
  /** A pointer that a form parameter is referred to by: one of each takes its own text. */
  form_pointer_chars: 512,
  /** A media type that is sent. */
  media_type_chars: 255,
  /** Servers that one operation has of its own. */
  own_servers: 100,
  /** A key, a username, a password: no server takes longer headers. */
  secret_chars: 16_384,
  /** Levels of an answer in which secrets are looked for; what lies below is left out. */
  scrubbed_depth: 1_000,
  /** What a pattern may cost against one text: instructions times characters. */
  pattern_steps: 25_000_000,
  /** Lists and objects in a schema or a value that is stored. */
  stored_levels: 100,
  /** A base URI that `$id` is resolved against. */
  uri_chars: 4_096,
  /** Secrets whose forms are kept ready for the search, the last used ones. */
  scrubbers_kept: 100,
  /** Schemas and endpoints of tools that are kept compiled, the last used ones. */
  compiled_schemas: 500,
  /** Call records that are kept, the last ones. */
  records_kept: 10_000,
  /** Lists and objects in each other in YAML, whose parser recurses. */
  yaml_depth: 1_000,
  /** Line breaks, and characters that may begin a node, in YAML: 16 MB of real YAML have a million. */
  yaml_marks: 1_500_000,
  /** Characters by which YAML may grow when its aliases are written out. */
  alias_growth: 16 * 1024 * 1024,
  /** The target of an action of an overlay. */
  target_chars: 1_000,
  /** Nodes that all overlays of a description look at, copy or put in. */
  overlay_steps: 5_000_000,
  /** Nodes of two schemas of one tool that are compared. */
  compared_nodes: 20_000,
  /** Other files of a description that are fetched: each is a request to somebody's server. */
  files_fetched: 100,
  /** Other files of a description that are read from its folder: what is kept one operation to a file has thousands. */
  files_read: 5_000,
  /** References to other files that are looked at; each is resolved. */
  file_references: 100_000,
} as const;

export type LimitName = keyof typeof DEFAULT_LIMITS;
export type Limits = { readonly [name in LimitName]: number };

/** The least a bound may be; 1 where none is named. */
const LEAST: Partial<Limits> = { optional_properties: 0, tool_name_chars: 16 };
/** The most a bound may be: no store and no provider takes longer names. */
const MOST: Partial<Limits> = { tool_name_chars: 64 };

/** What a bound may be. */
export function limitRange(name: LimitName): { readonly least: number; readonly most: number } {
  return { least: LEAST[name] ?? 1, most: MOST[name] ?? Number.MAX_SAFE_INTEGER };
}

/**
 * The defaults with some bounds replaced.
 * @throws Failure `unknown-limit` for a name that is no bound, `invalid-limit` for a value that is no whole number of its range.
 */
export function withLimits(overrides: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(overrides)) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name)) {
      const known = Object.keys(DEFAULT_LIMITS).join(', ');
      throw new Failure('unknown-limit', `there is no limit "${name}"; the limits are ${known}`, { name });
    }
    const { least, most } = limitRange(name as LimitName);
    if (!Number.isSafeInteger(value) || value < least || value > most) {
      const range = most < Number.MAX_SAFE_INTEGER ? `from ${least} to ${most}` : `of at least ${least}`;
      throw new Failure('invalid-limit', `the limit ${name} is ${value}; a whole number ${range} is allowed`, { name });
    }
  }
  return { ...DEFAULT_LIMITS, ...overrides };
}

/** Bounds of one call of a tool. Sizes in bytes, times in milliseconds, depths in nodes. */
export const CALL_LIMITS = {
  attempts: 3,
  /** What is read of the decoded body of an answer. */
  answer_bytes: 1024 * 1024,
  /** What is sent of a body. */
  request_bytes: 128 * 1024 * 1024,
  /** The most the wait before the second attempt takes; each one after it twice as long, up to `longest_wait`. */
  first_wait: 200,
  longest_wait: 5_000,
  /** Lists and objects in each other in an argument. */
  argument_depth: 256,
  /** Lists and objects in each other in a JSON answer: past it nothing that recurses over the value is safe. */
  answer_depth: 512,
} as const;

/** Bounds of a consented account. Times in seconds, sizes in bytes. */
export const CONSENT_LIMITS = {
  /** How long a person may take over the consent screen. */
  consent: 300,
  /** One request to an endpoint of the provider. */
  request: 20,
  /** What is read of its answer. */
  answer_bytes: 256 * 1024,
  /** A token that ends sooner than this is renewed before it is used. */
  margin: 60,
  /** How long a renewal is one process's alone: longer than its request may take. */
  claim: 30,
} as const;

/** Bounds of the MCP server. Sizes in bytes of UTF-8, times in milliseconds. */
export const MCP_LIMITS = {
  /** Of the text of one answer: at two bytes to a token, the 25,000 tokens that clients take. */
  answer_bytes: 50_000,
  /** Tools that are listed one by one; of more a model is given a search. */
  tools_listed: 40,
  /** Of one page of a list. */
  page_bytes: 4 * 1024 * 1024,
  /** One message: a line of the standard input, the body of an HTTP request. */
  message_bytes: 8 * 1024 * 1024,
  /** Calls at once. */
  calls: 256,
  /** Sessions of clients before 2026-07-28, over HTTP. */
  sessions: 256,
  /** After which a session that nobody uses is ended. */
  session_idle: 30 * 60_000,
  /** Requests at once that are read or not yet answered, over HTTP: room for all calls and for as many that are none. */
  requests: 512,
  /** Sockets at once, over HTTP. */
  sockets: 1_024,
  /**
   * After which a socket that nobody uses is closed. Clients keep theirs for a second less than they are told here, and lose a
   * call where both find the end at once: the 5 seconds of Node are over in every pause of a conversation.
   */
  socket_idle: 120_000,
  /** What running calls have to end in, when the server ends. */
  grace: 5_000,
  /** Between two remarks of progress of a call that goes on. */
  progress: 5_000,
  /** Tools that a search answers, where the model does not say, and the most it may ask for. */
  found: 8,
  most_found: 25,
  /** Characters of a query: what is longer is no search. */
  query_chars: 500,
} as const;

/** Bounds of the sockets that are kept between calls. */
export const POOL_LIMITS = {
  /** Origins that sockets are kept of, one whose addresses changed counted anew. */
  origins: 64,
  /** Sockets to one of them, in use or idle. */
  sockets: 128,
  /** Milliseconds after which an idle socket is closed, whatever the server allows. */
  idle: 4_000,
} as const;
