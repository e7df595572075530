import type { CgroupHierarchy, HugePageSize } from '@podwright/cgroup-files';
import { quantityToNumber } from '@podwright/kube-types';
import type { EventRecorder } from '@podwright/events-interface';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { CgroupFiles } from '../cgroup-files.js';
import type { CgroupTree, OnRefused } from '../cgroup-tree.js';
import type { KubeCgroupConfig } from '../kube-cgroup-config.js';
import { NodeAllocatableEnforcer } from '../node-allocatable/node-allocatable-enforcer.js';
import { readNodeCapacity } from '../node-allocatable/node-limits.js';
import { checkCgroupVersion } from './cgroup-version-check.js';
import { setUpKernelTunables } from './kernel-tunables.js';
import { ProcessPlacement } from './process-placement.js';
import { checkSwap } from './swap-check.js';

export interface NodeSetupDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly files: CgroupFiles;
  readonly events: Pick<EventRecorder, 'event'> | undefined;
  readonly onRefused: OnRefused;
}

export interface EnforcedCgroup {
  readonly cgroup: string;
  readonly internalName: string;
  readonly hugePageSizes: readonly HugePageSize[];
}

/**
 * Sets up the node itself, apart from the cgroups of pods. Source: kubernetes v1.36
 * pkg/kubelet/cm/container_manager_linux.go setupNode.
 */
export class NodeSetup {
  private enforcer: NodeAllocatableEnforcer | undefined;
  private placement: ProcessPlacement | undefined;

  constructor(
    private readonly deps: NodeSetupDeps,
    private readonly config: KubeCgroupConfig,
  ) {}

  /** Rejects on a node where the kubelet must not run. */
  async check(hierarchies: readonly CgroupHierarchy[]): Promise<void> {
    const { logger, events } = this.deps;
    const { failSwapOn, hostRoot, kernelTunables, inUserNamespace } = this.config;
    await checkSwap(failSwapOn, { hostRoot, logger, events });
    await setUpKernelTunables(kernelTunables, { hostRoot, logger, inUserNamespace });
    await checkCgroupVersion(hierarchies, this.deps);
  }

  /** Bytes of memory that pods can use together; 0 before {@link enforce}. */
  allocatableMemoryBytes(): number {
    const memory = this.enforcer?.allocatable['memory'];
    return memory === undefined ? 0 : quantityToNumber(memory);
  }

  /** Reads the node's capacity; call it before {@link enforce}. */
  async measure(tree: CgroupTree, enforced: EnforcedCgroup): Promise<void> {
    const { hostRoot, cgroupDriver } = this.config;
    const capacity = await readNodeCapacity(hostRoot);
    this.enforcer = new NodeAllocatableEnforcer(
      { ...this.deps, tree },
      { ...enforced, capacity, cgroupDriver, config: this.config },
    );
  }

  /** Rejects when the reservations cannot be enforced. */
  async enforce(): Promise<void> {
    await this.enforcer?.start();
  }

  async placeProcesses(hierarchies: readonly CgroupHierarchy[]): Promise<void> {
    this.placement = new ProcessPlacement({ ...this.deps, hierarchies }, this.config);
    await this.placement.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.enforcer?.stop(), this.placement?.stop()]);
  }
}
