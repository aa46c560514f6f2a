// `toolwright lint`: what of a description, or of the tools of a store, will make a model fail.
import { lintDescription, lintTools } from '../app/lint.js';
import { count, counted, visible } from '../base/text.js';
import { openStore } from '../store/open.js';
import { type Finding, SEVERITIES, type Severity } from '../tool/lint/finding.js';
import { EXIT } from './exit.js';
import { type CompileFlags, commonOptions, type StoreFlags, sourceOf } from './options.js';
import { paint, print, printJson, progress, remark } from './terminal.js';

interface LintFlags extends CompileFlags, StoreFlags {
  readonly failSeverity: Severity;
}

/** Findings listed under one code before the rest is counted. */
const MOST_LISTED = 10;

/** @returns the exit status: 1 for a finding of at least the severity that fails. */
export async function runLint(description: string | undefined, flags: LintFlags): Promise<number> {
  const findings = description === undefined ? await ofStore(flags) : await ofDescription(description, flags);
  if (flags.json === true) printJson(findings);
  else print(render(findings));
  const least = SEVERITIES.indexOf(flags.failSeverity);
  return findings.some(({ severity }) => SEVERITIES.indexOf(severity) <= least) ? EXIT.failed : EXIT.done;
}

async function ofStore(flags: StoreFlags): Promise<readonly Finding[]> {
  const store = await openStore(flags.store);
  try {
    const { tools } = await store.read();
    if (tools.length === 0) remark(`no tools in ${store.address}`, flags.quiet === true);
    return lintTools(tools);
  } finally {
    await store.close();
  }
}

async function ofDescription(description: string, flags: LintFlags): Promise<readonly Finding[]> {
  const { tick, end } = progress(flags.quiet === true);
  try {
    return await lintDescription(sourceOf(description), { ...commonOptions(flags), progress: tick });
  } finally {
    end();
  }
}

function render(findings: readonly Finding[]): string {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = `${finding.severity} ${finding.code}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  const parts = [...groups].map(([key, group]) => {
    const lines = group.slice(0, MOST_LISTED).map((one) => `  ${place(one)}: ${one.message}`);
    if (group.length > MOST_LISTED) lines.push(`  and ${count(group.length - MOST_LISTED)} more (--json lists all)`);
    return [`${paint(key.startsWith('error') ? 'red' : 'yellow', key)} (${count(group.length)})`, ...lines].join('\n');
  });
  return [...parts, counted(findings.length, 'finding')].join('\n\n');
}

function place({ tool, at }: Finding): string {
  return visible([tool, at].filter((part) => part !== undefined && part !== '').join(' '), 300);
}
