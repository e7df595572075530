import type { PodCgroupResources } from '@podwright/cgroup-interface';
import type { RuntimePodStatus, SyncResult } from '@podwright/container-runtime-interface';
import { hasCode } from '@podwright/errors';
import { ipFamily, podUid, type Pod, type PodStatus } from '@podwright/kube-types';
import type { RuntimeClasses } from '@podwright/runtime-class-interface';
import { withResourceHealth } from './api-status/resource-health-status.js';
import { withImageVolumeDigests } from './api-status/image-volume-digests.js';
import { generateApiStatus } from './api-status/generate-api-status.js';
import { podLevelStatus, showsCgroup } from './api-status/pod-level-status.js';
import { HostAddresses } from './host-addresses.js';
import { PodCgroupValues } from './pod-cgroup-values.js';
import type { PodSyncConfig } from './pod-sync-config.js';
import type { PodSyncNeeds } from './pod-sync-needs.js';
import { ReasonCache } from './reason-cache.js';
import type { SandboxObstacle } from './sandbox-obstacle.js';
import type { ResizeProgress } from './resize-progress.js';

/** Generates API statuses from the runtime, the probes and earlier syncs. */
export class PodStatuses {
  private readonly reasons = new ReasonCache();
  private readonly obstacles = new Map<string, SandboxObstacle>();
  private readonly cgroups: PodCgroupValues;
  private readonly hostAddresses: HostAddresses;

  constructor(
    private readonly deps: PodSyncNeeds & { readonly resizes: Pick<ResizeProgress, 'conditionsOf'> },
    private readonly config: PodSyncConfig,
  ) {
    this.cgroups = new PodCgroupValues(deps);
    this.hostAddresses = new HostAddresses(deps, config);
  }

  get showsReadyToStart(): boolean {
    return this.config.readyToStartCondition;
  }

  /** `terminal`: the pod worker has terminated the containers for good. */
  async generate(pod: Pod, status: RuntimePodStatus, terminal: boolean): Promise<PodStatus> {
    const cgroup = this.config.podLevelResize && showsCgroup(pod) ? await this.cgroups.of(pod) : {};
    const generated = this.generateNow(pod, status, terminal, cgroup);
    if (!this.config.imageVolumeDigests) return generated;
    return withImageVolumeDigests(generated, pod, status, (image) => this.imageId(image));
  }

  private async imageId(image: string): Promise<string | undefined> {
    try {
      return (await this.deps.images.imageStatus({ image: { image, userSpecifiedImage: image } })).image?.id;
    } catch (error) {
      this.deps.logger.error('error getting image volume digest', { image, error });
      return undefined;
    }
  }

  private generateNow(pod: Pod, status: RuntimePodStatus, terminal: boolean, cgroup: PodCgroupResources): PodStatus {
    const uid = podUid(pod);
    const cached = this.deps.statuses.getPodStatus(uid);
    const apiStatus = generateApiStatus({
      pod,
      runtime: status,
      runtimeName: this.deps.connection.runtimeName,
      cached,
      terminal,
      evicted: this.deps.lifecycle.shouldContentBeRemoved(uid),
      hostIps: this.hostAddresses.of(uid),
      primaryFamily: ipFamily(this.config.nodeIps[0] ?? '') === 6 ? 6 : 4,
      supportsRecursiveReadOnly: this.supportsRecursiveReadOnly(pod),
      resizeConditions: this.deps.resizes.conditionsOf(pod),
      showStopSignals: this.config.containerStopSignals,
      actuated: this.deps.actuated.of(uid)?.containers,
      gates: this.config,
      sandboxObstacle: this.obstacles.get(uid),
      nowMs: this.deps.clock.now(),
      startFailure: (container) => this.reasons.get(uid, container),
      withProbeResults: (lists) => this.deps.probes.withProbeResults(pod, lists),
    });
    if (apiStatus.reason === 'DeadlineExceeded' && cached?.reason !== 'DeadlineExceeded') {
      this.deps.events.event({ kind: 'Pod', pod }, 'Normal', 'DeadlineExceeded', apiStatus.message ?? '');
    }
    const whole = { ...apiStatus, ...(this.config.podLevelResize && podLevelStatus(pod, cgroup, cached)) };
    return withResourceHealth(whole, pod, this.deps.resourceHealth);
  }

  // A pod with an unknown runtime class does not start, so nothing is supported.
  private supportsRecursiveReadOnly({ spec }: Pod): boolean {
    const name = handlerOrNone(this.deps.runtimeClasses, spec.runtimeClassName);
    const handler = this.deps.runtimeState.handlers().find((candidate) => candidate.name === name);
    return handler?.features?.recursiveReadOnlyMounts ?? false;
  }

  /** Milliseconds until the pod reaches its active deadline; undefined without one. */
  untilDeadlineMs(pod: Pod): number | undefined {
    const seconds = pod.spec.activeDeadlineSeconds;
    const startTime = this.deps.statuses.getPodStatus(podUid(pod))?.startTime;
    if (seconds === undefined || startTime === undefined) return undefined;
    return Math.max(0, Date.parse(startTime) + seconds * 1000 - this.deps.clock.now());
  }

  rememberStarts(podUid: string, results: readonly SyncResult[]): void {
    this.reasons.update(podUid, results);
  }

  /** Undefined: nothing is in the way of the pod's sandbox. */
  rememberObstacle(podUid: string, obstacle: SandboxObstacle | undefined): void {
    if (obstacle === undefined) this.obstacles.delete(podUid);
    else this.obstacles.set(podUid, obstacle);
  }

  forget(podUid: string): void {
    this.obstacles.delete(podUid);
    this.reasons.forget(podUid);
    this.cgroups.forget(podUid);
    this.hostAddresses.forget(podUid);
  }
}

function handlerOrNone(classes: Pick<RuntimeClasses, 'handlerOf'>, name: string | undefined): string | undefined {
  try {
    return classes.handlerOf(name);
  } catch (error) {
    if (hasCode(error, 'not-found')) return undefined;
    throw error;
  }
}
