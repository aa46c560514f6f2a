// The formats of a report: what each says, and that no text of a description can say something else in it.
import { describe, expect, it } from 'vitest';
import { DIFFERENCE_CODES } from '../../src/base/codes.js';
import { Failure } from '../../src/base/failure.js';
import { githubFailure, githubReport } from '../../src/cli/format/github.js';
import { jsonReport } from '../../src/cli/format/json.js';
import { junitReport } from '../../src/cli/format/junit.js';
import { markdownReport } from '../../src/cli/format/markdown.js';
import { ENTRY_KINDS, type Entry, type EntryKind, type Report } from '../../src/cli/format/report.js';
import { sarifReport } from '../../src/cli/format/sarif.js';
import { textReport } from '../../src/cli/format/text.js';
import { sarifFaults } from './sarif.js';

const COUNTS = {
  created: 1,
  refreshed: 1_000,
  edited: 0,
  held: 2,
  unchanged: 3,
  waiting: 0,
  skipped: 0,
  missing: 1,
  stale: 0,
  failed: 0,
};

/** What a description may try: commands of a workflow, markup of every kind, ends of what it stands in. */
const HOSTILE =
  '\n::error::x%0A::set-output,a:b\r</failure>]]><script>alert(1)</script> `a` [b](http://e.example) @someone | #1 owner/thing#2 www.e.example & "q" \u202e\u0007\ufffe\ud800';

function entry(kind: EntryKind, changes: Partial<Entry> = {}): Entry {
  return {
    kind,
    level: 'note',
    source: 'api',
    tool: 'book_visit',
    operation: 'createVisit',
    fields: [],
    differences: [],
    message: `book_visit: ${kind}`,
    place: { file: 'my tools/toolwright.yaml', line: 7, column: 3 },
    ...changes,
  };
}

const BREAKING = {
  at: '/input_schema/properties/day',
  code: 'argument-required',
  class: 'breaking',
  message: '"day" has to be given now',
} as const;
const TEXT = { at: '/description', code: 'text-changed', class: 'text', message: 'it reads otherwise' } as const;

function report(entries: readonly Entry[], changes: Partial<Report> = {}): Report {
  return {
    state: 'planned',
    changes: true,
    check: false,
    sources: ['api', 'quiet'],
    counts: COUNTS,
    entries,
    ...changes,
  };
}

const ALL = report([
  entry('failed', { level: 'error', code: 'source-unreadable' }),
  ...(Object.keys(ENTRY_KINDS) as EntryKind[]).filter((kind) => kind !== 'failed').map((kind) => entry(kind)),
  entry('refresh', { level: 'warning', fields: ['input_schema', 'description'], differences: [TEXT, BREAKING] }),
]);
const HOSTILE_REPORT = report(
  (Object.keys(ENTRY_KINDS) as EntryKind[]).flatMap((kind) => [
    entry(kind, { message: HOSTILE, source: HOSTILE, operation: HOSTILE }),
    entry(kind, { source: HOSTILE, differences: [{ ...BREAKING, at: HOSTILE, message: HOSTILE }], level: 'warning' }),
  ]),
  { sources: [HOSTILE] },
);
const MANY = report(
  Array.from({ length: 5_000 }, (_, i) =>
    entry('refresh', { tool: `tool_${i}`, message: 'x'.repeat(400), differences: [BREAKING] }),
  ),
);

describe('text', () => {
  const plain = (one: Report) => textReport(one, (_style, text) => text);

  it('has a symbol for each entry, its differences and the total', () => {
    const lines = plain(ALL).split('\n');
    expect(lines).toContain('+ book_visit');
    expect(lines).toContain('~ book_visit (input_schema, description)');
    expect(lines).toContain('= book_visit: held until it is approved');
    expect(lines).toContain('! book_visit: missing');
    expect(plain(report([entry('failed', { source: 'clinic', message: 'it is not there' })]))).toMatch(
      /^! clinic: it is not there$/m,
    );
    expect(lines.filter((line) => line.startsWith('    ')).map((line) => line.trim().split(' ')[0])).toEqual([
      'breaking',
      'text',
    ]);
    expect(lines.at(-1)).toBe('Plan: 1 to create, 1,000 to refresh, 2 to hold; 3 unchanged, 1 missing');
    expect(plain({ ...ALL, state: 'written' })).toMatch(
      /^Done: 1 created, 1,000 refreshed, 2 held; 3 unchanged, 1 missing$/m,
    );
  });

  it('marks a connection that is created like a tool that is, and one that changes like one that does', () => {
    const connection = (action: 'create' | 'change') =>
      plain(report([entry('connection', { action, message: `it is ${action}d` })])).split('\n')[0];
    expect([connection('create'), connection('change')]).toEqual(['+ it is created', '~ it is changed']);
  });

  it('paints where it may', () => {
    expect(textReport(ALL, (style, text) => `<${String(style)}>${text}`)).toContain('<green>+ book_visit');
  });

  it('holds every text on its line', () => {
    const text = plain(HOSTILE_REPORT);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there.
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
    expect(text.split('\n').every((line) => /^(?:[+~=?!-] | {4}(?:breaking|text|safe) |Plan: )/.test(line))).toBe(true);
  });

  it('says how many more are skipped', () => {
    const skipped = Array.from({ length: 8 }, () => entry('skipped'));
    expect(plain(report(skipped)).split('\n')).toContain('- api: 3 more skipped');
  });
});

describe('json', () => {
  it('is versioned and the same every time', () => {
    const value = JSON.parse(jsonReport(ALL));
    expect(value).toMatchObject({ format: 'toolwright-report', version: 1, state: 'planned', counts: COUNTS });
    expect(value.entries).toEqual(JSON.parse(JSON.stringify(ALL.entries)));
    expect(jsonReport(HOSTILE_REPORT)).toBe(jsonReport(HOSTILE_REPORT));
  });
});

describe('markdown', () => {
  it('folds each group, what breaks first', () => {
    const text = markdownReport(ALL);
    expect(text).toContain('**Plan: 1 to create');
    expect(text).toContain('<br>1 with breaking differences');
    expect(text).toContain('<summary>Changed (3)</summary>\n\n- `book_visit` (input_schema, description), of api');
    expect(text).toContain('  - **breaking**: "day" has to be given now');
  });

  it('names the source of a fault, and counts no connection among the tools', () => {
    const text = markdownReport(
      report([
        entry('failed', { source: 'clinic', message: 'it is not there' }),
        entry('create'),
        entry('connection', { message: 'the connection is created' }),
      ]),
    );
    expect(text).toContain('- clinic: it is not there');
    expect(text).toContain('<summary>New (1)</summary>');
    expect(text).toContain('<summary>Connections (1)</summary>\n\n- the connection is created');
  });

  it('is no markup of others', () => {
    const text = markdownReport(HOSTILE_REPORT);
    const tags = new Set(text.match(/<[^>]*>/g));
    expect([...tags].filter((tag) => !/^<(?:\/?(?:details|summary)|details open|br)>$/.test(tag))).toEqual([]);
    // What is left of it when it is rendered: GitHub looks for names, issues and addresses there.
    const rendered = text
      .replace(/&(?:amp|lt|gt|#\d+);/g, (one) => decoded(one))
      .replace(/\\([!-/:-@[-`{-~])/g, '$1')
      .replace(/^### /gm, '');
    expect(rendered).toContain('someone');
    expect(rendered).not.toMatch(/[@#][a-z\d]|:\/\/|www\./i);
    expect(text).not.toMatch(/@someone|http:\/\/|(?<!\\)\[b|(?<!\\)`a/);
    expect(text.split('\n').every((line) => /^(?:$|###|\*\*|<details|<\/details|- | {2}- )/.test(line))).toBe(true);
  });

  it('fits into a comment, and says how many more there are', () => {
    const text = markdownReport(MANY);
    expect(text.length).toBeLessThan(65_536);
    expect(text).toContain('- 4,950 more');
  });
});

function decoded(entity: string): string {
  const named: { readonly [entity: string]: string } = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };
  return named[entity] ?? String.fromCodePoint(Number(/\d+/.exec(entity)?.[0]));
}

/** Workflow commands of GitHub, read as the runner reads them. */
function commands(text: string): { kind: string; properties: Record<string, string>; message: string }[] {
  const decoded = (part: string) =>
    part
      .replaceAll('%3A', ':')
      .replaceAll('%2C', ',')
      .replaceAll('%0D', '\r')
      .replaceAll('%0A', '\n')
      .replaceAll('%25', '%');
  return text.split('\n').flatMap((line) => {
    const [, kind, properties = '', message = ''] = /^::(\w+) ?(.*?)::(.*)$/.exec(line) ?? [];
    if (kind === undefined) return [];
    const pairs = properties
      .split(',')
      .map((pair) => [pair.slice(0, pair.indexOf('=')), decoded(pair.slice(pair.indexOf('=') + 1))]);
    return [{ kind, properties: Object.fromEntries(pairs), message: decoded(message) }];
  });
}

describe('github', () => {
  it('annotates the lines of the manifest', () => {
    const found = commands(githubReport(ALL));
    expect(found).toContainEqual({
      kind: 'warning',
      properties: { file: 'my tools/toolwright.yaml', line: '7', col: '3', title: 'toolwright argument-required' },
      message: 'book_visit: "day" has to be given now',
    });
    expect(found[0]).toMatchObject({ kind: 'error', properties: { title: 'toolwright failed' } });
    expect(found.map(({ properties }) => properties.title)).not.toContain('toolwright skipped');
    expect(githubReport(ALL).split('\n').at(-1)).toMatch(/^Plan: /);
  });

  it('lets no text be a command', () => {
    const text = githubReport(HOSTILE_REPORT);
    for (const { kind, properties, message } of commands(text)) {
      expect(['error', 'warning', 'notice']).toContain(kind);
      expect(Object.keys(properties)).toEqual(
        ['file', 'line', 'col', 'title'].slice(properties.file === undefined ? 3 : 0),
      );
      if (message.includes('set-output')) expect(message).toContain('::error::x%0A::set-output,a:b');
    }
    expect(text.split('\n').every((line) => /^(?:::(?:error|warning|notice) |Plan: )/.test(line))).toBe(true);
  });

  it('shows as many of a kind as GitHub does, and says how many more', () => {
    const found = commands(githubReport(MANY));
    expect(found).toHaveLength(10);
    expect(found.at(-1)?.message).toBe('4,991 more');
  });

  it('places the faults of a manifest', () => {
    const faults = [{ line: 2, column: 5, at: '/x', message: 'it is: wrong, twice' }];
    const failure = new Failure('invalid-manifest', 'x', { path: 'a,b:c.yaml', faults });
    expect(githubFailure(failure)).toBe(
      '::error file=a%2Cb%3Ac.yaml,line=2,col=5,title=toolwright invalid-manifest::it is: wrong, twice',
    );
    expect(githubFailure(new Failure('bad-request', 'no'))).toBe('::error title=toolwright bad-request::no');
  });
});

describe('sarif', () => {
  it.each([
    ['all kinds', ALL],
    ['hostile texts', HOSTILE_REPORT],
    ['nothing', report([])],
    ['no place', report([{ ...entry('missing'), place: { file: '/a b/ü.yaml', line: 1, column: 1 } }])],
  ])('is what the specification says: %s', (_name, one) => {
    expect(sarifFaults(JSON.parse(sarifReport(one, '0.1.0')))).toEqual([]);
  });

  it('has no link of others', () => {
    const { runs } = JSON.parse(sarifReport(HOSTILE_REPORT, '0.1.0'));
    const texts: string[] = runs[0].results.map(({ message }: { message: { text: string } }) => message.text);
    expect(texts.filter((text) => text.includes('](http://e.example)')).length).toBeGreaterThan(0);
    for (const text of texts) expect(text).not.toMatch(/(?<!\\)\[[^\]]*(?<!\\)\]\(/);
  });

  it('has a rule for each kind and each difference, and a result for each finding', () => {
    const { runs } = JSON.parse(sarifReport(ALL, '0.1.0'));
    expect(runs[0].results).toHaveLength(ALL.entries.length);
    const described = runs[0].tool.driver.rules.map(
      ({ id, shortDescription }: { id: string; shortDescription: { text: string } }) => [id, shortDescription.text],
    );
    expect(Object.fromEntries(described)).toEqual({
      ...ENTRY_KINDS,
      'argument-required': DIFFERENCE_CODES['argument-required'],
    });
  });

  it('keeps the fingerprint of a finding whose line moved', () => {
    const moved = { ...entry('missing'), place: { file: 'toolwright.yaml', line: 70, column: 1 } };
    const prints = [entry('missing'), moved, entry('missing', { tool: 'other' })].map(
      (one) => JSON.parse(sarifReport(report([one]), '0.1.0')).runs[0].results[0].partialFingerprints['toolwright/v1'],
    );
    expect(prints[0]).toBe(prints[1]);
    expect(prints[0]).not.toBe(prints[2]);
  });

  it('would be found out', () => {
    const log = JSON.parse(sarifReport(ALL, '0.1.0'));
    log.runs[0].results[0].level = 'fatal';
    log.runs[0].results[0].ruleIndex = 99;
    log.runs[0].results[1].locations[0].physicalLocation.region.startLine = 0;
    expect(sarifFaults(log)).toHaveLength(3);
  });
});

/** XML, read strictly: elements with attributes and text, every one closed. */
function elements(text: string): { name: string; attributes: Record<string, string>; depth: number }[] {
  const found: { name: string; attributes: Record<string, string>; depth: number }[] = [];
  const open: string[] = [];
  let rest = text.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  expect(rest).not.toBe(text);
  while (rest !== '') {
    const [whole, close, name = '', attributes = '', alone, words] =
      /^(?:<(\/)?([\w]+)((?: \w+="(?:[^<&"]|&(?:amp|lt|gt|quot|#10);)*")*)(\/)?>|((?:[^<&]|&(?:amp|lt|gt|quot|#10);)+))/.exec(
        rest,
      ) ?? [];
    if (whole === undefined) throw new Error(`this is no XML: ${rest.slice(0, 60)}`);
    rest = rest.slice(whole.length);
    if (words !== undefined) continue;
    if (close !== undefined) {
      expect(open.pop()).toBe(name);
      continue;
    }
    const pairs = [...attributes.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]);
    expect(new Set(pairs.map(([key]) => key)).size).toBe(pairs.length);
    found.push({ name, attributes: Object.fromEntries(pairs), depth: open.length });
    if (alone === undefined) open.push(name);
  }
  expect(open).toEqual([]);
  return found;
}

describe('junit', () => {
  it.each([
    ['all kinds', ALL],
    ['hostile texts', HOSTILE_REPORT],
    ['a check', { ...ALL, check: true }],
  ])('is XML with its numbers right: %s', (_name, one) => {
    const text = junitReport(one);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has none of them.
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/);
    expect(text).not.toMatch(/\p{Cs}/u);
    const found = elements(text);
    const [root] = found;
    const number = (name: string) => String(found.filter((element) => element.name === name).length);
    expect(root?.attributes).toEqual({
      name: 'toolwright',
      tests: number('testcase'),
      failures: number('failure'),
      errors: number('error'),
      skipped: number('skipped'),
    });
  });

  it('fails what a reviewer must look at, and under a check every change', () => {
    const failures = (one: Report) =>
      elements(junitReport(one))
        .filter(({ name }) => name === 'failure')
        .map(({ attributes }) => attributes.type);
    const entries = [
      entry('create'),
      entry('missing', { level: 'error' }),
      entry('refresh', { differences: [BREAKING] }),
    ];
    expect(failures(report(entries))).toEqual(['missing', 'refresh']);
    expect(failures(report(entries, { check: true }))).toEqual(['create', 'missing', 'refresh']);
  });

  it('passes a source of which there is nothing to say', () => {
    expect(junitReport(report([]))).toContain('<testcase classname="quiet" name="unchanged"/>');
  });
});
