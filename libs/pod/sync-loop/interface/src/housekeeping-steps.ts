import { createManyToken } from '@podwright/assembly-interface';
import type { Pod } from '@podwright/kube-types';
import type { PodWorkerSync } from '@podwright/pod-workers-interface';

/**
 * The position of a step in a pass, in this order. Between `mirror-pods` and `cgroups` the loop itself starts, restarts
 * and kills pods. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go HandlePodCleanups.
 */
export const housekeepingStages = [
  'probes',
  'statuses',
  'allocations',
  'actuated',
  'users',
  'directories',
  'mirror-pods',
  'cgroups',
  'last',
] as const;
export type HousekeepingStage = (typeof housekeepingStages)[number];

/** What a pass has found. All sets and maps have pod UIDs. */
export interface HousekeepingPass {
  /** Pods of all sources that were admitted, without mirror pods. */
  readonly desired: readonly Pod[];
  readonly mirrorPods: readonly Pod[];
  readonly workers: ReadonlyMap<string, PodWorkerSync>;
  /** Desired pods, mirror pods and pods with a worker. */
  readonly known: ReadonlySet<string>;
  /** Desired pods, pods with a worker and pods with running containers. A step removes what all other pods left behind. */
  readonly wanted: ReadonlySet<string>;
  /** Wanted pods without those that ended before they had a worker, such as refused ones: what they hold can be freed. */
  readonly possiblyRunning: ReadonlySet<string>;
  /** True when a search of disk and cgroups is due: after a change, and from time to time. Other passes must be cheap. */
  readonly searching: boolean;
  /** Makes the next pass search, for work that failed or is not finished. It may be called after the pass has ended. */
  searchAgain(): void;
}

/** Removes what one manager keeps of pods that are no longer wanted. */
export interface HousekeepingStep {
  readonly stage: HousekeepingStage;
  /** The message of the error in the log when `clean` throws or rejects. Other steps run all the same, and the next pass searches. */
  readonly failure: string;
  /** True: the pass does not wait for `clean`. Needed when it may hang. Default false. */
  readonly background?: boolean;
  clean(pass: HousekeepingPass): Promise<void> | void;
}

/** Each manager contributes the steps for its own state. Steps of one stage run in the order in which their modules start. */
export const HOUSEKEEPING_STEPS = createManyToken<HousekeepingStep>('kubelet.housekeeping-steps/v1');
