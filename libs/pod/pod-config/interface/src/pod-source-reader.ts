import { createToken } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';
import type { PodSource } from './pod-config.js';

/**
 * One place where pods come from. `deliver` takes the full set each time, in the order in which the pods should start;
 * pods are decoded, defaulted and immutable, without the annotations that the merge adds. A source that cannot be read
 * delivers nothing. Opened and closed by the pod config that reads it, hence no Lifecycle. `close()` resolves when no timer,
 * stream or listener is left.
 */
export interface PodSourceReader {
  readonly source: PodSource;
  open(deliver: (pods: readonly Pod[]) => void): Promise<void>;
  close(): Promise<void>;
  /** Where a pod of the last delivery is written down, a path for instance; for messages. */
  originOf?(pod: Pod): string | undefined;
}

/** The pods that the API server has bound to this node; absent in an assembly without API client. */
export const API_POD_SOURCE = createToken<PodSourceReader>('kubelet.api-pod-source/v1');
