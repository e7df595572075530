import { ACTUATED_RESOURCES } from '@podwright/allocation-interface';
import type { ActuatedResources } from '@podwright/allocation-interface';
import { CLOCK, LOGGER, METRICS, RANDOM } from '@podwright/assembly-interface';
import { CGROUP_MANAGER, POD_CGROUP_RESOURCES } from '@podwright/cgroup-interface';
import type { CgroupManager, PodCgroupResourceControl } from '@podwright/cgroup-interface';
import { CONTAINER_ENVIRONMENT } from '@podwright/container-environment-interface';
import type { ContainerEnvironment } from '@podwright/container-environment-interface';
import { INTERNAL_CONTAINER_LIFECYCLE } from '@podwright/container-runtime-interface';
import type {
  ContainerRuntime,
  GetPodsOptions,
  InternalContainerLifecycle,
  KillPodRequest,
  PodIdentity,
  PodSyncResult,
  RuntimePod,
  RuntimePodStatus,
  SyncPodRequest,
} from '@podwright/container-runtime-interface';
import { EXCLUSIVE_CPUS } from '@podwright/cpu-manager-interface';
import type { ExclusiveCpus } from '@podwright/cpu-manager-interface';
import { IMAGE_SERVICE, RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import type { ImageService, RuntimeService } from '@podwright/cri-client-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import type { EventRecorder } from '@podwright/events-interface';
import { IMAGE_MANAGER } from '@podwright/image-interface';
import type { ImageManager } from '@podwright/image-interface';
import { LIFECYCLE_HOOKS } from '@podwright/lifecycle-hooks-interface';
import type { LifecycleHooks } from '@podwright/lifecycle-hooks-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import { POD_MEMORY } from '@podwright/pod-memory-interface';
import type { PodMemory } from '@podwright/pod-memory-interface';
import { PROBE_RESULTS } from '@podwright/probe-interface';
import type { ProbeResults } from '@podwright/probe-interface';
import { RUNTIME_CLASSES } from '@podwright/runtime-class-interface';
import type { RuntimeClasses } from '@podwright/runtime-class-interface';
import type { Clock, Random } from '@podwright/time';
import { USER_NAMESPACES } from '@podwright/user-namespace-interface';
import type { UserNamespaces } from '@podwright/user-namespace-interface';
import { VOLUME_MANAGER } from '@podwright/volume-interface';
import type { VolumeManager } from '@podwright/volume-interface';
import { inject, injectable } from 'tsyringe';
import type { ContainerRuntimeConfig } from './container-runtime-config.js';
import { CONTAINER_RUNTIME_CONFIG } from './container-runtime-config.js';
import type { RuntimeParts } from './runtime-parts.js';
import { createRuntimeParts } from './runtime-parts.js';
import { inspectPod } from './inspect/inspect-pod.js';
import { PodLister } from './inspect/pod-lister.js';

/** {@link ContainerRuntime} on the CRI, by upstream's rules (kubernetes v1.36 pkg/kubelet/kuberuntime). */
@injectable()
export class KubeContainerRuntime implements ContainerRuntime {
  private readonly parts: RuntimeParts;
  private readonly lister: PodLister;

  constructor(
    @inject(RUNTIME_SERVICE) private readonly runtime: RuntimeService,
    @inject(IMAGE_SERVICE) imageService: Pick<ImageService, 'imageStatus'>,
    @inject(IMAGE_MANAGER) images: ImageManager,
    @inject(CONTAINER_ENVIRONMENT) environment: ContainerEnvironment,
    @inject(EVENT_RECORDER) recorder: EventRecorder,
    @inject(PROBE_RESULTS) probes: Pick<ProbeResults, 'get'>,
    @inject(LIFECYCLE_HOOKS) hooks: LifecycleHooks,
    @inject(POD_MEMORY) memory: Pick<PodMemory, 'recall' | 'keep'>,
    @inject(CGROUP_MANAGER) cgroups: Pick<CgroupManager, 'podCgroupParent'>,
    @inject(POD_CGROUP_RESOURCES) podCgroups: PodCgroupResourceControl,
    @inject(ACTUATED_RESOURCES) actuated: Pick<ActuatedResources, 'of' | 'setContainer' | 'setPod'>,
    @inject(VOLUME_MANAGER) volumes: Pick<VolumeManager, 'extraSupplementalGroups'>,
    @inject(RUNTIME_CLASSES) runtimeClasses: Pick<RuntimeClasses, 'handlerOf'>,
    @inject(USER_NAMESPACES) userNamespaces: Pick<UserNamespaces, 'getOrCreate'>,
    @inject(CLOCK) clock: Clock,
    @inject(RANDOM) random: Random,
    @inject(LOGGER) logger: Logger,
    @inject(METRICS) metrics: MetricsRegistry,
    @inject(CONTAINER_RUNTIME_CONFIG) config: ContainerRuntimeConfig,
    @inject(INTERNAL_CONTAINER_LIFECYCLE, { isOptional: true })
    internalLifecycle: InternalContainerLifecycle | undefined,
    @inject(EXCLUSIVE_CPUS, { isOptional: true })
    exclusiveCpus: ExclusiveCpus | undefined,
  ) {
    this.lister = new PodLister(runtime, clock);
    this.parts = createRuntimeParts(
      {
        runtime,
        imageService,
        images,
        environment,
        recorder,
        probes,
        hooks,
        memory,
        internalLifecycle,
        exclusiveCpus,
        cgroups,
        podCgroups,
        actuated,
        volumes,
        runtimeClasses,
        userNamespaces,
        clock,
        random,
        logger: logger.with({ logger: 'container-runtime' }),
        metrics,
      },
      config,
    );
  }

  getPods(options: GetPodsOptions): Promise<readonly RuntimePod[]> {
    return this.lister.getPods(options);
  }

  getPodStatus(pod: PodIdentity, known?: RuntimePod, signal?: AbortSignal): Promise<RuntimePodStatus> {
    return inspectPod(this.runtime, pod, known, signal);
  }

  syncPod(request: SyncPodRequest): Promise<PodSyncResult> {
    return this.parts.podSync.sync(request);
  }

  killPod(request: KillPodRequest): Promise<PodSyncResult> {
    return this.parts.podKiller.kill(request);
  }

  removeContainer(containerId: string, options: { readonly keepLogs?: boolean } = {}): Promise<void> {
    return this.parts.remover.remove(containerId, options.keepLogs);
  }

  purgeBackOffs(): void {
    this.parts.backOff.purge();
  }
}
