import { describe, expect, it } from '@jest/globals';
import type { Container, Pod } from '@podwright/kube-types';
import type { LifecycleHooks } from '../lifecycle-hooks.js';

/** Hooks in front of a container `c1` in which commands end as the case says. */
export interface LifecycleHooksHarness {
  readonly hooks: LifecycleHooks;
  /** How commands end from now on; `hang`: not before the signal aborts. */
  setExec(end: { readonly exitCode: number; readonly stdout?: string; readonly stderr?: string } | 'hang'): void;
  /** Commands so far. */
  readonly commands: readonly (readonly string[])[];
  /** Lets this much time go by. */
  advance(ms: number): Promise<void>;
}

type Handler = NonNullable<NonNullable<Container['lifecycle']>['postStart']>;
const pod: Pod = { metadata: { name: 'web', namespace: 'default', uid: 'u1' }, spec: { containers: [] } };
const withHook = (hook: 'postStart' | 'preStop', handler: Handler): Container => ({
  name: 'app',
  lifecycle: { [hook]: handler },
});

/** What every implementation has to do; httpGet is left out, its target is not the runtime. */
export function describeLifecycleHooksContract(name: string, create: () => Promise<LifecycleHooksHarness>): void {
  const never = new AbortController().signal;
  const where = 'for Container "app" in Pod "web_default(u1)" failed - error:';

  describe(`${name} as LifecycleHooks`, () => {
    for (const hook of ['postStart', 'preStop'] as const) {
      it(`runs the command of ${hook} in the container`, async () => {
        const { hooks, setExec, commands } = await create();
        setExec({ exitCode: 0 });
        const container = withHook(hook, { exec: { command: ['/bin/go', '-v'] } });
        await expect(hooks.run(hook, pod, container, 'c1', never)).resolves.toBeUndefined();
        expect(commands).toEqual([['/bin/go', '-v']]);
      });
    }

    it('does nothing for a container without that hook', async () => {
      const { hooks, commands } = await create();
      await hooks.run('postStart', pod, { name: 'app' }, 'c1', never);
      await hooks.run('preStop', pod, withHook('postStart', { exec: { command: ['x'] } }), 'c1', never);
      expect(commands).toEqual([]);
    });

    it('rejects with upstream words and the output of a command that failed', async () => {
      const { hooks, setExec } = await create();
      setExec({ exitCode: 3, stdout: 'out ', stderr: 'err' });
      const container = withHook('postStart', { exec: { command: ['/bin/go', '-v'] } });
      await expect(hooks.run('postStart', pod, container, 'c1', never)).rejects.toThrow(
        `Exec lifecycle hook ([/bin/go -v]) ${where} command '/bin/go -v' exited with 3: err, message: "out err"`,
      );
    });

    it('waits as long as a sleep says, zero included', async () => {
      const { hooks, advance } = await create();
      let done = 0;
      void hooks
        .run('preStop', pod, withHook('preStop', { sleep: { seconds: 0 } }), 'c1', never)
        .then(() => (done += 1));
      void hooks
        .run('preStop', pod, withHook('preStop', { sleep: { seconds: 5 } }), 'c1', never)
        .then(() => (done += 1));
      await advance(4_999);
      expect(done).toBe(1);
      await advance(1);
      expect(done).toBe(2);
    });

    it('ends with the signal', async () => {
      const { hooks, setExec, advance } = await create();
      setExec('hang');
      const stop = new AbortController();
      const sleep = hooks.run('preStop', pod, withHook('preStop', { sleep: { seconds: 60 } }), 'c1', stop.signal);
      const exec = hooks.run('preStop', pod, withHook('preStop', { exec: { command: ['x'] } }), 'c1', stop.signal);
      const slept = expect(sleep).rejects.toThrow(
        `Sleep lifecycle hook (60) ${where} container terminated before sleep hook finished`,
      );
      const executed = expect(exec).rejects.toThrow('Exec lifecycle hook ([x])');
      await advance(1_000);
      stop.abort();
      await advance(0);
      await slept;
      await executed;
    });

    it('refuses a handler that it does not know', async () => {
      const { hooks } = await create();
      const container = withHook('postStart', { tcpSocket: { port: 80 } });
      await expect(hooks.run('postStart', pod, container, 'c1', never)).rejects.toThrow('invalid handler');
    });
  });
}
