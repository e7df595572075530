import path from 'node:path';
import { unpackFirstThatSuits } from './first-that-suits.js';

const oldestMinor = 27;

/**
 * Unpacks the first Debian kubectl that leaves validation to the server into the cache. Rejects when no suite of the
 * machine's archive has one.
 */
export async function findKubectl(log: (line: string) => void, cacheDir?: string): Promise<string> {
  const wanted = {
    names: ['kubectl'],
    group: 'kubectl',
    suites: ['trixie', 'forky', 'sid'],
    suits: (version: string) => Number(/^1\.(\d+)\./.exec(version)?.[1] ?? 0) >= oldestMinor,
    description: `kubectl 1.${oldestMinor} or newer`,
  } as const;
  return path.join(await unpackFirstThatSuits(wanted, log, cacheDir), 'usr/bin/kubectl');
}
