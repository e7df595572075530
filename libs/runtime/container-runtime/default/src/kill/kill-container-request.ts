import type { Container, Pod } from '@podwright/kube-types';
import type { KillReason } from '../actions/pod-actions.js';
import type { TerminationOrder } from './termination-order.js';

export interface KillContainerRequest {
  readonly pod: Pod;
  readonly container: Container;
  readonly containerId: string;
  /** Message of the Killing event; default `Stopping container <name>`. */
  readonly message?: string;
  readonly reason?: KillReason;
  /** Replaces the container's own grace period, in seconds. */
  readonly gracePeriodSeconds?: number | undefined;
  readonly order?: TerminationOrder | undefined;
  /** Part of a kill of the whole pod. */
  readonly wholePod?: boolean;
}
