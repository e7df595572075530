import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@podwright/time';
import { readProcessState } from './process-table.js';
import { launchTool } from './tool-launcher.js';

describe('launchTool', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'launched-'));
  });
  afterAll(() => rm(dir, { recursive: true }));

  it('passes arguments as they are, and returns both outputs', async () => {
    const args = [
      '-c',
      'printf "[%s]" "$@"; echo; echo "to $0" >&2',
      'it\'s "$HOME"',
      'a b',
      '',
      '\\',
      '`id`',
      '*',
      'ü',
    ];
    expect(await launchTool('sh', args)).toEqual({
      ...{ end: { how: 'exited', code: 0 }, problem: undefined },
      output: '[a b][][\\][`id`][*][ü]\nto it\'s "$HOME"\n',
    });
  });

  it('passes an argument with a line end, too', async () => {
    expect(await launchTool('printf', ['%s|', 'a\nb'])).toMatchObject({ output: 'a\nb|' });
  });

  it('tells tools that run at the same time apart', async () => {
    const runs = Array.from({ length: 20 }, (_, index) => launchTool('sh', ['-c', `echo ${index}; exit ${index}`]));
    const ends = (await Promise.all(runs)).map(({ output, problem }) => `${output.trim()} ${problem ?? 'well'}`);
    expect(ends).toEqual(Array.from({ length: 20 }, (_, i) => `${i} ${i === 0 ? 'well' : `exit status ${i}`}`));
  });

  it('keeps the first 3,000 bytes of a long output', async () => {
    const { output } = await launchTool('sh', [
      '-c',
      'i=0; while [ $i -lt 500 ]; do echo 0123456789; i=$((i+1)); done',
    ]);
    expect(output.slice(0, 3000)).toBe('0123456789\n'.repeat(300).slice(0, 3000));
    expect(output.length).toBeLessThanOrEqual(3001);
    expect(await launchTool('echo', ['next'])).toMatchObject({ output: 'next\n' });
  });

  it.each([
    ['a tool that is missing', 'no-such-tool', [], 'exec: "no-such-tool": executable file not found in $PATH'],
    ['a tool that is killed', 'sh', ['-c', 'kill -KILL $$'], 'signal: killed'],
  ] as const)('says it of %s', async (_what, file, args, problem) => {
    expect((await launchTool(file, args)).problem).toBe(problem);
  });

  it('kills a tool and what it has started when the signal aborts', async () => {
    const leaving = new AbortController();
    const file = path.join(dir, 'pids');
    const running = launchTool(
      'sh',
      ['-c', `sleep 1000 & echo $$ $! > ${file}.part; mv ${file}.part ${file}; wait`],
      leaving.signal,
    );
    let pids: readonly number[] = [];
    await eventually(async () => {
      pids = (await readFile(file, 'utf8').catch(() => ''))
        .split(' ')
        .filter((text) => text !== '')
        .map(Number);
      return pids.length === 2;
    });
    leaving.abort(new Error('enough'));
    await expect(running).rejects.toThrow('enough');
    for (const pid of pids) {
      await eventually(async () => [undefined, 'Z', 'X'].includes((await readProcessState(pid))?.state));
    }
    expect(await launchTool('echo', ['next'])).toMatchObject({ output: 'next\n' });
  });

  it('starts another shell after one was killed', async () => {
    const killer = 'kill -KILL $(cut -d" " -f4 /proc/$PPID/stat); echo "it answers"';
    expect(await launchTool('sh', ['-c', killer])).toMatchObject({ problem: undefined, output: 'it answers\n' });
    expect(await launchTool('echo', ['next'])).toMatchObject({ output: 'next\n' });
  });
});
