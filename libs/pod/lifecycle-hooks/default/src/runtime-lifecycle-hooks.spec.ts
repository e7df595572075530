import { describe, expect, it } from '@jest/globals';
import type { RuntimeService } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import {
  describeLifecycleHooksContract,
  type LifecycleHooksHarness,
} from '@podwright/lifecycle-hooks-interface/contract';
import { createMemoryLogger } from '@podwright/logging';
import { VirtualClock } from '@podwright/time';
import { createLifecycleHooks } from './runtime-lifecycle-hooks.js';

type ExecSync = RuntimeService['execSync'];

function harness(): LifecycleHooksHarness & {
  readonly calls: Parameters<ExecSync>[];
  readonly logger: ReturnType<typeof createMemoryLogger>;
} {
  const clock = new VirtualClock();
  const logger = createMemoryLogger();
  const commands: (readonly string[])[] = [];
  const calls: Parameters<ExecSync>[] = [];
  let end: Parameters<LifecycleHooksHarness['setExec']>[0] = { exitCode: 0 };
  const execSync: ExecSync = async (request, options) => {
    calls.push([request, options]);
    commands.push(request.cmd ?? []);
    if (end === 'hang') {
      await new Promise<void>((resolve) => options?.signal?.addEventListener('abort', () => resolve()));
      throw new KubeletError('cancelled', { code: 'cancelled' });
    }
    return { exitCode: end.exitCode, stdout: Buffer.from(end.stdout ?? ''), stderr: Buffer.from(end.stderr ?? '') };
  };
  const hooks = createLifecycleHooks({
    runtime: { execSync } as Partial<RuntimeService> as RuntimeService,
    clock,
    logger,
  });
  return { hooks, setExec: (next) => void (end = next), commands, advance: (ms) => clock.advance(ms), calls, logger };
}

describeLifecycleHooksContract('RuntimeLifecycleHooks', async () => harness());

describe('RuntimeLifecycleHooks', () => {
  const pod = { metadata: { name: 'web', namespace: 'default', uid: 'u1' }, spec: { containers: [] } };
  const never = new AbortController().signal;

  it('gives commands no time limit of their own', async () => {
    const { hooks, calls } = harness();
    await hooks.run('preStop', pod, { name: 'app', lifecycle: { preStop: { exec: { command: ['x'] } } } }, 'c1', never);
    expect(calls).toEqual([
      [
        { containerId: 'c1', cmd: ['x'], timeout: 0n },
        { signal: never, timeoutMs: 0 },
      ],
    ]);
  });

  it('does not call httpGet hooks, and says so each time', async () => {
    const { hooks, logger } = harness();
    const container = { name: 'app', lifecycle: { postStart: { httpGet: { port: 80 } } } };
    await hooks.run('postStart', pod, container, 'c1', never);
    await hooks.run('postStart', pod, container, 'c1', never);
    expect(logger.messages('warning')).toHaveLength(2);
  });
});
