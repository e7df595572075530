import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/** One observed change. `containerId` is the bare CRI id of a container or sandbox, without a `containerd://` prefix. */
export type PodLifecycleEvent =
  | {
      readonly type: 'ContainerStarted' | 'ContainerDied' | 'ContainerRemoved' | 'ContainerChanged';
      readonly podUid: string;
      readonly containerId: string;
    }
  | { readonly type: 'PodSync'; readonly podUid: string };

/**
 * Turns runtime state into hints that a pod needs a sync, and keeps the pod cache. A change that comes and goes between
 * two looks may be lost, but none is invented, so consumers must stay correct on their periodic resync alone.
 * The cache holds the status before an event about it is delivered. Source: kubernetes v1.36 pkg/kubelet/pleg/pleg.go.
 */
export interface Pleg extends Lifecycle, HealthReporter {
  /** Calls `listener` in observation order; it must only enqueue, never throw. Returns unsubscribe. */
  watch(listener: (event: PodLifecycleEvent) => void): () => void;
}

export const PLEG = createToken<Pleg>('kubelet.pleg/v1');
