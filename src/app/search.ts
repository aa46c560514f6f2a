// Use case: tools found by words, the best first.
import MiniSearch from 'minisearch';
import { isObject } from '../base/json.js';
import type { HttpTool } from '../tool/tool.js';

/** What is searched of a tool; its name counts most. */
interface Entry {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly parameters: string;
}

/** Finds tools by words; of equal ones the order they are given in holds. */
export function toolFinder(tools: readonly HttpTool[]): (query: string, most: number) => readonly HttpTool[] {
  const index = new MiniSearch<Entry>({
    fields: ['name', 'description', 'parameters'],
    processTerm: words,
    searchOptions: {
      boost: { name: 3, description: 1.5 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      // Two names of one word that both hold it differ by chance alone.
      bm25: { k: 1.2, b: 0.5, d: 0.5 },
    },
  });
  index.addAll(tools.map(entry));
  return (query, most) => {
    const found = index.search(query).map(({ id, score }) => ({ id: id as number, score }));
    found.sort((a, b) => b.score - a.score || a.id - b.id);
    return found.slice(0, most).flatMap(({ id }) => tools[id] ?? []);
  };
}

function entry(tool: HttpTool, id: number): Entry {
  const { properties } = tool.input_schema;
  const parameters = Object.entries(isObject(properties) ? properties : {}).map(([name, schema]) => {
    const text = isObject(schema) && typeof schema.description === 'string' ? schema.description : '';
    return `${name} ${text}`;
  });
  return { id, name: tool.name, description: tool.description, parameters: parameters.join(' ') };
}

/** Words as they are searched: `createVisits` also as `create` and `visit`. */
function words(term: string): string[] {
  const parts = term.split(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
  const all = [...parts, ...(parts.length > 1 ? [term] : [])].map((part) => singular(part.toLowerCase()));
  return all.filter((part) => part !== '');
}

/** Good enough for names of operations: `visits`, `boxes`, `entries`; not `address`, `status`. */
function singular(word: string): string {
  if (word.length < 4 || /(?:ss|us|is)$/.test(word)) return word;
  return word.replace(/ies$/, 'y').replace(/(?<=x|ch|sh)es$|s$/, '');
}
