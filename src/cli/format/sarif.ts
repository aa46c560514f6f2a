// A report as a SARIF 2.1.0 log: one result for each finding, at the line of the manifest that it follows from.
import { digest } from '../../base/canonical.js';
import { DIFFERENCE_CODES } from '../../base/codes.js';
import { visible } from '../../base/text.js';
import { ENTRY_KINDS, type Finding, findings, type Report } from './report.js';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
const RULES: { readonly [id: string]: string } = { ...ENTRY_KINDS, ...DIFFERENCE_CODES };

/** `version`: of this program. */
export function sarifReport(report: Report, version: string): string {
  const found = report.entries.flatMap(findings);
  const used = [...new Set(found.map(({ rule }) => rule))].sort();
  const properties = {
    ...(report.cost === undefined ? {} : { cost: report.cost }),
    ...(report.counts.waiting > 0 ? { waiting: report.counts.waiting } : {}),
  };
  const log = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'toolwright',
            version,
            rules: used.map((id) => ({ id, shortDescription: { text: RULES[id] ?? id } })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: found.map((finding) => result(finding, used)),
        ...(Object.keys(properties).length === 0 ? {} : { properties }),
      },
    ],
  };
  return JSON.stringify(log, null, 2);
}

function result({ rule, level, message, entry }: Finding, rules: readonly string[]): object {
  const { place, source, tool, operation } = entry;
  const physical =
    place === undefined
      ? {}
      : {
          physicalLocation: {
            artifactLocation: { uri: uriOf(place.file) },
            region: { startLine: place.line, startColumn: place.column },
          },
        };
  return {
    ruleId: rule,
    ruleIndex: rules.indexOf(rule),
    level,
    message: { text: messageText(message) },
    locations: [
      {
        ...physical,
        logicalLocations: [
          { fullyQualifiedName: [source, tool ?? operation].filter((one) => one !== undefined).join('/') },
        ],
      },
    ],
    // The same finding in the next run, wherever its line has moved to.
    partialFingerprints: { 'toolwright/v1': digest([rule, source, operation ?? null, tool ?? null, message]) },
  };
}

/** SARIF, section 3.11.6: a text in brackets with an address in parentheses after it would be a link. */
function messageText(message: string): string {
  const text = visible(message, 1_000);
  return text.includes('](') ? text.replace(/[\\[\]]/g, '\\$&') : text;
}

/** A relative reference, its segments encoded (RFC 3986); an absolute path becomes a file URI. */
function uriOf(file: string): string {
  const path = file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/');
  return path.startsWith('/') ? `file://${path}` : path;
}
