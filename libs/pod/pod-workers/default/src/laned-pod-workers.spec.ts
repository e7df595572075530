import { describe, expect, it } from '@jest/globals';
import { rpcErrorText } from '@podwright/errors';
import { RecordingJournal } from '@podwright/journal-interface/contract';
import type { Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import { createScriptedEnvironment, describePodWorkersContract } from '@podwright/pod-workers-interface/contract';
import { createPodWorkers } from './create-pod-workers.js';
import { create } from './fixtures/workers-harness.js';

describePodWorkersContract('LanedPodWorkers', async (environment) => create(environment));

describe('LanedPodWorkers', () => {
  const staticPod = (uid: string): Pod => ({
    metadata: { name: 'web', namespace: 'default', uid, annotations: { 'kubernetes.io/config.source': 'file' } },
    spec: { containers: [{ name: 'main' }] },
  });

  it('starts a waiting static pod at the instant at which its predecessor has given up the name', async () => {
    const environment = createScriptedEnvironment();
    const { workers } = create(environment);
    environment.onCall = async ({ name }) => {
      if (name === 'terminated') await environment.clock.sleep(700);
      return { terminal: false };
    };
    workers.updatePod({ type: 'create', pod: staticPod('v1') });
    workers.updatePod({ type: 'create', pod: staticPod('v2') });
    await environment.clock.advance(0);
    workers.updatePod({ type: 'kill', pod: staticPod('v1') });
    await environment.clock.advance(699);
    expect(environment.calls.map(({ name, uid }) => `${name} ${uid}`)).toEqual([
      'sync v1',
      'terminating v1',
      'terminated v1',
    ]);
    await environment.clock.advance(1);
    expect(environment.calls.at(-1)).toMatchObject({ name: 'sync', uid: 'v2', updateType: 'create' });
    await workers.stop();
  });

  it.each(['pod', 'kubelet'])("ends a sync with Go's words, which events show, when the %s ends", async (ends) => {
    const environment = createScriptedEnvironment();
    const { workers } = create(environment);
    environment.onCall = async ({ name, signal }) => {
      if (name === 'sync') await environment.clock.sleep(60_000, signal);
      return { terminal: false };
    };
    workers.updatePod({ type: 'create', pod: staticPod('v1') });
    await environment.clock.advance(0);
    if (ends === 'pod') workers.updatePod({ type: 'kill', pod: staticPod('v1') });
    else await workers.stop();
    await environment.clock.advance(0);
    expect(rpcErrorText(environment.calls[0]?.signal?.reason)).toBe(
      'rpc error: code = Canceled desc = context canceled',
    );
    await workers.stop();
  });

  it('asks for a look at a pod that is to end when its status is too old, and patiently at one that did not change', async () => {
    const environment = createScriptedEnvironment();
    const looks: string[] = [];
    const { workers } = create(environment, {
      requestRelist: (uid, { patient = false } = {}) => void looks.push(patient ? `${uid} in time` : uid),
    });
    const slow: (uid: string) => Promise<ReturnType<typeof environment.cached>> = async (uid) => {
      await environment.clock.sleep(500);
      return environment.cached(uid);
    };
    workers.updatePod({ type: 'create', pod: staticPod('v1') });
    await environment.clock.advance(0);
    const fresh = environment.onStatus;
    environment.onStatus = slow;
    workers.updatePod({ type: 'update', pod: staticPod('v1') });
    await environment.clock.advance(500);
    workers.updatePod({ type: 'sync', pod: staticPod('v1') });
    await environment.clock.advance(500);
    expect(looks).toEqual(['v1', 'v1 in time']);
    environment.onStatus = fresh;
    environment.onCall = async ({ name }) => {
      if (name === 'terminating') environment.onStatus = slow;
      return { terminal: false };
    };
    workers.updatePod({ type: 'kill', pod: staticPod('v1') });
    await environment.clock.advance(500);
    expect(environment.calls.map(({ name }) => name)).toEqual(['sync', 'sync', 'sync', 'terminating', 'terminated']);
    expect(looks).toEqual(['v1', 'v1 in time', 'v1']);
    await workers.stop();
  });

  it('has a pod that is synced again vouched for since its last sync, and relisted when it was changed, that sync failed or nobody vouches', async () => {
    const environment = createScriptedEnvironment();
    const asked: (number | string)[] = [];
    const journal = new RecordingJournal();
    const { workers } = create(
      environment,
      { requestRelist: (_uid, { patient = false } = {}) => void asked.push(patient ? 'in time' : 'at once') },
      { vouch: (_uid, settledAtMs) => asked.push(settledAtMs) === 1 },
      journal,
    );
    const sync = async (type: 'create' | 'update' | 'sync', onCall = environment.onCall): Promise<void> => {
      environment.onCall = onCall;
      workers.updatePod({ type, pod: staticPod('v1') });
      await environment.clock.advance(500);
    };
    const well = environment.onCall;
    await sync('create');
    const settledAtMs = environment.clock.monotonic() - 500;
    environment.onStatus = async (uid) => {
      await environment.clock.sleep(100);
      return environment.cached(uid);
    };
    await sync('sync', () => Promise.reject(new Error('no volumes')));
    await sync('sync', well);
    await sync('update');
    await sync('sync');
    expect(asked).toEqual([settledAtMs, 'at once', 'at once', settledAtMs + 1_600, 'in time']);
    // The last sync is periodic, and all is well.
    const update = ['pod.queued', 'pod.sync'];
    expect(journal.kinds('v1')).toEqual([...update, 'pod.sync', 'pod.sync', ...update]);
    const [first, failed, mended] = journal.of('pod.sync');
    expect(first).toMatchObject({ pod: { name: 'web', namespace: 'default' }, state: 'sync', queuedMs: 0 });
    expect(failed).toMatchObject({ error: 'no volumes', failures: 1, durationMs: 100 });
    expect(Number(failed?.nextLookAtMs)).toBeGreaterThan(Number(failed?.failingSinceMs));
    expect(mended).not.toHaveProperty('error');
    await workers.stop();
  });

  it('asks for a look at a pod whose end is asked for while a sync waits for its status', async () => {
    const environment = createScriptedEnvironment();
    const looks: string[] = [];
    const { workers } = create(environment, {
      requestRelist: (uid, { patient = false } = {}) => void looks.push(patient ? `${uid} in time` : uid),
    });
    environment.onStatus = async (uid) => {
      await environment.clock.sleep(500);
      return environment.cached(uid);
    };
    workers.updatePod({ type: 'create', pod: staticPod('v1') });
    await environment.clock.advance(100);
    expect(looks).toEqual(['v1']);
    workers.updatePod({ type: 'kill', pod: staticPod('v1') });
    expect(looks).toEqual(['v1', 'v1']);
    await environment.clock.advance(3_000);
    await workers.stop();
  });

  it('kills a static pod that a former process started although this one never did', async () => {
    const environment = createScriptedEnvironment();
    const { workers } = create(environment);
    let runtimeKills = 0;
    environment.onCall = async ({ name }) => {
      if (name === 'terminating-runtime' && runtimeKills++ === 0) throw new Error('runtime is busy');
      return { terminal: false };
    };
    workers.updatePod({
      type: 'kill',
      runningPod: { uid: 'v1', name: 'web', namespace: 'default', containers: [], sandboxes: [] },
    });
    await environment.clock.advance(0);
    workers.updatePod({ type: 'update', pod: staticPod('v1') });
    await environment.clock.advance(0);
    expect(environment.calls.map(({ name }) => name)).toEqual(['terminating-runtime', 'terminating', 'terminated']);
    await workers.stop();
  });

  it('ends a pod with the status that a sync was waiting for when the end was asked', async () => {
    const environment = createScriptedEnvironment();
    const { workers } = create(environment);
    const pod = staticPod('v1');
    workers.updatePod({ type: 'create', pod });
    await environment.clock.advance(0);
    environment.onStatus = async (uid) => {
      await environment.clock.sleep(1_000);
      return environment.cached(uid);
    };
    workers.updatePod({ type: 'update', pod });
    await environment.clock.advance(500);
    workers.updatePod({ type: 'kill', pod });
    await environment.clock.advance(500);
    const [, waiting, ending] = environment.statusWanted;
    expect(ending?.minTimeMs).toBe(waiting?.minTimeMs);
    expect(environment.calls.map(({ name }) => name)).toEqual(['sync']);
    environment.onStatus = async (uid) => environment.cached(uid);
    await environment.clock.advance(1_000);
    expect(environment.calls.map(({ name }) => name)).toEqual(['sync', 'terminating', 'terminated']);
    await workers.stop();
  });

  it('measures from the oldest update that a sync answers', async () => {
    const environment = createScriptedEnvironment();
    const metrics = createMetricsRegistry();
    const { syncer, ...around } = environment;
    const { workers } = createPodWorkers({ ...around, syncer: () => syncer, logger: createMemoryLogger(), metrics });
    environment.onCall = async () => {
      await environment.clock.sleep(2_000);
      return { terminal: false };
    };
    const pod = staticPod('v1');
    workers.updatePod({ type: 'create', pod });
    await environment.clock.advance(500);
    workers.updatePod({ type: 'update', pod });
    await environment.clock.advance(1_000);
    workers.updatePod({ type: 'update', pod });
    await environment.clock.advance(2_500);
    const text = await metrics.render();
    expect(text).toContain('kubelet_pod_worker_duration_seconds_sum{operation_type="create"} 2');
    expect(text).toContain('kubelet_pod_worker_duration_seconds_sum{operation_type="update"} 3.5');
    expect(text).toContain('kubelet_containers_per_pod_count_sum 1');
    // As upstream, which has no time for what did not come from outside.
    workers.updatePod({ type: 'kill', pod });
    await environment.clock.advance(10_000);
    expect(environment.calls.at(-1)?.name).toBe('terminated');
    expect(await metrics.render()).not.toMatch(/operation_type="(kill|terminated)"/);
    await workers.stop();
  });

  it('names the option that is out of range', () => {
    const { syncer, ...around } = createScriptedEnvironment();
    const deps = { ...around, syncer: () => syncer, logger: createMemoryLogger(), metrics: createMetricsRegistry() };
    expect(() => createPodWorkers(deps, { syncFrequencyMs: -1 })).toThrow('syncFrequencyMs');
  });
});
