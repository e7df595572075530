import { describe, expect, it } from '@jest/globals';
import { secrets } from '@podwright/kube-client-interface';
import type { Pod, Secret } from '@podwright/kube-types';
import { TestCluster } from '@podwright/test-cluster';
import { createApiSecretManager } from './api-objects.module.js';
import { ObjectHarness } from './fixtures/object-harness.js';
import type { ReferencedObjects } from './referenced-objects.js';

const pod = (uid: string, ...names: string[]): Pod => ({
  metadata: { name: `web-${uid}`, namespace: 'default', uid },
  spec: { containers: [], imagePullSecrets: names.map((name) => ({ name })) },
});
const secret = (name: string, more: Secret = {}): Secret => ({ metadata: { namespace: 'default', name }, ...more });

describe('strategy Watch', () => {
  async function create(
    syncFrequencyMs = 60_000,
  ): Promise<{ harness: ObjectHarness; manager: ReferencedObjects<Secret> }> {
    const harness = new ObjectHarness(new TestCluster());
    const manager = createApiSecretManager(harness.deps, { syncFrequencyMs });
    await manager.start();
    return { harness, manager };
  }

  it('watches each object once, from the first pod to the last', async () => {
    const { harness, manager } = await create();
    manager.registerPod(pod('u1', 'a', 'b'));
    manager.registerPod(pod('u2', 'a'));
    manager.registerPod(pod('u1', 'a', 'b'));
    expect(harness.calls).toEqual(['watch default/metadata.name=a', 'watch default/metadata.name=b']);
    manager.registerPod(pod('u1', 'a', 'c'));
    expect(harness.calls.splice(0).slice(2)).toEqual(['watch default/metadata.name=c', 'stop default/metadata.name=b']);
    manager.unregisterPod(pod('u1'));
    expect(harness.calls).toEqual(['stop default/metadata.name=c']);
    manager.unregisterPod(pod('u2'));
    expect(harness.calls.at(-1)).toBe('stop default/metadata.name=a');
  });

  it('costs the first read no more than the list, with the clock standing still', async () => {
    const { harness, manager } = await create();
    await harness.put(secrets, secret('a', { data: { k: 'YQ==' } }));
    const before = harness.cluster.clock.monotonic();
    manager.registerPod(pod('u1', 'a'));
    expect((await manager.get('default', 'a')).data).toEqual({ k: 'YQ==' });
    expect(harness.cluster.clock.monotonic()).toBe(before);
  });

  it('asks for watches of half an hour, for one object each', async () => {
    const harness = new ObjectHarness(new TestCluster());
    const asked: unknown[] = [];
    const inform = harness.client.inform;
    harness.client.inform = (resource, options) => {
      asked.push(options);
      return inform(resource, options);
    };
    createApiSecretManager(harness.deps).registerPod(pod('u1', 'a'));
    expect(asked).toMatchObject([
      { namespace: 'default', fieldSelector: 'metadata.name=a', minWatchTimeoutMs: 1_800_000 },
    ]);
  });

  it('has upstream’s texts', async () => {
    const { manager } = await create();
    manager.registerPod(pod('u1', 'a'));
    await expect(manager.get('default', 'a')).rejects.toMatchObject({
      code: 'not-found',
      message: 'secret "a" not found',
    });
    await expect(manager.get('default', 'other')).rejects.toMatchObject({
      code: 'internal',
      message: 'object "default"/"other" not registered',
    });
  });

  it('waits a second for the first list, and then says so', async () => {
    const { harness, manager } = await create();
    harness.client.inform = () => ({
      start: () => undefined,
      stop: async () => undefined,
      hasSynced: () => false,
      synced: (signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('forbidden')))),
      get: () => undefined,
      list: () => [],
      watch: () => () => undefined,
      resourceVersion: () => '',
    });
    manager.registerPod(pod('u1', 'a'));
    const failed = manager.get('default', 'a').catch((error: unknown) => error);
    await harness.pass(999);
    expect(await Promise.race([failed, 'waiting'])).toBe('waiting');
    await harness.pass(1);
    expect(await failed).toMatchObject({
      code: 'unavailable',
      message: 'failed to sync secret cache: timed out waiting for the condition',
      cause: { message: 'forbidden' },
    });
  });

  it('watches an immutable object no more once it was read, and has it until the last pod goes', async () => {
    const { harness, manager } = await create();
    await harness.put(secrets, secret('a', { immutable: true, data: { k: 'YQ==' } }));
    manager.registerPod(pod('u1', 'a'));
    await manager.get('default', 'a');
    await harness.administrator.delete(secrets, { namespace: 'default', name: 'a' });
    await harness.pass(60_000);
    expect((await manager.get('default', 'a')).data).toEqual({ k: 'YQ==' });
    expect(harness.calls).toEqual(['watch default/metadata.name=a', 'stop default/metadata.name=a']);
    manager.unregisterPod(pod('u1', 'a'));
    manager.registerPod(pod('u2', 'a'));
    await expect(manager.get('default', 'a')).rejects.toThrow('not found');
  });

  it.each([
    ['five periods of the pod syncs', 60_000, 300_000],
    ['at least a minute', 1_000, 60_000],
  ])('ends a watch that nobody has read for %s, and begins it anew', async (_what, syncFrequencyMs, idleMs) => {
    const { harness, manager } = await create(syncFrequencyMs);
    await harness.put(secrets, secret('a', { data: { k: 'YQ==' } }));
    manager.registerPod(pod('u1', 'a'));
    await manager.get('default', 'a');
    await harness.pass(idleMs - 1);
    expect(harness.calls).toEqual(['watch default/metadata.name=a']);
    await harness.pass(61_000);
    expect(harness.calls.at(-1)).toBe('stop default/metadata.name=a');
    await harness.put(secrets, secret('a', { data: { k: 'Yg==' } }));
    expect((await manager.get('default', 'a')).data).toEqual({ k: 'Yg==' });
    expect(harness.calls.at(-1)).toBe('watch default/metadata.name=a');
  });

  it('keeps a watch that is read', async () => {
    const { harness, manager } = await create();
    await harness.put(secrets, secret('a'));
    manager.registerPod(pod('u1', 'a'));
    for (let minute = 0; minute < 20; minute += 1) {
      await manager.get('default', 'a');
      await harness.pass(60_000);
    }
    expect(harness.calls).toEqual(['watch default/metadata.name=a']);
  });

  it('ends the wait of a read whose last pod goes', async () => {
    const { harness, manager } = await create();
    manager.registerPod(pod('u1', 'a'));
    const reading = manager.get('default', 'a').catch((error: unknown) => error);
    manager.unregisterPod(pod('u1', 'a'));
    await harness.pass(1_000);
    expect(await reading).toBeInstanceOf(Error);
  });
});
