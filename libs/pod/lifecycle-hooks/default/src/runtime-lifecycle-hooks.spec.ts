import { describe, expect, it } from '@jest/globals';
import { PodSandboxState, type RuntimeService } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { EventObject } from '@podwright/events-interface';
import {
  describeLifecycleHooksContract,
  type LifecycleHooksHarness,
} from '@podwright/lifecycle-hooks-interface/contract';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry, type MetricsRegistry } from '@podwright/metrics';
import { VirtualClock } from '@podwright/time';
import { createLifecycleHooks } from './runtime-lifecycle-hooks.js';

type ExecSync = RuntimeService['execSync'];

interface Bench extends LifecycleHooksHarness {
  readonly calls: Parameters<ExecSync>[];
  readonly metrics: MetricsRegistry;
}

function harness(): Bench {
  const clock = new VirtualClock();
  const metrics = createMetricsRegistry();
  const commands: (readonly string[])[] = [];
  const calls: Parameters<ExecSync>[] = [];
  const events: string[] = [];
  let podIp: string | undefined;
  let end: Parameters<LifecycleHooksHarness['setExec']>[0] | Error = { exitCode: 0 };
  const execSync: ExecSync = async (request, options) => {
    calls.push([request, options]);
    commands.push(request.cmd ?? []);
    if (end === 'hang') {
      await new Promise<void>((resolve) => options?.signal?.addEventListener('abort', () => resolve()));
      throw new KubeletError('cancelled', { code: 'cancelled' });
    }
    if (end instanceof Error) throw end;
    return { exitCode: end.exitCode, stdout: Buffer.from(end.stdout ?? ''), stderr: Buffer.from(end.stderr ?? '') };
  };
  const sandboxes = [
    { id: 'old', createdAt: 1n },
    { id: 'new', createdAt: 2n },
  ];
  const runtime = {
    execSync,
    listPodSandbox: async ({ filter }: { filter: { labelSelector: Record<string, string> } }) => ({
      items: filter.labelSelector['io.kubernetes.pod.uid'] === 'u1' ? sandboxes : [],
    }),
    podSandboxStatus: async ({ podSandboxId }: { podSandboxId: string }) => ({
      status: {
        state: podIp === undefined ? PodSandboxState.SANDBOX_NOTREADY : PodSandboxState.SANDBOX_READY,
        network: { ip: podSandboxId === 'new' ? (podIp ?? '10.9.9.9') : '10.8.8.8', additionalIps: [] },
      },
    }),
  } as unknown as RuntimeService;
  const hooks = createLifecycleHooks({
    runtime,
    recorder: {
      event: (_: EventObject, type, reason, message) => void events.push(`${type} ${reason} ${message}`),
    },
    clock,
    logger: createMemoryLogger(),
    metrics,
  });
  return {
    hooks,
    setExec: (next) => void (end = next),
    setPodIp: (ip) => void (podIp = ip),
    events,
    commands,
    advance: (ms) => clock.advance(ms),
    calls,
    metrics,
  };
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

  it('shows a call that failed in the words of Go’s client, and keeps the code of one that was cut off', async () => {
    const { hooks, setExec } = harness();
    const container = { name: 'app', lifecycle: { preStop: { exec: { command: ['x', 'a b'] } } } };
    setExec(new KubeletError('no such container', { code: 'not-found' }) as never);
    await expect(hooks.run('preStop', pod, container, 'c1', never)).rejects.toThrow(
      'Exec lifecycle hook ([x a b]) for Container "app" in Pod "web_default(u1)" failed - error: rpc error: code = NotFound desc = no such container, message: ""',
    );
    setExec(new KubeletError('the connection to the runtime is closed', { code: 'cancelled' }) as never);
    await expect(hooks.run('preStop', pod, container, 'c1', never)).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('quotes output as Go does', async () => {
    const { hooks, setExec } = harness();
    setExec({ exitCode: 1, stdout: 'a\u0007"\n' });
    const container = { name: 'app', lifecycle: { postStart: { exec: { command: ['x'] } } } };
    await expect(hooks.run('postStart', pod, container, 'c1', never)).rejects.toThrow('message: "a\\a\\"\\n"');
  });

  it('counts sleeps that were cut off, each once', async () => {
    const { hooks, metrics } = harness();
    const stop = new AbortController();
    const container = { name: 'app', lifecycle: { preStop: { sleep: { seconds: 5 } } } };
    const hook = expect(hooks.run('preStop', pod, container, 'c1', stop.signal)).rejects.toThrow(
      'Sleep lifecycle hook',
    );
    stop.abort();
    await hook;
    expect(await metrics.render()).toContain('kubelet_sleep_action_terminated_early_total 1');
  });
});
