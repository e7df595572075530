import { describe, expect, it } from '@jest/globals';
import type { AdmissionCheck } from '@podwright/admission-interface';
import { describeAdmissionCheckContract, type AdmissionCheckHarness } from '@podwright/admission-interface/contract';
import { describeContractProof } from '@podwright/contract';
import type { Pod, PodSpec, Toleration } from '@podwright/kube-types';
import { refuseUnderPressure } from './admit-under-pressure.js';
import { testPod } from './fixtures/eviction-harness.js';
import type { PressureCondition } from './signals/signal.js';

const burstable: Partial<PodSpec> = {
  containers: [{ name: 'main', image: 'i', resources: { requests: { cpu: '1m' } } }],
};
const tolerating = (toleration: Toleration): Partial<PodSpec> => ({ tolerations: [toleration] });
const key = 'node.kubernetes.io/memory-pressure';
const [memory, disk, pids] = ['MemoryPressure', 'DiskPressure', 'PIDPressure'] as const;

describe('admission under pressure', () => {
  it.each<[string, Partial<PodSpec>, readonly PressureCondition[], string | undefined]>([
    ['anything without pressure', {}, [], undefined],
    ['BestEffort, memory', {}, [memory], 'The node had condition: [MemoryPressure]. '],
    ['BestEffort, disk', {}, [disk], 'The node had condition: [DiskPressure]. '],
    ['Burstable, memory', burstable, [memory], undefined],
    ['Burstable, processes', burstable, [pids], 'The node had condition: [PIDPressure]. '],
    ['Burstable, both', burstable, [memory, disk], 'The node had condition: [MemoryPressure DiskPressure]. '],
    ['critical by priority', { priority: 2_000_000_000 }, [memory, disk, pids], undefined],
    ['tolerating by key', tolerating({ key, operator: 'Exists', effect: 'NoSchedule' }), [memory], undefined],
    ['tolerating everything', tolerating({ operator: 'Exists' }), [memory], undefined],
    ['tolerating an empty value', tolerating({ key }), [memory], undefined],
    ['tolerating an empty value, in words', tolerating({ key, operator: 'Equal' }), [memory], undefined],
    [
      'a comparison with nothing',
      tolerating({ key, operator: 'Lt' }),
      [memory],
      'The node had condition: [MemoryPressure]. ',
    ],
    ['another value', tolerating({ key, value: 'x' }), [memory], 'The node had condition: [MemoryPressure]. '],
    [
      'another key',
      tolerating({ key: 'x', operator: 'Exists' }),
      [memory],
      'The node had condition: [MemoryPressure]. ',
    ],
    [
      'another effect',
      tolerating({ key, operator: 'Exists', effect: 'NoExecute' }),
      [memory],
      'The node had condition: [MemoryPressure]. ',
    ],
    [
      'a comparison',
      tolerating({ key, operator: 'Gt', value: '1' }),
      [memory],
      'The node had condition: [MemoryPressure]. ',
    ],
    [
      'tolerating, but the disk is short',
      tolerating({ operator: 'Exists' }),
      [disk],
      'The node had condition: [DiskPressure]. ',
    ],
  ])('%s', (_name, spec, conditions, message) => {
    const refusal = refuseUnderPressure(testPod('a', spec), conditions);
    expect(refusal).toEqual(message === undefined ? undefined : { admit: false, reason: 'Evicted', message });
  });

  it('lets a static pod pass', () => {
    expect(refuseUnderPressure(testPod('a', {}, true), [disk])).toBeUndefined();
  });
});

const harness = (): AdmissionCheckHarness => ({
  check: { stage: 'eviction', check: (pod) => refuseUnderPressure(pod, ['DiskPressure']) },
  passes: testPod('critical', {}, true),
  refused: testPod('new'),
});
describeAdmissionCheckContract('refuseUnderPressure', harness);

const broken = (check: AdmissionCheck['check']): (() => Partial<AdmissionCheckHarness>) => {
  return () => ({ check: { stage: 'eviction', check } });
};
const refusal = { admit: false, reason: 'Evicted', message: 'The node had condition: [DiskPressure]. ' } as const;
const isCritical = (pod: Pod): boolean => pod.metadata.name === 'critical';
describeContractProof('AdmissionCheck', (create) => describeAdmissionCheckContract('a broken check', create), harness, {
  'has its place among the checks of admission': {
    'its stage does not exist': () => ({ check: { stage: 'first' as never, check: () => undefined } }),
  },
  'lets a pod pass without a word': {
    'it refuses all': broken(() => refusal),
  },
  'refuses a pod with a reason for machines and a message for people': {
    'it lets all pass': broken(() => undefined),
    'its reason is a sentence': broken(() => ({ ...refusal, reason: 'no more room' })),
    'it says nothing': broken(() => ({ ...refusal, message: ' ' })),
  },
  'leaves pods as they are, and says the same when asked again': {
    'it marks the pod': broken((pod) => {
      Object.assign(pod.metadata, { labels: { seen: 'yes' } });
      return isCritical(pod) ? undefined : refusal;
    }),
    'it refuses the first time only': () => {
      let asked = 0;
      return broken((pod) => (isCritical(pod) || asked++ > 0 ? undefined : refusal))();
    },
  },
});
