import type { RuntimePod, RuntimePodStatus, SyncPodRequest, SyncResult } from '@podwright/container-runtime-interface';
import { PodSandboxState } from '@podwright/cri-client-interface';
import { messageOf } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';
import type { PodActions } from '../actions/pod-actions.js';
import type { ContainerKiller } from '../kill/container-killer.js';
import type { PodKiller } from '../kill/pod-killer.js';
import type { ContainerRemover } from '../pod-records/container-remover.js';

/** The first part of a sync: kills and removes containers and sandboxes. */
export class PodCleanup {
  constructor(
    private readonly killer: ContainerKiller,
    private readonly podKiller: PodKiller,
    private readonly remover: ContainerRemover,
  ) {}

  /** Resolves with the remaining status, or with undefined when a kill or removal failed; that ends the sync. */
  async cleanUp(
    request: Pick<SyncPodRequest, 'pod' | 'status'>,
    actions: PodActions,
    results: SyncResult[],
  ): Promise<RuntimePodStatus | undefined> {
    const left = await this.killAndReset(request, actions, results);
    const arePurged = actions.killPod && actions.createSandbox;
    if (left !== undefined && !arePurged) await this.remover.pruneInitContainers(request.pod, left);
    return left;
  }

  private async killAndReset(
    { pod, status }: Pick<SyncPodRequest, 'pod' | 'status'>,
    actions: PodActions,
    results: SyncResult[],
  ): Promise<RuntimePodStatus | undefined> {
    if (actions.killPod) {
      const killed = await this.podKiller.kill({ pod, runningPod: runningPodOf(pod, status) });
      results.push(...killed.results);
      if (killed.results.some(({ error }) => error !== undefined)) return undefined;
      if (!actions.createSandbox) return status;
      await this.remover.purgeInitContainers(pod, status);
      return withoutRunningInit(pod, status);
    }
    for (const kill of actions.containersToKill) {
      if (!(await this.killOne({ pod, ...kill }, results))) return undefined;
    }
    return (await this.resetContainers(pod, actions, results)) ? status : undefined;
  }

  private async resetContainers(pod: Pod, { containersToReset }: PodActions, results: SyncResult[]): Promise<boolean> {
    for (const { container, record } of containersToReset) {
      const kill = { pod, container, containerId: record.id, message: 'killing', gracePeriodSeconds: 0 };
      if (record.state !== 'exited' && !(await this.killOne(kill, results))) return false;
    }
    for (const { record } of containersToReset) {
      const action = { action: 'RemoveContainer', target: record.name } as const;
      try {
        await this.remover.remove(record.id, true);
        results.push(action);
      } catch (cause) {
        results.push({ ...action, error: { reason: 'RemoveContainerError', message: messageOf(cause), cause } });
        return false;
      }
    }
    return true;
  }

  private async killOne(request: Parameters<ContainerKiller['kill']>[0], results: SyncResult[]): Promise<boolean> {
    const action = { action: 'KillContainer', target: request.container.name } as const;
    try {
      await this.killer.kill(request);
      results.push(action);
      return true;
    } catch (cause) {
      results.push({ ...action, error: { reason: 'KillContainerError', message: messageOf(cause), cause } });
      return false;
    }
  }
}

/**
 * Init containers run again in a new sandbox. As upstream's, their restart counts and back-offs go on from the records that
 * have been removed.
 */
function withoutRunningInit(pod: Pod, status: RuntimePodStatus): RuntimePodStatus {
  const names = new Set((pod.spec.initContainers ?? []).map(({ name }) => name));
  const containers = status.containers.map((record) =>
    names.has(record.name) && record.state !== 'exited' ? { ...record, state: 'unknown' as const } : record,
  );
  return { ...status, containers };
}

function runningPodOf(pod: Pod, { containers, sandboxes }: RuntimePodStatus): RuntimePod {
  return {
    uid: podUid(pod),
    name: pod.metadata.name ?? '',
    namespace: pod.metadata.namespace ?? '',
    containers,
    sandboxes: sandboxes.map(({ id, state, metadata, createdAt }) => ({
      id,
      ready: state === PodSandboxState.SANDBOX_READY,
      attempt: metadata?.attempt ?? 0,
      createdAt,
    })),
  };
}
