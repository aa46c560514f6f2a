// The command line: reads the arguments, loads the one command they name, turns what it throws to an exit status.
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { HOLDS } from '../plan/plan.js';
import { CONSUMERS } from '../tool/dialect/dialect.js';
import { SEVERITIES } from '../tool/lint/finding.js';
import { PROVIDER_NAMES } from '../tool/provider.js';
import { EXIT, explain } from './exit.js';
import { endOnInterrupt } from './interrupt.js';
import {
  repeatable,
  withBudget,
  withCompile,
  withFormat,
  withOutput,
  withOutputSchemas,
  withReading,
  withSelect,
  withStore,
} from './options.js';
import { complain } from './terminal.js';
import { version } from './version.js';

/**
 * Runs one command line.
 * @returns the exit status.
 */
export async function run(args: readonly string[]): Promise<number> {
  endOnInterrupt();
  // A reader that closed the pipe (`| head`) has what it wanted.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.done);
    process.stderr.write(`error[output]: the output could not be written (${error.code})\n`);
    process.exit(EXIT.failed);
  });
  process.stderr.on('error', () => {});
  try {
    const outcome: Outcome = { status: EXIT.done };
    await program(outcome, args[0]).parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' });
    return outcome.status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const { message, status } = explain(error, args[0]);
    complain(message);
    return status;
  }
}

/** What a command that was carried out exits with. */
interface Outcome {
  status: number;
}

const COMMANDS: ReadonlyMap<string, (outcome: Outcome) => Command> = new Map([
  ['preview', previewCommand],
  ['cut', cutCommand],
  ['import', importCommand],
  ['apply', applyCommand],
  ['tools', toolsCommand],
  ['connections', connectionsCommand],
  ['call', callCommand],
  ['store', storeCommand],
  ['mcp', mcpCommand],
  ['export', exportCommand],
  ['lint', lintCommand],
]);

/** The commands, or only the one that is named first: an agent waits for `mcp` to start. */
function program(outcome: Outcome, named = ''): Command {
  const root = new Command('toolwright')
    .description(
      'Compile API descriptions (OpenAPI 3.x, Swagger 2, Google Discovery) to tools that language-model agents call.',
    )
    .version(version())
    .exitOverride()
    .showHelpAfterError('(add --help for the options)');
  const only = COMMANDS.get(named);
  for (const make of only === undefined ? COMMANDS.values() : [only]) root.addCommand(make(outcome));
  root.addHelpText('after', EXAMPLES);
  return root;
}

const EXAMPLES = `
A description is a path, a URL, or - for the standard input.

Examples:
  toolwright preview clinic.json
  toolwright import clinic.json --server https://api.clinic.example/v1 --tag visits
  toolwright tools list
  toolwright mcp clinic.json --server https://api.clinic.example/v1`;

function previewCommand(): Command {
  const command = new Command('preview')
    .description('list what could become a tool, and why the rest cannot')
    .argument('<description>')
    .option('--cost', 'count what each would cost a model, in bytes and tokens')
    .option('--output-schemas', 'show what each answers (with --json)');
  return withBudget(withSelect(withCompile(command)))
    .exitOverride()
    .action(async (description, flags) => (await import('./preview.js')).runPreview(description, flags));
}

function cutCommand(): Command {
  const command = new Command('cut')
    .description('write a smaller description: the chosen operations and what they refer to')
    .argument('<description>')
    .option('-o, --output <file>', 'write it here; without, to the standard output');
  return withSelect(withCompile(command))
    .exitOverride()
    .action(async (description, flags) => (await import('./cut.js')).runCut(description, flags));
}

function importCommand(): Command {
  const command = new Command('import')
    .description('put chosen operations into a store; run again after the API changed')
    .argument('<description>')
    .requiredOption('--server <url>', 'where the API is')
    .option('--set <label>', 'keep apart two descriptions that live on one server')
    .option('--override-servers', 'send operations with servers of their own to this server')
    .option('--batch', 'take any number of operations, as one change')
    .option('--dry-run', 'say what would be written, and write nothing')
    .addOption(
      new Option(
        '--hold <what>',
        'keep a tool as it is and let its change wait: breaking, those and text, or all',
      ).choices(HOLDS),
    )
    .option('--connection <id>', 'call the tools that are created through this connection')
    .option('--group <label>', 'call them through a connection of this group');
  return withFormat(withStore(withBudget(withOutputSchemas(withSelect(withCompile(command))))))
    .exitOverride()
    .action(async (description, flags) => (await import('./import.js')).runImport(description, flags));
}

function applyCommand(outcome: Outcome): Command {
  const command = new Command('apply')
    .description('put the tools of all sources of a manifest into its store, as one change')
    .argument('[file]', 'a manifest, or a plan that was saved', 'toolwright.yaml')
    .option('--check', 'write nothing; exit 3 where anything would change or is missing')
    .option('--plan <file>', 'write nothing but the plan, to this file; `apply <file>` writes it later')
    .option('-y, --yes', 'write without asking')
    .addOption(new Option('--environment <name>', 'a variant of the manifest').env('TOOLWRIGHT_ENVIRONMENT'))
    .addOption(
      new Option('--hold <changes>', 'these changes wait for `tools approve`').choices(['breaking', 'text', 'all']),
    )
    .addOption(new Option('--store <address>', 'another store than that of the manifest').env('TOOLWRIGHT_STORE'))
    .addOption(
      repeatable('--allow-private <host>', 'read URLs on this host though its address is private (repeatable)'),
    );
  command.option('--cost', 'count the bytes and tokens of the tools of the manifest');
  return withFormat(withBudget(withOutput(command)))
    .exitOverride()
    .action(async (file, flags) => {
      outcome.status = await (await import('./apply.js')).runApply(file, flags);
    });
}

function toolsCommand(): Command {
  const tools = new Command('tools')
    .description('write tools by hand, look at those of a store, change what is yours, remove them')
    .exitOverride();
  const add = (command: Command) => tools.addCommand(withStore(withOutput(command)).exitOverride());
  add(
    new Command('create')
      .description('write a tool by hand')
      .argument('<file>', 'JSON of one tool; - is the standard input')
      .action(async (file, flags) => (await import('./tools.js')).runCreate(file, flags)),
  );
  add(
    new Command('list')
      .description('list the tools')
      .option('--cost', 'count what each costs a model, in bytes and tokens')
      .action(async (flags) => (await import('./tools.js')).runList(flags)),
  );
  add(
    new Command('show')
      .description('print one tool')
      .argument('<tool>', 'id or name')
      .action(async (tool, flags) => (await import('./tools.js')).runShow(tool, flags)),
  );
  add(setCommand());
  add(
    new Command('approve')
      .description('let what an import held back take the place of what is stored, and show what that changes')
      .argument('[tools...]', 'ids or names')
      .option('--all', 'every tool that waits')
      .option('--dry-run', 'show the differences and the digest of what waits, and write nothing')
      .option('--digest <digest>', 'of one tool: only where what waits still is what was shown under this digest')
      .action(async (names, flags) => (await import('./approve.js')).runApprove(names, flags)),
  );
  add(
    new Command('remove')
      .description('remove tools')
      .argument('<tools...>', 'ids or names')
      .action(async (names, flags) => (await import('./tools.js')).runRemove(names, flags)),
  );
  return tools;
}

function setCommand(): Command {
  return new Command('set')
    .description('change what is yours of a tool; a later import keeps it')
    .argument('<tool>', 'id or name')
    .option('--name <name>', 'call it so')
    .option('--description <text>', "show this in the place of the API's own text")
    .option('--no-description', "show the API's own text again")
    .addOption(repeatable('--fix <name=value>', 'fix a parameter: the model no longer sees it (repeatable)'))
    .addOption(repeatable('--unfix <name>', 'leave a parameter to the model again (repeatable)'))
    .addOption(repeatable('--hide <name>', 'show an optional parameter to nobody (repeatable)'))
    .addOption(repeatable('--unhide <name>', 'show it again, from the next import on (repeatable)'))
    .addOption(
      repeatable('--show <name>', 'show a property of the body that was cut, from the next import on (repeatable)'),
    )
    .addOption(repeatable('--unshow <name>', 'leave it out again, from the next import on (repeatable)'))
    .option('--deadline <seconds>', 'end a call after so long, 1 to 300', seconds)
    .option('--connection <id>', 'call through this connection')
    .option('--group <label>', 'call through a connection of this group')
    .option('--no-connection', 'call without a connection')
    .action(async (tool, flags) => (await import('./tools.js')).runSet(tool, flags));
}

function seconds(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('It is a whole number of seconds.');
  return Number(text);
}

function callCommand(outcome: Outcome): Command {
  const command = new Command('call')
    .description('call a tool with its own connection and deadline')
    .argument('[tool]', 'id or name')
    .argument('[arguments...]', 'name=value, read as the type that the tool declares')
    .option('--args <json>', 'the arguments as one JSON object; - is the standard input')
    .addOption(new Option('--for <consumer>', 'the JSON is written for this form of the tool').choices(CONSUMERS))
    .option('--dry-run', 'print the exact request with its credential masked, and send nothing')
    .option('--records', 'list the last calls (of one tool, where it is named), and send nothing')
    .addOption(repeatable('--allow-private <host>', 'call this host though its address is private (repeatable)'));
  return withStore(withOutput(command))
    .exitOverride()
    .action(async (tool, pairs, flags) => {
      outcome.status = await (await import('./call.js')).runCall(tool, pairs, flags);
    });
}

function storeCommand(outcome: Outcome): Command {
  const store = new Command('store').description('copy stores, check one').exitOverride();
  const copy = new Command('copy')
    .description('copy tools and connections, whose secrets stay sealed, from a store to another')
    .argument('<from>', 'address')
    .argument('<to>', 'address; what else is there stays')
    .action(async (from, to, flags) => (await import('./store.js')).runCopy(from, to, flags));
  const check = new Command('check')
    .description('check every record, and what only one may have')
    .argument('[address]', 'without, that of --store')
    .action(async (address, flags) => {
      outcome.status = await (await import('./store.js')).runCheck(address, flags);
    });
  store.addCommand(withOutput(copy).exitOverride());
  store.addCommand(withStore(withOutput(check)).exitOverride());
  return store;
}

function mcpCommand(): Command {
  const command = new Command('mcp')
    .description('serve tools to an agent over the Model Context Protocol')
    .argument('[description]', 'serve what this describes, without a store; else the tools of the store')
    .option('--server <url>', 'with a description: where the API is')
    .option('--override-servers', 'with a description: send operations with servers of their own to this server')
    .option('--connection <id>', 'with a description: call through this connection')
    .option('--group <label>', 'with a description: call through a connection of this group')
    .option('--secret <env:NAME>', 'with a description: the variable that holds the key of the API')
    .addOption(placement())
    .option('--header <name>', 'the header that carries the key')
    .option('--prefix-key <text>', 'put before the key in the header, as it is: "Bearer "')
    .option('--parameter <name>', 'the query parameter that carries the key')
    .option('--http <port>', 'serve over HTTP at /mcp, not over the standard input and output', port)
    .option('--host <name>', 'listen there; elsewhere than on this machine a token is needed', '127.0.0.1')
    .addOption(repeatable('--allow-host <name>', 'a name that the server is reached by (repeatable)'))
    .option('--token <env:NAME>', 'the variable with the bearer token that every request has to bring')
    .option('--token-file <file>', 'the file with that token')
    .option('--search', 'offer three tools to search, describe and call all others')
    .option('--max-tools <number>', 'offer those three where there are more tools than this', whole, 40)
    .option('--max-answer <bytes>', 'cut answers that are longer', whole, 50_000)
    .option('--read-only', 'offer only tools that read')
    .addOption(new Option('--confirm <what>', 'have a person asked before such calls').choices(['destructive']))
    .addOption(
      new Option('--log-level <level>', 'what is said on the standard error')
        .choices(['error', 'warning', 'info', 'debug'])
        .default('info'),
    )
    .addOption(new Option('--log-format <format>', 'how it is said').choices(['text', 'json']).default('text'))
    .addOption(
      new Option(
        '--print-config <client>',
        'print what to paste into the configuration of a client, and serve nothing',
      ).choices(['claude-desktop', 'claude-code', 'cursor', 'vscode']),
    )
    .option('--name <name>', 'with --print-config: what the client calls the server', 'toolwright');
  return withStore(withSelect(withReading(command)))
    .exitOverride()
    .action(async (description, flags) => {
      await (await import('./mcp.js')).runMcp(description, flags, { args: process.argv.slice(2), version: version() });
    });
}

function port(text: string): number {
  const number = whole(text);
  if (number > 65_535) throw new InvalidArgumentError('It is a port, 0 to 65535.');
  return number;
}

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a whole number.');
  return Number(text);
}

function placement(): Option {
  return new Option('--placement <place>', 'where the key goes (default: "header")').choices([
    'header',
    'query',
    'basic',
  ]);
}

function exportCommand(): Command {
  const command = new Command('export')
    .description('print the tools in the form of a consumer; what was changed for it goes to stderr')
    .argument('[tools...]', 'ids or names; without, all')
    .addOption(new Option('--for <consumer>', 'who is to read them').choices(CONSUMERS).makeOptionMandatory())
    .option('-o, --output <file>', 'write it here; without, to the standard output')
    .option('--changes', 'print every change in the place of the tools');
  return withStore(withOutput(command))
    .exitOverride()
    .action(async (names, flags) => (await import('./export.js')).runExport(names, flags));
}

function lintCommand(outcome: Outcome): Command {
  const command = new Command('lint')
    .description('name what will make a model fail: of a description, or of the tools of the store')
    .argument('[description]')
    .addOption(new Option('--fail-severity <name>', 'exit with 1 from here on').choices(SEVERITIES).default('error'));
  return withStore(withCompile(command))
    .exitOverride()
    .action(async (description, flags) => {
      outcome.status = await (await import('./lint.js')).runLint(description, flags);
    });
}

function connectionsCommand(): Command {
  const connections = new Command('connections').description('what authorizes the calls of tools').exitOverride();
  const add = (command: Command) => connections.addCommand(withStore(withOutput(command)).exitOverride());
  add(
    new Command('list')
      .description('list the connections; never a secret')
      .action(async (flags) => (await import('./connections.js')).runList(flags)),
  );
  add(
    withConsent(withSecret(new Command('add')))
      .description('create a connection')
      .addOption(
        new Option('--provider <name>', 'what it holds: a key, or an account of that provider')
          .choices(['http_key', ...PROVIDER_NAMES])
          .default('http_key'),
      )
      .addOption(placement())
      .option('--header <name>', 'the header that carries the key')
      .option('--prefix <text>', 'put before the key in the header, as it is: "Bearer "')
      .option('--parameter <name>', 'the query parameter that carries the key')
      .option('--group <label>', 'a label that tools may name in the place of an id')
      .action(async (flags) => (await import('./connections.js')).runAdd(flags)),
  );
  add(
    withConsent(withSecret(new Command('set')))
      .description('give a connection a new secret or consent, which heals it, or another group')
      .argument('<connection>', 'id')
      .option('--reseal', 'seal the secret that is there anew, under the first of the keys')
      .option('--group <label>', 'a label that tools may name in the place of an id')
      .option('--no-group', 'take it out of its group')
      .action(async (id, flags) => (await import('./connections.js')).runSet(id, flags)),
  );
  add(
    new Command('remove')
      .description('remove a connection')
      .argument('<connection>', 'id')
      .option('--force', 'also where tools point at it')
      .addOption(allowPrivate())
      .action(async (id, flags) => (await import('./connections.js')).runRemove(id, flags)),
  );
  return connections;
}

/** An account is lent by a person, in a browser. */
function withConsent(command: Command): Command {
  return command
    .option('--consent', 'ask a person to lend an account, in a browser')
    .addOption(repeatable('--scope <scope>', 'what the account is asked for (repeatable)'))
    .option('--no-browser', 'only print the address of the consent screen')
    .addOption(allowPrivate());
}

function allowPrivate(): Option {
  return repeatable('--allow-private <host>', 'reach the provider on this host though it is private (repeatable)');
}

/** A secret is never read from an argument, which others see in the list of processes and in the history. */
function withSecret(command: Command): Command {
  return command
    .option('--secret <env:NAME>', 'the environment variable that holds the secret, read at call time')
    .option('--secret-file <file>', 'read the secret from a file, and seal it')
    .option('--secret-stdin', 'read the secret from the standard input, and seal it')
    .addHelpText('after', '\nThe secret of --placement basic is written username:password.');
}
