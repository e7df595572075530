import type { Container, Pod } from '@podwright/kube-types';

type WithRules = Container & { readonly restartPolicyRules?: readonly { readonly action: string }[] };

/**
 * Whether any regular container may restart, by the pod's policy, its own policy or one of its rules.
 * Source: kubernetes v1.36 pkg/kubelet/kubelet.go SyncPod, pkg/api/v1/pod/util.go IsContainerRestartable.
 */
export function isRestartable(pod: Pod): boolean {
  return (pod.spec.containers as readonly WithRules[]).some(({ restartPolicy, restartPolicyRules }) => {
    const restarts = restartPolicy !== undefined && restartPolicyRules?.some(({ action }) => action === 'Restart');
    return restarts || (restartPolicy ?? pod.spec.restartPolicy) !== 'Never';
  });
}
