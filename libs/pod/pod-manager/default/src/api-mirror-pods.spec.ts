import { afterEach, describe, expect, it } from '@jest/globals';
import { nodes as nodeResource, pods as podResource, type KubeClient } from '@podwright/kube-client-interface';
import { configHashAnnotation, configMirrorAnnotation, configSourceAnnotation } from '@podwright/kube-types';
import type { Node, Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { describeMirrorPodClientContract } from '@podwright/pod-manager-interface/contract';
import { TestCluster } from '@podwright/test-cluster';
import { createApiMirrorPods } from './api-mirror-pods.js';
import { createPodManager } from './memory-pod-manager.js';

const staticPod = (hash: string): Pod => ({
  metadata: {
    name: 's-n1',
    namespace: 'kube-system',
    uid: hash,
    annotations: { [configHashAnnotation]: hash, [configSourceAnnotation]: 'file' },
  },
  spec: { nodeName: 'n1', containers: [{ name: 'main', image: 'i' }] },
  status: { phase: 'Pending' },
});
const name = { namespace: 'kube-system', name: 's-n1' };

describeMirrorPodClientContract('ApiMirrorPods', async () => {
  const { admin, cluster, mirrors, pods, register } = await setUp({ registered: false });
  return {
    mirrorPods: mirrors,
    podManager: pods,
    registerNode: async () => (await register()).metadata?.uid ?? '',
    live: (namespace, name) => admin.get(podResource, { namespace, name }).catch(() => undefined),
    deleteAsUser: async (namespace, name) => {
      await admin.delete(podResource, { namespace, name });
      await cluster.clock.advance(0);
    },
  };
});

let closing: () => Promise<void> = async () => undefined;
afterEach(() => closing());

async function setUp({ registered = true }: { readonly registered?: boolean } = {}) {
  const cluster = new TestCluster();
  const admin = cluster.client();
  const kubelet = cluster.client({ name: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] });
  const calls: string[] = [];
  const client: Pick<KubeClient, 'create' | 'delete' | 'get'> = {
    create: (resource, object, options) => (calls.push('create'), kubelet.create(resource, object, options)),
    get: (resource, object, options) => (calls.push('get'), kubelet.get(resource, object, options)),
    delete: (resource, object, options) => (calls.push('delete'), kubelet.delete(resource, object, options)),
  };
  const pods = createPodManager();
  const listeners = new Set<(node: Node | undefined) => void>();
  let node: Node | undefined;
  const register = async (part: Node['metadata'] = {}): Promise<Node> => {
    node = await admin
      .create(nodeResource, { metadata: { name: 'n1' } })
      .catch(() => admin.get(nodeResource, { name: 'n1' }));
    node = { ...node, metadata: { ...node.metadata, ...part } };
    for (const listener of listeners) listener(node);
    await cluster.clock.advance(0);
    return node;
  };
  if (registered) await register();
  const logger = createMemoryLogger();
  const mirrors = createApiMirrorPods({
    client,
    pods,
    node: {
      current: () => node,
      watch: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    clock: cluster.clock,
    logger,
  });
  if (registered) await mirrors.start();
  const live = (): Promise<Pod | undefined> => admin.get(podResource, name).catch(() => undefined);
  /** What the watch would tell the sync loop. */
  const see = async (): Promise<Pod> => {
    const pod = await live();
    for (const old of pods.getMirrorPods()) pods.removePod(old);
    if (pod !== undefined) pods.addPod(pod);
    return pod as Pod;
  };
  closing = async () => {
    await mirrors.stop();
    await mirrors.stop();
    await cluster.stop();
    expect(cluster.clock.pendingTimers).toBe(0);
  };
  return { cluster, admin, calls, pods, logger, mirrors, live, see, register };
}

describe('ApiMirrorPods', () => {
  it('asks nothing of the API server when all is in line', async () => {
    const { calls, pods, mirrors, see } = await setUp();
    const pod = staticPod('h1');
    pods.addPod(pod);
    await mirrors.reconcile(pod);
    await see();
    await mirrors.reconcile(pod);
    expect(calls).toEqual(['create']);
  });

  it('is content with one of the same hash that the watch has not shown yet', async () => {
    const { calls, pods, logger, mirrors } = await setUp();
    const pod = staticPod('h1');
    pods.addPod(pod);
    await mirrors.reconcile(pod);
    await mirrors.reconcile(pod);
    expect(calls).toEqual(['create', 'create', 'get']);
    expect(logger.messages('error')).toEqual([]);
  });

  it('says once that another pod has the name, and goes on trying', async () => {
    const { admin, pods, logger, mirrors, live } = await setUp();
    const { metadata, spec } = staticPod('h1');
    await admin.create(podResource, { metadata: { name: metadata.name, namespace: metadata.namespace }, spec } as Pod);
    const pod = staticPod('h1');
    pods.addPod(pod);
    await mirrors.reconcile(pod);
    await mirrors.reconcile(pod);
    expect(logger.messages('error')).toEqual(['Failed creating a mirror pod for']);
    await admin.delete(podResource, name, { gracePeriodSeconds: 0 });
    await mirrors.reconcile(pod);
    expect((await live())?.metadata.annotations?.[configMirrorAnnotation]).toBe('h1');
    expect(logger.messages('info')).toContain('Mirror pods are made again');
  });

  it('makes none for a node that is being deleted or has no UID', async () => {
    const { calls, pods, logger, mirrors, register } = await setUp({ registered: false });
    const pod = staticPod('h1');
    pods.addPod(pod);
    await register({ deletionTimestamp: '2026-01-01T00:00:00Z' });
    await mirrors.reconcile(pod);
    expect(logger.messages('info')).toContain(
      'No need to create a mirror pod, since node has been removed from the cluster',
    );
    await expect(mirrors.create(pod)).rejects.toThrow('node n1 is being deleted');
    await register({ deletionTimestamp: undefined, uid: '' } as unknown as Node['metadata']);
    await expect(mirrors.create(pod)).rejects.toThrow('failed to get node UID: UID unset for node n1');
    expect(calls).toEqual([]);
  });
});
