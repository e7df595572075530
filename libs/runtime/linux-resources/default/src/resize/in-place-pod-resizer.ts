import { ACTUATED_RESOURCES } from '@podwright/allocation-interface';
import { CLOCK, LOGGER, METRICS, needs, pick, type Needs } from '@podwright/assembly-interface';
import { POD_CGROUP_RESOURCES, type PodCgroupResources } from '@podwright/cgroup-interface';
import { LINUX_RESOURCES } from '@podwright/container-runtime-interface';
import type {
  PodResize,
  PodResizer,
  ResizePlan,
  ResourceAmountsOfContainer,
  SyncResult,
} from '@podwright/container-runtime-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import { isStaticPod, podRef, podUid, type Pod, type ResourceRequirements } from '@podwright/kube-types';
import type { Histogram } from '@podwright/metrics';
import { ContainerUpdater } from './container-updater.js';
import { refuseLimitsBelowUsage } from './memory-check.js';
import { PodCgroupResizer } from './pod-cgroup-resizer.js';
import { ComparingResizePlan, type ResizeRules } from './comparing-resize-plan.js';

export const podResizerNeeds = needs({
  runtime: pick(RUNTIME_SERVICE, 'containerStats', 'updateContainerResources', 'updatePodSandboxResources'),
  resources: LINUX_RESOURCES,
  podCgroups: POD_CGROUP_RESOURCES,
  actuated: pick(ACTUATED_RESOURCES, 'of', 'setContainer', 'setPod'),
  clock: pick(CLOCK, 'monotonic'),
  logger: LOGGER,
  metrics: METRICS,
});
export type PodResizerNeeds = Needs<typeof podResizerNeeds>;

/** Limit and request of the pod's cgroup; Infinity stands for no limit. */
interface PodValues {
  readonly limit: number;
  readonly request: number;
}

const bucketsMs = [10, 50, 100, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 3e4, 6e4, 12e4, 3e5, 6e5];

/**
 * Resizes running containers and their pod's cgroup. Source: kubernetes v1.36
 * pkg/kubelet/kuberuntime/kuberuntime_manager.go doPodResizeAction.
 */
export class InPlacePodResizer implements PodResizer {
  private readonly containers: ContainerUpdater;
  private readonly duration: Histogram;

  constructor(
    private readonly deps: PodResizerNeeds,
    private readonly rules: ResizeRules,
  ) {
    this.containers = new ContainerUpdater(deps);
    this.duration = deps.metrics.histogram({
      name: 'kubelet_pod_resize_duration_milliseconds',
      help: 'Duration in milliseconds to actuate a pod resize',
      labels: ['success'],
      buckets: bucketsMs,
    });
  }

  plan(pod: Pod): ResizePlan {
    return new ComparingResizePlan(pod, this.deps.actuated.of(podUid(pod)), this.rules);
  }

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

  // Upstream does not, and such a container then never starts again.
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
    // A limit that the pod no longer has stays: removing limits is not supported.
    const memoryLimit = wanted.memoryLimitBytes ?? current.memoryLimitBytes;
    if (plan.memory.length > 0 || plan.updatePod) {
      const lower = limitOf(memoryLimit) < limitOf(current.memoryLimitBytes) ? memoryLimit : undefined;
      await refuseLimitsBelowUsage(this.deps, pod, plan.memory, lower);
    }
    const cgroup = new PodCgroupResizer(this.deps, { pod, sandboxId }, { ...wanted, ...current });
    // The second update starts from what the runtime accepted in the first. It is recorded when the pod's cgroup is done,
    // too: upstream records it before, and a pod whose cgroup could not be lowered keeps the greater values.
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
      await this.containers.record(pod, plan.memory, accepted);
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
      await this.containers.record(pod, plan.cpu, accepted);
      if (plan.updatePodLevel) await this.recordPodLevel(pod, 'cpu');
    }
  }

  // Keeps two rules at every moment: the pod has at least its containers' resources, and its request is at most its
  // limit.
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
      const granted = resources[name];
      if (granted === undefined) return before[name] === undefined ? {} : { [name]: before[name] };
      // As upstream, the record has a zero for what the pod was not granted.
      return { [name]: { ...before[name], [resource]: granted[resource] ?? '0' } };
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
