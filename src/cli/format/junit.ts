// A report as JUnit XML: a suite for each source, a case for each entry; what a reviewer must look at has failed.
import { printable, visible } from '../../base/text.js';
import type { Entry, Report, ReportCost } from './report.js';

export function junitReport(report: Report): string {
  const names = [...new Set([...report.sources, ...report.entries.map(({ source }) => source)])];
  const suites = names.map((name) =>
    suite(
      name,
      report.entries.filter(({ source }) => source === name),
      report,
    ),
  );
  const sum = (key: keyof Numbers) => suites.reduce((all, { numbers }) => all + numbers[key], 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="toolwright" tests="${sum('tests')}" failures="${sum('failures')}" errors="${sum('errors')}" skipped="${sum('skipped')}">`,
    ...suites.map(({ text }) => text),
    '</testsuites>',
  ].join('\n');
}

interface Numbers {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
  readonly skipped: number;
}

function suite(
  name: string,
  entries: readonly Entry[],
  { check, cost, waiting = [] }: Pick<Report, 'check' | 'cost' | 'waiting'>,
): { readonly text: string; readonly numbers: Numbers } {
  // A source of which there is nothing to say has passed.
  const cases = entries.map((entry) => ({ entry, outcome: outcomeOf(entry, check) }));
  const number = (kind: Outcome) => cases.filter(({ outcome }) => outcome === kind).length;
  const numbers = {
    tests: Math.max(1, cases.length),
    failures: number('failure'),
    errors: number('error'),
    skipped: number('skipped'),
  };
  const inner =
    cases.length === 0
      ? [`    <testcase classname="${xml(name)}" name="unchanged"/>`]
      : cases.map((one) => caseText(name, one));
  const counts = Object.entries(numbers).map(([key, value]) => `${key}="${value}"`);
  return {
    text: [
      `  <testsuite name="${xml(name)}" ${counts.join(' ')}>`,
      ...propertiesText([
        ...(cost === undefined ? [] : costProperties(name, cost)),
        ...waiting.flatMap(({ source, tools }) => (source === name ? [['waiting', tools] as const] : [])),
      ]),
      ...inner,
      '  </testsuite>',
    ].join('\n'),
    numbers,
  };
}

type Property = readonly [name: string, value: number];

/** The cost of the source and of each of its tools. */
function costProperties(source: string, { tools }: ReportCost): readonly Property[] {
  const ours = tools.filter((tool) => tool.source === source);
  const sum = (key: 'bytes' | 'tokens') => ours.reduce((all, tool) => all + tool[key], 0);
  return [
    ['bytes', sum('bytes')],
    ['tokens', sum('tokens')],
    ...ours.flatMap(({ tool, bytes, tokens }): Property[] => [
      [`${tool}.bytes`, bytes],
      [`${tool}.tokens`, tokens],
    ]),
  ];
}

function propertiesText(all: readonly Property[]): readonly string[] {
  if (all.length === 0) return [];
  const lines = all.map(([name, value]) => `      <property name="${xml(name)}" value="${value}"/>`);
  return ['    <properties>', ...lines, '    </properties>'];
}

type Outcome = 'passed' | 'failure' | 'error' | 'skipped';

function outcomeOf({ kind, level, differences }: Entry, check: boolean): Outcome {
  if (kind === 'failed') return 'error';
  if (kind === 'skipped') return 'skipped';
  if (level === 'error' || differences.some((difference) => difference.class === 'breaking')) return 'failure';
  const change = kind === 'create' || kind === 'refresh' || kind === 'edit' || kind === 'hold' || kind === 'connection';
  return check && change ? 'failure' : 'passed';
}

function caseText(source: string, { entry, outcome }: { readonly entry: Entry; readonly outcome: Outcome }): string {
  const { kind, tool, operation, place, message, differences } = entry;
  const where = place === undefined ? '' : ` file="${xml(place.file)}" line="${place.line}"`;
  const open = `    <testcase classname="${xml(source)}" name="${xml(`${kind} ${tool ?? operation ?? source}`)}"${where}`;
  if (outcome === 'passed') return `${open}/>`;
  const text = [message, ...differences.map((one) => `${one.class}: ${one.message}`)].join('\n');
  const type = outcome === 'skipped' ? '' : ` type="${kind}"`;
  return `${open}>\n      <${outcome}${type} message="${xml(visible(message, 300))}">${xml(text)}</${outcome}>\n    </testcase>`;
}

/** XML 1.0, section 2.2: some characters cannot be written at all. */
function xml(text: string): string {
  return printable(text)
    .replace(/[\p{Cs}\ufffe\uffff]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;');
}
