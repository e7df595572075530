import { describe, expect, it } from '@jest/globals';
import { secrets } from '@podwright/kube-client-interface';
import type { Pod, Secret } from '@podwright/kube-types';
import { MemoryOfflineObjects, TestCluster } from '@podwright/test-cluster';
import { createApiSecretManager } from './api-objects.module.js';
import { ObjectHarness } from './fixtures/object-harness.js';
import type { ReferencedObjects } from './referenced-objects.js';

const pod = (uid: string, ...names: readonly string[]): Pod => ({
  metadata: { name: uid, namespace: 'default', uid },
  spec: { containers: [], imagePullSecrets: names.map((name) => ({ name })) },
});
const secret = (name: string): Secret => ({
  metadata: { namespace: 'default', name },
  data: { k: Buffer.from(name).toString('base64') },
});

describe.each(['Watch', 'Cache', 'Get'] as const)('saved secrets with strategy %s', (strategy) => {
  async function world() {
    const cluster = new TestCluster();
    const harness = new ObjectHarness(cluster);
    const offline = new MemoryOfflineObjects(cluster.clock);
    await harness.put(secrets, secret('a'));
    /** The manager of a new process. */
    const start = async (): Promise<ReferencedObjects<Secret>> => {
      const manager = createApiSecretManager({ ...harness.deps, offline }, { strategy });
      await manager.start();
      manager.registerPod(pod('web', 'a', 'b'));
      return manager;
    };
    /** `get`, while time goes by. */
    const read = async (manager: ReferencedObjects<Secret>, name = 'a'): Promise<string> => {
      let answer: string | undefined;
      void manager.get('default', name).then(
        ({ data }) => (answer = Buffer.from(data?.['k'] ?? '', 'base64').toString()),
        (error: Error) => (answer = error.message),
      );
      await cluster.clock.runUntil(() => answer !== undefined, 60_000);
      return answer ?? '';
    };
    const first = await start();
    expect(await read(first)).toBe('a');
    await first.stop();
    return { cluster, harness, offline, start, read };
  }

  it('are given while the server is away, and only then', async () => {
    const { cluster, harness, offline, start, read } = await world();
    cluster.server.stop();
    const manager = await start();
    expect(await read(manager)).toBe('a');
    expect(offline.inUse).toEqual(['Secret default/a']);
    expect(await read(manager, 'b')).toMatch(/connect|timed out/);
    cluster.server.start();
    await harness.pass(5 * 60_000);
    expect(await read(manager)).toBe('a');
    expect(offline.inUse).toEqual([]);
    await manager.stop();
    await cluster.stop();
  });

  it('are not given when the server refuses', async () => {
    const { cluster, offline, start, read } = await world();
    cluster.server.faults.add({ type: 'status', status: 403, reason: 'Forbidden' }, { resource: 'secrets' }, Infinity);
    const manager = await start();
    expect(await read(manager)).toMatch(/timed out|403|forbidden/i);
    expect(offline.refs('Secret')).toHaveLength(1);
    await manager.stop();
    await cluster.stop();
  });

  it('are forgotten when the server has none', async () => {
    const { cluster, harness, offline, start, read } = await world();
    await harness.administrator.delete(secrets, { namespace: 'default', name: 'a' });
    const manager = await start();
    expect(await read(manager)).toMatch(/"a" not found/);
    expect(offline.refs('Secret')).toEqual([]);
    await manager.stop();
    await cluster.stop();
  });

  it('are removed when no pod needs them, registered or about to be', async () => {
    const { cluster, offline, start } = await world();
    const manager = await start();
    const kept = (): number => offline.refs('Secret').length;
    manager.forgetUnneeded([]);
    expect(kept()).toBe(1);
    manager.unregisterPod(pod('web'));
    manager.forgetUnneeded([pod('other', 'a')]);
    expect(kept()).toBe(1);
    manager.forgetUnneeded([pod('other', 'c')]);
    expect(kept()).toBe(0);
    await manager.stop();
    await cluster.stop();
  });
});
