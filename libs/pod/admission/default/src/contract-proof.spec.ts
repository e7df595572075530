import type { Admission, AdmissionResult } from '@podwright/admission-interface';
import { describeAdmissionContract } from '@podwright/admission-interface/contract';
import { describeContractProof } from '@podwright/contract';
import type { Pod } from '@podwright/kube-types';
import { harness } from './fixtures/admission-harness.js';

type Broken = (good: Admission) => Partial<Admission>;

const refuses = { admit: false, reason: 'Unexpected', message: 'no' } as const;
const answering =
  (change: (answer: AdmissionResult, pod: Pod, otherPods: readonly Pod[]) => AdmissionResult): Broken =>
  (good) => ({ admit: async (pod, otherPods) => change(await good.admit(pod, otherPods), pod, otherPods) });

describeContractProof(
  'Admission',
  (create) => describeAdmissionContract('a broken Admission', create),
  async () => harness().admission,
  {
    'admits %s': {
      'it refuses every pod': answering(() => refuses),
      'it admits only the first pod of a node': answering((answer, _pod, others) =>
        others.length > 0 ? refuses : answer,
      ),
    },
    'admits a pod that asks for Linux': {
      'it refuses pods that name an operating system': answering((answer, { spec }) => (spec.os ? refuses : answer)),
    },
    'refuses a pod of another operating system, %s': {
      'it admits every pod': answering(() => ({ admit: true })),
      'it rejects instead of refusing': (good) => ({
        admit: async (pod, otherPods) => {
          const answer = await good.admit(pod, otherPods);
          if (!answer.admit) throw new Error(answer.message);
          return answer;
        },
      }),
      'the reason differs': answering((answer) => ({ ...answer, reason: 'WrongSystem' })),
      'the message differs': answering((answer) => ({ ...answer, message: 'wrong system' })),
    },
    'refuses a pod of another operating system, by its label, which counts first': {
      'the spec counts first': (good) => ({
        admit: ({ metadata: { labels: _labels, ...metadata }, ...pod }, otherPods) =>
          good.admit({ ...pod, metadata }, otherPods),
      }),
    },
  },
);
