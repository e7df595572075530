import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { defaultCacheDir, exists, groupDir, type PackageStore } from './packages.js';

const PACKAGES = ['runc', 'libseccomp2'];
const OWN = 'runc';
const NEWER = 'runc-newer';
/** Oldest first: an older one is more likely to work with the machine's libc. */
const SUITES = ['trixie', 'forky', 'sid'];
/** The first version with id-mapped mounts, which user namespaces of pods need. */
const WANTED = [1, 2] as const;

/**
 * Folder of an unpacked runc that runs here. For containerd 2, at least version 1.2 if a newer suite has one that works
 * with the machine's libc; else the one of the machine's own suite. Uses the cache without checking for newer versions.
 */
export async function runcPackage(
  cache: string,
  wantsNewer: boolean,
  openStore: () => Promise<PackageStore>,
  log: (line: string) => void,
): Promise<string> {
  const own = groupDir(cache, OWN, PACKAGES);
  const newer = groupDir(cache, NEWER, PACKAGES);
  if (wantsNewer && !(await exists(own)) && !(await exists(newer))) await fetchNewer(await openStore(), log);
  if (wantsNewer && runcVersion(newer) !== undefined) return newer;
  if (await exists(own)) return own;
  const store = await openStore();
  return store.unpack(OWN, store.codename, PACKAGES);
}

async function fetchNewer(store: PackageStore, log: (line: string) => void): Promise<void> {
  for (const suite of new Set([store.codename, ...SUITES])) {
    const version = await store.candidate(suite, 'runc');
    if (version === undefined || !isAtLeast(version, WANTED)) continue;
    await store.unpack(NEWER, suite, PACKAGES).catch((error: unknown) => {
      log(`runc of ${suite} cannot be fetched: ${String(error)}`);
    });
    return;
  }
}

/** Why the lab's runc does not support user namespaces of pods with containerd 2; undefined when it does. */
export function runcShortcoming(): string | undefined {
  const cache = defaultCacheDir();
  const candidates = [onPathSync(), groupDir(cache, NEWER, PACKAGES), groupDir(cache, OWN, PACKAGES)];
  for (const folder of candidates) {
    const version = folder === undefined ? undefined : runcVersion(folder);
    if (version !== undefined) {
      return isAtLeast(version, WANTED) ? undefined : `runc ${version} cannot, ${WANTED.join('.')} can`;
    }
  }
  return 'the lab has not fetched a runc yet';
}

/** Undefined when the folder has no runc, or when it does not run. */
function runcVersion(folder: string): string | undefined {
  const file = [path.join(folder, 'usr/sbin/runc'), path.join(folder, 'runc')].find((each) => existsSync(each));
  if (file === undefined) return undefined;
  const libraries = path.join(folder, 'usr/lib');
  const env = { ...process.env };
  if (existsSync(libraries)) {
    env['LD_LIBRARY_PATH'] = readdirSync(libraries)
      .map((name) => path.join(libraries, name))
      .join(':');
  }
  try {
    const output = execFileSync(file, ['--version'], { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'ignore'] });
    return /^runc version (\S+)/.exec(output)?.[1];
  } catch {
    // It needs another libc.
    return undefined;
  }
}

function onPathSync(): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/local/sbin', '/usr/sbin', '/sbin'];
  return folders.find((folder) => folder !== '' && existsSync(path.join(folder, 'runc')));
}

/** Compares the first two numbers of a version. */
export function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [first = 0, second = 0] = version.split('.').map((part) => Number.parseInt(part, 10) || 0);
  return first > major || (first === major && second >= minor);
}
