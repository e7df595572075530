import { describe, expect, it } from '@podwright/contract';
import type { Pod } from '@podwright/kube-types';
import type { MirrorPodClient } from '../mirror-pod-client.js';
import type { PodManager } from '../pod-manager.js';

/** A client of node `n1`, not started, and the means to control its dependencies. */
export interface MirrorPodClientHarness {
  readonly mirrorPods: MirrorPodClient;
  readonly podManager: PodManager;
  /** Creates the Node on the API server. Resolves with its UID when the client knows it. */
  registerNode(): Promise<string>;
  /** The API server's pod of that name; undefined when there is none. */
  live(namespace: string, name: string): Promise<Pod | undefined>;
  /** Deletes a pod as a user does, with the pod's own grace period. */
  deleteAsUser(namespace: string, name: string): Promise<void>;
}

const hashAnnotation = 'kubernetes.io/config.hash';
const mirrorAnnotation = 'kubernetes.io/config.mirror';
const [namespace, name] = ['kube-system', 's-n1'];

const staticPod = (hash: string): Pod => ({
  metadata: {
    name,
    namespace,
    uid: hash,
    annotations: { [hashAnnotation]: hash, 'kubernetes.io/config.source': 'file' },
  },
  spec: { nodeName: 'n1', containers: [{ name: 'main', image: 'i' }] },
  status: { phase: 'Pending' },
});

/** Every implementation of {@link MirrorPodClient} passes this suite; `create` gives a new instance per case. */
export function describeMirrorPodClientContract(
  description: string,
  create: () => Promise<MirrorPodClientHarness>,
): void {
  describe(`${description} as a MirrorPodClient`, () => {
    async function withMirrorPod(hash = 'h1'): Promise<MirrorPodClientHarness & { readonly mirrorPod: Pod }> {
      const harness = await create();
      await harness.registerNode();
      await harness.mirrorPods.start();
      harness.podManager.addPod(staticPod(hash));
      await harness.mirrorPods.reconcile(staticPod(hash));
      return { ...harness, mirrorPod: await see(harness) };
    }
    /** Passes the server's mirror pod to the pod manager, as the sync loop does after a watch event. */
    async function see({ live, podManager }: MirrorPodClientHarness): Promise<Pod> {
      const pod = await live(namespace, name);
      if (pod === undefined) throw new Error('there is no mirror pod');
      for (const old of podManager.getMirrorPods()) podManager.removePod(old);
      podManager.addPod(pod);
      return pod;
    }

    it('can be stopped before it was started, and twice', async () => {
      const { mirrorPods } = await create();
      await mirrorPods.stop();
      await mirrorPods.stop();
    });

    it('makes a missing mirror pod, marked with the hash and owned by the node', async () => {
      const { mirrorPods, podManager, registerNode, live } = await create();
      const uid = await registerNode();
      podManager.addPod(staticPod('h1'));
      await mirrorPods.reconcile(staticPod('h1'));
      const made = await live(namespace, name);
      expect(made?.metadata.annotations).toMatchObject({ [mirrorAnnotation]: 'h1', [hashAnnotation]: 'h1' });
      const owner = { apiVersion: 'v1', kind: 'Node', name: 'n1', uid, controller: true };
      expect(made?.metadata.ownerReferences).toEqual([owner]);
      expect([made?.metadata.uid === 'h1', made?.spec.nodeName]).toEqual([false, 'n1']);
      await mirrorPods.stop();
    });

    it('leaves one that fits alone', async () => {
      const harness = await withMirrorPod();
      await harness.mirrorPods.reconcile(staticPod('h1'));
      await harness.mirrorPods.create(staticPod('h1'));
      expect((await harness.live(namespace, name))?.metadata.uid).toBe(harness.mirrorPod.metadata.uid);
      await harness.mirrorPods.stop();
    });

    it('replaces the mirror pod of another manifest', async () => {
      const { podManager, mirrorPods, live, mirrorPod } = await withMirrorPod();
      podManager.removePod(staticPod('h1'));
      podManager.addPod(staticPod('h2'));
      await mirrorPods.reconcile(staticPod('h2'));
      const replaced = await live(namespace, name);
      expect(replaced?.metadata.annotations?.[mirrorAnnotation]).toBe('h2');
      expect(replaced?.metadata.uid).not.toBe(mirrorPod.metadata.uid);
      await mirrorPods.stop();
    });

    it('replaces a mirror pod that a user deletes', async () => {
      const harness = await withMirrorPod();
      await harness.deleteAsUser(namespace, name);
      const deleted = await see(harness);
      expect(deleted.metadata.deletionTimestamp).toBeDefined();
      await harness.mirrorPods.reconcile(staticPod('h1'));
      const replaced = await harness.live(namespace, name);
      expect(replaced).toBeDefined();
      expect(replaced?.metadata.deletionTimestamp).toBeUndefined();
      expect(replaced?.metadata.uid).not.toBe(deleted.metadata.uid);
      await harness.mirrorPods.stop();
    });

    it('makes none for a pod that is not wanted any more, or not static', async () => {
      const { mirrorPods, podManager, registerNode, live } = await create();
      await registerNode();
      await mirrorPods.reconcile(staticPod('h1'));
      const pod: Pod = { ...staticPod('h1'), metadata: { name, namespace, uid: 'h1' } };
      podManager.addPod(pod);
      await mirrorPods.reconcile(pod);
      expect(await live(namespace, name)).toBeUndefined();
      await mirrorPods.stop();
    });

    it('makes those that are missing as soon as the node is registered', async () => {
      const { mirrorPods, podManager, registerNode, live } = await create();
      await mirrorPods.start();
      podManager.addPod(staticPod('h1'));
      await mirrorPods.reconcile(staticPod('h1'));
      await expect(mirrorPods.create(staticPod('h1'))).rejects.toMatchObject({ code: 'failed-precondition' });
      expect(await live(namespace, name)).toBeUndefined();
      await registerNode();
      expect(await live(namespace, name)).toBeDefined();
      await mirrorPods.stop();
    });

    it('deletes by name, or only the object with the UID', async () => {
      const { mirrorPods, live, mirrorPod } = await withMirrorPod();
      const fullName = `${name}_${namespace}`;
      expect(await mirrorPods.delete(fullName, 'another')).toBe(false);
      expect(await live(namespace, name)).toBeDefined();
      expect(await mirrorPods.delete(fullName, mirrorPod.metadata.uid)).toBe(true);
      expect(await live(namespace, name)).toBeUndefined();
      expect(await mirrorPods.delete(fullName, undefined)).toBe(false);
      await expect(mirrorPods.delete(name, undefined)).rejects.toMatchObject({ code: 'invalid-argument' });
      await mirrorPods.stop();
    });
  });
}
