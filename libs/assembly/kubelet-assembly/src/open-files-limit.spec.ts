import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { createMemoryLogger } from '@podwright/logging';
import type { LaunchTool } from '@podwright/program';
import { setOpenFilesLimit } from './open-files-limit.js';

const end = { how: 'exited', code: 1 } as const;

describe('the limit of open files', () => {
  it('is set with prlimit, and goes on with an error in the log without the right to', async () => {
    const asked: unknown[] = [];
    const logger = createMemoryLogger();
    const launch: LaunchTool = async (...tool) => {
      asked.push(tool);
      return { end, problem: 'exit status 1', output: 'prlimit: Operation not permitted\n' };
    };
    await setOpenFilesLimit(1_000_000, { launch, logger, pid: 7 });
    expect(asked).toEqual([['prlimit', ['--pid', '7', '--nofile=1000000:1000000']]]);
    expect(logger.entries).toMatchObject([
      {
        message: 'Failed to set rlimit on max file handles',
        fields: { error: 'exit status 1: prlimit: Operation not permitted', maxOpenFiles: 1_000_000 },
      },
    ]);
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('is both limits of the process', async () => {
    const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
    await once(child, 'spawn');
    const logger = createMemoryLogger();
    await setOpenFilesLimit(99, { logger, pid: child.pid ?? 0 });
    const limits = await readFile(`/proc/${child.pid}/limits`, 'utf8');
    const closed = once(child, 'close');
    child.stdin.end();
    await closed;
    expect(limits).toMatch(/Max open files +99 +99 /);
    expect(logger.entries).toEqual([]);
  });
});
