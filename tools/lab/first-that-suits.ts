import { defaultCacheDir, exists, groupDir, PackageStore } from './packages.js';

export interface WantedPackages {
  /** The first one's version decides. */
  readonly names: readonly [string, ...string[]];
  readonly group: string;
  /** Suites to look in after the machine's own, oldest first. */
  readonly suites: readonly string[];
  readonly suits: (version: string) => boolean;
  /** What was looked for, for the error. */
  readonly description: string;
}

/**
 * Debian's packages, unpacked into the cache: of the first suite that has a version that suits. Rejects with a sentence when
 * none has. Resolves with the folder.
 */
export async function unpackFirstThatSuits(
  { names, group, suites, suits, description }: WantedPackages,
  log: (line: string) => void,
  cacheDir = defaultCacheDir(),
): Promise<string> {
  const known = groupDir(cacheDir, group, names);
  if (await exists(known)) return known;
  const store = await PackageStore.open(cacheDir, log);
  try {
    for (const suite of new Set([store.codename, ...suites])) {
      const version = await store.candidate(suite, names[0]);
      if (version !== undefined && suits(version)) return await store.unpack(group, suite, names);
    }
  } finally {
    await store.close();
  }
  throw new Error(`no suite of the machine's archive has ${description}`);
}
