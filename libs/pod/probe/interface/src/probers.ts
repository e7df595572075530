import { createToken } from '@podwright/assembly-interface';
import type { Container, Pod, Probe } from '@podwright/kube-types';

/** The container that an attempt probes. */
export interface ProbeTarget {
  readonly pod: Pod;
  readonly container: Container;
  /** Bare CRI id. */
  readonly containerId: string;
  /** First IP of the pod's status; empty when it has none yet. */
  readonly podIp: string;
}

/**
 * The outcome of one attempt. Events show `output`, which the prober cuts to 10240 bytes.
 * - `warning` counts as success, with an event;
 * - `unknown` counts as failure, without an event;
 * - `error` instead of `output`: the prober could not probe. The worker retries at once; when all retries fail, it
 *   counts nothing and the event shows `result`;
 * - `inconclusive`: the attempt says nothing about the container, because the kubelet itself was stalled. The worker
 *   counts nothing and records no event.
 */
export type ProbeOutcome =
  | { readonly result: 'success' | 'warning' | 'failure' | 'unknown'; readonly output: string }
  | { readonly result: 'failure' | 'unknown'; readonly error: string }
  | { readonly result: 'inconclusive' };

/** Makes one kind of probe attempt. */
export interface Prober<Action> {
  /**
   * Makes one attempt of at most about `timeoutMs`; a timeout gives `failure`, not an `error`. A rejection counts as an
   * `error` with the result `unknown`. After the signal the attempt closes its sockets and its outcome is ignored.
   */
  probe(action: Action, target: ProbeTarget, timeoutMs: number, signal: AbortSignal): Promise<ProbeOutcome>;
}

/** One prober per handler of the API. Source: kubernetes v1.36 pkg/kubelet/prober/prober.go. */
export interface Probers {
  readonly exec: Prober<NonNullable<Probe['exec']>>;
  readonly httpGet: Prober<NonNullable<Probe['httpGet']>>;
  readonly tcpSocket: Prober<NonNullable<Probe['tcpSocket']>>;
  readonly grpc: Prober<NonNullable<Probe['grpc']>>;
}

export const PROBERS = createToken<Probers>('kubelet.probers/v1');
