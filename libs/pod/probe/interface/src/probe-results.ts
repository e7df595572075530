import { createToken } from '@podwright/assembly-interface';

export type ProbeKind = 'liveness' | 'readiness' | 'startup';
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
  /** undefined: no probe of that kind, or no result yet. `containerId` is the bare CRI id. */
  get(kind: ProbeKind, containerId: string): ProbeResult | undefined;
  /**
   * Called when a stored result changes; a readiness or startup result is in the status manager by then, so that a sync
   * asked for by a listener sees it. Returns unsubscribe.
   */
  watch(listener: (update: ProbeUpdate) => void): () => void;
}

export const PROBE_RESULTS = createToken<ProbeResults>('kubelet.probe-results/v1');
