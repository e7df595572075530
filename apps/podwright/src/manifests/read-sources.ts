import type { Stats } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { messageOf } from '@podwright/errors';
import { CommandError } from '../command-error.js';

/** Text with objects, and what to call it in messages. */
export interface ManifestSource {
  readonly name: string;
  readonly text: string;
}

const extensions = ['.json', '.yaml', '.yml'];

/**
 * Reads what `-f` names: files, folders (their .json, .yaml and .yml files, with `recursive` also below), and `-` for
 * stdin. Source: kubernetes v1.36 cli-runtime/pkg/resource/visitor.go ExpandPathsToFileVisitors.
 */
export async function readSources(
  names: readonly string[],
  recursive: boolean,
  stdin: Readable,
): Promise<readonly ManifestSource[]> {
  const sources: ManifestSource[] = [];
  for (const name of names) {
    if (name === '-') {
      sources.push({ name: 'STDIN', text: decoded('STDIN', await bytesOf(stdin)) });
      continue;
    }
    const files = await filesOf(name, recursive);
    if (files.length === 0) {
      throw new CommandError(`error reading [${name}]: recognized file extensions are [${extensions.join(' ')}]`);
    }
    for (const file of files) sources.push({ name: file, text: decoded(file, await readFile(file)) });
  }
  return sources;
}

async function filesOf(name: string, recursive: boolean): Promise<readonly string[]> {
  if (!(await found(name)).isDirectory()) return [name];
  const entries = await readdir(name, { withFileTypes: true });
  const nested = entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(async (entry) => {
      const below = path.join(name, entry.name);
      if (entry.isDirectory()) return recursive ? filesOf(below, recursive) : [];
      return extensions.includes(path.extname(entry.name)) ? [await regularFile(below)] : [];
    });
  return (await Promise.all(nested)).flat();
}

// A pipe that nobody writes to would hold the command, even when it is interrupted. One that is named itself is meant.
async function regularFile(name: string): Promise<string> {
  if (!(await found(name)).isFile()) throw new CommandError(`the path ${JSON.stringify(name)} is no regular file`);
  return name;
}

async function found(name: string): Promise<Stats> {
  return stat(name).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new CommandError(`the path ${JSON.stringify(name)} does not exist`);
    throw new CommandError(`the path ${JSON.stringify(name)} cannot be accessed: ${messageOf(error)}`);
  });
}

async function bytesOf(stdin: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stdin as AsyncIterable<Buffer>) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

function decoded(name: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError(`${name} is not UTF-8 text`);
  }
}
