import type { ActuatedResources } from '@podwright/allocation-interface';
import type { CgroupManager, PodCgroupResourceControl } from '@podwright/cgroup-interface';
import type { ContainerEnvironment } from '@podwright/container-environment-interface';
import type { InternalContainerLifecycle } from '@podwright/container-runtime-interface';
import type { ExclusiveCpus } from '@podwright/cpu-manager-interface';
import type { ImageService, RuntimeService } from '@podwright/cri-client-interface';
import type { EventRecorder } from '@podwright/events-interface';
import type { ImageManager } from '@podwright/image-interface';
import type { LifecycleHooks } from '@podwright/lifecycle-hooks-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { PodMemory } from '@podwright/pod-memory-interface';
import type { ProbeResults } from '@podwright/probe-interface';
import type { RuntimeClasses } from '@podwright/runtime-class-interface';
import type { Clock, Random } from '@podwright/time';
import type { UserNamespaces } from '@podwright/user-namespace-interface';
import type { VolumeManager } from '@podwright/volume-interface';

/** Whom the container runtime works with, each cut down to what it calls. */
export interface ContainerRuntimeDeps {
  readonly runtime: RuntimeService;
  readonly imageService: Pick<ImageService, 'imageStatus'>;
  readonly images: ImageManager;
  readonly environment: ContainerEnvironment;
  readonly recorder: EventRecorder;
  readonly probes: Pick<ProbeResults, 'get'>;
  readonly hooks: LifecycleHooks;
  readonly memory: Pick<PodMemory, 'recall' | 'keep'>;
  /** None unless resource managers take part. */
  readonly internalLifecycle?: InternalContainerLifecycle | undefined;
  /** Whose CPU quota is lifted; nobody's unless CPUs are given out. */
  readonly exclusiveCpus?: ExclusiveCpus | undefined;
  readonly cgroups: Pick<CgroupManager, 'podCgroupParent'>;
  readonly podCgroups: PodCgroupResourceControl;
  readonly actuated: Pick<ActuatedResources, 'of' | 'setContainer' | 'setPod'>;
  readonly volumes: Pick<VolumeManager, 'extraSupplementalGroups'>;
  readonly runtimeClasses: Pick<RuntimeClasses, 'handlerOf'>;
  readonly userNamespaces: Pick<UserNamespaces, 'getOrCreate'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}
