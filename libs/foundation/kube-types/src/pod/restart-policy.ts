import type { Container, Pod } from '../objects.js';

interface RestartRule {
  readonly action: string;
  readonly exitCodes?: { readonly operator: string; readonly values?: readonly number[] };
}

/** A container with the fields of the gate ContainerRestartRules, which the types of older clients lack. */
export type RestartableContainer = Pick<Container, 'restartPolicy'> & {
  readonly restartPolicyRules?: readonly RestartRule[];
};

/**
 * The container's first restart rule for an exit code. Rules count only when the container has its own restartPolicy.
 */
export function matchingRestartRule(container: RestartableContainer, exitCode: number): RestartRule | undefined {
  if (container.restartPolicy === undefined) return undefined;
  return container.restartPolicyRules?.find(({ exitCodes }) => {
    const listed = exitCodes?.values?.includes(exitCode) ?? false;
    return exitCodes?.operator === 'In' ? listed : exitCodes?.operator === 'NotIn' ? !listed : false;
  });
}

/**
 * Whether a container that exited with `exitCode` restarts: by its rules, else its own policy, else the pod's. Ignores
 * the deletion of the pod. Source: kubernetes v1.36 pkg/api/v1/pod/util.go ContainerShouldRestart.
 */
export function restartsAfterExit(pod: Pod, container: RestartableContainer, exitCode: number): boolean {
  const rule = matchingRestartRule(container, exitCode);
  // As upstream, an action that this kubelet does not honour leaves the decision to the container's policy.
  if (rule?.action === 'Restart' || rule?.action === 'RestartAllContainers') return true;
  const policy = container.restartPolicy ?? pod.spec.restartPolicy ?? 'Always';
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

/** True for an init container that runs beside the regular ones (restartPolicy Always). Pass init containers only. */
export function isSidecar(container: Pick<Container, 'restartPolicy'>): boolean {
  return container.restartPolicy === 'Always';
}
