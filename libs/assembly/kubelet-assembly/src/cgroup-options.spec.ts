import { describe, expect, it } from '@jest/globals';
import { defaultKubeletConfiguration, parseKubeletFlags } from '@podwright/kubelet-configuration';
import { moduleOptions } from './module-options.js';

const facts = {
  nodeName: 'node',
  nodeIps: ['192.0.2.1'],
  givenNodeIps: [],
  invalidNodeIps: [],
  memoryBytes: 2 ** 30,
  cores: 2,
  cgroupVersion: 2,
  swapBytes: 0,
  swapControllerAvailable: false,
} as const;

describe('options of cgroups', () => {
  const percentOf = (qosReserved: Readonly<Record<string, string>>): unknown => {
    const configuration = { ...defaultKubeletConfiguration({}), qosReserved };
    const options = moduleOptions(configuration, parseKubeletFlags([]).flags, facts);
    return options['@podwright/cgroup']?.['qosReservedMemoryPercent'];
  };

  it.each([
    [{}, 0],
    [{ memory: '50%' }, 50],
    [{ memory: '+100%%' }, 100],
  ])('take a share of %j for higher classes', (qosReserved, expected) => {
    expect(percentOf(qosReserved)).toBe(expected);
  });

  it.each<[Record<string, string>, string]>([
    [{ cpu: '50%' }, 'cannot reserve "cpu" resource'],
    [{ memory: '50' }, `failed to parse percentage "50" for "memory" resource: percentage expected, got '50'`],
    [{ memory: 'x%' }, `failed to parse percentage "x%" for "memory" resource: invalid number in percentage 'x%'`],
    [
      { memory: '101%' },
      'failed to parse percentage "101%" for "memory" resource: percentage must be between 0 and 100',
    ],
  ])('refuse a share of %j in upstream words', (qosReserved, problem) => {
    expect(() => percentOf(qosReserved)).toThrow(
      `failed to run Kubelet: --qos-reserved value failed to parse: ${problem}`,
    );
  });
});
