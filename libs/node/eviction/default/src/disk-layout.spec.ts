import { describe, expect, it } from '@jest/globals';
import { VirtualClock } from '@podwright/time';
import { createDetectDiskLayout, type DiskLayoutOptions } from './disk-layout.js';

const devices: Readonly<Record<string, number>> = { '/root': 1, '/images': 2, '/containers': 3, '/same': 1 };

function detect(image: string, container: string, options: Partial<DiskLayoutOptions> = {}): Promise<string> {
  const usage = (mountpoint: string) => ({
    ...{ timestamp: 0n, fsId: { mountpoint }, usedBytes: undefined, inodesUsed: undefined },
  });
  const images = {
    imageFsInfo: async () => ({
      imageFilesystems: image === '' ? [] : [usage(image)],
      containerFilesystems: [usage(container)],
    }),
  };
  const device = async (path: string): Promise<number> => {
    const found = devices[path];
    if (found === undefined) throw new Error(`ENOENT ${path}`);
    return found;
  };
  const given = { rootDir: '/root', tellsContainerFs: true, separateDiskGc: true, ...options };
  return createDetectDiskLayout({ images, clock: new VirtualClock(), device }, given)(new AbortController().signal);
}

describe('the layout of disks', () => {
  it.each<[string, string, Partial<DiskLayoutOptions>, string]>([
    ['/same', '/same', {}, 'single'],
    ['/images', '/images', {}, 'dedicated'],
    ['/images', '/same', {}, 'split'],
    ['/images', '/containers', {}, 'split'],
    ['/same', '/images', { tellsContainerFs: false }, 'single'],
    ['/images', '/same', { tellsContainerFs: false }, 'dedicated'],
  ])('images in %s, containers in %s, %j: %s', async (image, container, options, layout) => {
    expect(await detect(image, container, options)).toBe(layout);
  });

  it.each<[string, string, Partial<DiskLayoutOptions>, string]>([
    ['', '/same', {}, 'imageFs information is unavailable'],
    ['/gone', '/same', {}, 'ENOENT /gone'],
    [
      '/images',
      '/same',
      { separateDiskGc: false },
      'KubeletSeparateDiskGC is turned off but we still have a split filesystem',
    ],
  ])('images in %j, containers in %s, %j: fails', async (image, container, options, message) => {
    await expect(detect(image, container, options)).rejects.toThrow(message);
  });
});
