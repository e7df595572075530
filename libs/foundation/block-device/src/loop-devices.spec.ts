import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ProgramCommand, RunProgram } from '@podwright/program';
import { createLoopDevices } from './loop-devices.js';

describe('LoopDevices', () => {
  let dir: string;
  let commands: (readonly string[])[];
  let problem: string | undefined;
  let onRun: (command: ProgramCommand) => Promise<void>;
  beforeEach(async () => {
    dir = await realpath(await mkdtemp(join(tmpdir(), 'loops-')));
    [commands, problem, onRun] = [[], undefined, () => Promise.resolve()];
    await mkdir(join(dir, 'sys', 'sda'), { recursive: true });
    await mkdir(join(dir, 'sys', 'loop0'));
    await mkdir(join(dir, 'files'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  const run: RunProgram = async (command) => {
    commands.push([command.file, ...command.args]);
    await onRun(command);
    const end = { how: 'exited', code: problem === undefined ? 0 : 1 } as const;
    return { end, problem, stdout: '', stderr: 'losetup: no\n' };
  };
  const loops = (): ReturnType<typeof createLoopDevices> => createLoopDevices({ run, sysBlock: join(dir, 'sys') });
  const back = async (name: string, file: string): Promise<void> => {
    await mkdir(join(dir, 'sys', name, 'loop'), { recursive: true });
    await writeFile(join(dir, 'sys', name, 'loop', 'backing_file'), `${file}\n`);
  };
  const signal = new AbortController().signal;

  it('finds the device of a file by its path, with links in it, and of one that is gone', async () => {
    await writeFile(join(dir, 'files', 'a'), '');
    await symlink(join(dir, 'files'), join(dir, 'link'));
    await back('loop7', join(dir, 'files', 'a'));
    await back('loop12', `${join(dir, 'files', 'b')} (deleted)`);
    await back('loop13', '/other');
    const find = (path: string): Promise<string | undefined> => loops().find(join(dir, path));
    expect(await find('files/a')).toBe('/dev/loop7');
    expect(await find('link/a')).toBe('/dev/loop7');
    expect(await find('files/b')).toBe('/dev/loop12');
    expect([await find('files/c'), await find('gone/a')]).toEqual([undefined, undefined]);
  });

  it('makes a device only for a file that has none', async () => {
    const file = join(dir, 'files', 'a');
    onRun = () => back('loop0', file);
    expect(await loops().attach(file, signal)).toBe('/dev/loop0');
    expect(await loops().attach(file, signal)).toBe('/dev/loop0');
    expect(commands).toEqual([['losetup', '-f', file]]);
  });

  it('rejects in the words of upstream when it cannot make one', async () => {
    problem = 'exit status 1';
    await expect(loops().attach('/x', signal)).rejects.toThrow('losetup -f /x failed: exit status 1: losetup: no');
    problem = undefined;
    await expect(loops().attach('/x', signal)).rejects.toThrow('no loop device for /x after losetup');
  });

  it('detaches what is attached; a failure counts only while it is', async () => {
    await loops().detach('/dev/loop0', signal);
    expect(commands).toEqual([]);
    await back('loop0', '/x');
    problem = 'exit status 1';
    await expect(loops().detach('/dev/loop0', signal)).rejects.toThrow('losetup -d /dev/loop0 failed: exit status 1');
    onRun = () => rm(join(dir, 'sys', 'loop0', 'loop'), { recursive: true });
    await loops().detach('/dev/loop0', signal);
    expect(commands).toEqual([
      ['losetup', '-d', '/dev/loop0'],
      ['losetup', '-d', '/dev/loop0'],
    ]);
  });

  it('tells a device that its file has grown', async () => {
    await loops().updateSize('/dev/loop0', signal);
    expect(commands).toEqual([['losetup', '-c', '/dev/loop0']]);
  });
});
