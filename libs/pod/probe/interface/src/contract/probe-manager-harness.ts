import type { Pod, PodStatus } from '@podwright/kube-types';
import type { ProbeManager } from '../probe-manager.js';
import type { ProbeResults } from '../probe-results.js';

/**
 * A manager without pods, whose clock only `advance` moves and whose containers answer as the case sets. `manager` and
 * `results` are usually one object.
 */
export interface ProbeManagerHarness {
  readonly manager: ProbeManager;
  readonly results: ProbeResults;
  /** Sets the pod's status in the status manager. */
  setStatus(pod: Pod, status: PodStatus): void;
  /** What the manager wrote into the status manager, in order, such as `readiness containerd://a true`. */
  readonly written: readonly string[];
  /** Sets the result of every probe of the container from now on. Default: success. */
  answer(container: string, result: 'success' | 'failure'): void;
  /** The probe attempts, in order, such as `liveness app`. The command of each exec probe is its kind. */
  readonly asked: readonly string[];
  advance(ms: number): Promise<void>;
  /** Acts like kill -9 and a restart: creates another manager on the same checkpoints, without the statuses. */
  reborn(): Promise<ProbeManagerHarness>;
}
