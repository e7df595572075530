import type { RuntimeContainerStatus, RuntimePodStatus } from '@podwright/container-runtime-interface';
import type { Container, Pod } from '@podwright/kube-types';
import { restartsAfterExit } from '@podwright/kube-types';

/** Newest record of the container over all sandboxes. */
export function newestRecord(status: RuntimePodStatus, name: string): RuntimeContainerStatus | undefined {
  return status.containers.find((container) => container.name === name);
}

/**
 * Whether a container that does not run is to be started.
 * Source: kubernetes v1.36 pkg/kubelet/container/helpers.go ShouldContainerBeRestarted.
 */
export function shouldRestart(pod: Pod, container: Container, status: RuntimePodStatus): boolean {
  if (pod.metadata.deletionTimestamp !== undefined) return false;
  const record = newestRecord(status, container.name);
  if (record === undefined) return true;
  if (record.state === 'running') return false;
  if (record.state === 'unknown' || record.state === 'created') return true;
  return restartsAfterExit(pod, container, record.exitCode);
}

/** The policy that counts for a container where rules and exit codes do not. */
export function restartPolicyOf(pod: Pod, container: Container): string {
  return container.restartPolicy ?? pod.spec.restartPolicy ?? 'Always';
}

/** True when a regular container of the pod has been created, runs or has run. */
export function hasAnyRegularContainer(pod: Pod, status: RuntimePodStatus): boolean {
  return pod.spec.containers.some((container) => {
    const state = newestRecord(status, container.name)?.state;
    return state === 'created' || state === 'running' || state === 'exited';
  });
}
