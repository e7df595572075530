import { newestRecord, type RuntimePodStatus } from '@podwright/container-runtime-interface';
import type { Container, Pod } from '@podwright/kube-types';

/** The restart policy that applies to a container, before rules and exit codes. */
export function restartPolicyOf(pod: Pod, container: Container): string {
  return container.restartPolicy ?? pod.spec.restartPolicy ?? 'Always';
}

/** True when a regular container of the pod is created, runs or has run. */
export function hasAnyRegularContainer(pod: Pod, status: RuntimePodStatus): boolean {
  return pod.spec.containers.some((container) => {
    const state = newestRecord(status, container.name)?.state;
    return state === 'created' || state === 'running' || state === 'exited';
  });
}
