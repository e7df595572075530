import { afterEach, describe, expect, it } from '@jest/globals';
import { pods as podResource } from '@podwright/kube-client-interface';
import { configHashAnnotation, configMirrorAnnotation, configSourceAnnotation } from '@podwright/kube-types';
import type { Node, Pod } from '@podwright/kube-types';
import { describeMirrorPodClientContract } from '@podwright/pod-manager-interface/contract';
import { contractHarness, createMirrorPodsHarness } from './fixtures/mirror-pods-harness.js';

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

describeMirrorPodClientContract('ApiMirrorPods', async () => contractHarness(await setUp({ registered: false })));

let closing: () => Promise<void> = async () => undefined;
afterEach(() => closing());

async function setUp(options?: { readonly registered: boolean }) {
  const harness = await createMirrorPodsHarness(options);
  const { admin, cluster, mirrors, pods } = harness;
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
  return { ...harness, live, see };
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

  it('makes none of a local pod that uses local secrets or config maps, and one of every other', async () => {
    const { pods, mirrors, live, calls } = await setUp();
    const { metadata, ...rest } = staticPod('h1');
    const local: Pod = {
      ...rest,
      metadata: { ...metadata, annotations: { ...metadata.annotations, [configSourceAnnotation]: 'local' } },
    };
    const volumes = [{ name: 'keys', secret: { secretName: 'keys' } }];
    pods.addPod({ ...local, spec: { ...local.spec, volumes } });
    await mirrors.reconcile(local);
    expect(calls).toEqual([]);
    pods.updatePod(local);
    await mirrors.reconcile(local);
    expect((await live())?.metadata.annotations?.[configMirrorAnnotation]).toBe('h1');
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
