import { createToken } from '@podwright/assembly-interface';

export type ProbeKind = 'liveness' | 'readiness' | 'startup';
/** `unknown`: a startup probe that has not decided yet. */
export type ProbeResult = 'success' | 'failure' | 'unknown';

export interface ProbeUpdate {
  readonly kind: ProbeKind;
  readonly podUid: string;
  /** Bare CRI id. */
  readonly containerId: string;
  readonly result: ProbeResult;
}

/** Read side of the probers' results, for the rules that restart containers and make them ready. */
export interface ProbeResults {
  /**
   * undefined: no probe of that kind, or no result yet. `containerId` is the bare CRI id. Readiness and startup results of
   * a running container survive the kubelet.
   */
  get(kind: ProbeKind, containerId: string): ProbeResult | undefined;
  /**
   * Called when a stored result changes, never when one is removed. A readiness or startup result is in the status manager
   * by then, so that a sync asked for by a listener sees it, and no kill -9 takes it away any more. The listener must only
   * enqueue, never throw. Returns unsubscribe.
   */
  watch(listener: (update: ProbeUpdate) => void): () => void;
}

export const PROBE_RESULTS = createToken<ProbeResults>('kubelet.probe-results/v1');
