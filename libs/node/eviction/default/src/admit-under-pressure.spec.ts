import { describe, expect, it } from '@jest/globals';
import type { PodSpec, Toleration } from '@podwright/kube-types';
import { refuseUnderPressure } from './admit-under-pressure.js';
import { benchPod } from './fixtures/eviction-bench.js';
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
    const refusal = refuseUnderPressure(benchPod('a', spec), conditions);
    expect(refusal).toEqual(message === undefined ? undefined : { admit: false, reason: 'Evicted', message });
  });

  it('lets a static pod pass', () => {
    expect(refuseUnderPressure(benchPod('a', {}, true), [disk])).toBeUndefined();
  });
});
