import { describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import type { LocalOperation } from '@podwright/local-objects-interface';
import { VolatileLocalObjects } from '@podwright/local-objects-interface/contract';
import {
  describeConfigMapManagerContract,
  describeSecretManagerContract,
} from '@podwright/referenced-objects-interface/contract';
import { createLocalConfigMapManager, createLocalSecretManager } from './local-objects.module.js';

async function createWorld() {
  const localObjects = new VolatileLocalObjects();
  await localObjects.start();
  const woken: string[] = [];
  const workQueue = { enqueue: (uid: string, delayMs: number) => void woken.push(`${uid} in ${delayMs} ms`) };
  return { localObjects, woken, deps: { localObjects, workQueue } };
}

describeSecretManagerContract('LocalReferencedObjects', async () => {
  const { localObjects, deps } = await createWorld();
  const manager = createLocalSecretManager(deps);
  await manager.start();
  return {
    manager,
    put: async (put) => void (await localObjects.commit([{ kind: 'Secret', put }])),
    passTime: () => Promise.resolve(),
  };
});

describeConfigMapManagerContract('LocalReferencedObjects', async () => {
  const { localObjects, deps } = await createWorld();
  const manager = createLocalConfigMapManager(deps);
  await manager.start();
  return {
    manager,
    put: async (put) => void (await localObjects.commit([{ kind: 'ConfigMap', put }])),
    passTime: () => Promise.resolve(),
  };
});

describe('LocalReferencedObjects', () => {
  const pod = (uid: string, name: string, namespace = 'default'): Pod => ({
    metadata: { name: uid, namespace, uid },
    spec: { containers: [{ name: 'app', envFrom: [{ configMapRef: { name } }] }] },
  });
  const put = (name: string, value: string, namespace = 'default'): LocalOperation => ({
    kind: 'ConfigMap',
    put: { metadata: { namespace, name }, data: { value } },
  });

  it('wakes the pods that refer to what comes, changes or goes, and no others', async () => {
    const { localObjects, woken, deps } = await createWorld();
    const manager = createLocalConfigMapManager(deps);
    await manager.start();
    manager.registerPod(pod('one', 'a'));
    manager.registerPod(pod('two', 'a'));
    manager.registerPod(pod('other', 'b'));
    manager.registerPod(pod('elsewhere', 'a', 'kube-system'));
    const wokenBy = async (operation: LocalOperation): Promise<readonly string[]> => {
      await localObjects.commit([operation]);
      return woken.splice(0);
    };
    expect(await wokenBy(put('a', '1'))).toEqual(['one in 0 ms', 'two in 0 ms']);
    expect(await wokenBy(put('a', '1'))).toEqual([]);
    manager.unregisterPod(pod('one', 'a'));
    expect(await wokenBy(put('a', '2'))).toEqual(['two in 0 ms']);
    manager.registerPod(pod('two', 'b'));
    expect(await wokenBy(put('a', '3'))).toEqual([]);
    expect(await wokenBy(put('a', '1', 'kube-system'))).toEqual(['elsewhere in 0 ms']);
    expect(await wokenBy({ kind: 'Secret', put: { metadata: { namespace: 'default', name: 'b' } } })).toEqual([]);
    await wokenBy(put('b', '1'));
    const removal = { kind: 'ConfigMap', remove: { namespace: 'default', name: 'b' } } as const;
    expect(await wokenBy(removal)).toEqual(['two in 0 ms', 'other in 0 ms']);
    await manager.stop();
    await manager.stop();
    expect(await wokenBy(put('b', '2'))).toEqual([]);
  });
});
