import { describeAdmissionCheckContract } from '@podwright/admission-interface/contract';
import type { Pod } from '@podwright/kube-types';
import ownerAdmission from './owner-admission.js';

const podWith = (labels: Readonly<Record<string, string>>): Pod => ({
  metadata: { name: 'web', namespace: 'default', uid: 'u', labels },
  spec: { containers: [{ name: 'c' }] },
});

// The suite that the checks of every module pass.
describeAdmissionCheckContract('the check of owners', () => ({
  check: ownerAdmission.create({}, undefined),
  passes: podWith({ owner: 'me' }),
  refused: podWith({}),
}));
