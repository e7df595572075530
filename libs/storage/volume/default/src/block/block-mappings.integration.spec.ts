import { constants } from 'node:fs';
import { mkdtemp, open, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLoopDevices, isDeviceOpen } from '@podwright/block-device';
import { createMountTools, mountsBelow, readMountTable } from '@podwright/filesystem';
import { BlockMappings } from './block-mappings.js';
import type { MapRequest } from './block-mappings.js';

// A loop device of a file is the volume; root on Linux.
describe('BlockMappings on a real device', () => {
  const mounts = createMountTools();
  const loops = createLoopDevices();
  const { signal } = new AbortController();
  const mappings = new BlockMappings({ mounts, loops, events: { event: () => undefined } });
  let dir: string;
  let device: string;
  beforeEach(async () => {
    dir = await realpath(await mkdtemp(join(tmpdir(), 'block-device-')));
    await writeFile(join(dir, 'disk'), Buffer.alloc(1024 * 1024));
    device = await loops.attach(join(dir, 'disk'), signal);
  });
  afterEach(async () => {
    for (const { mountPoint } of mountsBelow(await readMountTable(), dir)) {
      const lock = await loops.find(mountPoint);
      if (lock !== undefined) await loops.detach(lock, signal);
      await mounts.unmount(mountPoint);
    }
    await loops.detach(device, signal);
    await rm(dir, { recursive: true });
  });

  const request = (uid: string): MapRequest & { podUid: string } => ({
    mapper: { globalMapPath: join(dir, 'global') },
    specName: 'pv-1',
    pluginName: 'kubernetes.io/local-volume',
    pod: { metadata: { uid }, spec: { containers: [] } },
    podUid: uid,
    podDir: join(dir, uid),
    devicePath: device,
    onDevice: () => undefined,
  });

  it('gives two pods one device, and leaves nothing behind', async () => {
    const [first, second] = [request('uid-1'), request('uid-2')];
    const { podLink } = await mappings.map(first, signal);
    await mappings.map(second, signal);
    await mappings.map(second, signal);
    const locks = [await loops.find(join(dir, 'global/uid-1')), await loops.find(join(dir, 'global/uid-2'))];
    expect(new Set([device, undefined, ...locks]).size).toBe(4);
    expect((await mappings.references(join(dir, 'global'))).length).toBe(2);

    const written = await open(podLink, constants.O_WRONLY | constants.O_SYNC);
    await written.write(Buffer.from('raw'), 0, 3, 4096);
    await written.close();
    const read = await open(join(dir, 'disk'), 'r');
    const { buffer } = await read.read(Buffer.alloc(3), 0, 3, 4096);
    await read.close();
    expect(buffer.toString()).toBe('raw');

    await mappings.unmap(first, signal);
    await expect(mappings.tearDownDevice({ ...second }, signal)).rejects.toThrow('still referenced from other Pods');
    await mappings.unmap(second, signal);
    await mappings.tearDownDevice({ ...second }, signal);
    expect(mountsBelow(await readMountTable(), dir)).toEqual([]);
    expect([await loops.find(join(dir, 'global/uid-1')), await loops.find(join(dir, 'global/uid-2'))]).toEqual([
      undefined,
      undefined,
    ]);
    await expect(stat(join(dir, 'global'))).rejects.toThrow('ENOENT');
  });

  it('unmaps after a kill in the middle of unmapping, and after one in the middle of mapping', async () => {
    const mapping = request('uid-1');
    const bind = join(dir, 'global/uid-1');
    await mappings.map(mapping, signal);
    await loops.detach((await loops.find(bind)) ?? '', signal);
    await mappings.unmap(mapping, signal);
    await mappings.map(mapping, signal);
    await rm(join(dir, 'uid-1'), { recursive: true });
    await mappings.unmap(mapping, signal);
    expect(mountsBelow(await readMountTable(), dir)).toEqual([]);
    expect(await loops.find(bind)).toBeUndefined();
  });

  it('sees that something else uses the device', async () => {
    expect(await isDeviceOpen(device)).toBe(false);
    const exclusive = await open(device, constants.O_RDONLY | constants.O_EXCL);
    const mapping = request('uid-1');
    await expect(mappings.tearDownDevice(mapping, signal)).rejects.toThrow(
      'UnmapDevice failed for volume "pv-1" : the device is in use when it was no longer expected to be in use',
    );
    await exclusive.close();
    await mappings.tearDownDevice(mapping, signal);
  });
});
