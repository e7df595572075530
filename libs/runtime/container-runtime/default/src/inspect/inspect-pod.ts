import { join } from 'node:path';
import { mapLimit } from '@podwright/concurrency';
import type {
  PodIdentity,
  RuntimeContainerStatus,
  RuntimePod,
  RuntimePodStatus,
} from '@podwright/container-runtime-interface';
import type { PodSandboxStatus, RuntimeService } from '@podwright/cri-client-interface';
import { hasCode, KubeletError } from '@podwright/errors';
import type { ContainerRuntimeConfig } from '../container-runtime-config.js';
import { toContainerStatus } from './container-status.js';
import { listPods } from './list-pods.js';
import { newestContainersFirst, bySandboxAttempt } from './newest-first.js';
import { podIps } from './pod-ips.js';

/** Enough for a usual pod at once; a pod with many dead records must not flood the runtime. */
const callsAtOnce = 8;

export interface InspectionParts extends Pick<ContainerRuntimeConfig, 'rootDir' | 'podLogsDir'> {
  readonly runtime: RuntimeService;
}

/**
 * Inspects a pod with one status call for each sandbox and container. Source: kubernetes v1.36
 * pkg/kubelet/kuberuntime/kuberuntime_manager.go GetPodStatus.
 */
export async function inspectPod(
  { runtime, rootDir, podLogsDir }: InspectionParts,
  { uid, name, namespace }: PodIdentity,
  known?: RuntimePod,
  signal?: AbortSignal,
): Promise<RuntimePodStatus> {
  const listOptions = signal === undefined ? { all: true, podUid: uid } : { all: true, podUid: uid, signal };
  const pod = known ?? (await listPods(runtime, listOptions)).find((listed) => listed.uid === uid);
  const folders = { podsDir: join(rootDir, 'pods'), podLogsDir, pod: { uid, name, namespace } };
  const sandboxes: PodSandboxStatus[] = [];
  const containers: RuntimeContainerStatus[] = [];
  const calls = [
    ...(pod?.sandboxes ?? []).map(({ id }) => async (callSignal: AbortSignal): Promise<void> => {
      const { status } = await runtime.podSandboxStatus({ podSandboxId: id }, { signal: callSignal });
      sandboxes.push(answered(status, `pod sandbox ${id}`));
    }),
    ...(pod?.containers ?? []).map(({ id, podSandboxId }) => async (callSignal: AbortSignal): Promise<void> => {
      const { status } = await runtime.containerStatus({ containerId: id }, { signal: callSignal });
      containers.push(await toContainerStatus(answered(status, `container ${id}`), podSandboxId, folders));
    }),
  ];
  await mapLimit(calls, callsAtOnce, (call, _, callSignal) => call(callSignal).catch(ignoreVanished), signal);
  sandboxes.sort(bySandboxAttempt);
  const ips = podIps(sandboxes[0]);
  return { uid, name, namespace, ips, containers: newestContainersFirst(containers), sandboxes };
}

/** A sandbox or container that vanishes between list and inspection is not an error. */
function ignoreVanished(error: unknown): void {
  if (!hasCode(error, 'not-found')) throw error;
}

function answered<T>(status: T | undefined, what: string): T {
  if (status === undefined) throw new KubeletError(`status of ${what} is empty`, { code: 'internal' });
  return status;
}
