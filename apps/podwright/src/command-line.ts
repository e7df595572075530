import type { Arguments } from 'yargs';
import { ApiClient } from './client/api-client.js';
import { serverAddress, type AddressFlags } from './client/server-address.js';
import { CommandError, FlagError } from './command-error.js';
import type { CommandIo } from './command-io.js';
import { wordOf } from './command-list.js';
import { parseCommandLine } from './command-parser.js';
import type { CommandContext, GlobalFlags } from './commands/command.js';
import { completionKey } from './commands/completion.js';
import { completeWords } from './completion/complete-words.js';
import { failureOf } from './failure-message.js';

/** Runs one command line and returns the exit code. It never rejects. */
export async function runCommandLine(words: readonly string[], io: CommandIo): Promise<number> {
  try {
    if (words[0] === completionKey) await completeWords(words.slice(1), io);
    else await runCommand(words, io);
    return 0;
  } catch (error) {
    // What broke because the user interrupted is no news.
    if (io.signal.aborted) return 1;
    const { text, exitCode } = failureOf(error);
    await io.err(text);
    return exitCode;
  }
}

async function runCommand(words: readonly string[], io: CommandIo): Promise<void> {
  const parsed = parseCommandLine(words);
  if ('output' in parsed) return io.out(`${parsed.output}\n`);
  const { command, args } = parsed;
  const context: CommandContext = {
    io,
    client: new ApiClient(await serverAddress(addressFlags(args), io.env), io.signal),
    namespace: args.namespace ?? 'default',
    namespaceIsExplicit: args.namespace !== undefined && args['all-namespaces'] !== true,
  };
  try {
    await command.run(args, context);
  } catch (error) {
    if (!(error instanceof FlagError)) throw error;
    throw new CommandError(`${error.message}\nSee 'podwright ${wordOf(command)} --help' for usage.`);
  }
}

function addressFlags(args: Arguments<GlobalFlags>): AddressFlags {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}
