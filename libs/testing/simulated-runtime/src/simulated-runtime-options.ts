import type { RpcName } from '@podwright/cri-client-interface';
import type { Clock, Random } from '@podwright/time';
import type { StreamRequest } from './exec-calls.js';
import type { SimulatedImage } from './image-store.js';

export interface SimulatedRuntimeOptions {
  readonly clock: Clock;
  /** Source of ids. Default: a seeded one, so that ids are the same in each run. */
  readonly random?: Random;
  /** The runtime's name, and the prefix of container ids in the API. Default `simulated`. */
  readonly name?: string;
  /** The range of pod addresses. Default `10.244.0.0/16`. */
  readonly podCidr?: string;
  /** The timeout from which the deadlines of all calls are computed, in milliseconds. Default 120000. */
  readonly requestTimeoutMs?: number;
  /** Whether any image can be pulled at once; false: only published images. Default true. */
  readonly pullsAnything?: boolean;
  /** With `pullsAnything`: what an image is that nobody has published, asked once per reference. Default: `{}`. */
  readonly unpublished?: (reference: string) => SimulatedImage;
  /** Where a session's streams are served. Default: nowhere. */
  readonly streamingUrl?: (request: StreamRequest) => string;
  /** RPCs that fail with `unimplemented`. Default: those that containerd 2.1 lacks. */
  readonly unimplemented?: readonly RpcName[];
  /** Whether PodSandboxStatus includes container statuses and a timestamp, which evented PLEG needs. Default false. */
  readonly containersInSandboxStatus?: boolean;
  /** Whether to write container logs and termination messages to disk. Default false. */
  readonly writesLogFiles?: boolean;
  /**
   * Where it reports its file system. Default `/var/lib/simulated/images`, which no machine has: whoever measures the disk
   * names a folder that exists.
   */
  readonly imageFileSystem?: string;
  /** How many calls `calls` keeps; its counts are of all calls. Default 100000. */
  readonly callLogLength?: number;
  /** Whether the runtime reports support for SupplementalGroupsPolicy, as containerd 2 does. Default true. */
  readonly supplementalGroupsPolicy?: boolean;
}

/** The RPCs that containerd 2.1 lacks. For containerd 1.6, add `getContainerEvents`. */
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
