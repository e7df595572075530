import { describe, expect, it } from '@jest/globals';
import type { Container, Pod } from '@podwright/kube-types';
import { memoryQosFiles, type MemoryQosSettings } from './memory-qos.js';

const mi = 2 ** 20;
const gate: MemoryQosSettings = {
  memoryQos: true,
  memoryThrottlingFactor: 0.9,
  memoryReservationPolicy: 'None',
  nodeAllocatableMemoryBytes: 1024 * mi,
};
const tiered = { ...gate, memoryReservationPolicy: 'TieredReservation' } as const;
const zeros = { 'memory.min': '0', 'memory.low': '0' };

const filesOf = (resources: Container['resources'], settings: Partial<MemoryQosSettings>): object => {
  const container = { name: 'a', ...(resources && { resources }) };
  const pod: Pod = { metadata: { uid: '1' }, spec: { containers: [container] } };
  return memoryQosFiles(pod, container, settings);
};
const amounts = (request: string, limit?: string): Container['resources'] => ({
  requests: { memory: request },
  ...(limit !== undefined && { limits: { memory: limit } }),
});
const guaranteed: Container['resources'] = {
  requests: { cpu: '1', memory: '64Mi' },
  limits: { cpu: '1', memory: '64Mi' },
};

describe('memory QoS of containers', () => {
  it.each<[string, Container['resources'], Partial<MemoryQosSettings>, object]>([
    ['nothing without the gate', amounts('64Mi', '128Mi'), {}, {}],
    ['throttling on the way to the limit', amounts('64Mi', '128Mi'), gate, { ...zeros, 'memory.high': '127504384' }],
    ['or to what the node has', amounts('64Mi'), gate, { ...zeros, 'memory.high': '973078528' }],
    ['not when there is no way', guaranteed, gate, zeros],
    ['from nothing too', undefined, gate, zeros],
    ['not when the node is not known', amounts('64Mi'), { ...gate, nodeAllocatableMemoryBytes: 0 }, zeros],
    ['not below the request', amounts('1', '2'), gate, zeros],
    ['hard protection', guaranteed, tiered, { 'memory.min': `${64 * mi}` }],
    ['soft protection', amounts('64Mi', '64Mi'), tiered, { 'memory.low': `${64 * mi}` }],
    ['none without a request', { limits: { cpu: '1' } }, tiered, zeros],
  ])('%s', (_, resources, settings, expected) => {
    expect(filesOf(resources, settings)).toEqual(expected);
  });
});
