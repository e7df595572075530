import { createToken } from '@podwright/assembly-interface';
import type { Container, Pod, Probe } from '@podwright/kube-types';

/** What an attempt is made on. */
export interface ProbeTarget {
  readonly pod: Pod;
  readonly container: Container;
  /** Bare CRI id. */
  readonly containerId: string;
  /** First address of the pod as its status has it; the empty string when it has none yet. */
  readonly podIp: string;
}

/**
 * What one attempt found. `output` is shown in events, cut to 10240 bytes by the prober.
 * - `warning` counts as success and tells the user;
 * - `unknown` counts as failure and tells nobody;
 * - `error` instead of `output`: the prober could not ask. It is asked again at once, and in the end nothing is counted;
 *   `result` is the word for it in the event;
 * - `inconclusive`: the attempt says nothing about the container, because the kubelet itself was held up. Nothing is
 *   counted and nobody is told.
 */
export type ProbeOutcome =
  | { readonly result: 'success' | 'warning' | 'failure' | 'unknown'; readonly output: string }
  | { readonly result: 'failure' | 'unknown'; readonly error: string }
  | { readonly result: 'inconclusive' };

/** One way to ask a container. */
export interface Prober<Action> {
  /**
   * One attempt of at most about `timeoutMs`; running out of time is a failure, no error. A rejection counts as an error
   * with the result `unknown`. After the signal every socket of the attempt is closed and the outcome is not looked at.
   */
  probe(action: Action, target: ProbeTarget, timeoutMs: number, signal: AbortSignal): Promise<ProbeOutcome>;
}

/** All ways that the API knows. Source: kubernetes v1.36 pkg/kubelet/prober/prober.go. */
export interface Probers {
  readonly exec: Prober<NonNullable<Probe['exec']>>;
  readonly httpGet: Prober<NonNullable<Probe['httpGet']>>;
  readonly tcpSocket: Prober<NonNullable<Probe['tcpSocket']>>;
  readonly grpc: Prober<NonNullable<Probe['grpc']>>;
}

export const PROBERS = createToken<Probers>('kubelet.probers/v1');
