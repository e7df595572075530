import { createToken } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';
import type { PodSource } from './pod-config.js';

/**
 * Takes the full set of a source's pods. `remembered`: the set of before, from a source that cannot be read. Its pods
 * start, but no pod is removed for it and the source is not ready; the source's next delivery is `current`, and decides.
 */
export type DeliverPods = (pods: readonly Pod[], as?: 'current' | 'remembered') => void;

/**
 * A source of pods. It calls `deliver` with its full set each time, in the order in which the pods should start. The
 * pods are decoded, defaulted and immutable, without the annotations that the pod config adds. A source that cannot be
 * read does not call `deliver`, or only with what it remembers. It is no Lifecycle, because the pod config opens and closes it. `close()` resolves when
 * no timer, stream or listener is left.
 */
export interface PodSourceReader {
  readonly source: PodSource;
  open(deliver: DeliverPods): Promise<void>;
  close(): Promise<void>;
  /** Origin of a pod of the last delivery, such as the path of its manifest; for messages. */
  originOf?(pod: Pod): string | undefined;
}

/** The source of the API server's pods of this node; absent in an assembly without an API client. */
export const API_POD_SOURCE = createToken<PodSourceReader>('kubelet.api-pod-source/v1');

/** The source of the pods that people put through the local API; absent in an assembly without that. */
export const LOCAL_POD_SOURCE = createToken<PodSourceReader>('kubelet.local-pod-source/v1');
