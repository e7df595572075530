import type { Pod } from '@podwright/kube-types';
import type { SimulatedContainer, SimulatedRuntime } from '@podwright/simulated-runtime';

/** A promise of the kubelet that was broken. */
export class BrokenPromise extends Error {
  constructor(
    /** Which, in a few words that are the same in each story. */
    readonly promise: string,
    message: string,
  ) {
    super(message);
  }
}

/** What the promises are checked against. */
export interface Scene {
  readonly runtime: SimulatedRuntime;
  /** The API server's pods. */
  pods(): readonly Pod[];
  /** Whether the static pod behind the mirror pod has been removed before: then it begins anew with the same UID. */
  wasRemoved(pod: Pod): boolean;
  nowMs(): number;
  /** Whether a kubelet has ended: another one resumes its kills with what is left of their grace. */
  hadAnEnd(): boolean;
}

/** The UID by which the runtime knows a pod of the API server: a mirror pod stands for a static one. */
export const runtimeUid = ({ metadata }: Pod): string =>
  metadata.annotations?.['kubernetes.io/config.mirror'] ?? metadata.uid ?? '';

export const uidOf = ({ config }: SimulatedContainer): string => config.labels?.['io.kubernetes.pod.uid'] ?? '';

export const isEnded = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

export const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') ?? false;

export const isSidecar = ({ restartPolicy }: { readonly restartPolicy?: string | undefined }): boolean =>
  restartPolicy === 'Always';
