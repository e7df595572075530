import { access, chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runProgram, type ProgramCommand, type ProgramRun } from './run-program.js';

describe('runProgram', () => {
  let dir: string;
  let pids: string;
  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'program-'));
    pids = path.join(dir, 'pids');
  });
  afterEach(() => rm(dir, { recursive: true }));

  const run = async (script: string, signal?: AbortSignal, more: Partial<ProgramCommand> = {}): Promise<ProgramRun> => {
    const file = path.join(dir, 'program');
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
    const env = { PATH: process.env['PATH'], X: 'y' };
    return runProgram({ file, args: ['a b', '$HOME'], env, input: 'in\n', ...more }, signal);
  };
  /** Ids of processes, once the script has written them. */
  async function written(): Promise<readonly string[]> {
    let text: string | undefined;
    while (text === undefined) text = await readFile(pids, 'utf8').catch(() => undefined);
    return text.trim().split(' ');
  }
  const writePids = (): string => `echo $! $$ > ${pids}.part; mv ${pids}.part ${pids}`;
  async function alive(pid: string): Promise<boolean> {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
    return !/\) [ZX]/.test(stat);
  }

  it('passes arguments, environment and input on as they are', async () => {
    expect(await run('read line; echo "$1|$2|$X|$line"; echo why >&2')).toEqual({
      ...{ end: { how: 'exited', code: 0 }, problem: undefined },
      ...{ stdout: 'a b|$HOME|y|in\n', stderr: 'why\n' },
    });
  });

  it('looks in the path, and gives an empty input, by default', async () => {
    expect(await runProgram({ file: 'cat', args: [] })).toMatchObject({ problem: undefined, stdout: '' });
  });

  it('does not mind a program that reads nothing', async () => {
    const { stdout } = await run('echo out', undefined, { input: 'x'.repeat(1_000_000) });
    expect(stdout).toBe('out\n');
  });

  it.each<[script: string, problem: string, end: object]>([
    ['exit 3', 'exit status 3', { how: 'exited', code: 3 }],
    ['kill -9 $$', 'signal: killed', { how: 'killed', signal: 'SIGKILL' }],
    ['kill $$', 'signal: terminated', { how: 'killed', signal: 'SIGTERM' }],
  ])('tells how it ended: %s', async (script, problem, end) => {
    expect(await run(`echo why >&2; ${script}`)).toMatchObject({ end, problem, stderr: 'why\n' });
  });

  it('ends one that writes too much, and keeps the beginning', async () => {
    const { problem, stdout } = await run('echo 123456789; sleep 1000', undefined, { mostOutputBytes: 5 });
    expect([problem, stdout]).toEqual(['it wrote more than 5 bytes', '12345']);
    const { end, problem: byDefault } = await run('head -c 2000000 /dev/zero');
    expect([end, byDefault]).toEqual([{ how: 'overflowed' }, 'it wrote more than 1048576 bytes']);
  });

  it.each([
    ['is not there', 'gone', [], 'no such file or directory'],
    ['may not be run', 'file', [], 'permission denied'],
    ['is given what nothing can be given', 'file', ['a\0b'], '.'],
  ])('tells that it cannot be started when it %s', async (_why, name, args, words) => {
    await writeFile(path.join(dir, 'file'), '', { mode: 0o644 });
    const { end, problem } = await runProgram({ file: path.join(dir, name), args });
    expect(end.how).toBe('not-started');
    expect(problem).toMatch(new RegExp(`^fork/exec .*${name}: ${words}`));
  });

  it('says of a program that is nowhere in PATH what Go says', async () => {
    const { problem } = await runProgram({ file: 'mkfs.nothing', args: [] });
    expect(problem).toBe('exec: "mkfs.nothing": executable file not found in $PATH');
  });

  it('keeps the beginning of a long complaint, and does not let it block', async () => {
    const { problem, stderr } = await run('head -c 500000 /dev/zero | tr "\\0" x >&2; exit 1');
    expect([problem, stderr]).toEqual(['exit status 1', 'x'.repeat(16 * 1024)]);
  });

  it.each([false, true])('kills the whole group when its time is over (keepChildren: %s)', async (keepChildren) => {
    const leaving = new AbortController();
    const running = run(`sleep 1000 & ${writePids()}; wait`, leaving.signal, { keepChildren });
    const processes = await written();
    leaving.abort();
    expect(await running).toMatchObject({ end: { how: 'aborted' }, problem: 'context deadline exceeded' });
    for (const pid of processes) while (await alive(pid));
  });

  it('does not begin when its time is over already', async () => {
    const file = path.join(dir, 'made');
    expect(await run(`touch ${file}`, AbortSignal.abort())).toMatchObject({ end: { how: 'aborted' } });
    await expect(access(file)).rejects.toThrow('ENOENT');
  });

  it('kills what it has left behind, unless that is to be kept', async () => {
    const script = `sleep 1000 >/dev/null 2>&1 & ${writePids()}`;
    expect((await run(script)).problem).toBeUndefined();
    const [killed = ''] = await written();
    while (await alive(killed));
    await rm(pids);
    expect((await run(script, undefined, { keepChildren: true })).problem).toBeUndefined();
    const [kept = ''] = await written();
    expect(await alive(kept)).toBe(true);
    process.kill(Number(kept), 'SIGKILL');
  });
});
