import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import { eventually } from '@podwright/time';
import { markVariable } from './process-mark.js';
import { processNamespace, readProcessState, readVariableOfProcess } from './process-table.js';
import { endStrayPrograms, runMarkedProgram } from './run-marked-program.js';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'marked-'));
});
afterAll(() => rm(dir, { recursive: true }));

const lives = async (pid: number): Promise<boolean> => {
  const state = (await readProcessState(pid))?.state;
  return state !== undefined && !'ZX'.includes(state);
};
const ends = (pid: number): Promise<void> => eventually(async () => !(await lives(pid)));
/** A process has no environment to read while it changes from one program to another, and a little longer than its name. */
const becomesSleep = (pid: number): Promise<void> =>
  eventually(
    async () =>
      (await readProcessState(pid))?.name === 'sleep' && (await readVariableOfProcess(pid, markVariable)) !== undefined,
  );

describe('runMarkedProgram', () => {
  /** Runs a script that starts a program in another session and writes its id; resolves once it has done so. */
  async function runWithStray(more: string, signal?: AbortSignal): ReturnType<typeof runMarkedProgram> {
    const script = `setsid sh -c 'echo $$ > "$1.part"; mv "$1.part" "$1"; exec sleep 1000' - "$0" >/dev/null 2>&1 &
      until [ -e "$0" ]; do sleep 0.01; done; ${more}`;
    return runMarkedProgram({ file: 'sh', args: ['-c', script, path.join(dir, 'pid')] }, signal);
  }
  const strayId = async (): Promise<number> => {
    let text = '';
    await eventually(async () => (text = await readFile(path.join(dir, 'pid'), 'utf8').catch(() => '')) !== '');
    await rm(path.join(dir, 'pid'));
    return Number(text);
  };

  it('ends what has left the group, when the time is over', async () => {
    const leaving = new AbortController();
    const running = runWithStray('sleep 1000', leaving.signal);
    const stray = await strayId();
    await becomesSleep(stray);
    expect(await readVariableOfProcess(stray, markVariable)).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
    leaving.abort();
    expect((await running).end).toEqual({ how: 'aborted' });
    await ends(stray);
  });

  it('ends what has left the group, when it wrote too much', async () => {
    const { end } = await runWithStray('head -c 2000000 /dev/zero');
    expect(end).toEqual({ how: 'overflowed' });
    await ends(await strayId());
  });

  it('leaves alone what one that ended well has started in another session, and other runs', async () => {
    expect((await runWithStray('echo done')).stdout).toBe('done\n');
    const stray = await strayId();
    const leaving = new AbortController();
    const running = runWithStray('sleep 1000', leaving.signal);
    const other = await strayId();
    await becomesSleep(other);
    leaving.abort();
    await running;
    await ends(other);
    expect(await lives(stray)).toBe(true);
    process.kill(stray, 'SIGKILL');
  });

  it('passes environment and result on', async () => {
    const args = ['-c', 'echo "$X"; exit 3'];
    expect(await runMarkedProgram({ file: '/bin/sh', args, env: { X: 'y' } })).toMatchObject({
      ...{ end: { how: 'exited', code: 3 }, problem: 'exit status 3', stdout: 'y\n' },
    });
  });
});

describe('endStrayPrograms', () => {
  const started: ChildProcess[] = [];
  afterAll(() => started.forEach((child) => child.kill('SIGKILL')));
  const sleeper = async (mark?: string): Promise<number> => {
    const child = spawn('sleep', ['1000'], {
      env: { ...process.env, ...(mark !== undefined && { [markVariable]: mark }) },
      detached: true,
      stdio: 'ignore',
    });
    started.push(child);
    const pid = child.pid ?? 0;
    // Before that it is a copy of this process.
    await eventually(async () => (await readProcessState(pid))?.name === 'sleep');
    return pid;
  };
  /** A namespace that does not exist: kubelets of other tests look for strays, too. */
  const here = `test-${process.pid}`;
  const nameOf = async (pid: number): Promise<string> => `${pid}.${(await readProcessState(pid))?.startTicks}`;

  it('ends those whose starter is gone, or whose id another process has now, and says so', async () => {
    const gone = spawnSync('true').pid;
    const strays = [await sleeper(`${here}.${gone}.1.1`), await sleeper(`${here}.${process.pid}.1.2`)];
    const logger = createMemoryLogger();
    await endStrayPrograms(logger, here);
    for (const pid of strays) await ends(pid);
    const processes = strays.sort((a, b) => a - b).map((pid) => ({ pid, name: 'sleep' }));
    expect(logger.entries).toMatchObject([
      { message: 'Ended processes of plugins that a killed process left behind', fields: { processes } },
    ]);
  });

  it('ends nobody whose starter lives, or is in another namespace, and says nothing', async () => {
    const starter = await sleeper();
    const gone = spawnSync('true').pid;
    const marks = [`${here}.${await nameOf(starter)}.1`, `1.${gone}.1.1`, 'something else'];
    const kept = [starter, ...(await Promise.all(marks.map(sleeper)))];
    const logger = createMemoryLogger();
    await endStrayPrograms(logger, here);
    for (const pid of kept) expect(await lives(pid)).toBe(true);
    expect(logger.entries).toEqual([]);
  });

  it('knows its own namespace', async () => {
    const pid = await sleeper(`${await processNamespace()}.${spawnSync('true').pid}.1.1`);
    await endStrayPrograms(createMemoryLogger());
    await ends(pid);
  });
});
