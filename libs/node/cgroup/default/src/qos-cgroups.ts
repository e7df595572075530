import {
  podQosClass,
  podRequests,
  podUid,
  quantityToBytes,
  quantityToMilli,
  type Pod,
  type QosClass,
} from '@podwright/kube-types';
import { milliCpuToShares } from './cgroup-conversions.js';
import { isAbsent } from '@podwright/cgroup-files';
import type { CgroupTree, OnRefused } from './cgroup-tree.js';
import type { CgroupValues } from './cgroup-values.js';
import type { CgroupfsConfig } from './cgroupfs-config.js';
import { unlimitedHugePages, type HugePageSize } from './huge-pages.js';

export interface QosCgroupsOptions {
  /** Paths of the cgroups above the pods. */
  readonly kubepods: string;
  readonly burstable: string;
  readonly bestEffort: string;
  readonly hugePageSizes: readonly HugePageSize[];
  readonly config: Pick<CgroupfsConfig, 'podLevelResources' | 'memoryQos' | 'memoryReservationPolicy'>;
  readonly onRefused: OnRefused;
}

interface PodShare {
  readonly pod: Pod;
  readonly qos: QosClass;
  readonly milliCpu: number;
  readonly memoryBytes: number;
}

/**
 * The cgroups above the pods: `kubepods` and in it one for each class but Guaranteed. Their values follow the pods that
 * were observed. Source: kubernetes v1.36 pkg/kubelet/cm/qos_container_manager_linux.go.
 */
export class QosCgroups {
  private readonly pods = new Map<string, PodShare>();
  private written: string | undefined;
  private lastUpdate: Promise<void> = Promise.resolve();

  constructor(
    private readonly tree: CgroupTree,
    private readonly options: QosCgroupsOptions,
  ) {}

  /** Makes what is missing. Resolves with the controllers that pods will not have. */
  async create(): Promise<readonly string[]> {
    const { tree, options } = this;
    await tree.create(options.kubepods);
    const made = await tree.create(options.burstable);
    await tree.create(options.bestEffort);
    const lacking = new Set([
      ...(await tree.enableChildren(options.burstable)),
      ...(await tree.enableChildren(options.bestEffort)),
    ]);
    const values = this.values();
    // After a restart the pods are not known yet: those that run keep the shares that they have.
    if (!made && this.pods.size === 0)
      values.set(options.burstable, { ...values.get(options.burstable), cpuShares: 0 });
    await this.writeAll(values);
    return [...lacking];
  }

  /** Takes a pod into account, or its new requests. */
  observe(pod: Pod): void {
    const uid = podUid(pod);
    if (this.pods.get(uid)?.pod === pod) return;
    const requests = podRequests(pod, { skipPodLevel: !this.options.config.podLevelResources });
    this.pods.set(uid, {
      pod,
      qos: podQosClass(pod),
      milliCpu: quantityToMilli(requests['cpu']),
      memoryBytes: quantityToBytes(requests['memory']),
    });
  }

  forget(uid: string): void {
    this.pods.delete(uid);
  }

  /**
   * Brings the values in line with the pods, in the order of the calls. Costs nothing when they are as they were last
   * written; `anyway` writes them nevertheless, for what others have changed.
   */
  update({ anyway = false } = {}): Promise<void> {
    const update = this.lastUpdate.then(() => this.updateNow(anyway));
    this.lastUpdate = update.catch(() => undefined); // the caller has the failure, the next one does not inherit it
    return update;
  }

  private async updateNow(anyway: boolean): Promise<void> {
    const values = this.values();
    const text = JSON.stringify([...values.values()].map(({ cpuShares, unified }) => [cpuShares, unified]));
    if (!anyway && text === this.written) return;
    this.written = undefined;
    await this.writeAll(values).catch(async (error: unknown) => {
      if (!isAbsent(error)) throw error;
      await this.create();
    });
    this.written = text;
  }

  private async writeAll(values: ReadonlyMap<string, CgroupValues>): Promise<void> {
    const { tree, options } = this;
    await Promise.all([...values].map(([cgroup, one]) => tree.write(cgroup, one, options.onRefused)));
  }

  private values(): Map<string, CgroupValues> {
    const { kubepods, burstable, bestEffort, hugePageSizes } = this.options;
    const hugePageBytes = unlimitedHugePages(hugePageSizes);
    const cpuShares = milliCpuToShares(this.sum('Burstable', 'milliCpu'));
    return new Map<string, CgroupValues>([
      [kubepods, { hugePageBytes, ...this.reserved('Guaranteed') }],
      [burstable, { hugePageBytes, cpuShares, ...this.reserved('Burstable') }],
      [bestEffort, { hugePageBytes, cpuShares: milliCpuToShares(0), ...this.reserved('BestEffort') }],
    ]);
  }

  // Gate MemoryQoS: what the pods are promised has to be promised to the levels above them.
  private reserved(qos: QosClass): Pick<CgroupValues, 'unified'> {
    const { memoryQos, memoryReservationPolicy } = this.options.config;
    if (!memoryQos) return {};
    const tiered = memoryReservationPolicy === 'TieredReservation';
    const burstable = tiered ? this.sum('Burstable', 'memoryBytes') : 0;
    const guaranteed = tiered ? this.sum('Guaranteed', 'memoryBytes') : 0;
    const min = qos === 'Guaranteed' ? guaranteed + burstable : 0;
    return { unified: { 'memory.min': `${min}`, 'memory.low': qos === 'Burstable' ? `${burstable}` : '0' } };
  }

  private sum(qos: QosClass, amount: 'milliCpu' | 'memoryBytes'): number {
    let sum = 0;
    for (const pod of this.pods.values()) if (pod.qos === qos) sum += pod[amount];
    return sum;
  }
}
