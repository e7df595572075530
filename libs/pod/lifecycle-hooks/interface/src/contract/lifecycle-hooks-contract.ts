import { afterEach, describe, expect, it } from '@podwright/contract';
import type { Container, Pod } from '@podwright/kube-types';
import type { LifecycleHooks } from '../lifecycle-hooks.js';
import { startHookServer, type HookServer } from './hook-server.js';

/** Hooks on a runtime with the container `c1`, where the case decides how commands end. */
export interface LifecycleHooksHarness {
  readonly hooks: LifecycleHooks;
  /** Sets how commands end from now on; `hang`: only when the signal aborts. */
  setExec(end: { readonly exitCode: number; readonly stdout?: string; readonly stderr?: string } | 'hang'): void;
  /** Sets the IP of the pod's sandbox from now on; undefined: the sandbox is not ready. */
  setPodIp(ip: string | undefined): void;
  /** Events so far, as `<type> <reason> <message>`. */
  readonly events: readonly string[];
  /** Commands so far, each behind the id of its container. */
  readonly commands: readonly (readonly string[])[];
  /** Advances the clock. */
  advance(ms: number): Promise<void>;
}

type Handler = NonNullable<NonNullable<Container['lifecycle']>['postStart']>;
const pod: Pod = { metadata: { name: 'web', namespace: 'default', uid: 'u1' }, spec: { containers: [] } };
const withHook = (hook: 'postStart' | 'preStop', handler: Handler): Container => ({
  name: 'app',
  lifecycle: { [hook]: handler },
});

/** Every {@link LifecycleHooks} passes this suite. The targets of httpGet are servers on loopback. */
export function describeLifecycleHooksContract(name: string, create: () => Promise<LifecycleHooksHarness>): void {
  const never = new AbortController().signal;
  const where = 'for Container "app" in Pod "web_default(u1)" failed - error:';

  describe(`${name} as LifecycleHooks`, () => {
    let server: HookServer | undefined;
    afterEach(async () => {
      await server?.close();
      server = undefined;
    });

    for (const hook of ['postStart', 'preStop'] as const) {
      it(`runs the command of ${hook} in the container`, async () => {
        const { hooks, setExec, commands } = await create();
        setExec({ exitCode: 0 });
        const container = withHook(hook, { exec: { command: ['/bin/go', '-v'] } });
        await expect(hooks.run(hook, pod, container, 'c1', never)).resolves.toBeUndefined();
        expect(commands).toEqual([['c1', '/bin/go', '-v']]);
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
      await advance(0);
      expect(done).toBe(1);
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
      await advance(1_000);
      stop.abort();
      await Promise.all([
        expect(sleep).rejects.toThrow(
          `Sleep lifecycle hook (60) ${where} container terminated before sleep hook finished`,
        ),
        expect(exec).rejects.toThrow('Exec lifecycle hook ([x])'),
        advance(0),
      ]);
    });

    it('takes the time that a sleep has had before off it, and runs everything else anew', async () => {
      const { hooks, setExec, commands, advance } = await create();
      setExec({ exitCode: 0 });
      let done = 0;
      const earlier = { elapsedMs: 58_000 };
      const container = withHook('preStop', { sleep: { seconds: 60 } });
      void hooks.run('preStop', pod, container, 'c1', never, earlier).then(() => (done += 1));
      await advance(1_999);
      expect(done).toBe(0);
      await advance(1);
      expect(done).toBe(1);
      void hooks.run('preStop', pod, container, 'c1', never, { elapsedMs: 61_000 }).then(() => (done += 1));
      await advance(0);
      expect(done).toBe(2);
      await hooks.run('preStop', pod, withHook('preStop', { exec: { command: ['x'] } }), 'c1', never, earlier);
      expect(commands).toEqual([['c1', 'x']]);
    });

    it('asks the first IP that the pod has now, whatever the status of the answer', async () => {
      const { hooks, setPodIp } = await create();
      server = await startHookServer({ status: 500 });
      setPodIp('127.0.0.1');
      const container: Container = {
        ...withHook('postStart', {
          httpGet: { path: '/go?a=b', port: 'admin', httpHeaders: [{ name: 'x-frame', value: 'one' }] },
        }),
        ports: [{ name: 'admin', containerPort: server.port }],
      };
      await expect(hooks.run('postStart', pod, container, 'c1', never)).resolves.toBeUndefined();
      expect(server.requests).toEqual(['GET /go?a=b']);
      expect(server.headers[0]).toMatchObject({ 'x-frame': 'one', 'user-agent': 'kube-lifecycle/1.36', accept: '*/*' });
    });

    it('asks the host of the handler without looking for the pod', async () => {
      const { hooks, setPodIp } = await create();
      server = await startHookServer();
      setPodIp(undefined);
      await hooks.run(
        'preStop',
        pod,
        withHook('preStop', { httpGet: { host: '127.0.0.1', port: server.port } }),
        'c1',
        never,
      );
      expect(server.requests).toEqual(['GET /']);
    });

    it('rejects with upstream words when nobody answers, or the pod has no IP', async () => {
      const { hooks, setPodIp } = await create();
      server = await startHookServer();
      const { port } = server;
      await server.close();
      setPodIp('127.0.0.1');
      const container = withHook('postStart', { httpGet: { path: '/x', port } });
      await expect(hooks.run('postStart', pod, container, 'c1', never)).rejects.toThrow(
        `HTTP lifecycle hook (/x) ${where} Get "http://127.0.0.1:${port}/x": dial tcp 127.0.0.1:${port}: connect: connection refused`,
      );
      setPodIp(undefined);
      await expect(hooks.run('postStart', pod, container, 'c1', never)).rejects.toThrow(
        `HTTP lifecycle hook (/x) ${where} failed to find networking container: &{u1 web default []}`,
      );
    });

    it('ends with the signal also when a server never answers', async () => {
      const { hooks } = await create();
      server = await startHookServer({ status: 'never' });
      const stop = new AbortController();
      const container = withHook('preStop', { httpGet: { host: '127.0.0.1', port: server.port } });
      const hook = expect(hooks.run('preStop', pod, container, 'c1', stop.signal)).rejects.toThrow(
        'HTTP lifecycle hook',
      );
      await server.asked();
      stop.abort();
      await hook;
    });

    it('asks over http, without credentials, where https is answered in plain text, and tells', async () => {
      const { hooks, events } = await create();
      server = await startHookServer();
      const httpHeaders = [
        { name: 'Authorization', value: 'secret' },
        { name: 'X-Kept', value: 'yes' },
      ];
      const httpGet = { host: '127.0.0.1', port: server.port, scheme: 'HTTPS', httpHeaders } as const;
      await hooks.run('postStart', pod, withHook('postStart', { httpGet }), 'c1', never);
      expect(server.requests).toEqual(['GET /']);
      expect(server.headers[0]).toMatchObject({ 'x-kept': 'yes' });
      expect(server.headers[0]).not.toHaveProperty('authorization');
      expect(events).toEqual([
        `Warning LifecycleHTTPFallback request to HTTPS lifecycle hook 127.0.0.1:${server.port} got HTTP response, retry with HTTP succeeded`,
      ]);
    });

    it.each<[string, Handler, string]>([
      [
        'tcpSocket',
        { tcpSocket: { port: 80 } },
        '&LifecycleHandler{Exec:nil,HTTPGet:nil,TCPSocket:&TCPSocketAction{Port:{0 80 },Host:,},Sleep:nil,}',
      ],
      [
        'tcpSocket by name',
        { tcpSocket: { port: 'http', host: 'h' } },
        '&LifecycleHandler{Exec:nil,HTTPGet:nil,TCPSocket:&TCPSocketAction{Port:{1 0 http},Host:h,},Sleep:nil,}',
      ],
      ['nothing', {}, '&LifecycleHandler{Exec:nil,HTTPGet:nil,TCPSocket:nil,Sleep:nil,}'],
    ])('refuses %s', async (_, handler, text) => {
      const { hooks } = await create();
      await expect(hooks.run('postStart', pod, withHook('postStart', handler), 'c1', never)).rejects.toThrow(
        `Cannot run handler: invalid handler: ${text}`,
      );
    });
  });
}
