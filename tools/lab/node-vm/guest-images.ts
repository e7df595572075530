import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { folderLayer } from '../images/folder-layer.js';
import type { TarEntry } from '../images/tar.js';
import { buildTestImages } from '../images/test-images.js';
import { defaultCacheDir, exists, groupDir, PackageStore } from '../packages.js';
import { GUEST_SUITE, UNUSED_FOLDERS } from './guest-recipe.js';
import { unpackAll } from './vm-tools.js';

const PACKAGES = ['busybox-static'];

/** The lab's images as one archive, for a guest without a lab. */
export async function buildTestImagesForGuest(
  log: (line: string) => void,
  cacheDir = defaultCacheDir(),
): Promise<Buffer> {
  return buildTestImages(path.join(await busyboxFolder(log, cacheDir), 'usr/bin/busybox')).catch(async () =>
    // Its path before Debian merged /usr.
    buildTestImages(path.join(await busyboxFolder(log, cacheDir), 'bin/busybox')),
  );
}

async function busyboxFolder(log: (line: string) => void, cacheDir: string): Promise<string> {
  const known = groupDir(cacheDir, 'busybox', PACKAGES);
  if (await exists(known)) return known;
  const store = await PackageStore.open(cacheDir, log);
  try {
    return await store.unpack('busybox', store.codename, PACKAGES);
  } finally {
    await store.close();
  }
}

const IPTABLES = ['iptables'];

/** A layer with iptables and all its libraries, for an image whose program calls it. */
export async function iptablesLayer(
  log: (line: string) => void,
  cacheDir = defaultCacheDir(),
): Promise<readonly TarEntry[]> {
  const root = groupDir(cacheDir, 'iptables-root', [GUEST_SUITE, ...IPTABLES]);
  if (!(await exists(root))) await unpackIptables(root, log, cacheDir);
  // What its install script does with the alternatives of Debian.
  const links = ['iptables', 'ip6tables'].flatMap((name) => [name, `${name}-save`, `${name}-restore`]);
  return [
    ...(await folderLayer(root)),
    ...links.map((name): TarEntry => ({ path: `usr/sbin/${name}`, type: 'symlink', linkTarget: 'xtables-nft-multi' })),
  ];
}

async function unpackIptables(target: string, log: (line: string) => void, cacheDir: string): Promise<void> {
  const store = await PackageStore.open(cacheDir, log);
  try {
    const work = await store.workFolder('iptables');
    await unpackAll(await store.downloadWithDependencies([GUEST_SUITE], [...IPTABLES, 'base-files']), work);
    for (const folder of UNUSED_FOLDERS) await rm(path.join(work, folder), { recursive: true, force: true });
    await rename(work, target).catch(async (error: unknown) => {
      if (!(await exists(target))) throw error; // another run was faster
    });
  } finally {
    await store.close();
  }
}
