import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runPlugin } from './run-plugin.js';

describe('runPlugin', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'plugin-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

  const run = async (script: string, signal = new AbortController().signal, more: object = {}): Promise<string> => {
    const file = path.join(dir, 'plugin');
    await writeFile(file, `#!/bin/sh\n${script}\n`);
    await chmod(file, 0o755);
    return runPlugin(
      { file, args: ['a b', '$HOME'], env: { PATH: process.env['PATH'], X: 'y' }, input: 'in\n', ...more },
      signal,
    );
  };

  it('passes arguments, environment and input on as they are', async () => {
    expect(await run('read line; echo "$1|$2|$X|$line"')).toBe('a b|$HOME|y|in\n');
  });

  it('does not mind a plugin that reads nothing', async () => {
    expect(await run('echo out', undefined, { input: 'x'.repeat(1_000_000) })).toBe('out\n');
  });

  it.each([
    ['echo why >&2; exit 3', 'exit status 3: why\n'],
    ['kill -9 $$', 'signal: killed: '],
    ['kill $$', 'signal: terminated: '],
    ['head -c 2000000 /dev/zero', 'it wrote more than 1048576 bytes: '],
  ])('tells how it ended: %s', async (script, message) => {
    await expect(run(script)).rejects.toMatchObject({ message });
  });

  it('tells that it cannot be started', async () => {
    const command = { file: path.join(dir, 'gone'), args: [], env: {}, input: '' };
    await expect(runPlugin(command, new AbortController().signal)).rejects.toThrow(/^fork\/exec .*gone: .*ENOENT/);
  });

  it('keeps the beginning of a long complaint, and does not let it block', async () => {
    const error: unknown = await run('head -c 500000 /dev/zero | tr "\\0" x >&2; exit 1').catch(
      (reason: unknown) => reason,
    );
    expect((error as Error).message).toBe(`exit status 1: ${'x'.repeat(16 * 1024)}`);
  });

  it('kills the whole group when its time is over', async () => {
    const leaving = new AbortController();
    const pids = path.join(dir, 'pids');
    const outcome = run(`sleep 1000 & echo $! $$ > ${pids}.part; mv ${pids}.part ${pids}; wait`, leaving.signal);
    outcome.catch(() => undefined);
    let text: string | undefined;
    while (text === undefined) text = await readFile(pids, 'utf8').catch(() => undefined);
    leaving.abort();
    await expect(outcome).rejects.toThrow('context deadline exceeded: ');
    const alive = async (pid: string): Promise<boolean> => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
      return !/\) [ZX]/.test(stat);
    };
    for (const pid of text.trim().split(' ')) while (await alive(pid));
  });
});
