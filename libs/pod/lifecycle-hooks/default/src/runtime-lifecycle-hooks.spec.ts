import { describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { describeLifecycleHooksContract } from '@podwright/lifecycle-hooks-interface/contract';
import { harness } from './fixtures/hooks-harness.js';

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

  it('does not count sleeps that were cut off, as upstream’s go on', async () => {
    const { hooks, metrics } = harness();
    const stop = new AbortController();
    const container = { name: 'app', lifecycle: { preStop: { sleep: { seconds: 5 } } } };
    const hook = expect(hooks.run('preStop', pod, container, 'c1', stop.signal)).rejects.toThrow(
      'Sleep lifecycle hook',
    );
    stop.abort();
    await hook;
    expect(await metrics.render()).toContain('kubelet_sleep_action_terminated_early_total 0');
  });
});
