import { breaksIn, describeContractProof, refusesSecondStop } from '@podwright/contract';
import { KubeletError } from '@podwright/errors';
import { configHashAnnotation, configMirrorAnnotation, configSourceAnnotation } from '@podwright/kube-types';
import type { Pod, PodSpec } from '@podwright/kube-types';
import type { MirrorPodClient } from '@podwright/pod-manager-interface';
import { describeMirrorPodClientContract } from '@podwright/pod-manager-interface/contract';
import type { MirrorPodClientHarness } from '@podwright/pod-manager-interface/contract';
import { contractHarness, createMirrorPodsHarness } from './fixtures/mirror-pods-harness.js';

type Broken = (good: MirrorPodClientHarness) => Partial<MirrorPodClientHarness>;

const broken = (
  replaced: (good: MirrorPodClient, harness: MirrorPodClientHarness) => Partial<MirrorPodClient>,
): Broken => breaksIn('mirrorPods', replaced);
/** The pods that it makes differ. */
const making =
  (metadata: Partial<Pod['metadata']>, spec: Partial<PodSpec> = {}): Broken =>
  ({ live }) => ({
    live: async (namespace, name) => {
      const pod = await live(namespace, name);
      return pod && { ...pod, metadata: { ...pod.metadata, ...metadata }, spec: { ...pod.spec, ...spec } };
    },
  });
const staticPod = (pod: Pod, hash = 'h1'): Pod => ({
  ...pod,
  metadata: { ...pod.metadata, annotations: { [configHashAnnotation]: hash, [configSourceAnnotation]: 'file' } },
});
const fullName = 's-n1_kube-system';
/** It does something else when it reconciles the pod again. */
const again = (instead: (good: MirrorPodClient, pod: Pod) => Promise<unknown>): Broken =>
  broken((good) => {
    let calls = 0;
    return { reconcile: async (pod) => void (await (calls++ === 0 ? good.reconcile(pod) : instead(good, pod))) };
  });
const rejecting = (name: 'create' | 'delete'): Broken =>
  broken(() => ({ [name]: () => Promise.reject(new KubeletError('no', { code: 'internal' })) }));

describeContractProof(
  'MirrorPodClient',
  (create) => describeMirrorPodClientContract('a broken MirrorPodClient', create),
  async () => contractHarness(await createMirrorPodsHarness({ registered: false })),
  {
    'can be stopped before it was started, and twice': {
      'a second stop is refused': refusesSecondStop('mirrorPods'),
    },
    'makes a missing mirror pod, marked with the hash and owned by the node': {
      'it makes none': broken(() => ({ reconcile: () => Promise.resolve() })),
      'it does not mark it as a mirror pod': making({ annotations: { [configHashAnnotation]: 'h1' } }),
      'it does not keep the hash': making({ annotations: { [configMirrorAnnotation]: 'h1' } }),
      'nobody owns it': making({ ownerReferences: [] }),
      'it has the UID of the static pod': making({ uid: 'h1' }),
      'it is on another node': making({}, { nodeName: 'n2' }),
    },
    'leaves one that fits alone': {
      'reconcile replaces it': again(async (good, pod) => {
        await good.delete(fullName, undefined);
        await good.create(pod);
      }),
      'create replaces it': broken((good) => ({
        create: async (pod) => {
          await good.delete(fullName, undefined);
          await good.create(pod);
        },
      })),
      'create rejects': rejecting('create'),
    },
    'replaces the mirror pod of another manifest': {
      'it leaves it': again(() => Promise.resolve()),
      'it deletes it only': again((good) => good.delete(fullName, undefined)),
      'the new one has the old hash': again(async (good, pod) => {
        await good.delete(fullName, undefined);
        await good.create(staticPod(pod, 'h1'));
      }),
      'it changes it in place': making({ uid: 'same' }),
    },
    'replaces a mirror pod that a user deletes': {
      'it leaves it': again(() => Promise.resolve()),
      'it only finishes the deletion': again((good) => good.delete(fullName, undefined)),
      'it takes the deletion back': making({ uid: 'same' }),
    },
    'makes none for a pod that is not wanted any more, or not static': {
      'it does so for a pod that is not wanted': broken((good) => ({ reconcile: (pod) => good.create(pod) })),
      'it does so for a pod that is not static': again((good, pod) => good.create(staticPod(pod))),
    },
    'makes those that are missing as soon as the node is registered': {
      'it does not watch the node': broken(() => ({ start: () => Promise.resolve() })),
      'create resolves without a node': broken(() => ({ create: () => Promise.resolve() })),
      'create rejects with another code': rejecting('create'),
    },
    'deletes by name, or only the object with the UID': {
      'it ignores the UID': broken((good) => ({ delete: (name) => good.delete(name, undefined) })),
      'it deletes only without a UID': broken((good) => ({
        delete: (name, uid) => (uid === undefined ? good.delete(name, uid) : Promise.resolve(uid !== 'another')),
      })),
      'it resolves with false after a deletion': broken((good) => ({
        delete: (name, uid) => good.delete(name, uid).then(() => false),
      })),
      'it resolves with true when there is nothing to delete': broken((good) => ({
        delete: async (name, uid) => (await good.delete(name, uid)) || uid === undefined,
      })),
      'it takes a name without a namespace': broken((good) => ({
        delete: (name, uid) => good.delete(name, uid).catch(() => false),
      })),
      'it rejects such a name with another code': broken((good) => ({
        delete: (name, uid) =>
          good.delete(name, uid).catch(() => Promise.reject(new KubeletError('no', { code: 'internal' }))),
      })),
    },
  },
);
