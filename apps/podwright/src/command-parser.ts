import createYargs, { type Arguments, type Argv } from 'yargs';
import { messageOf } from '@podwright/errors';
import { defaultSockets } from './client/default-socket.js';
import { CommandError } from './command-error.js';
import { commandList, wordOf } from './command-list.js';
import type { Command, GlobalFlags } from './commands/command.js';
import { splitShortOptions } from './short-options.js';

/** A command line that was understood: help to print, or a command to run. */
export type Parsed = { readonly output: string } | { readonly command: Command; readonly args: Arguments<GlobalFlags> };

const globalValueLetters = 'n';

/** Reads a command line. @throws CommandError that says where the help is. */
export function parseCommandLine(words: readonly string[]): Parsed {
  const named = commandIn(words);
  const [first] = words;
  if (named === undefined && first !== undefined && !first.startsWith('-')) {
    const message = `unknown command ${JSON.stringify(first)} for "podwright"`;
    throw new CommandError(`${message}\nRun 'podwright --help' for usage.`);
  }
  let chosen: Parsed | undefined;
  let output = '';
  const parser = createParser();
  for (const command of commandList) {
    const choose = (args: unknown): void => {
      chosen = { command, args: lastValues(args as Arguments<GlobalFlags>, optionsOf(command)) };
    };
    parser.command(wordOf(command), command.summary, (own) => withHelp(own as Argv<GlobalFlags>, command), choose);
  }
  const split = splitShortOptions(words, globalValueLetters + (named?.valueLetters ?? ''));
  void parser.parse(split.length === 0 ? ['--help'] : [...split], {}, (error, _args, text) => {
    if (error) {
      const help = named === undefined ? 'podwright --help' : `podwright ${wordOf(named)} --help`;
      throw new CommandError(`${messageOf(error)}\nSee '${help}' for usage.`);
    }
    output = text;
  });
  return output === '' && chosen !== undefined ? chosen : { output };
}

/** The command that a line calls. */
export function commandIn(words: readonly string[]): Command | undefined {
  const word = words.find((each) => commandList.some((command) => wordOf(command) === each));
  return commandList.find((command) => wordOf(command) === word);
}

/** Of an option that is given twice the last one counts, unless it is a list. */
function lastValues(args: Arguments<GlobalFlags>, { array }: KnownOptions): Arguments<GlobalFlags> {
  const isRepeated = (name: string, value: unknown): value is readonly unknown[] =>
    Array.isArray(value) && name !== '_' && name !== '--' && !array.includes(name);
  const last = Object.entries(args).map(([name, value]) => [name, isRepeated(name, value) ? value.at(-1) : value]);
  return Object.fromEntries(last) as Arguments<GlobalFlags>;
}

/** What yargs knows about options, by all their names. */
export interface KnownOptions {
  readonly string: readonly string[];
  /** Options that may be repeated. */
  readonly array: readonly string[];
  readonly choices: Readonly<Record<string, readonly string[]>>;
  /** Every option by its long name. */
  readonly key: Readonly<Record<string, unknown>>;
}

/** The options of a command, the global ones included. */
export function optionsOf(command: Command): KnownOptions {
  return knownOptions(command.flags(createParser()));
}

function knownOptions(yargs: Argv<unknown>): KnownOptions {
  return (yargs as unknown as { getOptions(): KnownOptions }).getOptions();
}

function createParser(): Argv<GlobalFlags> {
  return createYargs([])
    .scriptName('podwright')
    .usage('podwright runs pods on this machine without a cluster.\n\nUsage: $0 COMMAND [options]')
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      'greedy-arrays': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'populate--': true,
    })
    .updateStrings({
      'Unknown argument: %s': { one: 'unknown flag: %s', other: 'unknown flags: %s' } as never,
      'Not enough arguments following: %s': 'flag needs an argument: %s',
    })
    .option('namespace', { alias: 'n', type: 'string', describe: 'The namespace', requiresArg: true })
    .option('socket', {
      type: 'string',
      describe: `The kubelet's socket, also PODWRIGHT_SOCKET [${defaultSockets.join(', else ')}, else that of npm start]`,
    })
    .option('server', { type: 'string', describe: 'https://HOST:PORT instead of a socket' })
    .option('client-certificate', { type: 'string', describe: 'File with the certificate for --server' })
    .option('client-key', { type: 'string', describe: 'File with the key of the certificate' })
    .option('certificate-authority', { type: 'string', describe: 'File with the authority of the server' })
    .group([...globalNames], 'Global options:')
    .help('help', 'Show this help')
    .alias('help', 'h')
    .version(false)
    .wrap(120)
    .strictOptions()
    .exitProcess(false)
    .epilogue('podwright COMMAND --help shows the options and examples of a command.');
}

const globalNames = [
  'namespace',
  'socket',
  'server',
  'client-certificate',
  'client-key',
  'certificate-authority',
  'help',
];

function withHelp(own: Argv<GlobalFlags>, command: Command): Argv<unknown> {
  own.usage(`${command.summary}.\n\nUsage: $0 ${command.usage} [options]`).epilogue('');
  for (const [line, what] of command.examples) own.example(`$0 ${line}`, what);
  const flags = command.flags(own);
  // An option that takes a value needs one.
  return flags.requiresArg([...knownOptions(flags).string]);
}
