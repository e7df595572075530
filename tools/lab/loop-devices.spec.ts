import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { loopDevicesBelow } from './loop-devices.js';

describe('loopDevicesBelow', () => {
  let sysBlock: string;
  beforeEach(async () => {
    sysBlock = await mkdtemp(path.join(os.tmpdir(), 'sys-block-'));
  });
  afterEach(() => rm(sysBlock, { recursive: true }));

  async function device(name: string, backingFile?: string): Promise<void> {
    await mkdir(path.join(sysBlock, name, 'loop'), { recursive: true });
    if (backingFile !== undefined) await writeFile(path.join(sysBlock, name, 'loop/backing_file'), `${backingFile}\n`);
  }

  it('finds those whose file is in one of the folders, also a removed file', async () => {
    await device('loop0', '/run/lab/disk');
    await device('loop1', '/data/lab/deep/disk (deleted)');
    await device('loop2', '/run/lab2/disk');
    await device('loop3');
    await device('sda', '/run/lab/disk');
    expect(await loopDevicesBelow(['/run/lab', '/data/lab'], sysBlock)).toEqual(['/dev/loop0', '/dev/loop1']);
    expect(await loopDevicesBelow(['/elsewhere'], sysBlock)).toEqual([]);
  });

  it('finds none on a machine without such devices', async () => {
    expect(await loopDevicesBelow(['/run/lab'], path.join(sysBlock, 'none'))).toEqual([]);
  });
});
