import { createToken } from '@podwright/assembly-interface';
import type { NodeExplanation } from './node-explanation.js';
import type { PodExplanation } from './pod-explanation.js';

/**
 * Explains pods and the node from the journal and from what the managers know at the moment. It only reads, and calls
 * neither runtime nor API server. Calls may run concurrently. Upstream has no counterpart.
 */
export interface Explainer {
  /**
   * The pod of that name: the desired one, else the last of the name that the journal knows, else an explanation with
   * `known: 'unknown'`. `uid` chooses one of several that had the name. `fromMemory`: for callers that ask often, reads no
   * disk, so it may miss what the journal no longer has in memory. Rejects with the signal's reason.
   */
  explainPod(
    namespace: string,
    name: string,
    options?: { readonly uid?: string; readonly fromMemory?: boolean; readonly signal?: AbortSignal },
  ): Promise<PodExplanation>;
  /** `fromMemory`: as for a pod. Rejects with the signal's reason. */
  explainNode(signal?: AbortSignal, options?: { readonly fromMemory?: boolean }): Promise<NodeExplanation>;
}

export const EXPLAINER = createToken<Explainer>('kubelet.explainer/v1');
