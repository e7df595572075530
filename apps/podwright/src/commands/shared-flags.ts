import type { Options } from 'yargs';
import { parseGoDuration } from '@podwright/time';
import { messageOf } from '@podwright/errors';
import { FlagError } from '../command-error.js';

export const filenameFlag = {
  alias: 'f',
  type: 'string',
  array: true,
  describe: 'Files or folders with objects, or - for stdin',
} as const satisfies Options;

export const recursiveFlag = {
  alias: 'R',
  type: 'boolean',
  default: false,
  describe: 'Read folders with all folders below them',
} as const satisfies Options;

export const selectorFlag = {
  alias: 'l',
  type: 'string',
  describe: "Label query, as in -l key1=value1,key2!=value2 or -l 'key in (a,b)'",
} as const satisfies Options;

export const fieldSelectorFlag = {
  type: 'string',
  describe: 'Field query over metadata.name, metadata.namespace and status.phase',
} as const satisfies Options;

export const allNamespacesFlag = {
  alias: 'A',
  type: 'boolean',
  default: false,
  describe: 'Objects of all namespaces',
} as const satisfies Options;

export const containerFlag = {
  alias: 'c',
  type: 'string',
  describe: 'The container; default: the one of the annotation kubectl.kubernetes.io/default-container, else the first',
} as const satisfies Options;

export const stdinFlag = {
  alias: 'i',
  type: 'boolean',
  default: false,
  describe: 'Pass stdin to the container',
} as const satisfies Options;
export const ttyFlag = {
  alias: 't',
  type: 'boolean',
  default: false,
  describe: 'stdin is a terminal',
} as const satisfies Options;
export const quietFlag = {
  alias: 'q',
  type: 'boolean',
  default: false,
  describe: "Print only the container's output",
} as const satisfies Options;

export const dryRunFlag = {
  choices: ['none', 'client', 'server'],
  default: 'none',
  describe: 'client: only print what would be sent; server: the server validates it and writes nothing',
} as const satisfies Options;

export type DryRun = 'none' | 'client' | 'server';

/** What follows the verb in messages. */
export function dryRunSuffix(dryRun: string): string {
  return dryRun === 'client' ? ' (dry run)' : dryRun === 'server' ? ' (server dry run)' : '';
}

/** A flag with a Go duration, in milliseconds. */
export function durationOf(flag: string, text: string): number {
  try {
    return parseGoDuration(text);
  } catch (error) {
    throw new FlagError(`invalid argument ${JSON.stringify(text)} for "--${flag}" flag: ${messageOf(error)}`);
  }
}

/** A flag with a whole number. */
export function integerOf(flag: string, text: string): number {
  if (!/^[-+]?\d+$/.test(text)) {
    throw new FlagError(
      `invalid argument ${JSON.stringify(text)} for "--${flag}" flag: strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`,
    );
  }
  return Number(text);
}
