import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { makeNestedMountPoints, nestedMountPoints } from './nested-mount-points.js';

const podOf = (...containers: readonly (readonly (readonly [string, string])[])[]): Pod => ({
  metadata: {},
  spec: {
    containers: containers.map((mounts, index) => ({
      name: `c${index}`,
      volumeMounts: mounts.map(([name, mountPath]) => ({ name, mountPath })),
    })),
  },
});

describe('nestedMountPoints', () => {
  it.each<[string, Pod, readonly string[]]>([
    ['none', podOf([['v', '/dir']], [['w', '/dir/x']]), []],
    [
      'below it',
      podOf([
        ['v', '/dir'],
        ['w', '/dir/nested/'],
      ]),
      ['nested'],
    ],
    [
      'the topmost alone',
      podOf([
        ['x', '/dir/nested/other'],
        ['v', '/dir'],
        ['w', '/dir/nested'],
      ]),
      ['nested'],
    ],
    [
      'not a longer name',
      podOf([
        ['v', '/dir'],
        ['w', '/directory/x'],
      ]),
      [],
    ],
    [
      'in each container',
      podOf(
        [
          ['v', '/a'],
          ['w', '/a/b'],
        ],
        [
          ['v', '/c'],
          ['w', '/c/d/e'],
        ],
      ),
      ['b', 'd/e'],
    ],
  ])('%s', (_, pod, expected) => {
    expect(nestedMountPoints('v', pod)).toEqual(expected);
  });

  it('refuses a mount path that leads out', () => {
    expect(() => nestedMountPoints('v', podOf([['v', '../a']]))).toThrow('invalid container mount point ../a');
  });

  it('are made, or upstream’s text says why not', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'nested-'));
    try {
      await makeNestedMountPoints(
        'v',
        folder,
        podOf([
          ['v', '/a'],
          ['w', '/a/b/c'],
        ]),
      );
      expect(await readdir(join(folder, 'b'))).toEqual(['c']);
      await writeFile(join(folder, 'file'), '');
      const blocked = makeNestedMountPoints(
        'v',
        folder,
        podOf([
          ['v', '/a'],
          ['w', '/a/file/c'],
        ]),
      );
      await expect(blocked).rejects.toThrow('unable to create nested volume mountpoints: ');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
