import type { RuntimePod } from '@podwright/container-runtime-interface';
import { ContainerState, podUidLabel, type RuntimeService } from '@podwright/cri-client-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import type { RuntimeView } from '@podwright/evented-pleg-interface';
import type { PodCache } from '@podwright/pod-cache-interface';

export interface RunningContainer {
  readonly id: string;
  readonly podUid: string;
}

/**
 * The running containers and their log paths, from the pleg's view and the pod cache when they know them, else from the
 * runtime.
 */
export class RunningContainers {
  constructor(
    private readonly service: Pick<RuntimeService, 'listContainers' | 'containerStatus'>,
    private readonly view: RuntimeView | undefined,
    private readonly cache: Pick<PodCache, 'get'> | undefined,
  ) {}

  async list(signal: AbortSignal): Promise<readonly RunningContainer[]> {
    const pods = this.view?.pods();
    if (pods !== undefined) return pods.flatMap(runningIn);
    const filter = { state: { state: ContainerState.CONTAINER_RUNNING } };
    const { containers } = await this.service.listContainers({ filter }, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      const { code } = KubeletError.from(error);
      throw new KubeletError(`failed to list containers: ${messageOf(error)}`, { code, cause: error });
    });
    return containers
      .filter(({ state }) => state === ContainerState.CONTAINER_RUNNING)
      .map(({ id, labels }) => ({ id, podUid: labels[podUidLabel] ?? '' }));
  }

  /** Empty for a container without a log. */
  async logPathOf({ id, podUid }: RunningContainer, signal: AbortSignal): Promise<string> {
    const known = this.inspected(podUid)?.find((container) => container.id === id);
    const logPath =
      known?.logPath ?? (await this.service.containerStatus({ containerId: id }, { signal })).status?.logPath;
    return logPath ?? '';
  }

  private inspected(podUid: string): ReturnType<PodCache['get']>['containers'] | undefined {
    try {
      return this.cache?.get(podUid).containers;
    } catch {
      // The cache throws the error of the pod's last inspection, which was logged there; the runtime is asked instead.
      return undefined;
    }
  }
}

function runningIn({ uid, containers }: RuntimePod): RunningContainer[] {
  return containers.filter(({ state }) => state === 'running').map(({ id }) => ({ id, podUid: uid }));
}
