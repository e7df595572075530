import { createToken } from '@podwright/assembly-interface';
import type { Container, Pod } from '@podwright/kube-types';
import type { SyncResult } from '../sync-result.js';

/** What can be resized; zero stands for absent. Memory in bytes, CPU in thousandths. */
export interface ResourceAmountsOfContainer {
  readonly memoryLimit: bigint;
  readonly memoryRequest: bigint;
  readonly cpuLimit: number;
  readonly cpuRequest: number;
}

/** New values for one running container. */
export interface ContainerUpdate {
  readonly container: Container;
  readonly containerId: string;
  readonly desired: ResourceAmountsOfContainer;
  /** The values that the runtime accepted last. */
  readonly current: ResourceAmountsOfContainer;
}

/** What one sync resizes. The lists are in the order of the updates: containers that get less come first. */
export interface PodResize {
  readonly memory: readonly ContainerUpdate[];
  readonly cpu: readonly ContainerUpdate[];
  /** True when a container restarts in order to be resized: it starts with its new values, the pod's cgroup needs them first. */
  readonly updatePod: boolean;
  /** True when pod-level resources differ from what the pod's cgroup accepted last. */
  readonly updatePodLevel: boolean;
}

/** Collects what one sync of a pod resizes, container by container. */
export interface ResizePlan {
  /** Gate InPlacePodVerticalScalingInitContainers. */
  readonly resizesInitContainers: boolean;
  /** For a running container. False when it must restart to get the resources that it was granted. */
  keeps(container: Container, containerId: string): boolean;
  /** Compares the pod-level resources. */
  comparePodLevel(): void;
  /** Undefined when there is nothing to resize. */
  result(): PodResize | undefined;
}

/** Resizes running pods in place. */
export interface PodResizer {
  /** Compares what the pod was granted with what the runtime accepted last. */
  plan(pod: Pod): ResizePlan;
  /** Never rejects: the result has the error. What was not reached is found by the next sync. */
  resize(pod: Pod, sandboxId: string, resize: PodResize): Promise<SyncResult>;
  /**
   * Fits the pod's cgroup to the resources that the pod was granted while a container was down, so that the container
   * can start. Never rejects: where the kernel refuses, the start itself reports the fault.
   */
  makeRoomForStart(pod: Pod, sandboxId: string): Promise<void>;
}

export const POD_RESIZER = createToken<PodResizer>('kubelet.pod-resizer/v1');
