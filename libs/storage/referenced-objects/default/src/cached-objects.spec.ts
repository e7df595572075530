import { describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import { secrets } from '@podwright/kube-client-interface';
import type { Pod, Secret } from '@podwright/kube-types';
import { TestCluster } from '@podwright/test-cluster';
import { createApiSecretManager, type ApiSecretManager } from './api-secret-manager.js';
import { ObjectBench } from './fixtures/object-bench.js';

const pod = (uid: string): Pod => ({
  metadata: { name: `web-${uid}`, namespace: 'default', uid },
  spec: { containers: [], imagePullSecrets: [{ name: 'a' }] },
});
const secret = (text: string): Secret => ({
  metadata: { namespace: 'default', name: 'a' },
  data: { k: Buffer.from(text).toString('base64') },
});

describe('strategy Cache', () => {
  async function create(): Promise<{ bench: ObjectBench; manager: ApiSecretManager; read: () => Promise<string> }> {
    const bench = new ObjectBench(new TestCluster());
    const manager = createApiSecretManager(bench.deps, { strategy: 'Cache' });
    await manager.start();
    const read = async (): Promise<string> =>
      manager.get('default', 'a').then(
        ({ data }) => Buffer.from(data?.['k'] ?? '', 'base64').toString(),
        (error: Error) => error.message,
      );
    return { bench, manager, read };
  }
  const unavailable = new KubeletError('no answer', { code: 'unavailable' });

  it('asks once within the time that an object is fresh, then the cache of the server', async () => {
    const { bench, manager, read } = await create();
    await bench.put(secrets, secret('one'));
    manager.registerPod(pod('u1'));
    expect([await read(), await read()]).toEqual(['one', 'one']);
    await bench.put(secrets, secret('two'));
    await bench.pass(59_000 - 1);
    expect(await read()).toBe('one');
    await bench.pass(1_000);
    expect(await read()).toBe('two');
    expect(bench.calls).toEqual(['get default/a', 'get default/a rv=0']);
  });

  it.each([
    ['5', 5_000],
    ['0', 0],
    ['soon', 60_000],
  ])('takes the time from the node: %j', async (ttl, freshMs) => {
    const { bench, manager, read } = await create();
    bench.node = { metadata: { annotations: { 'node.alpha.kubernetes.io/ttl': ttl } } };
    await bench.put(secrets, secret('one'));
    manager.registerPod(pod('u1'));
    await read();
    if (freshMs > 0) await bench.pass(freshMs - 1);
    await read();
    expect(bench.calls.length).toBe(freshMs > 0 ? 1 : 2);
    await bench.pass(1);
    await read();
    expect(bench.calls.length).toBe(freshMs > 0 ? 2 : 3);
  });

  it('asks again for a pod that has just come, past the cache of the server', async () => {
    const { bench, manager, read } = await create();
    await bench.put(secrets, secret('one'));
    manager.registerPod(pod('u1'));
    await read();
    manager.registerPod(pod('u1'));
    await read();
    manager.registerPod(pod('u2'));
    await read();
    expect(bench.calls).toEqual(['get default/a', 'get default/a']);
  });

  it('shares a call between those who read at the same time', async () => {
    const { bench, manager, read } = await create();
    await bench.put(secrets, secret('one'));
    manager.registerPod(pod('u1'));
    expect(await Promise.all([read(), read(), read()])).toEqual(['one', 'one', 'one']);
    expect(bench.calls).toEqual(['get default/a']);
  });

  it('gives what it has while nobody answers, also that there is none', async () => {
    const { bench, manager, read } = await create();
    manager.registerPod(pod('u1'));
    bench.failure = unavailable;
    expect(await read()).toBe('no answer');
    bench.failure = undefined;
    expect(await read()).toBe('secrets "a" not found');
    bench.failure = unavailable;
    expect(await read()).toBe('secrets "a" not found');
    bench.failure = undefined;
    await bench.put(secrets, secret('one'));
    expect(await read()).toBe('one');
    bench.failure = unavailable;
    await bench.pass(60_000);
    expect(await read()).toBe('one');
  });

  it('forgets an object that is gone', async () => {
    const { bench, manager, read } = await create();
    await bench.put(secrets, secret('one'));
    manager.registerPod(pod('u1'));
    await read();
    await bench.administrator.delete(secrets, { namespace: 'default', name: 'a' });
    await bench.pass(60_000);
    expect(await read()).toBe('secrets "a" not found');
    manager.unregisterPod(pod('u1'));
    expect(await read()).toBe('object "default"/"a" not registered');
  });

  it('takes no older object for a newer one', async () => {
    const { bench, manager, read } = await create();
    const versions = ['10', '9'];
    bench.client.get = async <T>(): Promise<T> => {
      const resourceVersion = versions.shift() ?? '';
      return { ...secret(resourceVersion), metadata: { namespace: 'default', name: 'a', resourceVersion } } as T;
    };
    manager.registerPod(pod('u1'));
    await read();
    await bench.pass(60_000);
    expect(await read()).toBe('10');
  });
});
