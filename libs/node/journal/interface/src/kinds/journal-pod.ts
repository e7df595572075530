import { podUid, type Pod } from '@podwright/kube-types';

/** The pod that a decision is about. `uid` is that of the pod itself: a static pod's, never its mirror pod's. */
export interface JournalPod {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
}

export function journalPod(pod: Pod): JournalPod {
  const { namespace = '', name = '' } = pod.metadata;
  return { uid: podUid(pod), namespace, name };
}
