import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { tryCommand, unlessMissing } from './commands.js';
import { findFileSystemTools } from './file-system-tools.js';
import { PackageStore, defaultCacheDir, exists, groupDir } from './packages.js';
import { runcPackage } from './runc.js';

export type ContainerdSeries = '1.6' | '2';

/** Programs that the lab runs, from the machine or from packages. */
export interface Binaries {
  readonly containerd: string;
  readonly ctr: string;
  readonly runc: string;
  readonly cniDir: string;
  readonly busybox: string;
  readonly registry?: string;
  /** Folders to put before PATH, for containerd and the programs that it starts. */
  readonly path: readonly string[];
  /** Folders to put after PATH, with tools for file systems that the machine lacks. */
  readonly toolPath: readonly string[];
  /** Folders with the libraries of unpacked programs, for LD_LIBRARY_PATH. */
  readonly libraryPath: readonly string[];
  /** Programs of iptables and the folder of its extensions, when the machine has no iptables. */
  readonly iptables?: { readonly programs: readonly string[]; readonly extensions: string };
}

const CNI = ['containernetworking-plugins'];
const BUSYBOX = ['busybox-static'];
const REGISTRY = ['docker-registry'];
const IPTABLES = ['iptables', 'libip4tc2', 'libip6tc2', 'libxtables12', 'libmnl0', 'libnetfilter-conntrack3'];
const IPTABLES_ALL = [...IPTABLES, 'libnfnetlink0', 'libnftnl11'];
/** Newer suites, oldest first, for packages that the machine's own suite lacks. */
const OTHER_SUITES: Readonly<Record<ContainerdSeries, readonly string[]>> = {
  '1.6': ['bookworm'],
  '2': ['trixie', 'forky', 'sid'],
};

export interface FindBinariesOptions {
  readonly series: ContainerdSeries;
  readonly registry: boolean;
  readonly cacheDir?: string;
  readonly log: (line: string) => void;
}

/**
 * Finds each program on PATH when its version is suitable, else in the cache, else in packages that it fetches into the
 * cache.
 */
export async function findBinaries({ series, registry, cacheDir, log }: FindBinariesOptions): Promise<Binaries> {
  const cache = cacheDir ?? defaultCacheDir();
  let store: PackageStore | undefined;
  const own = async (group: string, names: readonly string[]): Promise<string> => {
    const dir = groupDir(cache, group, names);
    if (await exists(dir)) return dir;
    store ??= await PackageStore.open(cache, log);
    return store.unpack(group, store.codename, names);
  };
  try {
    const containerd = await containerdOnPath(series);
    const bin =
      containerd === undefined
        ? path.join(
            await containerdPackage(series, cache, async () => (store ??= await PackageStore.open(cache, log))),
            'usr/bin',
          )
        : path.dirname(containerd);
    const openStore = async (): Promise<PackageStore> => (store ??= await PackageStore.open(cache, log));
    const machineRunc = await onPath('runc');
    const runc = machineRunc === undefined ? await runcPackage(cache, series === '2', openStore, log) : undefined;
    const cniDir = (await cniOnMachine()) ?? path.join(await own('cni', CNI), 'usr/lib/cni');
    // Always from the package: a busybox on PATH may need libraries that an image does not have.
    const busybox = await firstExisting(await own('busybox', BUSYBOX), ['bin/busybox', 'usr/bin/busybox']);
    const iptables = (await onPath('iptables')) === undefined ? await own('iptables', IPTABLES_ALL) : undefined;
    const fileSystemTools = await findFileSystemTools({ onPath, unpack: own, log });
    const registryProgram = registry
      ? ((await onPath('docker-registry')) ?? path.join(await own('registry', REGISTRY), 'usr/bin/docker-registry'))
      : undefined;
    return {
      containerd: path.join(bin, 'containerd'),
      ctr: path.join(bin, 'ctr'),
      runc: machineRunc ?? path.join(runc ?? '', 'usr/sbin/runc'),
      cniDir,
      busybox,
      ...(registryProgram === undefined ? {} : { registry: registryProgram }),
      path: [bin, ...(runc === undefined ? [] : [path.join(runc, 'usr/sbin')])],
      toolPath: fileSystemTools.flatMap((root) =>
        ['usr/sbin', 'usr/bin', 'sbin', 'bin'].map((dir) => path.join(root, dir)),
      ),
      libraryPath: (await Promise.all([runc, iptables, ...fileSystemTools].map(libraryDirs))).flat(),
      ...(iptables === undefined ? {} : { iptables: await unpackedIptables(iptables) }),
    };
  } finally {
    await store?.close();
  }
}

/** Whether `version` (as `containerd --version` or a package names it) belongs to the series. */
export function isSeries(version: string, series: ContainerdSeries): boolean {
  return version.replace(/^v/, '').startsWith(`${series}.`);
}

async function containerdOnPath(series: ContainerdSeries): Promise<string | undefined> {
  const file = await onPath('containerd');
  if (file === undefined) return undefined;
  const { stdout } = await tryCommand(file, ['--version']);
  const version = stdout.split(/\s+/)[2] ?? '';
  const complete = await Promise.all(
    ['ctr', 'containerd-shim-runc-v2'].map((name) => exists(path.join(path.dirname(file), name))),
  );
  return isSeries(version, series) && complete.every(Boolean) ? file : undefined;
}

async function containerdPackage(
  series: ContainerdSeries,
  cache: string,
  openStore: () => Promise<PackageStore>,
): Promise<string> {
  const group = `containerd-${series}`;
  const dir = groupDir(cache, group, ['containerd']);
  if (await exists(dir)) return dir;
  const store = await openStore();
  for (const suite of new Set([store.codename, ...OTHER_SUITES[series]])) {
    const version = await store.candidate(suite, 'containerd');
    if (version !== undefined && isSeries(version, series)) return store.unpack(group, suite, ['containerd']);
  }
  throw new Error(`no suite of the machine's archive has containerd ${series}; put one on PATH`);
}

async function onPath(name: string): Promise<string | undefined> {
  const dirs = (process.env['PATH'] ?? '').split(':').filter((dir) => dir !== '');
  for (const dir of new Set([...dirs, '/usr/local/sbin', '/usr/sbin', '/sbin'])) {
    if (await exists(path.join(dir, name))) return path.join(dir, name);
  }
  return undefined;
}

async function cniOnMachine(): Promise<string | undefined> {
  for (const dir of ['/opt/cni/bin', '/usr/lib/cni']) {
    const found = await Promise.all(['bridge', 'host-local', 'loopback'].map((name) => exists(path.join(dir, name))));
    if (found.every(Boolean)) return dir;
  }
  return undefined;
}

/** Folders with libraries below the root of unpacked packages. */
export async function libraryDirs(root: string | undefined): Promise<string[]> {
  if (root === undefined) return [];
  const dirs = await Promise.all(
    ['usr/lib', 'lib'].map(async (lib) => {
      const names = (await unlessMissing(readdir(path.join(root, lib)))) ?? [];
      return names.filter((name) => name.includes('-linux-')).map((name) => path.join(root, lib, name));
    }),
  );
  return dirs.flat();
}

async function unpackedIptables(root: string): Promise<{ programs: string[]; extensions: string }> {
  const [libraries = ''] = await libraryDirs(root);
  // nft first, because current systems use it; the legacy program needs modules that newer kernels lack.
  const programs = ['xtables-nft-multi', 'xtables-legacy-multi'].map((name) => path.join(root, 'usr/sbin', name));
  return { programs, extensions: path.join(libraries, 'xtables') };
}

async function firstExisting(root: string, candidates: readonly string[]): Promise<string> {
  for (const candidate of candidates) {
    if (await exists(path.join(root, candidate))) return path.join(root, candidate);
  }
  throw new Error(`${root} has none of ${candidates.join(', ')}`);
}

/**
 * Links a working iptables into `toolsDir` and resolves with whether there is one. The CNI port mapper finds it on
 * PATH. Without it pods get no host ports; everything else works.
 */
export async function provideIptables(binaries: Binaries, toolsDir: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  const works = async (file: string, argv0?: string): Promise<boolean> =>
    (
      await tryCommand(file, [...(argv0 === undefined ? [] : [argv0]), '-t', 'nat', '-S'], { env }).catch(
        () => undefined,
      )
    )?.code === 0;
  if (binaries.iptables === undefined) return works('iptables');
  for (const program of binaries.iptables.programs) {
    if (!(await works(program, 'iptables'))) continue;
    await mkdir(toolsDir, { recursive: true });
    for (const name of [
      'iptables',
      'ip6tables',
      'iptables-save',
      'iptables-restore',
      'ip6tables-save',
      'ip6tables-restore',
    ]) {
      await symlink(program, path.join(toolsDir, name));
    }
    return true;
  }
  return false;
}
