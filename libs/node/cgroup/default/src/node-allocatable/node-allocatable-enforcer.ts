import type { CgroupDriverName } from '@podwright/cgroup-interface';
import { cgroupName, type HugePageSize } from '@podwright/cgroup-files';
import { KubeletError, messageOf } from '@podwright/errors';
import type { EventRecorder, EventType } from '@podwright/events-interface';
import type { ResourceAmounts } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { quotedName, sliceComponents, type CgroupTree, type OnRefused } from '../cgroup-tree.js';
import type { CgroupValues } from '../cgroup-values.js';
import type { KubeCgroupConfig } from '../kube-cgroup-config.js';
import { allocatableAmounts, effectiveReservations, limitValues, type NodeCapacity } from './node-limits.js';

const enforced = 'NodeAllocatableEnforced';
const failed = 'FailedNodeAllocatableEnforcement';
// Upstream's pause: by then evictions may have reduced the usage below the limit.
const retryPeriodMs = 60_000;

export interface NodeAllocatableDeps {
  readonly tree: CgroupTree;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Undefined without an event recorder. */
  readonly events: Pick<EventRecorder, 'event'> | undefined;
  readonly onRefused: OnRefused;
}

export interface NodeAllocatableOptions {
  /** The cgroup of all pods; the root `/` gets no limits. */
  readonly cgroup: string;
  /** Its internal name as upstream's messages show it, such as `/kubepods`. */
  readonly internalName: string;
  readonly cgroupDriver: CgroupDriverName;
  readonly capacity: NodeCapacity;
  readonly hugePageSizes: readonly HugePageSize[];
  readonly config: KubeCgroupConfig;
}

/**
 * Enforces the limits of all pods together and of the reserved cgroups. Source: kubernetes v1.36
 * pkg/kubelet/cm/node_container_manager_linux.go enforceNodeAllocatableCgroups.
 */
export class NodeAllocatableEnforcer {
  private readonly stopping = new AbortController();
  private retrying: Promise<void> = Promise.resolve();

  constructor(
    private readonly deps: NodeAllocatableDeps,
    private readonly options: NodeAllocatableOptions,
  ) {}

  /** Amounts that pods can use together; the whole capacity when pods are not limited. */
  get allocatable(): ResourceAmounts {
    const { capacity, config } = this.options;
    return allocatableAmounts(capacity.amounts, config);
  }

  /**
   * Resolves after the first attempt; retries each minute the pod limits that the kernel refuses. Rejects when the
   * reservations cannot be enforced.
   */
  async start(): Promise<void> {
    const { config } = this.options;
    const { signal } = this.stopping;
    if (this.options.cgroup !== '/' && !(await this.limitPods())) {
      this.retrying = (async () => {
        while (!signal.aborted) {
          await this.deps.clock.sleep(retryPeriodMs, signal).catch(() => undefined);
          if (signal.aborted || (await this.limitPods())) return;
        }
      })();
    }
    const { system, kube } = effectiveReservations(config);
    const reserved = [
      ['system-reserved', 'System Reserved', 'system reserved', config.systemReservedCgroup, system, false],
      ['kube-reserved', 'Kube Reserved', 'kube reserved', config.kubeReservedCgroup, kube, false],
      [
        'system-reserved-compressible',
        'System Reserved Compressible',
        'system reserved',
        config.systemReservedCgroup,
        system,
        true,
      ],
      [
        'kube-reserved-compressible',
        'Kube Reserved Compressible',
        'kube reserved',
        config.kubeReservedCgroup,
        kube,
        true,
      ],
    ] as const;
    for (const [key, title, lower, cgroup, amounts, compressibleOnly] of reserved) {
      if (!config.enforceNodeAllocatable.includes(key)) continue;
      await this.limitExisting(cgroup, amounts, compressibleOnly).catch((cause: unknown) => {
        const message = `Failed to enforce ${title} Cgroup Limits on ${JSON.stringify(cgroup)}: ${messageOf(cause)}`;
        this.tell('Warning', failed, message);
        throw new KubeletError(message, { code: 'failed-precondition', cause });
      });
      this.tell('Normal', enforced, `Updated limits on ${lower} cgroup ${cgroup}`);
    }
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.retrying;
  }

  /** Limits of the cgroup of all pods. */
  podLimits(): CgroupValues {
    const { capacity, config, hugePageSizes } = this.options;
    const limited = config.cgroupsPerQos && config.enforceNodeAllocatable.includes('pods');
    return this.withCpus(limitValues(limited ? this.allocatable : capacity.amounts, hugePageSizes));
  }

  // Resolves to false when it must be retried.
  private async limitPods(): Promise<boolean> {
    const { tree, onRefused } = this.deps;
    const refused: string[] = [];
    try {
      await tree.write(this.options.cgroup, this.podLimits(), (write, error) => {
        refused.push(messageOf(error));
        onRefused(write, error);
      });
    } catch (error) {
      this.tellFailed(messageOf(error));
      return false;
    }
    // Retrying does not help against missing permissions.
    if (refused.length > 0) this.tellFailed(refused.join(', '));
    else this.tell('Normal', enforced, 'Updated Node Allocatable limit across pods');
    return true;
  }

  private tellFailed(fault: string): void {
    const name = quotedName(this.options.internalName);
    this.tell('Warning', failed, `Failed to update Node Allocatable Limits ${name}: ${fault}`);
  }

  private async limitExisting(name: string, amounts: ResourceAmounts, compressibleOnly: boolean): Promise<void> {
    const { tree, logger, onRefused } = this.deps;
    const { hugePageSizes, config, cgroupDriver } = this.options;
    const cgroup = existingCgroup(cgroupDriver, name);
    if (Object.keys(amounts).length === 0) {
      const message = `${quotedName(cgroup, cgroupDriver)} cgroup is not configured properly`;
      throw new KubeletError(message, { code: 'failed-precondition' });
    }
    const values = this.withCpus(limitValues(amounts, hugePageSizes, { compressibleOnly }));
    const { memoryLimitBytes } = values;
    const reserve = config.memoryQos && memoryLimitBytes !== undefined;
    logger.debug(4, 'Enforcing limits on cgroup', { cgroup, values });
    const fault = await tree.fault(cgroup);
    if (fault !== undefined) throw new KubeletError(fault, { code: 'not-found' });
    const unified = { 'memory.min': `${memoryLimitBytes}` };
    await tree.write(cgroup, { ...values, ...(reserve && { unified }) }, onRefused);
  }

  // Without a CPU manager that sets the cpuset, systemd does not know that it is wanted and would remove it.
  private withCpus(values: CgroupValues): CgroupValues {
    const { config, capacity } = this.options;
    return config.cpuManagerPolicy === 'static' || capacity.cpus === '' ? values : { ...values, cpus: capacity.cpus };
  }

  private tell(type: EventType, reason: string, message: string): void {
    this.deps.events?.event({ kind: 'Node' }, type, reason, message);
  }
}

/** Path of an existing cgroup from its configured name. Source: as above, CgroupName. */
export function existingCgroup(driver: CgroupDriverName, name: string): string {
  if (driver === 'cgroupfs') return cgroupName('cgroupfs', name, []);
  return cgroupName('systemd', '', sliceComponents(name));
}
