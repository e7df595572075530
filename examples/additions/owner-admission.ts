// A check of admission of your own: pods without the label `owner` do not run on this node. Static and critical pods do.
import { ADMISSION_CHECKS, type AdmissionCheck } from '@podwright/admission-interface';
import { contribution, defineModule } from '@podwright/assembly-interface';
import { isCriticalPod } from '@podwright/kube-types';

const ownerCheck: AdmissionCheck = {
  stage: 'last',
  check: (pod) =>
    pod.metadata.labels?.['owner'] !== undefined || isCriticalPod(pod)
      ? undefined
      : { admit: false, reason: 'NoOwner', message: 'Pod has no label "owner": add it, and create the pod again.' },
};

export default defineModule({
  name: 'owner-admission',
  provides: [],
  create: () => ownerCheck,
  contributes: [contribution(ADMISSION_CHECKS, (check: AdmissionCheck) => [check])],
});
