import type {
  ContainerRuntime,
  GetPodsOptions,
  KillPodRequest,
  PodIdentity,
  PodSyncResult,
  RuntimePod,
  RuntimePodStatus,
  SyncPodRequest,
} from '@podwright/container-runtime-interface';
import type { Pod } from '@podwright/kube-types';
import type { ContainerRuntimeConfig } from './container-runtime-config.js';
import type { ContainerRuntimeNeeds } from './container-runtime-needs.js';
import type { RuntimeParts } from './runtime-parts.js';
import { createRuntimeParts } from './runtime-parts.js';
import { inspectPod } from './inspect/inspect-pod.js';
import { PodLister } from './inspect/pod-lister.js';

/** {@link ContainerRuntime} on the CRI that follows upstream's rules (kubernetes v1.36 pkg/kubelet/kuberuntime). */
export class KubeContainerRuntime implements ContainerRuntime {
  private readonly parts: RuntimeParts;
  private readonly lister: PodLister;

  constructor(
    private readonly deps: ContainerRuntimeNeeds,
    private readonly config: ContainerRuntimeConfig,
  ) {
    this.lister = new PodLister(deps.runtime, deps.clock);
    this.parts = createRuntimeParts({ ...deps, logger: deps.logger.with({ logger: 'container-runtime' }) }, config);
  }

  getPods(options: GetPodsOptions): Promise<readonly RuntimePod[]> {
    return this.lister.getPods(options);
  }

  getPodStatus(pod: PodIdentity, known?: RuntimePod, signal?: AbortSignal): Promise<RuntimePodStatus> {
    return inspectPod({ ...this.config, runtime: this.deps.runtime }, pod, known, signal);
  }

  awaitTurn(pod: Pod, signal: AbortSignal): Promise<() => void> {
    return this.parts.preparations.awaitTurn(pod, signal);
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
