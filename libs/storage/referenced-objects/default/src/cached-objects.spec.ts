import { describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { secrets } from '@podwright/kube-client-interface';
import type { Pod, Secret } from '@podwright/kube-types';
import { TestCluster } from '@podwright/test-cluster';
import { createApiSecretManager } from './api-objects.module.js';
import { ObjectHarness } from './fixtures/object-harness.js';
import type { ReferencedObjects } from './referenced-objects.js';

const pod = (uid: string): Pod => ({
  metadata: { name: `web-${uid}`, namespace: 'default', uid },
  spec: { containers: [], imagePullSecrets: [{ name: 'a' }] },
});
const secret = (text: string): Secret => ({
  metadata: { namespace: 'default', name: 'a' },
  data: { k: Buffer.from(text).toString('base64') },
});

describe('strategy Cache', () => {
  async function create(): Promise<{
    harness: ObjectHarness;
    manager: ReferencedObjects<Secret>;
    read: () => Promise<string>;
  }> {
    const harness = new ObjectHarness(new TestCluster());
    const manager = createApiSecretManager(harness.deps, { strategy: 'Cache' });
    await manager.start();
    const read = async (): Promise<string> =>
      manager.get('default', 'a').then(
        ({ data }) => Buffer.from(data?.['k'] ?? '', 'base64').toString(),
        (error: Error) => error.message,
      );
    return { harness, manager, read };
  }
  const unavailable = new KubeletError('no answer', { code: 'unavailable' });

  it('asks once within the time that an object is fresh, then the cache of the server', async () => {
    const { harness, manager, read } = await create();
    await harness.put(secrets, secret('one'));
    manager.registerPod(pod('u1'));
    expect([await read(), await read()]).toEqual(['one', 'one']);
    await harness.put(secrets, secret('two'));
    await harness.pass(59_000 - 1);
    expect(await read()).toBe('one');
    await harness.pass(1_000);
    expect(await read()).toBe('two');
    expect(harness.calls).toEqual(['get default/a', 'get default/a rv=0']);
  });

  it.each([
    ['5', 5_000],
    ['0', 0],
    ['soon', 60_000],
  ])('takes the time from the node: %j', async (ttl, freshMs) => {
    const { harness, manager, read } = await create();
    harness.node = { metadata: { annotations: { 'node.alpha.kubernetes.io/ttl': ttl } } };
    await harness.put(secrets, secret('one'));
    manager.registerPod(pod('u1'));
    await read();
    if (freshMs > 0) await harness.pass(freshMs - 1);
    await read();
    expect(harness.calls.length).toBe(freshMs > 0 ? 1 : 2);
    await harness.pass(1);
    await read();
    expect(harness.calls.length).toBe(freshMs > 0 ? 2 : 3);
  });

  it('asks again for a pod that has just come, past the cache of the server', async () => {
    const { harness, manager, read } = await create();
    await harness.put(secrets, secret('one'));
    manager.registerPod(pod('u1'));
    await read();
    manager.registerPod(pod('u1'));
    await read();
    manager.registerPod(pod('u2'));
    await read();
    expect(harness.calls).toEqual(['get default/a', 'get default/a']);
  });

  it('shares a call between those who read at the same time', async () => {
    const { harness, manager, read } = await create();
    await harness.put(secrets, secret('one'));
    manager.registerPod(pod('u1'));
    expect(await Promise.all([read(), read(), read()])).toEqual(['one', 'one', 'one']);
    expect(harness.calls).toEqual(['get default/a']);
  });

  it('gives what it has while nobody answers, also that there is none', async () => {
    const { harness, manager, read } = await create();
    manager.registerPod(pod('u1'));
    harness.failure = unavailable;
    expect(await read()).toBe('no answer');
    harness.failure = undefined;
    expect(await read()).toBe('secrets "a" not found');
    harness.failure = unavailable;
    expect(await read()).toBe('secrets "a" not found');
    harness.failure = undefined;
    await harness.put(secrets, secret('one'));
    expect(await read()).toBe('one');
    harness.failure = unavailable;
    await harness.pass(60_000);
    expect(await read()).toBe('one');
  });

  it('forgets an object that is gone', async () => {
    const { harness, manager, read } = await create();
    await harness.put(secrets, secret('one'));
    manager.registerPod(pod('u1'));
    await read();
    await harness.administrator.delete(secrets, { namespace: 'default', name: 'a' });
    await harness.pass(60_000);
    expect(await read()).toBe('secrets "a" not found');
    manager.unregisterPod(pod('u1'));
    expect(await read()).toBe('object "default"/"a" not registered');
  });

  it('takes no older object for a newer one', async () => {
    const { harness, manager, read } = await create();
    const versions = ['10', '9'];
    harness.client.get = async <T>(): Promise<T> => {
      const resourceVersion = versions.shift() ?? '';
      return { ...secret(resourceVersion), metadata: { namespace: 'default', name: 'a', resourceVersion } } as T;
    };
    manager.registerPod(pod('u1'));
    await read();
    await harness.pass(60_000);
    expect(await read()).toBe('10');
  });
});
