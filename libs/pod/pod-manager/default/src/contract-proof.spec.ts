import { breaksIn, describeContractProof } from '@podwright/contract';
import { isMirrorPod, type Pod } from '@podwright/kube-types';
import type { PodManager } from '@podwright/pod-manager-interface';
import { describePodManagerContract } from '@podwright/pod-manager-interface/contract';
import type { PodManagerHarness } from '@podwright/pod-manager-interface/contract';
import { createPodManager } from './memory-pod-manager.module.js';

type Broken = (good: PodManagerHarness) => Partial<PodManagerHarness>;

const broken = (replaced: (good: PodManager) => Partial<PodManager>): Broken => breaksIn('podManager', replaced);
/** It answers by every pod that was ever added. */
const remembering = (answers: (added: readonly Pod[], good: PodManager) => Partial<PodManager>): Broken =>
  broken((good) => {
    const added: Pod[] = [];
    const addPod = (pod: Pod): void => {
      added.push(pod);
      good.addPod(pod);
    };
    return { addPod, ...answers(added, good) };
  });
const finding =
  (podUid: string) =>
  (pods: readonly Pod[]): Pod | undefined =>
    pods.find(({ metadata }) => metadata.uid === podUid);
const removesAlso = (others: (pod: Pod, good: PodManager) => readonly (Pod | undefined)[]): Broken =>
  broken((good) => ({
    removePod: (pod) => {
      for (const each of [...others(pod, good), pod]) if (each !== undefined) good.removePod(each);
    },
  }));
const removesNothing = broken(() => ({ removePod: () => undefined }));
const translatesNothing = broken(() => ({ translatePodUid: (podUid) => podUid }));
const knowsNoMirrorPods = broken(() => ({ getMirrorPods: () => [] }));

describeContractProof(
  'PodManager',
  (create) => describePodManagerContract('a broken PodManager', create),
  (): PodManagerHarness => ({ podManager: createPodManager() }),
  {
    'finds a pod by UID and by full name until it is removed': {
      'the list is empty': broken(() => ({ getPods: () => [] })),
      'it finds none by UID': broken(() => ({ getPodByUid: () => undefined })),
      'it finds none by full name': broken(() => ({ getPodByFullName: () => undefined })),
      'a removed pod stays in the list': remembering((added) => ({ getPods: () => added })),
      'it finds a removed pod by UID': remembering((added) => ({ getPodByUid: () => added[0] })),
      'it finds a removed pod by full name': remembering((added) => ({ getPodByFullName: () => added[0] })),
    },
    'replaces by UID, on add as on update': {
      'it keeps both': remembering((added) => ({ getPods: () => added })),
      'the first one stays': broken((good) => ({
        addPod: (pod) => (good.getPods().length > 0 ? undefined : good.addPod(pod)),
      })),
      'an update does nothing': broken(() => ({ updatePod: () => undefined })),
      'an update does not reach the full name': remembering((added) => ({ getPodByFullName: () => added[1] })),
    },
    'keeps mirror pods apart and pairs them by full name, in either order of arrival': {
      'mirror pods are pods, too': remembering((added) => ({ getPods: () => added })),
      'it lists no mirror pods': knowsNoMirrorPods,
      'a static pod has no mirror pod': broken(() => ({ getMirrorPodOf: () => undefined })),
      'a mirror pod has no static pod': broken(() => ({ getPodOfMirror: () => undefined })),
      'it finds a mirror pod by UID': remembering((added) => ({ getPodByUid: (podUid) => finding(podUid)(added) })),
      'it finds a mirror pod by full name': remembering((added) => ({
        getPodByFullName: () => finding('uid-m')(added),
      })),
      'it translates no UID': translatesNothing,
      'it drops a mirror pod that comes first': broken((good) => ({
        addPod: (pod) => (isMirrorPod(pod) && good.getPods().length === 0 ? undefined : good.addPod(pod)),
      })),
      'it drops a mirror pod that comes last': broken((good) => ({
        addPod: (pod) => (isMirrorPod(pod) && good.getPods().length > 0 ? undefined : good.addPod(pod)),
      })),
    },
    'returns a UID as it is when it belongs to no mirror pod, or to one without its static pod': {
      'it translates by the hash of the mirror pod': broken(() => ({
        translatePodUid: (podUid) => (podUid === 'uid-m' ? 'uid-s' : podUid),
      })),
      'an unknown UID is lost': broken(() => ({ translatePodUid: (podUid) => (podUid === 'other' ? '' : podUid) })),
    },
    'removes the mirror pod alone': {
      'it removes the static pod, too': removesAlso((pod, good) => [good.getPodOfMirror(pod)]),
      'it removes nothing': removesNothing,
      'they stay a pair': remembering((added) => ({ getMirrorPodOf: () => finding('uid-m')(added) })),
      'it translates the UID of a removed mirror pod': broken(() => ({ translatePodUid: () => 'uid-s' })),
    },
    'keeps the successor of a full name when the predecessor is removed late': {
      'the full name goes with the predecessor': broken(() => ({ getPodByFullName: () => undefined })),
      'it removes whoever has the full name': removesAlso((_pod, good) => good.getPods()),
      'it removes nothing': removesNothing,
    },
    'pairs a mirror pod with the static pod that took the name over': {
      'it pairs them by hash': broken(() => ({ translatePodUid: () => 'uid-1' })),
      'it translates no UID': translatesNothing,
    },
    'sets the whole set': {
      'it only adds': broken((good) => ({ setPods: (pods) => pods.forEach((pod) => good.addPod(pod)) })),
      'it only clears': broken((good) => ({ setPods: () => good.setPods([]) })),
      'it leaves mirror pods out': broken((good) => ({
        setPods: (pods) => good.setPods(pods.filter((pod) => !isMirrorPod(pod))),
      })),
      'it finds a pod of the old set by full name': remembering((added) => ({ getPodByFullName: () => added[0] })),
    },
    'hands out lists that later changes do not touch': {
      'the list follows': remembering((added) => ({ getPods: () => added })),
      'the list is made only once': broken((good) => {
        let list: readonly Pod[] | undefined;
        return { getPods: () => (list ??= good.getPods()) };
      }),
    },
  },
);
