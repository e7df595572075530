import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import { folderLayer } from './folder-layer.js';

let root = '';
afterEach(() => rm(root, { recursive: true }));

it('takes folders before what is in them, with modes, and links as links', async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'podwright-layer-'));
  await mkdir(path.join(root, 'usr/sbin'), { recursive: true });
  await writeFile(path.join(root, 'usr/sbin/tool'), 'text');
  await chmod(path.join(root, 'usr/sbin/tool'), 0o750);
  await symlink('usr/sbin', path.join(root, 'sbin'));
  expect(await folderLayer(root)).toEqual([
    { path: 'sbin', type: 'symlink', linkTarget: 'usr/sbin' },
    { path: 'usr', type: 'directory', mode: 0o755 },
    { path: 'usr/sbin', type: 'directory', mode: 0o755 },
    { path: 'usr/sbin/tool', type: 'file', mode: 0o750, content: Buffer.from('text') },
  ]);
});
