import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryMounts, parseMountTable } from '@podwright/filesystem';
import { createMemoryLogger } from '@podwright/logging';
import { makeDataDirectories, type DataDirectoriesOptions } from './data-directories.js';

const sharedRoot = parseMountTable('27 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n');

describe('makeDataDirectories', () => {
  let dir: string;
  let mounts: MemoryMounts;
  let logger: ReturnType<typeof createMemoryLogger>;

  beforeEach(async () => {
    logger = createMemoryLogger();
    dir = await mkdtemp(path.join(tmpdir(), 'data-directories-'));
    mounts = new MemoryMounts();
  });
  afterEach(() => rm(dir, { recursive: true }));

  const optionsIn = (root: string): DataDirectoriesOptions => ({
    rootDir: path.join(root, 'root'),
    podLogsDir: path.join(dir, 'logs'),
    checkpoints: true,
  });

  it('makes what exists from the start, with its modes, and again without complaint', async () => {
    const options = optionsIn(dir);
    mounts.table.splice(0, 1, ...sharedRoot);
    for (let run = 0; run < 2; run += 1) await makeDataDirectories(options, logger, mounts);
    const modes = [
      'root',
      'root/pods',
      'root/plugins',
      'root/plugins_registry',
      'root/pod-resources',
      'root/checkpoints',
      'logs',
    ];
    const found = await Promise.all(
      modes.map(async (name) => ((await stat(path.join(dir, name))).mode & 0o777).toString(8)),
    );
    expect(found).toEqual(['750', '750', '750', '750', '750', '700', '750']);
    expect(mounts.requests).toEqual([]);
  });

  it('makes no folder of checkpoints where containers cannot be checkpointed', async () => {
    await makeDataDirectories({ ...optionsIn(dir), checkpoints: false }, logger, mounts);
    expect(await readdir(path.join(dir, 'root'))).toEqual(['plugins', 'plugins_registry', 'pod-resources', 'pods']);
  });

  it('makes the root a shared mount where it is not', async () => {
    const rootDir = path.join(dir, 'root');
    await makeDataDirectories(optionsIn(dir), logger, mounts);
    expect(mounts.requests).toEqual([
      { source: rootDir, target: rootDir, options: ['bind'] },
      { source: 'none', target: rootDir, options: ['rshared'] },
    ]);
  });

  it('says in one line which directory cannot be made', async () => {
    const file = path.join(dir, 'file');
    await writeFile(file, '');
    const options = optionsIn(file);
    await expect(makeDataDirectories(options, logger, mounts)).rejects.toMatchObject({
      code: 'failed-precondition',
      message: expect.stringContaining(`mkdir ${file}/root: not a directory; `) as unknown,
    });
  });

  it('goes on, with a warning, where mounting is refused', async () => {
    mounts.beforeEach = () => Promise.reject(new Error('mount failed: exit status 32'));
    await makeDataDirectories(optionsIn(dir), logger, mounts);
    expect(logger.messages('warning')).toEqual([
      'Root directory could not be made a shared mount; pods with mount propagation will fail',
    ]);
  });
});
