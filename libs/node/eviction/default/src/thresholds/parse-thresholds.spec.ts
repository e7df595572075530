import { describe, expect, it } from '@jest/globals';
import { formatQuantity, parseQuantity } from '@podwright/kube-types';
import type { DiskLayout } from '../disk-layout.js';
import { withContainerFsThresholds } from './container-fs-thresholds.js';
import { parseThresholds, type ThresholdStatements } from './parse-thresholds.js';
import { thresholdQuantity, type Threshold } from './threshold.js';

const parse = (statements: Partial<ThresholdStatements>): readonly Threshold[] =>
  parseThresholds({
    evictionHard: {},
    evictionSoft: {},
    evictionSoftGracePeriod: {},
    evictionMinimumReclaim: {},
    enforcePods: false,
    ...statements,
  });
const text = ({ signal, value, gracePeriodMs, minReclaim }: Threshold, capacity = '100Gi'): string => {
  const quantity = formatQuantity(thresholdQuantity(value, parseQuantity(capacity)));
  const reclaim =
    minReclaim === undefined ? '' : `+${formatQuantity(thresholdQuantity(minReclaim, parseQuantity(capacity)))}`;
  return `${signal}<${quantity}${reclaim} ${gracePeriodMs}`;
};

describe('thresholds', () => {
  it.each<[string, Partial<ThresholdStatements>, readonly string[]]>([
    ['none', {}, []],
    ['quantities', { evictionHard: { 'memory.available': '0.5Gi' } }, ['memory.available<512Mi 0']],
    ['shares', { evictionHard: { 'nodefs.available': '10%' } }, ['nodefs.available<10737418400 0']],
    ['nothing and all of it are off', { evictionHard: { 'nodefs.available': '0%', 'imagefs.available': '100%' } }, []],
    [
      'soft ones, with their grace',
      { evictionSoft: { 'memory.available': '1Gi' }, evictionSoftGracePeriod: { 'memory.available': '1m30s' } },
      ['memory.available<1Gi 90000'],
    ],
    [
      'a share of nothing and of all that is written differently is not off',
      { evictionHard: { 'nodefs.available': '0.0%', 'imagefs.available': '100.0%' } },
      ['nodefs.available<0 0', 'imagefs.available<100Gi 0'],
    ],
    ['a soft one that is off needs no grace', { evictionSoft: { 'memory.available': '0%' } }, []],
    [
      'a minimum reclaim, for hard and soft',
      {
        evictionHard: { 'memory.available': '1Gi' },
        evictionSoft: { 'memory.available': '2Gi' },
        evictionSoftGracePeriod: { 'memory.available': '0' },
        evictionMinimumReclaim: { 'memory.available': '0' },
      },
      ['memory.available<1Gi+0 0', 'memory.available<2Gi+0 0'],
    ],
    [
      'memory of all pods, when they have a limit; hard only',
      {
        evictionHard: { 'memory.available': '100Mi', 'pid.available': '50' },
        evictionSoft: { 'memory.available': '1Gi' },
        evictionSoftGracePeriod: { 'memory.available': '1s' },
        evictionMinimumReclaim: { 'memory.available': '10%' },
        enforcePods: true,
      },
      [
        'memory.available<100Mi+10737418400 0',
        'pid.available<50 0',
        'memory.available<1Gi+10737418400 1000',
        'allocatableMemory.available<100Mi+10737418400 0',
      ],
    ],
  ])('%s', (_name, statements, expected) => {
    expect(parse(statements).map((threshold) => text(threshold))).toEqual(expected);
  });

  it('have no minimum reclaim unless one is given', () => {
    const [threshold] = parse({ evictionHard: { 'memory.available': '1Gi' } });
    expect(threshold).not.toHaveProperty('minReclaim');
  });

  // float32(value)/100, then float64 and cut off: what Go makes of them.
  it.each([
    ['5%', '6553600', '320Ki'],
    ['15%', '1000000000', '150000005'],
    ['0.1%', '1000000000', '1000000'],
    ['33.3%', '1000000', '333000'],
    ['+5%', '1000', '50'],
    ['.25%', '1000000', '2499'],
    ['25e-2%', '1000000', '2499'],
    ['1E+1%%', '1000', '100'],
    ['1e01%', '1000', '100'],
  ])('%s of %s is %s', (share, capacity, expected) => {
    const [threshold] = parse({ evictionHard: { 'nodefs.inodesFree': share } });
    expect(threshold && formatQuantity(thresholdQuantity(threshold.value, parseQuantity(capacity)))).toBe(expected);
  });

  it.each<[Partial<ThresholdStatements>, string]>([
    [{ evictionHard: { 'disk.available': '1' } }, 'unsupported eviction signal disk.available'],
    [{ evictionSoftGracePeriod: { constructor: '1s' } }, 'unsupported eviction signal constructor'],
    [{ evictionMinimumReclaim: { x: '1' } }, 'unsupported eviction signal x'],
    [
      { evictionHard: { 'nodefs.available': '-1%' } },
      'eviction percentage threshold nodefs.available must be >= 0%: -1%',
    ],
    [
      { evictionHard: { 'nodefs.available': '101%' } },
      'eviction percentage threshold nodefs.available must be <= 100%: 101%',
    ],
    ...['x', '5x', 'x5', '5%5', '5e', '1e1x', '0x10', '5 ', ' 5', '.', 'NaN', 'Infinity', '1e400'].map(
      (share): [Partial<ThresholdStatements>, string] => [
        { evictionHard: { 'nodefs.available': `${share}%` } },
        `strconv.ParseFloat: parsing "${share}": invalid syntax`,
      ],
    ),
    [{ evictionHard: { 'memory.available': '0' } }, 'eviction threshold memory.available must be positive: 0'],
    [{ evictionHard: { 'memory.available': '-1Mi' } }, 'eviction threshold memory.available must be positive: -1Mi'],
    [{ evictionHard: { 'memory.available': 'much' } }, 'quantities must match the regular expression'],
    [
      { evictionSoft: { 'memory.available': '1Gi' } },
      'grace period must be specified for the soft eviction threshold memory.available',
    ],
    [
      { evictionSoftGracePeriod: { 'memory.available': '-1s' } },
      'invalid eviction grace period specified: -1s, must be a positive value',
    ],
    [{ evictionSoftGracePeriod: { 'memory.available': 'soon' } }, 'time: invalid duration "soon"'],
    [
      { evictionMinimumReclaim: { 'memory.available': '0%' } },
      'eviction percentage minimum reclaim memory.available must be positive: 0%',
    ],
    [
      { evictionMinimumReclaim: { 'memory.available': '-1' } },
      'negative eviction minimum reclaim specified for memory.available',
    ],
  ])('%j is refused', (statements, message) => {
    const [field = '', each = {}] = Object.entries(statements).find(([name]) => name !== 'enforcePods') ?? [];
    const [signal = '', value] = Object.entries(each)[0] ?? [];
    const named = { code: 'invalid-argument', field: `${field}[${signal}]`, value };
    expect(() => parse(statements)).toThrow(
      expect.objectContaining({ ...named, message: expect.stringContaining(message) }),
    );
  });
});

describe('thresholds of containerfs', () => {
  const statements = {
    evictionHard: {
      'nodefs.available': '1Gi',
      'imagefs.available': '2Gi',
      'imagefs.inodesFree': '7',
      'containerfs.available': '9Gi',
    },
    evictionSoft: { 'nodefs.inodesFree': '5', 'containerfs.inodesFree': '9' },
    evictionSoftGracePeriod: { 'nodefs.inodesFree': '1s', 'containerfs.inodesFree': '9s' },
    evictionMinimumReclaim: { 'nodefs.available': '3Gi' },
  };
  const ofNode = ['containerfs.available<1Gi+3Gi 0', 'containerfs.inodesFree<5 1000'];

  it.each<[DiskLayout, readonly string[]]>([
    ['single', ofNode],
    ['split', ofNode],
    ['dedicated', ['containerfs.available<2Gi 0', 'containerfs.inodesFree<7 0']],
  ])('%s', (layout, expected) => {
    const thresholds = withContainerFsThresholds(parse(statements), layout).map((threshold) => text(threshold));
    expect(thresholds.filter((threshold) => threshold.startsWith('containerfs.'))).toEqual(expected);
    expect(thresholds.filter((threshold) => !threshold.startsWith('containerfs.'))).toHaveLength(4);
  });
});
