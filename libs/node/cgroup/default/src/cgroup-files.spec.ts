import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { kernelCgroupFiles } from './cgroup-files.js';

describe('kernelCgroupFiles', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'cgroup-files-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it("tells in upstream's words what the kernel did not take", async () => {
    await expect(kernelCgroupFiles.write('/proc/self/oom_score_adj', 'many')).rejects.toMatchObject({
      message: 'failed to write "many": write /proc/self/oom_score_adj: invalid argument',
      code: 'EINVAL',
    });
  });

  it("tells in upstream's words that there is no such file", async () => {
    const file = path.join(folder, 'cpu.shares');
    await expect(kernelCgroupFiles.write(file, '2')).rejects.toMatchObject({
      message: `openat2 ${file}: no such file or directory`,
      code: 'ENOENT',
    });
  });
});
