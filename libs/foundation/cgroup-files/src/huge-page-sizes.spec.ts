import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hugePageSizeName, hugePageSizes } from './huge-page-sizes.js';

let base = '';
beforeAll(async () => {
  base = await mkdtemp(path.join(tmpdir(), 'huge-'));
});
afterAll(() => rm(base, { recursive: true }));

describe('sizes of huge pages', () => {
  it('are named as in the files of cgroups', async () => {
    const names = ['hugepages-64kB', 'hugepages-2048kB', 'hugepages-32768kB', 'hugepages-1048576kB', 'other'];
    for (const name of names) await mkdir(path.join(base, name));
    const sizes = [...(await hugePageSizes(base))].sort((a, b) => a.bytes - b.bytes);
    expect(sizes).toEqual([
      { bytes: 65_536, name: '64KB' },
      { bytes: 2_097_152, name: '2MB' },
      { bytes: 33_554_432, name: '32MB' },
      { bytes: 1_073_741_824, name: '1GB' },
    ]);
    expect([2 ** 34, 2 ** 50, 1000, 0].map(hugePageSizeName)).toEqual(['16GB', '1PB', '1000B', '0B']);
  });

  it('are none where the kernel has none', async () => {
    await expect(hugePageSizes(path.join(base, 'missing'))).resolves.toEqual([]);
  });
});
