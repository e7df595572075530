import { CLOCK, LOGGER } from '@podwright/assembly-interface';
import {
  RUNTIME_STATE,
  type RuntimePodStatus,
  type RuntimeState,
  type SyncResult,
} from '@podwright/container-runtime-interface';
import { RUNTIME_CONNECTION, type RuntimeConnection } from '@podwright/cri-client-interface';
import { ALLOCATED_RESOURCE_HEALTH, type AllocatedResourceHealth } from '@podwright/device-manager-interface';
import { hasCode } from '@podwright/errors';
import { EVENT_RECORDER, type EventRecorder } from '@podwright/events-interface';
import { ipFamily, podUid, type Pod, type PodStatus } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { NODE_SOURCE, nodeHostIps, unknownHostIp, type NodeSource } from '@podwright/node-status-interface';
import { PROBE_MANAGER, type ProbeManager } from '@podwright/probe-interface';
import { RUNTIME_CLASSES, type RuntimeClasses } from '@podwright/runtime-class-interface';
import { STATUS_MANAGER, type StatusManager } from '@podwright/status-interface';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { withResourceHealth } from './api-status/resource-health-status.js';
import { generateApiStatus } from './api-status/generate-api-status.js';
import { POD_SYNC_CONFIG, type PodSyncConfig } from './pod-sync-config.js';
import { ReasonCache } from './reason-cache.js';
import { ResizeProgress } from './resize-progress.js';

/** Makes API statuses out of what the runtime, the probes and earlier syncs say. */
@injectable()
export class PodStatuses {
  private readonly reasons = new ReasonCache();

  constructor(
    @inject(STATUS_MANAGER) private readonly statuses: StatusManager,
    @inject(PROBE_MANAGER) private readonly probes: ProbeManager,
    @inject(RUNTIME_CONNECTION) private readonly connection: Pick<RuntimeConnection, 'runtimeName'>,
    @inject(RUNTIME_STATE) private readonly runtimeState: Pick<RuntimeState, 'handlers'>,
    @inject(RUNTIME_CLASSES) private readonly runtimeClasses: Pick<RuntimeClasses, 'handlerOf'>,
    @inject(ResizeProgress) private readonly resizes: Pick<ResizeProgress, 'conditionsOf' | 'podLevelStatus'>,
    @inject(EVENT_RECORDER) private readonly events: EventRecorder,
    @inject(NODE_SOURCE) private readonly nodeSource: Pick<NodeSource, 'getNode'>,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(POD_SYNC_CONFIG) private readonly config: PodSyncConfig,
    @inject(ALLOCATED_RESOURCE_HEALTH, { isOptional: true })
    private readonly resourceHealth?: Pick<AllocatedResourceHealth, 'of'>,
  ) {}

  /** `terminal`: the worker has ended the containers for good. */
  generate(pod: Pod, status: RuntimePodStatus, terminal: boolean): PodStatus {
    const uid = podUid(pod);
    const cached = this.statuses.getPodStatus(uid);
    const apiStatus = generateApiStatus({
      pod,
      runtime: status,
      runtimeName: this.connection.runtimeName,
      cached,
      terminal,
      hostIps: this.hostIps(),
      primaryFamily: ipFamily(this.config.nodeIps[0] ?? '') === 6 ? 6 : 4,
      supportsRecursiveReadOnly: this.supportsRecursiveReadOnly(pod),
      resizeConditions: this.resizes.conditionsOf(pod),
      showStopSignals: this.config.containerStopSignals,
      nowMs: this.clock.now(),
      startFailure: (container) => this.reasons.get(uid, container),
      withProbeResults: (lists) => this.probes.withProbeResults(pod, lists),
    });
    if (apiStatus.reason === 'DeadlineExceeded' && cached?.reason !== 'DeadlineExceeded') {
      this.events.event({ kind: 'Pod', pod }, 'Normal', 'DeadlineExceeded', apiStatus.message ?? '');
    }
    const whole = { ...apiStatus, ...this.resizes.podLevelStatus(pod) };
    return this.resourceHealth === undefined ? whole : withResourceHealth(whole, uid, this.resourceHealth);
  }

  // Of the Node as it is now: a cloud provider may give it other addresses than the machine has.
  private hostIps(): readonly string[] {
    try {
      const node = this.nodeSource.getNode();
      const hostIps = nodeHostIps(node);
      if (hostIps.length === 0) this.logger.debug(4, 'Cannot get host IPs', { error: unknownHostIp(node) });
      return hostIps;
    } catch (error) {
      if (!hasCode(error, 'unavailable')) throw error;
      this.logger.debug(4, 'Cannot get host IPs', { error });
      return [];
    }
  }

  // A pod of an unknown class does not start; nothing of it is supported.
  private supportsRecursiveReadOnly({ spec }: Pod): boolean {
    const name = handlerOrNone(this.runtimeClasses, spec.runtimeClassName);
    const handler = this.runtimeState.handlers().find((candidate) => candidate.name === name);
    return handler?.features?.recursiveReadOnlyMounts ?? false;
  }

  /** Milliseconds until the pod reaches its active deadline; undefined without one. */
  untilDeadlineMs(pod: Pod): number | undefined {
    const seconds = pod.spec.activeDeadlineSeconds;
    const startTime = this.statuses.getPodStatus(podUid(pod))?.startTime;
    if (seconds === undefined || startTime === undefined) return undefined;
    return Math.max(0, Date.parse(startTime) + seconds * 1000 - this.clock.now());
  }

  rememberStarts(podUid: string, results: readonly SyncResult[]): void {
    this.reasons.update(podUid, results);
  }

  forget(podUid: string): void {
    this.reasons.forget(podUid);
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
