import type { Pod } from '@podwright/kube-types';
import type { SimulatedContainer, SimulatedRuntime } from '@podwright/simulated-runtime';
import type { StoryKubelet } from './story-kubelet.js';
import type { StoryManifests } from './story-manifests.js';

/** What the promises are checked against. */
export interface Scene {
  readonly runtime: SimulatedRuntime;
  /** The API server's pods. */
  pods(): readonly Pod[];
  /** Of static pods: one whose manifest has been removed before begins anew with the same UID. */
  readonly manifests: Pick<StoryManifests, 'names' | 'uidOf' | 'wasRemoved' | 'wasReplaced'>;
  /** IDs of containers that ended and the kubelet did not end. */
  readonly endedByOthers: ReadonlySet<string>;
  /** On the clock that never jumps. */
  nowMs(): number;
  clockHasJumped(): boolean;
  /** After the end of a kubelet, another one resumes its kills with what is left of their grace. */
  readonly kubelet: Pick<StoryKubelet, 'hadAnEnd' | 'bootedAtMs'>;
}

/** The UID by which the runtime knows a pod of the API server: a mirror pod stands for a static one. */
export const runtimeUid = ({ metadata }: Pod): string =>
  metadata.annotations?.['kubernetes.io/config.mirror'] ?? metadata.uid ?? '';

export const isMirror = ({ metadata }: Pod): boolean =>
  metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;

/** The name of the manifest behind a mirror pod. */
export const manifestName = ({ metadata }: Pod): string => metadata.name?.replace(/-node$/, '') ?? '';

export const uidOf = ({ config }: SimulatedContainer): string => config.labels?.['io.kubernetes.pod.uid'] ?? '';

export const isEnded = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

export const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') ?? false;

export const isSidecar = ({ restartPolicy }: { readonly restartPolicy?: string | undefined }): boolean =>
  restartPolicy === 'Always';
