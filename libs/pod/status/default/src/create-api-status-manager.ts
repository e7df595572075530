import type { Lifecycle } from '@podwright/assembly-interface';
import type { KubeClient } from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { ApiPodStore } from '@podwright/pod-config-interface';
import type { PodManager } from '@podwright/pod-manager-interface';
import type { PodMemory } from '@podwright/pod-memory-interface';
import type { PodLifecycle } from '@podwright/pod-workers-interface';
import type { PodStartObserver, StatusDelivery, StatusManager } from '@podwright/status-interface';
import type { Clock, Random } from '@podwright/time';
import { PodStartDurations } from './pod-start-durations.js';
import { PodStatusManager } from './pod-status-manager.js';
import { keepsWhatTheApiLacks } from './status-keeping.js';
import type { StatusSenderConfig } from './status-sender-config.js';
import { StatusSender } from './status-sender.js';

export interface ApiStatusManagerDeps {
  readonly client: Pick<KubeClient, 'get' | 'patch' | 'delete' | 'server'>;
  readonly store: ApiPodStore;
  readonly pods: PodManager;
  readonly memory: PodMemory;
  readonly lifecycle: Pick<PodLifecycle, 'couldHaveRunningContainers'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
}

/** A status manager and what brings its statuses to an API server; start the manager first, stop it last. Without DI. */
export interface ApiStatusParts {
  readonly manager: StatusManager;
  readonly sender: StatusDelivery & Lifecycle;
  /** For the image manager. */
  readonly starts: PodStartObserver;
}

export function createApiStatusManager(
  deps: ApiStatusManagerDeps,
  options: Partial<StatusSenderConfig> = {},
): ApiStatusParts {
  const { client, store, pods, memory, lifecycle, clock, random, logger, metrics } = deps;
  const manager = new PodStatusManager(pods, memory, clock, logger, keepsWhatTheApiLacks, metrics);
  const starts = new PodStartDurations(clock, metrics);
  const config = { syncPeriodMs: 10_000, maxConcurrent: 8, ...options };
  const sender = new StatusSender(
    manager,
    client,
    store,
    pods,
    lifecycle,
    clock,
    random,
    logger,
    metrics,
    config,
    starts,
  );
  return { manager, sender, starts };
}
