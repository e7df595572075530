import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { cleanUpKilledRuns, RunFolder } from './run-folder.js';

describe('the folder of a run', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(path.join(os.tmpdir(), 'podwright-homes-'));
  });
  afterEach(() => {
    rmSync(home, { recursive: true, force: true });
  });

  it('is left alone while its run lives, and when it was kept', async () => {
    const living = RunFolder.create(home);
    const kept = RunFolder.create(home);
    await kept.leave(() => undefined);
    await cleanUpKilledRuns(() => undefined, home);
    expect([existsSync(living.dir), existsSync(kept.dir)]).toEqual([true, true]);
  });

  it('stays after a run that failed, which says where', async () => {
    const folder = RunFolder.create(home);
    const said: string[] = [];
    await folder.keep((line) => said.push(line));
    await cleanUpKilledRuns(() => undefined, home);
    expect(existsSync(folder.dir)).toBe(true);
    expect(said).toEqual([`the files of this run stay in ${folder.dir}`]);
  });

  it('is removed by the next run when its own was killed, with a word', async () => {
    const { dir } = RunFolder.create(home);
    // The number is ours by now, the process is not the one that made the folder.
    writeFileSync(path.join(dir, 'owner.json'), JSON.stringify({ pid: process.pid, startTicks: '1' }));
    writeFileSync(path.join(dir, 'kubelet-process.json'), JSON.stringify({ pid: process.pid, startTicks: '1' }));
    const said: string[] = [];
    await cleanUpKilledRuns((line) => said.push(line), home);
    expect(existsSync(dir)).toBe(false);
    expect(said.join()).toContain(dir);
  });

  it('goes at the end of its run', async () => {
    const folder = RunFolder.create(home);
    await folder.remove(() => undefined);
    expect(existsSync(folder.dir)).toBe(false);
  });
});
