import {
  podQosClass,
  podRequests,
  podUid,
  quantityToBytes,
  quantityToMilli,
  type Pod,
  type QosClass,
} from '@podwright/kube-types';
import { type HugePageSize, isAbsent, milliCpuToShares } from '@podwright/cgroup-files';
import type { CgroupTree, OnRefused } from './cgroup-tree.js';
import type { CgroupValues } from './cgroup-values.js';
import type { KubeCgroupConfig } from './kube-cgroup-config.js';
import { unlimitedHugePages } from './huge-pages.js';

export interface QosCgroupsOptions {
  /** Paths of the cgroups above the pods. */
  readonly kubepods: string;
  readonly burstable: string;
  readonly bestEffort: string;
  readonly hugePageSizes: readonly HugePageSize[];
  readonly config: Pick<
    KubeCgroupConfig,
    'podLevelResources' | 'memoryQos' | 'memoryReservationPolicy' | 'qosReservedMemoryPercent'
  >;
  readonly onRefused: OnRefused;
  /** All active pods; without it, the observed pods count. */
  readonly activePods?: () => readonly Pod[];
  /** Bytes of memory that pods can use together; 0 when unknown. For `qosReservedMemoryPercent`. */
  readonly allocatableMemoryBytes?: () => number;
  /** Called with the bytes of memory protected for Guaranteed and Burstable pods when gate MemoryQoS is on. */
  readonly onReserved?: (guaranteedBytes: number, burstableBytes: number) => void;
}

interface PodShare {
  readonly qos: QosClass;
  readonly milliCpu: number;
  readonly memoryBytes: number;
}

/**
 * The cgroups above the pods: `kubepods` and in it one for each QoS class but Guaranteed. Their values follow the pods.
 * Source: kubernetes v1.36 pkg/kubelet/cm/qos_container_manager_linux.go.
 */
export class QosCgroups {
  private readonly observed = new Map<string, Pod>();
  /** Sums per pod object, computed once: pod objects never change. */
  private readonly shares = new WeakMap<Pod, PodShare>();
  private written: string | undefined;
  private lastUpdate: Promise<void> = Promise.resolve();

  constructor(
    private readonly tree: CgroupTree,
    private readonly options: QosCgroupsOptions,
  ) {}

  /** Creates missing cgroups. Resolves with the controllers that pods will not have. */
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
    // After a restart no pods are known yet: running pods keep their current shares.
    if (!made && this.sums().pods === 0)
      values.set(options.burstable, { ...values.get(options.burstable), cpuShares: 0 });
    await this.writeAll(values);
    return [...lacking];
  }

  /** Counts a pod, or its new requests, when there is no list of active pods. */
  observe(pod: Pod): void {
    if (this.options.activePods === undefined) this.observed.set(podUid(pod), pod);
  }

  forget(uid: string): void {
    this.observed.delete(uid);
  }

  /**
   * Updates the values for the current pods, in the order of the calls. Does nothing when they equal the last written
   * ones; `anyway` writes them regardless, to repair changes that others made.
   */
  update({ anyway = false } = {}): Promise<void> {
    const update = this.lastUpdate.then(() => this.updateNow(anyway));
    this.lastUpdate = update.catch(() => undefined); // the caller gets the failure; the next update must not inherit it
    return update;
  }

  private async updateNow(anyway: boolean): Promise<void> {
    const values = this.values();
    const text = JSON.stringify([...values.values()].map(({ hugePageBytes: _, ...others }) => others));
    if (!anyway && text === this.written) return;
    this.written = undefined;
    await this.writeAll(values).catch(async (error: unknown) => {
      if (isAbsent(error)) await this.create();
      else if (this.options.config.qosReservedMemoryPercent > 0) await this.writeAll(await this.atLeastUsed(values));
      else throw error;
    });
    this.written = text;
  }

  // The kernel refuses a limit below the usage; a limit at the usage keeps the class from growing.
  private async atLeastUsed(values: ReadonlyMap<string, CgroupValues>): Promise<ReadonlyMap<string, CgroupValues>> {
    const adjusted = new Map(values);
    for (const [cgroup, one] of values) {
      if (one.memoryLimitBytes === undefined) continue;
      const usage = await this.tree.memoryUsageBytes(cgroup);
      if (usage > one.memoryLimitBytes) adjusted.set(cgroup, { ...one, memoryLimitBytes: usage });
    }
    return adjusted;
  }

  private async writeAll(values: ReadonlyMap<string, CgroupValues>): Promise<void> {
    const { tree, options } = this;
    await Promise.all([...values].map(([cgroup, one]) => tree.write(cgroup, one, options.onRefused)));
  }

  private values(): Map<string, CgroupValues> {
    const { kubepods, burstable, bestEffort, hugePageSizes } = this.options;
    const sums = this.sums();
    const hugePageBytes = unlimitedHugePages(hugePageSizes);
    const cpuShares = milliCpuToShares(sums.burstableMilliCpu);
    const limits = this.memoryLimits(sums);
    if (this.options.config.memoryQos) this.tellReserved(sums);
    return new Map<string, CgroupValues>([
      [kubepods, { hugePageBytes, ...this.reserved('Guaranteed', sums) }],
      [burstable, { hugePageBytes, cpuShares, ...limits.burstable, ...this.reserved('Burstable', sums) }],
      [
        bestEffort,
        { hugePageBytes, cpuShares: milliCpuToShares(0), ...limits.bestEffort, ...this.reserved('BestEffort', sums) },
      ],
    ]);
  }

  // Gate QOSReserved: lower classes cannot use a percentage of what higher ones request.
  private memoryLimits({ guaranteedBytes, burstableBytes }: Sums): {
    readonly burstable: CgroupValues;
    readonly bestEffort: CgroupValues;
  } {
    const { config, allocatableMemoryBytes } = this.options;
    const percent = config.qosReservedMemoryPercent;
    const allocatable = percent === 0 ? 0 : (allocatableMemoryBytes?.() ?? 0);
    if (allocatable === 0) return { burstable: {}, bestEffort: {} };
    const burstable = allocatable - Math.trunc((guaranteedBytes * percent) / 100);
    const bestEffort = burstable - Math.trunc((burstableBytes * percent) / 100);
    return { burstable: { memoryLimitBytes: burstable }, bestEffort: { memoryLimitBytes: bestEffort } };
  }

  private tellReserved({ guaranteedBytes, burstableBytes }: Sums): void {
    const tiered = this.options.config.memoryReservationPolicy === 'TieredReservation';
    this.options.onReserved?.(tiered ? guaranteedBytes : 0, tiered ? burstableBytes : 0);
  }

  // Gate MemoryQoS: memory protected for pods must be protected at the levels above them too.
  private reserved(qos: QosClass, { guaranteedBytes, burstableBytes }: Sums): Pick<CgroupValues, 'unified'> {
    const { memoryQos, memoryReservationPolicy } = this.options.config;
    if (!memoryQos) return {};
    const tiered = memoryReservationPolicy === 'TieredReservation';
    const burstable = tiered ? burstableBytes : 0;
    const min = qos === 'Guaranteed' && tiered ? guaranteedBytes + burstable : 0;
    return { unified: { 'memory.min': `${min}`, 'memory.low': qos === 'Burstable' ? `${burstable}` : '0' } };
  }

  private sums(): Sums {
    const { activePods } = this.options;
    let [pods, burstableMilliCpu, guaranteedBytes, burstableBytes] = [0, 0, 0, 0];
    for (const pod of activePods?.() ?? this.observed.values()) {
      const { qos, milliCpu, memoryBytes } = this.shareOf(pod);
      pods += 1;
      if (qos === 'Burstable') burstableMilliCpu += milliCpu;
      if (qos === 'Burstable') burstableBytes += memoryBytes;
      else if (qos === 'Guaranteed') guaranteedBytes += memoryBytes;
    }
    return { pods, burstableMilliCpu, guaranteedBytes, burstableBytes };
  }

  private shareOf(pod: Pod): PodShare {
    const known = this.shares.get(pod);
    if (known !== undefined) return known;
    const requests = podRequests(pod, { skipPodLevel: !this.options.config.podLevelResources });
    const share: PodShare = {
      qos: podQosClass(pod),
      milliCpu: quantityToMilli(requests['cpu']),
      memoryBytes: quantityToBytes(requests['memory']),
    };
    this.shares.set(pod, share);
    return share;
  }
}

/** Sums of the requests of the counted pods. */
interface Sums {
  readonly pods: number;
  readonly burstableMilliCpu: number;
  readonly guaranteedBytes: number;
  readonly burstableBytes: number;
}
