// The formats of a report, by name; each is loaded when it is asked for.
import { styleText } from 'node:util';
import type { Report } from './report.js';

export const FORMATS = ['text', 'json', 'markdown', 'github', 'sarif', 'junit'] as const;
export type FormatName = (typeof FORMATS)[number];

/** The text of a report. `colour`: whether a text for people may be painted. `version`: of this program. */
export async function formatted(
  report: Report,
  name: FormatName,
  { colour, version }: { readonly colour: boolean; readonly version: string },
): Promise<string> {
  switch (name) {
    case 'text': {
      const { textReport } = await import('./text.js');
      return textReport(report, (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text));
    }
    case 'json':
      return (await import('./json.js')).jsonReport(report);
    case 'markdown':
      return (await import('./markdown.js')).markdownReport(report);
    case 'github':
      return (await import('./github.js')).githubReport(report);
    case 'sarif':
      return (await import('./sarif.js')).sarifReport(report, version);
    case 'junit':
      return (await import('./junit.js')).junitReport(report);
  }
}
