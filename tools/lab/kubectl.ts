import path from 'node:path';
import { defaultCacheDir, exists, groupDir, PackageStore } from './packages.js';

const group = 'kubectl';
const names = ['kubectl'];
/** Suites with a kubectl that leaves validation to the server, oldest first. */
const suites = ['trixie', 'forky', 'sid'];
const oldestMinor = 27;

/** Debian's kubectl, unpacked into the cache. Rejects with a sentence when no suite of the machine's archive has one. */
export async function findKubectl(log: (line: string) => void, cacheDir = defaultCacheDir()): Promise<string> {
  const program = (dir: string): string => path.join(dir, 'usr/bin/kubectl');
  const known = groupDir(cacheDir, group, names);
  if (await exists(known)) return program(known);
  const store = await PackageStore.open(cacheDir, log);
  try {
    for (const suite of new Set([store.codename, ...suites])) {
      const version = await store.candidate(suite, names[0] ?? '');
      const minor = Number(/^1\.(\d+)\./.exec(version ?? '')?.[1] ?? 0);
      if (minor >= oldestMinor) return program(await store.unpack(group, suite, names));
    }
  } finally {
    await store.close();
  }
  throw new Error(`no suite of the machine's archive has kubectl 1.${oldestMinor} or newer`);
}
