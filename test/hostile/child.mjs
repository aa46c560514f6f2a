// Reads hostile descriptions in a process of its own with little memory: `node child.mjs LIBRARY one|stdin|many PATH`.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

const [library = '', mode = 'one', path = ''] = process.argv.slice(2);
const { preview } = await import(library);

/** What came of one source: counts, or the code of the failure. */
async function outcomeOf(source) {
  try {
    const { operations, unimportable, notices } = await preview(source);
    const codes = [...new Set(unimportable.map(({ code }) => code))].sort();
    const answer = { operations, unimportable, notices };
    return { answer, outcome: { operations: operations.length, unimportable: unimportable.length, codes } };
  } catch (error) {
    if (error?.name !== 'Failure') throw error;
    return { answer: {}, outcome: { failure: error.code } };
  }
}

/** The bytes of the answer as the command line prints it. */
function printed(answer) {
  return Buffer.byteLength(JSON.stringify(answer));
}

/** What this process has taken of the processor, in milliseconds: the clock would also count what others do on a busy machine. */
function taken() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

async function one(source) {
  const start = taken();
  const { answer, outcome } = await outcomeOf(source);
  const read = taken();
  const bytes = printed(answer);
  const rss = Math.round(process.resourceUsage().maxRSS / 1024);
  return { ...outcome, ms: Math.round(read - start), print_ms: Math.round(taken() - read), bytes, rss };
}

/** One description a line. */
async function many() {
  const start = taken();
  let read = 0;
  let slowest = 0;
  let early = 0;
  for await (const line of createInterface({ input: createReadStream(path) })) {
    const before = taken();
    printed((await outcomeOf({ document: line })).answer);
    slowest = Math.max(slowest, taken() - before);
    read += 1;
    if (read === 100) early = process.memoryUsage().rss;
  }
  const growth = Math.round((process.memoryUsage().rss - early) / 1024 / 1024);
  return { read, slowest: Math.round(slowest), ms: Math.round(taken() - start), growth };
}

const modes = { one: () => one({ file: path }), stdin: () => one({ file: '-' }), many };
const report = await modes[mode]();
// The standard input may never end.
process.stdout.write(JSON.stringify(report), () => process.exit(0));
