import { createToken } from '@podwright/assembly-interface';

export type ProbeKind = 'liveness' | 'readiness' | 'startup';
/** `unknown`: a startup probe without a result yet. */
export type ProbeResult = 'success' | 'failure' | 'unknown';

export interface ProbeUpdate {
  readonly kind: ProbeKind;
  readonly podUid: string;
  /** Bare CRI id. */
  readonly containerId: string;
  readonly result: ProbeResult;
}

/** The latest probe results, for the managers that restart containers or report them ready. */
export interface ProbeResults {
  /**
   * Undefined when the container has no probe of that kind, or no result yet. `containerId` is the bare CRI id.
   * Readiness and startup results of a running container survive a restart of the kubelet.
   */
  get(kind: ProbeKind, containerId: string): ProbeResult | undefined;
  /**
   * Calls `listener` when a result changes, never when one is removed. By then a readiness or startup result is stored
   * durably and in the status manager, so that a sync which the listener requests sees it. The listener must not throw
   * and must only enqueue. Returns unsubscribe.
   */
  watch(listener: (update: ProbeUpdate) => void): () => void;
}

export const PROBE_RESULTS = createToken<ProbeResults>('kubelet.probe-results/v1');
