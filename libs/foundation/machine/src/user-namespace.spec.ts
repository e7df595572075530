import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runsInUserNamespace } from './user-namespace.js';

describe('runsInUserNamespace', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'userns-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  it.each([
    ['         0          0 4294967295\n', false],
    ['         0     100000      65536\n', true],
    ['         0       1000          1\n         1     100000      65536\n', true],
    ['', true],
  ])('reads the map of users: %j', async (map, expected) => {
    await mkdir(path.join(root, 'proc/self'), { recursive: true });
    await writeFile(path.join(root, 'proc/self/uid_map'), map);
    expect(await runsInUserNamespace(root)).toBe(expected);
  });

  it('is false on a kernel without user namespaces', async () => {
    expect(await runsInUserNamespace(root)).toBe(false);
  });
});
