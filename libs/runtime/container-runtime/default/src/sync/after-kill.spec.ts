import { afterEach, describe, expect, it } from '@jest/globals';
import type { PodSyncResult, RuntimePod } from '@podwright/container-runtime-interface';
import { KubeletError } from '@podwright/errors';
import type { LifecycleHandler, Pod } from '@podwright/kube-types';
import type { LifecycleHooks } from '@podwright/lifecycle-hooks-interface';
import type { ProbeResults } from '@podwright/probe-interface';
import { eventually, VirtualClock } from '@podwright/time';
import { createRuntimeHarness, type RuntimeHarness } from '../fixtures/runtime-harness.js';
import { createFakePodCheckpoints } from '../fixtures/fake-pod-checkpoints.js';
import { container, podWith, record, sidecar, statusWith } from '../fixtures/records.js';

const sleep: LifecycleHandler = { sleep: { seconds: 20 } };
const exec: LifecycleHandler = { exec: { command: ['x'] } };
const runningPod: RuntimePod = {
  uid: 'uid-1',
  name: 'web',
  namespace: 'default',
  containers: [record('app', 'running')],
  sandboxes: [],
};

/** Lives of one kubelet after another, over the same checkpoints, one clock and one list of hooks. */
class Lives {
  readonly clock = new VirtualClock();
  readonly checkpoints = createFakePodCheckpoints();
  /** `<hook> <container id> <milliseconds that it has had before>` */
  readonly hooks: string[] = [];
  readonly harnesses: RuntimeHarness[] = [];
  /** Ids of containers whose liveness probe has failed; a new life does not know. */
  readonly failed = new Set<string>();

  /** A new life; `hook` is what hooks do in it. */
  async begin(hook: () => Promise<void> = () => Promise.resolve()): Promise<RuntimeHarness> {
    const run: LifecycleHooks['run'] = (name, _, __, id, ___, options) => {
      this.hooks.push(`${name} ${id} ${options?.elapsedMs ?? 0}`);
      return hook();
    };
    const { clock, checkpoints, failed } = this;
    const probes: Pick<ProbeResults, 'get'> = {
      get: (kind, id) => (kind === 'liveness' && failed.has(id) ? 'failure' : undefined),
    };
    const harness = await createRuntimeHarness({ deps: { clock, checkpoints, probes, hooks: { run } } });
    harness.fake.on('createContainer', (request: { config: { metadata: { name: string } } }) => ({
      containerId: `${request.config.metadata.name}-id`,
    }));
    // A life that hangs in a hook ends there.
    if (hook === forever) harness.fake.on('stopContainer', forever);
    this.harnesses.push(harness);
    return harness;
  }
}

/** A call that the kubelet does not live to see the end of. */
const forever = (): Promise<never> => new Promise(() => undefined);
const calls = ({ fake }: RuntimeHarness, method: string): string[] =>
  fake.calls.filter((call) => call.startsWith(method));
const outcome = ({ results }: PodSyncResult): string[] =>
  results.map(({ action, target, error }) =>
    [action, target, ...(error ? [error.reason, error.message] : [])].join(' '),
  );

describe('after a kill -9', () => {
  const lives: Lives[] = [];
  const newLives = (): Lives => {
    const made = new Lives();
    lives.push(made);
    return made;
  };
  afterEach(async () => {
    for (const { harnesses } of lives.splice(0)) for (const harness of harnesses) await harness.remove();
  });

  const withPreStop = (preStop: LifecycleHandler): Pod =>
    podWith({ containers: [container('app', { lifecycle: { preStop } })] });
  const kill = async (
    { runtime }: RuntimeHarness,
    all: Lives,
    pod: Pod,
    gracePeriodSeconds?: number,
  ): Promise<void> => {
    const killed = runtime.killPod({
      pod,
      runningPod,
      ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    });
    await all.clock.advance(60_000);
    await killed;
  };

  describe('in a preStop hook', () => {
    it.each<[string, LifecycleHandler, number, string[], string]>([
      ['a sleep goes on with what is left', sleep, 8_000, ['preStop app-id 0', 'preStop app-id 8000'], '22s'],
      ['a command is run again', exec, 8_000, ['preStop app-id 0', 'preStop app-id 8000'], '22s'],
      ['no hook runs when all the grace is used up', exec, 31_000, ['preStop app-id 0'], '2s'],
    ])('%s', async (_, handler, diedAfterMs, hooks, grace) => {
      const all = newLives();
      const first = await all.begin(forever);
      void first.runtime.killPod({ pod: withPreStop(handler), runningPod });
      await all.clock.advance(diedAfterMs);
      const second = await all.begin();
      await kill(second, all, withPreStop(handler));
      expect(all.hooks).toEqual(hooks);
      expect(calls(second, 'stop')).toEqual([`stopContainer app-id ${grace}`]);
      expect(all.checkpoints.parts.size).toBe(0);
    });

    it('a hook that has ended is not run again, whether it failed or not', async () => {
      for (const hook of [() => Promise.resolve(), () => Promise.reject(new Error('no'))]) {
        const all = newLives();
        const first = await all.begin(hook);
        first.fake.on('stopContainer', forever);
        void first.runtime.killPod({ pod: withPreStop(exec), runningPod });
        await all.clock.advance(5_000);
        const second = await all.begin();
        await kill(second, all, withPreStop(exec));
        expect(all.hooks).toEqual(['preStop app-id 0']);
        expect(calls(second, 'stop')).toEqual(['stopContainer app-id 25s']);
      }
    });

    it('a hook that was cut off as the process ended is taken up, without an event', async () => {
      const all = newLives();
      const cutOff = new KubeletError('the connection to the runtime is closed', { code: 'cancelled' });
      const first = await all.begin(() => Promise.reject(cutOff));
      first.fake.on('stopContainer', () => Promise.reject(cutOff));
      await kill(first, all, withPreStop(exec));
      expect(first.events).toEqual(['Normal Killing spec.containers{app}: Stopping container app']);
      await kill(await all.begin(), all, withPreStop(exec), 120);
      expect(all.hooks).toEqual(['preStop app-id 0', 'preStop app-id 60000']);
    });
  });

  describe('in the kill of a whole pod', () => {
    it.each([
      ['the hook that was cut off is run again', forever, ['preStop app-id 0', 'preStop app-id 5000']],
      ['the hook that has ended is not', () => Promise.resolve(), ['preStop app-id 0']],
    ] as const)('the next sync goes on with it: %s', async (_, hook, hooks) => {
      const all = newLives();
      const first = await all.begin(hook);
      first.fake.on('stopContainer', forever);
      void first.runtime.killPod({ pod: withPreStop(exec), runningPod });
      await all.clock.advance(5_000);
      const second = await all.begin();
      await second.sync(withPreStop(exec), statusWith([record('app', 'running')]));
      expect(all.hooks).toEqual(hooks);
      expect(calls(second, 'stopContainer')).toEqual(['stopContainer app-id 25s']);
      expect(calls(second, 'stopPodSandbox')).toHaveLength(1);
    });

    it('nothing is started, although sidecars of it have ended and are missing', async () => {
      const pod = podWith({
        restartPolicy: 'Never',
        initContainers: [sidecar('first'), sidecar('second')],
        containers: [container('app')],
      });
      const ended = record('app', 'exited');
      const all = newLives();
      const first = await all.begin();
      first.fake.on('stopContainer', ({ containerId }: { containerId: string }) =>
        containerId === 'second-id' ? {} : forever(),
      );
      const running = [record('first', 'running'), record('second', 'running'), ended];
      void first.sync(pod, statusWith(running));
      await eventually(() => calls(first, 'stopContainer').length === 2);
      await all.clock.advance(3_000);
      const second = await all.begin();
      await second.sync(pod, statusWith([record('first', 'running'), record('second', 'exited'), ended]));
      expect(calls(second, 'createContainer')).toEqual([]);
      expect(calls(second, 'stopContainer')).toEqual(['stopContainer first-id 27s']);
    });
  });

  it.each([
    ['Always', 1],
    ['Never', 0],
  ] as const)(
    'the kill of a container that failed its liveness probe goes on without the probe’s result, with %s',
    async (restartPolicy, starts) => {
      const pod = podWith({
        restartPolicy,
        containers: [container('app', { livenessProbe: { terminationGracePeriodSeconds: 9 } }), container('other')],
      });
      const status = statusWith([record('app', 'running'), record('other', 'running')]);
      const all = newLives();
      const first = await all.begin();
      first.fake.on('stopContainer', forever);
      all.failed.add('app-id');
      void first.sync(pod, status);
      await eventually(() => calls(first, 'stopContainer').length === 1);
      await all.clock.advance(4_000);
      all.failed.clear();
      const second = await all.begin();
      await second.sync(pod, status);
      expect(second.events[0]).toContain('Container app failed liveness probe');
      expect(calls(second, 'stopContainer')).toEqual(['stopContainer app-id 5s']);
      expect(calls(second, 'createContainer')).toHaveLength(starts);
    },
  );

  it.each([
    ['the same grace goes on', 30, 30, 8_000, '22s'],
    ['never less than 2 s are given', 30, 30, 100_000, '2s'],
    ['a shorter one counts from now', 30, 5, 8_000, '5s'],
    ['a shorter one gives no more than was left', 30, 25, 28_000, '2s'],
    ['a longer one goes on from the beginning', 10, 60, 20_000, '40s'],
    ['a clock that was set back gives all of it', 30, 30, 0, '30s'],
  ])('a container kill is taken up: %s', async (_, before, now, diedAfterMs, expected) => {
    const all = newLives();
    const first = await all.begin();
    first.fake.on('stopContainer', forever);
    void first.runtime.killPod({ pod: podWith(), runningPod, gracePeriodSeconds: before });
    await all.clock.advance(diedAfterMs);
    const second = await all.begin();
    await kill(second, all, podWith(), now);
    expect(calls(second, 'stop')).toEqual([`stopContainer app-id ${expected}`]);
  });

  it('a kill that failed in the same life begins anew', async () => {
    const all = newLives();
    const harness = await all.begin();
    harness.fake.on('stopContainer', () => Promise.reject(new KubeletError('stuck', { code: 'unknown' })));
    await kill(harness, all, podWith());
    await kill(harness, all, podWith());
    expect(calls(harness, 'stop')).toEqual(['stopContainer app-id 30s', 'stopContainer app-id 30s']);
  });

  describe('in a postStart hook', () => {
    const hooked = (postStart: LifecycleHandler): Pod =>
      podWith({ containers: [container('app', { lifecycle: { postStart } }), container('b')] });
    const appRuns = statusWith([record('app', 'running')]);

    async function killedInHook(pod: Pod, afterMs = 8_000): Promise<Lives> {
      const all = newLives();
      const first = await all.begin(forever);
      void first.sync(pod);
      // The files of the start are real ones, so wait for the hook rather than for the clock.
      await eventually(() => all.hooks.length > 0);
      await all.clock.advance(afterMs);
      return all;
    }

    it('the first time a hook has all its time, however long the start took', async () => {
      const all = newLives();
      const harness = await all.begin();
      harness.fake.on('startContainer', () => all.clock.advance(700));
      await harness.sync(hooked(sleep));
      expect(all.hooks).toEqual(['postStart app-id 0']);
    });

    it('the hook is taken up for the running container and blocks the later ones again', async () => {
      const all = await killedInHook(hooked(sleep));
      let release = (): void => undefined;
      const second = await all.begin(
        () =>
          new Promise((resolve) => {
            release = resolve;
          }),
      );
      const synced = second.sync(hooked(sleep), appRuns);
      await all.clock.advance(1_000);
      expect(all.hooks).toEqual(['postStart app-id 0', 'postStart app-id 8000']);
      expect(calls(second, 'createContainer')).toEqual([]);
      release();
      expect(outcome(await synced)).toEqual(['ConfigPodSandbox sandbox-1', 'StartContainer b']);
      expect(calls(second, 'startContainer')).toEqual(['startContainer b-id']);
      await second.sync(hooked(sleep), statusWith([record('app', 'running'), record('b', 'running')]));
      expect(all.hooks).toHaveLength(2);
      expect(all.checkpoints.parts.size).toBe(0);
    });

    it('its failure kills the container', async () => {
      const all = await killedInHook(hooked(exec));
      const second = await all.begin(() => Promise.reject(new Error('hook says no')));
      expect(outcome(await second.sync(hooked(exec), appRuns))).toEqual([
        'ConfigPodSandbox sandbox-1',
        'StartContainer app PostStartHookError hook says no',
        'StartContainer b',
      ]);
      expect(second.events.slice(0, 2)).toEqual([
        'Warning FailedPostStartHook spec.containers{app}: PostStartHook failed',
        'Normal Killing spec.containers{app}: FailedPostStartHook',
      ]);
      expect(calls(second, 'stopContainer')).toEqual(['stopContainer app-id 30s']);
    });

    it('a hook that has failed is not run again, the kill goes on', async () => {
      const all = newLives();
      const first = await all.begin(() => Promise.reject(new Error('hook says no')));
      first.fake.on('stopContainer', forever);
      void first.sync(hooked(exec));
      await eventually(() => calls(first, 'stopContainer').length > 0);
      await all.clock.advance(10_000);
      const second = await all.begin();
      expect(outcome(await second.sync(hooked(exec), appRuns))[1]).toBe(
        'StartContainer app PostStartHookError hook says no',
      );
      expect(all.hooks).toEqual(['postStart app-id 0']);
      expect(calls(second, 'stopContainer')).toEqual(['stopContainer app-id 20s']);
    });

    it('a container that was started and not told to its hook yet gets it', async () => {
      const all = newLives();
      const first = await all.begin();
      first.fake.on('startContainer', forever);
      void first.sync(hooked(exec));
      await eventually(() => calls(first, 'startContainer').length > 0);
      const second = await all.begin();
      await second.sync(hooked(exec), appRuns);
      expect(all.hooks).toEqual(['postStart app-id 0']);
    });

    it('a sidecar’s blocks the next init container, also when nothing else is to be started', async () => {
      const pod = podWith({ initContainers: [sidecar('s', { lifecycle: { postStart: exec } }), container('i')] });
      const all = await killedInHook(pod);
      const second = await all.begin();
      const status = statusWith([record('s', 'running'), record('i', 'running')]);
      expect(outcome(await second.sync(pod, status))).toEqual(['ConfigPodSandbox sandbox-1']);
      expect(all.hooks).toEqual(['postStart s-id 0', 'postStart s-id 8000']);
    });

    it('nothing is run in a container that has ended, or in a pod that goes away', async () => {
      const all = await killedInHook(hooked(exec));
      const second = await all.begin(forever);
      await second.sync(hooked(exec), appRuns, { isTerminationRequested: () => true });
      expect(all.hooks).toHaveLength(1);
      await second.sync(
        podWith({ ...hooked(exec).spec, restartPolicy: 'Never' }),
        statusWith([record('app', 'exited'), record('b', 'running')]),
      );
      expect(all.hooks).toHaveLength(1);
    });
  });

  it('forgets containers that the runtime no longer has, and takes what it cannot read for nothing', async () => {
    const all = newLives();
    const key = 'uid-1/container-runtime.containers';
    all.checkpoints.parts.set(
      key,
      '{"gone":{"preStop":{"startedAtMs":1,"ended":true}},"app-id":{"kill":{"beganAtMs":"x"}},"y":3}',
    );
    const harness = await all.begin();
    await harness.sync(podWith(), statusWith([record('app', 'running')]));
    expect([...all.checkpoints.parts.keys()]).toEqual([]);
    all.checkpoints.parts.set(key, '[]');
    await kill(harness, all, podWith());
    expect(calls(harness, 'stopContainer')).toEqual(['stopContainer app-id 30s']);
  });
});
