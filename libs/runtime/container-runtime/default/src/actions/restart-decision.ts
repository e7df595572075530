import type { Container, Pod } from '@podwright/kube-types';

/** The restart policy that applies to a container, before rules and exit codes. */
export function restartPolicyOf(pod: Pod, container: Container): string {
  return container.restartPolicy ?? pod.spec.restartPolicy ?? 'Always';
}
