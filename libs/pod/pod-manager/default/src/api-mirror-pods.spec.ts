import { afterEach, describe, expect, it } from '@jest/globals';
import { nodes as nodeResource, pods as podResource, type KubeClient } from '@podwright/kube-client-interface';
import { configHashAnnotation, configMirrorAnnotation, configSourceAnnotation } from '@podwright/kube-types';
import type { Node, Pod } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
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
  await mirrors.start();
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
  it('makes a missing mirror pod, marked with the hash and owned by the node, and no second one', async () => {
    const { admin, calls, pods, mirrors, live, see } = await setUp();
    const pod = staticPod('h1');
    pods.addPod(pod);
    await mirrors.reconcile(pod);
    const node = await admin.get(nodeResource, { name: 'n1' });
    const { metadata, spec } = (await live()) as Pod;
    expect(metadata.uid).not.toBe('h1');
    expect(metadata.annotations).toMatchObject({ [configMirrorAnnotation]: 'h1', [configHashAnnotation]: 'h1' });
    expect(metadata.ownerReferences).toEqual([
      { apiVersion: 'v1', kind: 'Node', name: 'n1', uid: node.metadata?.uid, controller: true },
    ]);
    expect(spec.nodeName).toBe('n1');
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

  it('replaces the mirror pod of another manifest', async () => {
    const { calls, pods, mirrors, live, see } = await setUp();
    pods.addPod(staticPod('h1'));
    await mirrors.reconcile(staticPod('h1'));
    const old = await see();
    pods.removePod(staticPod('h1'));
    pods.addPod(staticPod('h2'));
    await mirrors.reconcile(staticPod('h2'));
    const replaced = await live();
    expect(replaced?.metadata.annotations?.[configMirrorAnnotation]).toBe('h2');
    expect(replaced?.metadata.uid).not.toBe(old.metadata.uid);
    expect(calls).toEqual(['create', 'delete', 'create']);
  });

  it('replaces a mirror pod that a user deletes', async () => {
    const { admin, pods, mirrors, live, see } = await setUp();
    const pod = staticPod('h1');
    pods.addPod(pod);
    await mirrors.reconcile(pod);
    await admin.delete(podResource, name);
    const deleted = await see();
    expect(deleted.metadata.deletionTimestamp).toBeDefined();
    await mirrors.reconcile(pod);
    const replaced = await live();
    expect(replaced?.metadata.deletionTimestamp).toBeUndefined();
    expect(replaced?.metadata.uid).not.toBe(deleted.metadata.uid);
  });

  it('does nothing for pods that are not static or no longer wanted', async () => {
    const { calls, pods, mirrors } = await setUp();
    await mirrors.reconcile(staticPod('h1'));
    const { annotations: _, ...metadata } = staticPod('h1').metadata;
    const pod: Pod = { ...staticPod('h1'), metadata };
    pods.addPod(pod);
    await mirrors.reconcile(pod);
    expect(calls).toEqual([]);
  });

  it('makes them as soon as the node is registered', async () => {
    const { calls, pods, mirrors, live, register } = await setUp({ registered: false });
    const pod = staticPod('h1');
    pods.addPod(pod);
    await mirrors.reconcile(pod);
    await expect(mirrors.create(pod)).rejects.toMatchObject({ code: 'failed-precondition' });
    expect(calls).toEqual([]);
    await register();
    expect(await live()).toBeDefined();
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

  it.each<[string, string | undefined, boolean]>([
    ['the object with the UID', 'same', true],
    ['any object', undefined, true],
    ['no other object', 'another', false],
  ])('deletes %s', async (_name, uid, deleted) => {
    const { pods, logger, mirrors, live } = await setUp();
    pods.addPod(staticPod('h1'));
    await mirrors.reconcile(staticPod('h1'));
    const found = (await live())?.metadata.uid;
    expect(await mirrors.delete('s-n1_kube-system', uid === 'same' ? found : uid)).toBe(deleted);
    expect((await live()) === undefined).toBe(deleted);
    expect(logger.messages('error')).toEqual([]);
  });

  it('does not mind that there is nothing to delete, but takes no name apart that is none', async () => {
    const { mirrors } = await setUp();
    expect(await mirrors.delete('s-n1_kube-system', undefined)).toBe(false);
    await expect(mirrors.delete('s-n1', undefined)).rejects.toMatchObject({ code: 'invalid-argument' });
  });
});
