import type { Admission, AdmissionResult } from '@podwright/admission-interface';
import type { Pod } from '@podwright/kube-types';
import { injectable } from 'tsyringe';

/** One check; `undefined` lets the pod pass. */
type AdmissionCheck = (pod: Pod) => Exclude<AdmissionResult, { readonly admit: true }> | undefined;

// In upstream's order (kubernetes v1.36 pkg/kubelet/lifecycle/predicate.go). Resource fit needs the node's allocatable.
const checks: readonly AdmissionCheck[] = [
  ({ metadata }) =>
    (metadata.labels?.['kubernetes.io/os'] ?? 'linux') !== 'linux'
      ? {
          admit: false,
          reason: 'PodOSSelectorNodeLabelDoesNotMatch',
          message: "Failed to admit pod as the `kubernetes.io/os` label doesn't match node label",
        }
      : undefined,
  (pod) =>
    pod.spec.os !== undefined && pod.spec.os.name !== 'linux'
      ? {
          admit: false,
          reason: 'PodOSNotSupported',
          message: "Failed to admit pod as the OS field doesn't match node OS",
        }
      : undefined,
];

/** {@link Admission} that refuses pods of another operating system and admits the rest. */
@injectable()
export class NodeAdmission implements Admission {
  async admit(pod: Pod): Promise<AdmissionResult> {
    for (const check of checks) {
      const refusal = check(pod);
      if (refusal !== undefined) return refusal;
    }
    return { admit: true };
  }
}

/** Without DI. */
export function createNodeAdmission(): Admission {
  return new NodeAdmission();
}
