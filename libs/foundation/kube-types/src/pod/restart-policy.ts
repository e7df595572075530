import type { Container, Pod } from '../objects.js';

interface RestartRule {
  readonly action: string;
  readonly exitCodes?: { readonly operator: string; readonly values?: readonly number[] };
}

/** The container fields of the gate ContainerRestartRules, absent from older clients' types. */
export type RestartableContainer = Pick<Container, 'restartPolicy'> & {
  readonly restartPolicyRules?: readonly RestartRule[];
};

/** The rule of the container that matches an exit code; rules count only beside a restartPolicy of its own. */
export function matchingRestartRule(container: RestartableContainer, exitCode: number): RestartRule | undefined {
  if (container.restartPolicy === undefined) return undefined;
  return container.restartPolicyRules?.find(({ exitCodes }) => {
    const listed = exitCodes?.values?.includes(exitCode) ?? false;
    return exitCodes?.operator === 'In' ? listed : exitCodes?.operator === 'NotIn' ? !listed : false;
  });
}

/**
 * Whether a container that ended with `exitCode` is started again, by its rules, its own policy, or the pod's. The
 * deletion of the pod is not looked at. Source: kubernetes v1.36 pkg/api/v1/pod/util.go ContainerShouldRestart.
 */
export function restartsAfterExit(pod: Pod, container: RestartableContainer, exitCode: number): boolean {
  const rule = matchingRestartRule(container, exitCode);
  if (rule !== undefined) return rule.action === 'Restart' || rule.action === 'RestartAllContainers';
  const policy = container.restartPolicy ?? pod.spec.restartPolicy ?? 'Always';
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

/** An init container that runs beside the regular ones (restartPolicy Always). */
export function isSidecar(container: Pick<Container, 'restartPolicy'>): boolean {
  return container.restartPolicy === 'Always';
}
