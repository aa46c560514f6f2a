// Use case: what of a description, or of stored tools, will make a model fail.
import { Budget } from '../base/budget.js';
import { shownSchema } from '../call/shown.js';
import type { ApiDocument, Source } from '../document/document.js';
import { cutTo } from '../operation/cut.js';
import { startReading, survey } from '../operation/read.js';
import { isEmission } from '../tool/emit.js';
import type { Finding, Subject } from '../tool/lint/finding.js';
import { SEVERITIES } from '../tool/lint/finding.js';
import { lintSubjects, lintTool } from '../tool/lint/lint.js';
import { lintTexts } from '../tool/lint/text.js';
import type { HttpTool } from '../tool/tool.js';
import { compile } from './compile.js';
import { type CommonOptions, readingOf } from './preview.js';
import { readDescription } from './read.js';

/**
 * What of the operations that can be imported will make a model fail; the gravest first. Texts are looked at as they stand in
 * the description, since hidden characters never get into a tool: in the operations, and in all that they refer to.
 * @throws Failure of the reading of the description.
 */
export async function lintDescription(source: Source, options: CommonOptions = {}): Promise<readonly Finding[]> {
  const rules = readingOf(options);
  const { limits, profile } = rules;
  const document = await readDescription(source, rules);
  const progress = options.progress === undefined ? {} : { progress: options.progress };
  const { operations } = compile(document, { limits, profile, ...progress });
  const subjects: Subject[] = [];
  const keys = new Set<string>();
  for (const { head, result } of operations) {
    if (!isEmission(result)) continue;
    const { name, description, method, input_schema } = result.draft;
    subjects.push({ name, description, method, input_schema, at: head.place.at });
    keys.add(head.key);
  }
  const reading = startReading(document, { limits, profile, budget: new Budget(limits) });
  const heads = survey(reading).heads.filter(({ key }) => keys.has(key));
  return gravestFirst([...lintSubjects(subjects), ...lintTexts(cutTo(heads, reading)), ...lintFiles(document)]);
}

/** What the other files of a description hold: their pointers begin with its path. */
function lintFiles({ files }: ApiDocument): readonly Finding[] {
  if (files === undefined) return [];
  return [...files.read].flatMap(([uri, file]) => {
    if (uri === files.base || !('root' in file)) return [];
    return lintTexts(file.root).map((one) => ({ ...one, at: `${file.at}${one.at}` }));
  });
}

/** What of stored tools will make a model fail that is shown them together; the gravest first. */
export function lintTools(tools: readonly HttpTool[]): readonly Finding[] {
  const subjects = tools.map((tool): Subject => {
    const { name, description, config } = tool;
    return { name, description, method: config.method, input_schema: shownSchema(tool), at: '' };
  });
  return gravestFirst([...lintSubjects(subjects), ...tools.flatMap((tool) => lintTool({ ...tool }))]);
}

function gravestFirst(findings: readonly Finding[]): readonly Finding[] {
  return SEVERITIES.flatMap((severity) => findings.filter((one) => one.severity === severity));
}
