import type { KillPodRequest, PodSyncResult, RuntimePod, SyncResult } from '@podwright/container-runtime-interface';
import type { RuntimeService } from '@podwright/cri-client-interface';
import { hasCode, KubeletError, messageOf, rpcErrorText } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';
import { findContainer, isSidecar, podRef } from '@podwright/kube-types';
import type { Clock } from '@podwright/time';
import type { ContainerKiller } from './container-killer.js';
import { podOfRuntimePod } from './runtime-only-pod.js';
import { TerminationOrder } from './termination-order.js';

/**
 * Kills all running containers of a pod and stops its sandboxes. Source: kubernetes v1.36
 * pkg/kubelet/kuberuntime/kuberuntime_manager.go killPodWithSyncResult.
 */
export class PodKiller {
  constructor(
    private readonly runtime: RuntimeService,
    private readonly killer: ContainerKiller,
    private readonly clock: Clock,
  ) {}

  /** Kills the running containers, then stops all sandboxes, even when a kill failed. Never rejects. */
  async kill(request: KillPodRequest): Promise<PodSyncResult> {
    const { runningPod } = request;
    const pod = request.pod ?? podOfRuntimePod(runningPod);
    const containerResults = await this.killContainers(pod, request);
    return { results: [...containerResults, await this.stopSandboxes(runningPod)] };
  }

  private async killContainers(
    pod: Pod,
    { runningPod, gracePeriodSeconds, message }: KillPodRequest,
  ): Promise<SyncResult[]> {
    // Stopping the sandbox also ends created and unknown containers.
    const running = runningPod.containers.filter(({ state }) => state === 'running');
    const order = (pod.spec.initContainers ?? []).some(isSidecar)
      ? new TerminationOrder(pod, new Set(running.map(({ name }) => name)), this.clock)
      : undefined;
    return Promise.all(
      running.map(async ({ id, name }): Promise<SyncResult> => {
        const action = 'KillContainer';
        try {
          const container = findContainer(pod, name)?.container;
          if (container === undefined) throw unknownContainer(pod, name, id);
          await this.killer.kill({
            pod,
            container,
            containerId: id,
            gracePeriodSeconds,
            order,
            wholePod: true,
            ...(message !== undefined && { message }),
          });
          return { action, target: name };
        } catch (cause) {
          return { action, target: name, error: { reason: 'KillContainerError', message: messageOf(cause), cause } };
        }
      }),
    );
  }

  private async stopSandboxes({ uid, sandboxes }: RuntimePod): Promise<SyncResult> {
    const failures: unknown[] = [];
    for (const { id } of sandboxes) {
      await this.runtime.stopPodSandbox({ podSandboxId: id }).catch((error: unknown) => {
        if (!hasCode(error, 'not-found')) failures.push(error);
      });
    }
    const cause = failures.at(-1);
    const result: SyncResult = { action: 'KillPodSandbox', target: uid };
    if (cause === undefined) return result;
    return { ...result, error: { reason: 'KillPodSandboxError', message: rpcErrorText(cause), cause } };
  }
}

function unknownContainer(pod: Pod, name: string, id: string): KubeletError {
  const message = `failed to get containerSpec ${JSON.stringify(name)} (id=${JSON.stringify(id)}) in pod ${JSON.stringify(podRef(pod))} when killing container for reason ""`;
  return new KubeletError(message, { code: 'not-found' });
}
