import type { RpcName } from '@podwright/cri-client-interface';
import type { Clock, Random } from '@podwright/time';

export interface SimulatedRuntimeOptions {
  readonly clock: Clock;
  /** For ids. Default: a seeded one, so that ids repeat from run to run. */
  readonly random?: Random;
  /** Name and prefix of container ids in the API. Default `simulated`. */
  readonly name?: string;
  /** Range of pod addresses. Default `10.244.0.0/16`. */
  readonly podCidr?: string;
  /** Base of the deadlines of all calls, milliseconds. Default 120000. */
  readonly requestTimeoutMs?: number;
  /** Any image can be pulled at once. False: only published ones. Default true. */
  readonly pullsAnything?: boolean;
  /** RPCs that answer `unimplemented`. Default: what containerd 2.1 does not have. */
  readonly unimplemented?: readonly RpcName[];
  /** PodSandboxStatus carries the container statuses and a time stamp, as evented PLEG wants it. Default false. */
  readonly containersInSandboxStatus?: boolean;
  /** Writes logs and termination messages where the kubelet asks for them. Default false: nothing touches the disk. */
  readonly writesLogFiles?: boolean;
  /** Says that it can do without the groups of the image, as containerd 2 can. Default true. */
  readonly supplementalGroupsPolicy?: boolean;
}

/** What containerd 2.1 leaves out. Without container events, add `getContainerEvents` for containerd 1.6. */
export const missingInContainerd: readonly RpcName[] = [
  'streamPodSandboxes',
  'streamContainers',
  'streamContainerStats',
  'streamPodSandboxStats',
  'streamPodSandboxMetrics',
  'streamImages',
  'listMetricDescriptors',
  'listPodSandboxMetrics',
];
