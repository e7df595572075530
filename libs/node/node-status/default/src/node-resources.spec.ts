import { describe, expect, it } from '@jest/globals';
import { formatResources, parseResources } from '@podwright/kube-types';
import { nodeAllocatable, nodeReservation, type ReservationOptions } from './node-allocatable.js';
import { nodeCapacity, type CapacityOptions } from './node-capacity.js';

const gi = 2 ** 30;
const machine = { cores: 4, memoryBytes: 8 * gi, hugePages: [], rootFsBytes: BigInt(100 * gi) };
const limits: CapacityOptions = { maxPods: 110, podsPerCore: 0, localStorageCapacityIsolation: true };
const nothing: ReservationOptions = {
  systemReserved: {},
  kubeReserved: {},
  reservedSystemCpus: '',
  evictionHard: {},
  ignoreHardEviction: false,
};

describe('node capacity', () => {
  it.each([
    [
      'all that the machine has',
      machine,
      limits,
      { cpu: '4', memory: '8Gi', 'ephemeral-storage': '100Gi', pods: '110' },
    ],
    ['pods per core below the limit', machine, { ...limits, podsPerCore: 10 }, { pods: '40' }],
    ['pods per core above the limit', machine, { ...limits, podsPerCore: 100 }, { pods: '110' }],
    [
      'huge pages, also a size without any',
      {
        ...machine,
        hugePages: [
          { sizeBytes: 2 * 2 ** 20, pages: 3 },
          { sizeBytes: gi, pages: 0 },
        ],
      },
      limits,
      { 'hugepages-2Mi': '6Mi', 'hugepages-1Gi': '0' },
    ],
    ['memory that is no round number', { ...machine, memoryBytes: 25276514304 }, limits, { memory: '24684096Ki' }],
  ])('is %s', (_name, facts, options, expected) => {
    expect(formatResources(nodeCapacity(facts, options))).toMatchObject(expected);
  });

  it.each([
    [machine, { ...limits, localStorageCapacityIsolation: false }],
    [{ ...machine, rootFsBytes: undefined }, limits],
  ])('has no storage that is not isolated or not known', (facts, options) => {
    expect(nodeCapacity(facts, options)).not.toHaveProperty('ephemeral-storage');
  });
});

describe('node allocatable', () => {
  const capacity = { cpu: '4', memory: '8Gi', 'ephemeral-storage': '61255492Ki', pods: '110', 'hugepages-2Mi': '0' };
  it.each<[string, Partial<ReservationOptions>, Readonly<Record<string, string>>]>([
    ['is the capacity when nothing is reserved', {}, capacity],
    [
      'leaves out both reservations',
      { systemReserved: { cpu: '500m', memory: '1Gi' }, kubeReserved: { cpu: '0.25', memory: '512Mi' } },
      { cpu: '3250m', memory: '6656Mi' },
    ],
    [
      'leaves out the hard eviction thresholds of memory and the file system of the node',
      { evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '10%', 'imagefs.available': '15%' } },
      { memory: '8092Mi', 'ephemeral-storage': '56453061334' },
    ],
    ['takes a share of the memory too', { evictionHard: { 'memory.available': '25%' } }, { memory: '6Gi' }],
    [
      'does not count shares of all or nothing',
      { evictionHard: { 'memory.available': '100%', 'nodefs.available': '0%' } },
      capacity,
    ],
    [
      'ignores thresholds when told so',
      { evictionHard: { 'memory.available': '1Gi' }, ignoreHardEviction: true, kubeReserved: { memory: '1Gi' } },
      { memory: '7Gi' },
    ],
    [
      'counts reserved CPUs in place of reserved amounts of them',
      { reservedSystemCpus: '0-1,3', systemReserved: { cpu: '100m', memory: '1Gi' }, kubeReserved: { cpu: '1' } },
      { cpu: '1', memory: '7Gi' },
    ],
    ['is never negative', { systemReserved: { memory: '9Gi', cpu: '4001m' } }, { memory: '0', cpu: '0' }],
    ['knows no reservation of what is not there', { systemReserved: { 'example.com/x': '1', pid: '1k' } }, capacity],
  ])('%s', (_name, options, expected) => {
    const amounts = parseResources(capacity);
    const reservation = nodeReservation(amounts, { ...nothing, ...options });
    expect(formatResources(nodeAllocatable(amounts, reservation))).toMatchObject(expected);
  });

  it.each(['x%', '1x'])('names the threshold %s, which is no amount', (threshold) => {
    const reserved = (): unknown =>
      nodeReservation(parseResources(capacity), { ...nothing, evictionHard: { 'memory.available': threshold } });
    expect(reserved).toThrow(`evictionHard[memory.available] is refused: `);
    expect(reserved).toThrow(`, found "${threshold}"`);
  });

  it('takes huge pages out of the memory, down to zero', () => {
    const of = (hugePages: string): string | undefined =>
      formatResources(nodeAllocatable(parseResources({ memory: '2Gi', 'hugepages-2Mi': hugePages }), {}))['memory'];
    expect(of('512Mi')).toBe('1536Mi');
    expect(of('3Gi')).toBe('0');
  });
});
