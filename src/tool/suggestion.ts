// The connection that the description's security schemes suggest, and how far each operation agrees with it.
import type { Notice } from '../base/codes.js';
import { quoted } from '../base/text.js';
import type { Head, Requirement, SecurityScheme, ServerUrl, Survey } from '../operation/operation.js';
import { type ProviderName, providerOf } from './provider.js';

/** A connection that a person may create for a server; the import never does. */
export type Suggestion =
  | { readonly provider: 'http_key'; readonly placement: 'header'; readonly header: string; readonly prefix?: string }
  | { readonly provider: 'http_key'; readonly placement: 'query'; readonly parameter: string }
  | { readonly provider: 'http_key'; readonly placement: 'basic' }
  | { readonly provider: ProviderName; readonly scopes: readonly string[] };

/** A server of a preview. */
export interface SuggestedServer extends ServerUrl {
  readonly suggestion: Suggestion | null;
}

/** Alternatives, reasons and schemes named in one message. */
const MOST_NAMED = 5;

/** What the security of a description comes to. */
export interface Security {
  readonly servers: readonly SuggestedServer[];
  /** How an operation differs from the suggestion. */
  notices(head: Head): Notice[];
}

/** A suggestion, the one scheme it serves, and what there is to say. */
interface Choice {
  readonly suggestion: Suggestion | null;
  readonly scheme: string | undefined;
  readonly note: string | undefined;
}

/** Suggests a connection for each server. */
export function suggestConnections(survey: Survey): Security {
  const alternatives = asked(survey);
  // A server makes a difference by its provider alone.
  const known = new Map<ProviderName | undefined, Choice>();
  const choices = survey.servers.map((server) => {
    const provider = consentedAt(server);
    const choice = known.get(provider) ?? choose(survey, alternatives, provider);
    known.set(provider, choice);
    return choice;
  });
  const servers = survey.servers.map(({ url, relative, resolved, note }, i) => {
    const choice = choices[i];
    const notes = [note, choice?.note].filter((text) => text !== undefined).join('; ');
    return {
      url,
      ...(relative === undefined ? {} : { relative }),
      ...(resolved === undefined ? {} : { resolved }),
      suggestion: choice?.suggestion ?? null,
      ...(notes === '' ? {} : { note: notes }),
    };
  });
  const chosen = choices.find(({ suggestion }) => suggestion !== null)?.scheme;
  return { servers, notices: remarker(survey, chosen) };
}

/** What is asked of callers in general: alternatives in order of preference, and whether none of them is needed. */
interface Asked {
  readonly alternatives: readonly Requirement[];
  readonly open: boolean;
  readonly why: string | undefined;
}

/** The description's own security, else the schemes most operations use, else the only declared one. */
function asked(survey: Survey): Asked {
  const { security, schemes } = survey;
  if (security !== undefined) {
    return {
      alternatives: security.filter(({ size }) => size > 0),
      open: security.some(({ size }) => size === 0),
      why: security.length === 0 ? 'the security requirements of the description cannot be read' : undefined,
    };
  }
  const used = mostUsed(survey.heads);
  if (used.length > 0) return { alternatives: used, open: false, why: undefined };
  const names = [...schemes.keys()];
  const [only] = names;
  if (only !== undefined && names.length === 1)
    return { alternatives: [new Map([[only, []]])], open: false, why: undefined };
  const why =
    only === undefined
      ? 'the description declares no security scheme'
      : `the description declares ${list(names)} and does not say which is used`;
  return { alternatives: [], open: false, why };
}

function mostUsed(heads: readonly Head[]): Requirement[] {
  const uses = new Map<string, { requirement: Requirement; count: number }>();
  for (const [security, times] of distinctSecurity(heads)) {
    for (const requirement of security) {
      if (requirement.size === 0) continue;
      const key = JSON.stringify([...requirement.keys()].sort());
      const use = uses.get(key);
      if (use === undefined) uses.set(key, { requirement, count: times });
      else use.count += times;
    }
  }
  return [...uses.values()].sort((a, b) => b.count - a.count).map(({ requirement }) => requirement);
}

/** The lists of the operations, each with how many share it: a list may be long, and shared by thousands. */
function distinctSecurity(heads: readonly Head[]): Map<readonly Requirement[], number> {
  const lists = new Map<readonly Requirement[], number>();
  for (const { security } of heads) if (security !== undefined) lists.set(security, (lists.get(security) ?? 0) + 1);
  return lists;
}

function choose(survey: Survey, { alternatives, open, why }: Asked, provider: ProviderName | undefined): Choice {
  if (alternatives.length === 0)
    return { suggestion: null, scheme: undefined, note: why ?? (open ? 'no key is needed' : undefined) };
  const reasons: string[] = [];
  for (const requirement of alternatives) {
    const suggestion = connect(survey, requirement, provider);
    if (typeof suggestion === 'string') {
      if (reasons.length < MOST_NAMED && !reasons.includes(suggestion)) reasons.push(suggestion);
      continue;
    }
    const [scheme] = requirement.keys();
    const others = alternatives
      .slice(0, MOST_NAMED + 1)
      .filter((other) => other !== requirement)
      .map(named);
    const notes: string[] = [];
    if (others.length > 0) notes.push(`also accepted: ${others.slice(0, MOST_NAMED).join(', ')}`);
    if (open) notes.push('the key is optional');
    return { suggestion, scheme, note: notes.length === 0 ? undefined : notes.join('; ') };
  }
  return { suggestion: null, scheme: undefined, note: reasons.join('; ') };
}

/** The connection for one requirement, or why there is none. */
function connect(survey: Survey, requirement: Requirement, provider: ProviderName | undefined): Suggestion | string {
  const names = [...requirement.keys()];
  const [name] = names;
  if (name === undefined || names.length > 1)
    return `${list(names)} are needed together, which one connection cannot give`;
  const scheme = survey.schemes.get(name);
  if (scheme === undefined) return `the security scheme ${quoted(name)} is not defined`;
  return connectScheme(survey, name, scheme, provider);
}

function connectScheme(
  survey: Survey,
  name: string,
  scheme: SecurityScheme,
  provider: ProviderName | undefined,
): Suggestion | string {
  switch (scheme.kind) {
    case 'key':
      if (scheme.in === 'header') return { provider: 'http_key', placement: 'header', header: scheme.name };
      if (scheme.in === 'query') return { provider: 'http_key', placement: 'query', parameter: scheme.name };
      return `the key is the cookie ${quoted(scheme.name)}, which a connection cannot send`;
    case 'basic':
      return { provider: 'http_key', placement: 'basic' };
    case 'bearer':
      return { provider: 'http_key', placement: 'header', header: 'Authorization', prefix: 'Bearer ' };
    case 'consent': {
      const scopes = scopesOf(survey, name);
      if (provider !== undefined) return { provider, scopes };
      const listed = scopes.length === 0 ? '' : ` (scopes ${list(scopes)})`;
      return `${quoted(name)} is ${scheme.type}${listed} of a provider without a consent screen here`;
    }
    case 'other':
      return `${quoted(name)} is ${quoted(scheme.type)}, which a connection cannot give`;
  }
}

/** The scopes that the operations, and the description for all, ask of one scheme. */
function scopesOf(survey: Survey, name: string): string[] {
  const scopes = new Set<string>();
  const add = (security: readonly Requirement[] | undefined) => {
    for (const requirement of security ?? []) for (const scope of requirement.get(name) ?? []) scopes.add(scope);
  };
  add(survey.security);
  for (const security of distinctSecurity(survey.heads).keys()) add(security);
  return [...scopes].sort();
}

/** The provider in our table whose account opens an API there. */
function consentedAt({ url, resolved }: ServerUrl): ProviderName | undefined {
  const address = url ?? resolved;
  return address === undefined ? undefined : providerOf(new URL(address).hostname);
}

/** What is said of one list of requirements; the same for all operations that share it. */
type Remark = Omit<Notice, 'at'>;

/** Tells how operations differ from the suggestion, whose scheme is `chosen`. */
function remarker(survey: Survey, chosen: string | undefined): (head: Head) => Notice[] {
  const used = survey.heads.some(({ security }) => security !== undefined);
  const needsNone = survey.security === undefined && chosen !== undefined && used;
  const known = new Map<readonly Requirement[], readonly Remark[]>();
  return ({ security, place }) => {
    if (security === undefined)
      return needsNone ? [{ code: 'security-none', at: place.at, message: 'it needs no key' }] : [];
    let remarks = known.get(security);
    if (remarks === undefined) {
      remarks = remarksOn(survey, security, chosen);
      known.set(security, remarks);
    }
    return remarks.map(({ code, message }) => ({ code, at: `${place.at}/security`, message }));
  };
}

function remarksOn(survey: Survey, security: readonly Requirement[], chosen: string | undefined): Remark[] {
  const needed = security.filter(({ size }) => size > 0);
  if (needed.length === 0) {
    const elsewhere = chosen !== undefined || survey.security?.some(({ size }) => size > 0);
    return elsewhere ? [{ code: 'security-none', message: 'it needs no key' }] : [];
  }
  const remarks: Remark[] = [];
  const unknown = [...new Set(needed.flatMap((one) => [...one.keys()]))].filter((name) => !survey.schemes.has(name));
  if (unknown.length > 0) {
    remarks.push({ code: 'security-undefined', message: `its security scheme ${list(unknown)} is not defined` });
  }
  if (needed.length < security.length) remarks.push({ code: 'security-optional', message: 'the key is optional' });
  if (unknown.length === 0 && !isServed(survey, needed, chosen)) {
    const asks = needed.slice(0, MOST_NAMED).map(named).join(' or ');
    const suggested =
      chosen === undefined ? 'no connection is suggested' : `the suggested connection is ${quoted(chosen)}`;
    remarks.push({ code: 'security-differs', message: `it asks for ${asks}; ${suggested}` });
  }
  return remarks;
}

/** Whether the suggestion serves an operation; where there is none, whether what is said of all is said of it too. */
function isServed(survey: Survey, needed: readonly Requirement[], chosen: string | undefined): boolean {
  if (chosen !== undefined) return needed.some((one) => one.size === 1 && one.has(chosen));
  if (survey.security === undefined) return true;
  const general = new Set(survey.security.map((one) => [...one.keys()].sort().join(' ')));
  return needed.some((one) => general.has([...one.keys()].sort().join(' ')));
}

function named(requirement: Requirement): string {
  return [...requirement.keys()].map((name) => quoted(name)).join(' with ');
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 8).map((name) => quoted(name, 120));
  return names.length > 8 ? `${shown.join(', ')} and ${names.length - 8} more` : shown.join(', ');
}
