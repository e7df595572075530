import {
  ContainerState,
  PodSandboxState,
  type CallOptions,
  type Container,
  type PodSandbox,
  type RuntimeService,
} from '@podwright/cri-client-interface';
import { rethrowAsRpc, rethrowWith } from '@podwright/errors';

/** Running containers and current sandboxes of the runtime, by id; sandboxes in the order of their creation. */
export interface RunningPods {
  readonly sandboxes: ReadonlyMap<string, PodSandbox>;
  readonly containers: ReadonlyMap<string, Container>;
  /** The same containers by the id of their sandbox. */
  readonly containersBySandbox: ReadonlyMap<string, readonly Container[]>;
}

/**
 * Lists running containers and current sandboxes. Source: kubernetes v1.36 pkg/kubelet/stats/cri_stats_provider.go
 * getPodAndContainerMaps.
 */
export async function listRunningPods(
  runtime: Pick<RuntimeService, 'listContainers' | 'listPodSandbox'>,
  { only, ...options }: CallOptions & { readonly only?: ReadonlySet<string> },
): Promise<RunningPods> {
  // The runtime filters out terminated containers; upstream does so with the answer.
  const running = { filter: { state: { state: ContainerState.CONTAINER_RUNNING } } };
  const containers = runtime
    .listContainers(running, options)
    .catch(rethrowAsRpc)
    .catch(rethrowWith('failed to list all containers'));
  const sandboxes = runtime
    .listPodSandbox({}, options)
    .catch(rethrowAsRpc)
    .catch(rethrowWith('failed to list all pod sandboxes'));
  const [{ containers: listed }, { items }] = await Promise.all([containers, sandboxes]);
  return selectRunning(
    listed,
    only === undefined ? items : items.filter(({ metadata }) => only.has(metadata?.uid ?? '')),
  );
}

/** Of several sandboxes with one name, keeps the ready ones, else the newest; keeps running containers only. */
export function selectRunning(containers: readonly Container[], sandboxes: readonly PodSandbox[]): RunningPods {
  const oldestFirst = [...sandboxes].sort((a, b) =>
    a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0,
  );
  const byPod = grouped(oldestFirst, ({ metadata }) => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`);
  const chosen = [...byPod.values()].flatMap((same) => {
    if (same.length === 1) return same;
    const ready = same.filter(({ state }) => state === PodSandboxState.SANDBOX_READY);
    return ready.length > 0 ? ready : same.slice(-1);
  });
  const running = containers.filter(({ state }) => state === ContainerState.CONTAINER_RUNNING);
  return {
    sandboxes: new Map(chosen.map((sandbox) => [sandbox.id, sandbox])),
    containers: new Map(running.map((container) => [container.id, container])),
    containersBySandbox: grouped(running, ({ podSandboxId }) => podSandboxId),
  };
}

/** Items without a key are left out. */
export function grouped<T>(
  items: readonly T[],
  keyOf: (item: T) => string | undefined,
): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const same = key === undefined ? undefined : groups.get(key);
    if (same !== undefined) same.push(item);
    else if (key !== undefined) groups.set(key, [item]);
  }
  return groups;
}
