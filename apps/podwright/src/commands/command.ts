import type { Arguments, Argv } from 'yargs';
import type { ApiClient } from '../client/api-client.js';
import type { CommandIo } from '../command-io.js';

/** The options of every command. */
export interface GlobalFlags {
  readonly socket: string | undefined;
  readonly server: string | undefined;
  readonly 'client-certificate': string | undefined;
  readonly 'client-key': string | undefined;
  readonly 'certificate-authority': string | undefined;
  readonly namespace: string | undefined;
}

/** What a command works with. */
export interface CommandContext {
  readonly io: CommandIo;
  readonly client: ApiClient;
  readonly namespace: string;
  /** True when the user gave `--namespace`. */
  readonly namespaceIsExplicit: boolean;
}

/** A command with the types of its flags. */
interface CommandDefinition<Flags> {
  /** The name and positionals, in the syntax of yargs. */
  readonly usage: string;
  readonly summary: string;
  /** Pairs of a command line and what it does. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** Letters of options that take a value, besides the global `-n`; `-ojson` is `-o json`. */
  readonly valueLetters: string;
  flags(yargs: Argv<GlobalFlags>): Argv<Flags>;
  /** Resolves when the command has done its work. What it throws is printed, and sets the exit code. */
  run(args: Arguments<Flags>, context: CommandContext): Promise<void>;
}

/** A command of any flags. */
export type Command = Omit<CommandDefinition<unknown>, 'flags'> & {
  flags(yargs: Argv<GlobalFlags>): Argv<unknown>;
};

/** Infers the flags, so that `run` has them with their types, and forgets them for the list of commands. */
export function defineCommand<Flags>(command: CommandDefinition<Flags>): Command {
  return command as unknown as Command;
}

/** The words after `--`. */
export function wordsAfterDashes(args: Arguments<unknown>): readonly string[] {
  return (args['--'] as readonly string[] | undefined) ?? [];
}

/** The words that belong to no option and no named positional. */
export function extraWords(args: Arguments<unknown>): readonly string[] {
  // The first one is the command.
  return args._.slice(1).map(String);
}
