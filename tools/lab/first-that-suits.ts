import { defaultCacheDir, exists, groupDir, PackageStore } from './packages.js';

export interface WantedPackages {
  /** Packages to unpack; the version of the first one decides. */
  readonly names: readonly [string, ...string[]];
  readonly group: string;
  /** Suites to search after the machine's own, oldest first. */
  readonly suites: readonly string[];
  readonly suits: (version: string) => boolean;
  /** What is wanted, for the error message. */
  readonly description: string;
}

/**
 * Unpacks Debian packages into the cache, from the first suite with a suitable version. Resolves with the folder.
 * Rejects when no suite has one.
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
