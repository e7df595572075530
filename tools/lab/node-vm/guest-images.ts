import path from 'node:path';
import { buildTestImages } from '../images/test-images.js';
import { defaultCacheDir, exists, groupDir, PackageStore } from '../packages.js';

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
