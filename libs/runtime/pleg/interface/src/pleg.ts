import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/** One observed change. `containerId` is the bare CRI id of a container or sandbox, without `containerd://`. */
export type PodLifecycleEvent =
  | {
      readonly type: 'ContainerStarted' | 'ContainerDied' | 'ContainerRemoved' | 'ContainerChanged';
      readonly podUid: string;
      readonly containerId: string;
    }
  | { readonly type: 'PodSync'; readonly podUid: string };

/**
 * Watches the runtime, reports an event when a pod needs a sync, and keeps the pod cache current. It may miss a change
 * that is undone before the next relist, so consumers must stay correct with their periodic resync alone; it never
 * invents one. The cache has the new status before an event about it arrives. Source: kubernetes v1.36
 * pkg/kubelet/pleg/pleg.go.
 */
export interface Pleg extends Lifecycle, HealthReporter {
  /** Calls `listener` in observation order; it must only enqueue, never throw. Returns unsubscribe. */
  watch(listener: (event: PodLifecycleEvent) => void): () => void;
}

export const PLEG = createToken<Pleg>('kubelet.pleg/v1');
