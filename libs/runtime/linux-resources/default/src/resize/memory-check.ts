import type { PodCgroupResourceControl } from '@podwright/cgroup-interface';
import type { ContainerUpdate } from '@podwright/container-runtime-interface';
import type { RuntimeService } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import { podRef, type Pod } from '@podwright/kube-types';

export interface MemoryUsageSources {
  readonly runtime: Pick<RuntimeService, 'containerStats'>;
  readonly podCgroups: Pick<PodCgroupResourceControl, 'memoryUsageBytes'>;
}

/**
 * Refuses to lower a memory limit below the current usage, because the kernel would kill the container. Rejects with
 * the message for the pod's condition. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_manager.go
 * validateMemoryResizeAction.
 */
export async function refuseLimitsBelowUsage(
  sources: MemoryUsageSources,
  pod: Pod,
  updates: readonly ContainerUpdate[],
  /** New limit of the pod's cgroup in bytes; undefined unless it is lowered. */
  podLimit: number | undefined,
): Promise<void> {
  const lower = updates.filter(
    ({ desired, current }) =>
      desired.memoryLimit !== 0n && (current.memoryLimit === 0n || desired.memoryLimit < current.memoryLimit),
  );
  const faults = [
    ...(podLimit === undefined ? [] : [await podFault(sources, pod, podLimit)]),
    ...(await Promise.all(lower.map((update) => containerFault(sources, pod, update)))),
  ].filter((fault) => fault !== undefined);
  if (faults.length === 0) return;
  const text = faults.length === 1 ? faults[0] : `[${faults.join(', ')}]`;
  throw new KubeletError(`cannot decrease memory limits: ${text}`, { code: 'failed-precondition' });
}

async function podFault({ podCgroups }: MemoryUsageSources, pod: Pod, limit: number): Promise<string | undefined> {
  const usage = await podCgroups.memoryUsageBytes(pod).catch((error: unknown) => {
    throw unreadable(pod, error);
  });
  return usage >= limit ? `attempting to set pod memory limit (${limit}) below current usage (${usage})` : undefined;
}

async function containerFault(
  { runtime }: MemoryUsageSources,
  pod: Pod,
  { container, containerId, desired }: ContainerUpdate,
): Promise<string | undefined> {
  const { stats } = await runtime.containerStats({ containerId }).catch((error: unknown) => {
    throw unreadable(pod, error);
  });
  const name = JSON.stringify(container.name);
  const usage = stats?.memory?.usageBytes?.value;
  if (usage === undefined) return `missing container ${name} memory usage`;
  const limit = desired.memoryLimit;
  return usage >= limit
    ? `attempting to set container ${name} memory limit (${limit}) below current usage (${usage})`
    : undefined;
}

function unreadable(pod: Pod, cause: unknown): KubeletError {
  const message = `unable to read memory usage for pod ${JSON.stringify(podRef(pod))}`;
  return new KubeletError(message, { code: 'unavailable', cause });
}
