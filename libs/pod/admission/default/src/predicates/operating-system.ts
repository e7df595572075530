import type { Pod } from '@podwright/kube-types';
import { refusal, type Refusal } from '../refusal.js';

const os = 'linux';

/**
 * Checks the pod's label `kubernetes.io/os`, not its node selector, as upstream does. Assumes that the node's own label
 * is that of this machine. Source: kubernetes v1.36 pkg/kubelet/lifecycle/predicate.go.
 */
export function checkOperatingSystem(pod: Pod): Refusal | undefined {
  const label = pod.metadata.labels?.['kubernetes.io/os'];
  if (label !== undefined && label !== os) {
    return refusal(
      'PodOSSelectorNodeLabelDoesNotMatch',
      "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
    );
  }
  if (pod.spec.os !== undefined && pod.spec.os.name !== os) {
    return refusal('PodOSNotSupported', "Failed to admit pod as the OS field doesn't match node OS");
  }
  return undefined;
}
