import { restartsAfterExit, type Container, type Pod } from '@podwright/kube-types';
import type { RuntimeContainerStatus, RuntimePodStatus } from './runtime-pod.js';

/** The newest record of a container, over all sandboxes of the pod. */
export function newestRecord(status: RuntimePodStatus, name: string): RuntimeContainerStatus | undefined {
  return status.containers.find((container) => container.name === name);
}

/**
 * Decides from a container's newest record (undefined when there is none) whether to start the container.
 * Source: kubernetes v1.36 pkg/kubelet/container/helpers.go ShouldContainerBeRestarted.
 */
export function shouldContainerBeStarted(
  pod: Pod,
  container: Container,
  record: RuntimeContainerStatus | undefined,
): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return false;
  if (record === undefined) return true;
  if (record.state === 'running') return false;
  if (record.state === 'unknown' || record.state === 'created') return true;
  return restartsAfterExit(pod, container, record.exitCode);
}
