import { mapLimit } from '@podwright/concurrency';
import type { GarbageCollectOptions } from '@podwright/container-gc-interface';
import { ContainerState } from '@podwright/cri-client-interface';
import type { Container, PodSandbox, RuntimeService } from '@podwright/cri-client-interface';
import type { ContainerRuntime } from '@podwright/container-runtime-interface';
import { hasCode, KubeletError, messageOf, rethrowAsRpc } from '@podwright/errors';
import type { ContainerRemoved, Journal } from '@podwright/journal-interface';
import type { Logger } from '@podwright/logging';
import type { PodConfig } from '@podwright/pod-config-interface';
import type { PodLifecycle } from '@podwright/pod-workers-interface';
import type { Clock } from '@podwright/time';
import { isContentRemovable } from './content-removable.js';
import { selectDeadContainers } from './dead-containers.js';
import { selectDeadSandboxes } from './dead-sandboxes.js';
import { removeDeadLinks, removePodLogDirs } from './orphaned-logs.js';
import { podOfContainer, runningPodOf } from './pod-of-container.js';
import type { RuntimeContainerGcConfig } from './runtime-container-gc-config.js';

export interface GcPassDeps {
  readonly service: RuntimeService;
  readonly runtime: ContainerRuntime;
  readonly lifecycle: PodLifecycle;
  readonly podConfig: PodConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly journal: Journal | undefined;
}

/**
 * What a pass could not do: `failures` are steps that failed, `leftovers` are single objects that could not be removed.
 */
export interface GcOutcome {
  readonly failures: readonly Error[];
  readonly leftovers: readonly Error[];
}

/**
 * One pass, in upstream's order: containers, sandboxes, pod log folders, links. It lists once at the start; the next
 * pass finds what this one misses. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_gc.go GarbageCollect.
 */
export class GcPass {
  private readonly failures: Error[] = [];
  private readonly leftovers: Error[] = [];
  private readonly removedPods = new Map<string, boolean>();

  constructor(
    private readonly deps: GcPassDeps,
    private readonly config: RuntimeContainerGcConfig & Required<GarbageCollectOptions>,
    private readonly signal: AbortSignal,
  ) {}

  async run(): Promise<GcOutcome> {
    // Read before the lists: a source that becomes ready during the pass must not make its pods look removed.
    const sourcesReady = this.deps.podConfig.allSourcesReady();
    const isRemoved = (podUid: string): boolean => this.isRemoved(podUid);
    const isUnused = (podUid: string): boolean => isRemoved(podUid) || this.hasEnded(podUid);
    const [containers, sandboxes] = await Promise.all([
      this.step(() => this.listContainers()),
      this.step(() => this.listSandboxes()),
    ]);
    const alive = new Set<string>();
    if (containers !== undefined) {
      const view = { nowMs: this.deps.clock.now(), isRemoved: sourcesReady ? isUnused : () => false };
      const gone = await this.removeContainers(selectDeadContainers(containers, this.config, view));
      const left = containers.filter(({ id }) => !gone.has(id));
      const inUse = new Set(left.map(({ podSandboxId }) => podSandboxId));
      await this.removeSandboxes(selectDeadSandboxes(sandboxes ?? [], inUse, isUnused));
      for (const { id, state } of left) if (state !== ContainerState.CONTAINER_EXITED) alive.add(id);
    }
    if (sourcesReady) {
      await this.step(() => removePodLogDirs(this.config.podLogsDir, isRemoved, (error) => this.leave(error)));
    }
    await this.step(() => this.removeLinks(alive));
    return { failures: this.failures, leftovers: this.leftovers };
  }

  private async listContainers(): Promise<Container[]> {
    const { service } = this.deps;
    const { containers } = await service.listContainers({}, { signal: this.signal }).catch(rethrowAsRpc);
    return containers;
  }

  private async listSandboxes(): Promise<PodSandbox[]> {
    const { service } = this.deps;
    const { items } = await service.listPodSandbox({}, { signal: this.signal }).catch(rethrowAsRpc);
    return items;
  }

  /** Resolves to the ids of the containers that are gone. */
  private async removeContainers(dead: readonly Container[]): Promise<ReadonlySet<string>> {
    const gone = new Set<string>();
    await this.each(dead, `container`, async (container) => {
      if (container.state === ContainerState.CONTAINER_UNKNOWN) await this.stopUnknown(container);
      const error = await this.deps.runtime.removeContainer(container.id).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (error === undefined || !hasCode(error, 'not-found')) this.journalize(container, error);
      // A container that somebody else removed meanwhile is not a failure.
      if (error !== undefined && !hasCode(error, 'not-found')) throw error;
      gone.add(container.id);
    });
    return gone;
  }

  private journalize(container: Container, error: unknown): void {
    const { uid, namespace, name, containers } = runningPodOf(container);
    const cause = this.causeFor(uid);
    this.deps.journal?.report({
      kind: 'container.removed',
      containerId: container.id,
      pod: { uid, namespace, name },
      container: containers[0]?.name ?? '',
      cause,
      ...(error !== undefined && { error: messageOf(error) }),
    });
  }

  private causeFor(podUid: string): ContainerRemoved['cause'] {
    if (this.isRemoved(podUid)) return 'pod-gone';
    return this.hasEnded(podUid) ? 'eviction' : 'superseded';
  }

  /**
   * The container may still run, and a running one must not be removed. The kubelet may no longer know its pod, so the
   * container's labels describe it.
   */
  private async stopUnknown(container: Container): Promise<void> {
    const { results, error } = await this.deps.runtime.killPod({
      pod: podOfContainer(container, this.deps.logger),
      runningPod: runningPodOf(container),
      message: 'Container is in unknown state, try killing it before removal',
    });
    const failed = results.find((result) => result.error !== undefined)?.error?.message ?? error?.message;
    if (failed !== undefined) throw new KubeletError(failed, { code: 'internal', cause: error });
  }

  private removeSandboxes(dead: readonly PodSandbox[]): Promise<void> {
    return this.each(dead, 'sandbox', async ({ id: podSandboxId }) => {
      // Always stopped first: a sandbox that is not ready may still hold its network.
      await this.deps.service.stopPodSandbox({ podSandboxId });
      await this.deps.service.removePodSandbox({ podSandboxId });
    });
  }

  private removeLinks(alive: ReadonlySet<string>): Promise<void> {
    const isDead = async (containerId: string): Promise<boolean> => {
      try {
        const { status } = await this.deps.service.containerStatus({ containerId }, { signal: this.signal });
        return status?.state === ContainerState.CONTAINER_EXITED;
      } catch (error) {
        if (hasCode(error, 'not-found')) return true;
        throw error;
      }
    };
    const { containerLogsDir } = this.config;
    return removeDeadLinks({ containerLogsDir, alive, isDead, onFailure: (error) => this.leave(error) });
  }

  private async each<T extends { readonly id: string }>(
    items: readonly T[],
    kind: string,
    task: (item: T) => Promise<void>,
  ): Promise<void> {
    await mapLimit(items, this.config.parallelRemovals, async (item) => {
      if (this.signal.aborted) return;
      try {
        await task(item);
      } catch (error) {
        this.leave(
          new KubeletError(`failed to remove ${kind} ${item.id}: ${messageOf(error)}`, {
            code: 'internal',
            cause: error,
          }),
        );
      }
    });
  }

  private leave(error: Error): void {
    this.leftovers.push(error);
    this.deps.logger.error('garbage was not collected', { error });
  }

  /** Runs one step; a failure does not keep the other steps from running. */
  private async step<T>(task: () => Promise<T>): Promise<T | undefined> {
    if (this.signal.aborted) return undefined;
    try {
      return await task();
    } catch (error) {
      if (!this.signal.aborted) this.failures.push(error instanceof Error ? error : new Error(messageOf(error)));
      return undefined;
    }
  }

  private hasEnded(podUid: string): boolean {
    return this.config.includeEnded && this.deps.lifecycle.shouldRuntimeBeRemoved(podUid);
  }

  /** One answer per pod and pass, so that all steps of a pass agree. */
  private isRemoved(podUid: string): boolean {
    const known = this.removedPods.get(podUid);
    if (known !== undefined) return known;
    const answer = isContentRemovable(this.deps.lifecycle, podUid);
    this.removedPods.set(podUid, answer);
    return answer;
  }
}
