import type { ActuatedResources } from '@podwright/allocation-interface';
import type { PodCgroupResourceControl, PodCgroupResources } from '@podwright/cgroup-interface';
import type { ExclusiveCpus } from '@podwright/cpu-manager-interface';
import type { SyncResult } from '@podwright/container-runtime-interface';
import type { RuntimeService } from '@podwright/cri-client-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import { isStaticPod, podRef, podUid, type Pod, type ResourceRequirements } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { Histogram, MetricsRegistry } from '@podwright/metrics';
import type { Clock } from '@podwright/time';
import type { HostFacts } from '../container/host-facts.js';
import type { ResourceSettings } from '../container/linux-resources.js';
import { ContainerUpdater } from './container-updater.js';
import { refuseLimitsBelowUsage } from './memory-check.js';
import { PodCgroupResizer } from './pod-cgroup-resizer.js';
import type { ResourceAmountsOfContainer } from './resource-amounts.js';
import type { PodResize } from './resize-plan.js';

export interface PodResizerDeps {
  readonly runtime: Pick<RuntimeService, 'containerStats' | 'updateContainerResources' | 'updatePodSandboxResources'>;
  readonly podCgroups: PodCgroupResourceControl;
  readonly actuated: Pick<ActuatedResources, 'of' | 'setContainer' | 'setPod'>;
  readonly exclusiveCpus?: ExclusiveCpus | undefined;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** Limits and requests of the pod's cgroup; a limit that is absent or -1 is none. */
interface PodValues {
  readonly limit: number;
  readonly request: number;
}

const bucketsMs = [10, 50, 100, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 3e4, 6e4, 12e4, 3e5, 6e5];

/** Resizes what runs. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_manager.go doPodResizeAction. */
export class PodResizer {
  private readonly containers: ContainerUpdater;
  private readonly duration: Histogram;

  constructor(
    private readonly deps: PodResizerDeps,
    private readonly settings: ResourceSettings,
    host: () => Promise<HostFacts>,
  ) {
    this.containers = new ContainerUpdater(deps.runtime, deps.actuated, settings, host, deps.exclusiveCpus);
    this.duration = deps.metrics.histogram({
      name: 'kubelet_pod_resize_duration_milliseconds',
      help: 'Duration in milliseconds to actuate a pod resize',
      labels: ['success'],
      buckets: bucketsMs,
    });
  }

  /** Never rejects. What was not reached is found by the next sync. */
  async resize(pod: Pod, sandboxId: string, plan: PodResize): Promise<SyncResult> {
    const startedAt = this.deps.clock.monotonic();
    const result: SyncResult = { action: 'ResizePodInPlace', target: podRef(pod) };
    let success = false;
    try {
      await this.run(pod, sandboxId, plan);
      success = true;
      return result;
    } catch (cause) {
      const message = messageOf(cause);
      this.deps.logger.error('Pod could not be resized', { pod: podRef(pod), error: cause });
      return { ...result, error: { reason: 'ResizePodInPlaceError', message, cause } };
    } finally {
      this.duration.observe(this.deps.clock.monotonic() - startedAt, { success: String(success) });
    }
  }

  /**
   * A container that is down has what it was granted meanwhile from its next start, and the cgroup of its pod must have
   * room for that first; upstream does not see to it, and such a container never starts again. Never rejects: where the
   * kernel refuses, the start itself says what is wrong.
   */
  async makeRoomForStart(pod: Pod, sandboxId: string): Promise<void> {
    if (isStaticPod(pod)) return;
    try {
      const current = await this.deps.podCgroups.read(pod);
      if (Object.keys(current).length === 0) return;
      await this.run(pod, sandboxId, { memory: [], cpu: [], updatePod: true, updatePodLevel: false });
    } catch (error) {
      this.deps.logger.warn('Pod cgroup could not be fitted to what the pod was granted', { pod: podRef(pod), error });
    }
  }

  private async run(pod: Pod, sandboxId: string, plan: PodResize): Promise<void> {
    const { podCgroups } = this.deps;
    const wanted = podCgroups.resourcesOf(pod);
    const current = await podCgroups.read(pod).catch((cause: unknown) => {
      const message = `unable to get pod cgroup memory config for pod ${JSON.stringify(podRef(pod))}`;
      this.deps.logger.error(message, { error: cause });
      throw new KubeletError(message, { code: KubeletError.from(cause).code, cause });
    });
    const podToo = plan.updatePod || plan.updatePodLevel;
    // A limit that the pod no longer has stays as it is: taking limits away is not supported.
    const memoryLimit = wanted.memoryLimitBytes ?? current.memoryLimitBytes;
    if (plan.memory.length > 0 || plan.updatePod) {
      const lower = limitOf(memoryLimit) < limitOf(current.memoryLimitBytes) ? memoryLimit : undefined;
      await refuseLimitsBelowUsage(this.deps, pod, plan.memory, lower);
    }
    const cgroup = new PodCgroupResizer(this.deps, this.settings, pod, sandboxId, { ...wanted, ...current });
    // What the runtime has accepted from the first of the two updates is the base of the second.
    const accepted = new Map<string, ResourceAmountsOfContainer>();
    if (plan.memory.length > 0 || podToo) {
      await this.inOrder({
        before: { limit: limitOf(current.memoryLimitBytes), request: 0 },
        after: { limit: limitOf(memoryLimit), request: 0 },
        setLimit: () => cgroup.set('memory', defined({ memoryLimitBytes: memoryLimit })),
        // Memory requests have no cgroup value.
        setRequest: async () => undefined,
        updateContainers: () => this.containers.update(pod, 'memory', plan.memory, accepted),
      });
      if (plan.updatePodLevel) await this.recordPodLevel(pod, 'memory');
    }
    if (plan.cpu.length > 0 || podToo) {
      const quota = wanted.cpuQuotaUs ?? current.cpuQuotaUs;
      const period = wanted.cpuPeriodUs ?? current.cpuPeriodUs;
      const shares = wanted.cpuShares ?? current.cpuShares;
      await this.inOrder({
        before: { limit: limitOf(current.cpuQuotaUs), request: current.cpuShares ?? 0 },
        after: { limit: limitOf(quota), request: shares ?? 0 },
        setLimit: () => cgroup.set('cpu', defined({ cpuQuotaUs: quota, cpuPeriodUs: period })),
        setRequest: () => cgroup.set('cpu', defined({ cpuShares: shares })),
        updateContainers: () => this.containers.update(pod, 'cpu', plan.cpu, accepted),
      });
      if (plan.updatePodLevel) await this.recordPodLevel(pod, 'cpu');
    }
  }

  // The pod must never have less than its containers, nor a request above its limit.
  private async inOrder(step: {
    readonly before: PodValues;
    readonly after: PodValues;
    readonly setLimit: () => Promise<void>;
    readonly setRequest: () => Promise<void>;
    readonly updateContainers: () => Promise<void>;
  }): Promise<void> {
    const { before, after, setLimit, setRequest, updateContainers } = step;
    if (after.limit > before.limit) await setLimit();
    if (after.request > before.request) await setRequest();
    await updateContainers();
    if (after.request < before.request) await setRequest();
    if (after.limit < before.limit) await setLimit();
  }

  private async recordPodLevel(pod: Pod, resource: 'memory' | 'cpu'): Promise<void> {
    const { resources } = pod.spec;
    if (resources === undefined) return;
    const before = this.deps.actuated.of(podUid(pod))?.pod ?? {};
    const merged = (name: 'limits' | 'requests'): ResourceRequirements => {
      const value = resources[name]?.[resource];
      if (value === undefined) return before[name] === undefined ? {} : { [name]: before[name] };
      return { [name]: { ...before[name], [resource]: value } };
    };
    await this.deps.actuated.setPod(podUid(pod), { ...merged('limits'), ...merged('requests') });
  }
}

function limitOf(value: number | undefined): number {
  return value === undefined || value < 0 ? Number.POSITIVE_INFINITY : value;
}

function defined(values: {
  readonly [K in keyof PodCgroupResources]: PodCgroupResources[K] | undefined;
}): PodCgroupResources {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
