import { describe, expect, it } from '@jest/globals';
import { parseQuantity, quantityFromUnits, type PodSpec } from '@podwright/kube-types';
import type { ContainerStats, PodStats } from '@podwright/stats-interface';
import { testPod } from './fixtures/eviction-harness.js';
import { evictionText, type MetThreshold } from './eviction-message.js';
import type { StarvedResource } from './signals/signal.js';

const time = '';
const met: MetThreshold = {
  quantity: parseQuantity('100Mi'),
  observed: { available: quantityFromUnits(80 * 2 ** 20, 'BinarySI'), capacity: parseQuantity('8Gi'), time: undefined },
};
const low = (resource: string): string =>
  `The node was low on resource: ${resource}. Threshold quantity: 100Mi, available: 80Mi. `;
const container = (name: string, memory: number, disk?: number): ContainerStats => ({
  ...{ name, startTime: time, memory: { time, workingSetBytes: memory } },
  ...(disk !== undefined && { rootfs: { time, usedBytes: disk }, logs: { time, usedBytes: 0 } }),
});
const statsOf = (...containers: readonly ContainerStats[]): PodStats => ({
  podRef: { name: 'web', namespace: 'default', uid: 'uid-web' },
  startTime: time,
  containers,
  memory: { time, workingSetBytes: 3 * 2 ** 20 },
});
const asking = (name: string, requests?: Readonly<Record<string, string>>): PodSpec['containers'][number] => ({
  ...{ name, image: 'i', ...(requests !== undefined && { resources: { requests: { ...requests } } }) },
});
const none = { offending_containers: '', offending_containers_usage: '' };

describe('the message of an eviction', () => {
  it.each<[string, StarvedResource, Partial<PodSpec>, PodStats | undefined, string, object]>([
    ['nothing known of the pod', 'memory', {}, undefined, low('memory'), {}],
    [
      'containers above what they asked for, init containers too',
      'memory',
      { containers: [asking('a', { memory: '1Mi' }), asking('b')], initContainers: [asking('c', { memory: '1Gi' })] },
      statsOf(
        container('c', 2 ** 20),
        container('b', 1536 * 1024),
        container('a', 2 ** 21),
        container('debug', 2 ** 30),
      ),
      `${low('memory')}Container b was using 1536Ki, request is 0, has larger consumption of memory. ` +
        'Container a was using 2Mi, request is 1Mi, has larger consumption of memory. ',
      { offending_containers: 'b,a', offending_containers_usage: '1536Ki,2Mi', starved_resource: 'memory' },
    ],
    [
      'disk: layer and logs, where both are known',
      'ephemeral-storage',
      { containers: [asking('a', { 'ephemeral-storage': '1k' }), asking('b')] },
      statsOf(container('a', 0, 1_001), container('b', 0)),
      `${low('ephemeral-storage')}Container a was using 1001, request is 1k, has larger consumption of ephemeral-storage. `,
      { offending_containers: 'a', offending_containers_usage: '1001', starved_resource: 'ephemeral-storage' },
    ],
    [
      'inodes: no container is blamed',
      'inodes',
      {},
      statsOf(container('main', 9, 9)),
      low('inodes'),
      { ...none, starved_resource: 'inodes' },
    ],
    [
      'processes likewise',
      'pids',
      {},
      statsOf(container('main', 9, 9)),
      low('pids'),
      { ...none, starved_resource: 'pids' },
    ],
    [
      'the pod as a whole',
      'memory',
      { resources: { requests: { memory: '4Mi' } }, containers: [asking('a', { memory: '9Mi' })] },
      statsOf(container('a', 3 * 2 ** 20)),
      `${low('memory')}Pod web was using 3Mi, request is 4Mi, has larger consumption of memory. `,
      { ...none, offending_pod: 'web', offending_pod_usage: '3Mi', starved_resource: 'memory' },
    ],
  ])('%s', (_name, resource, spec, stats, message, annotations) => {
    expect(evictionText(resource, testPod('web', spec), stats, met, true)).toEqual({ message, annotations });
  });

  it('says nothing of the pod as a whole without the feature gate', () => {
    const pod = testPod('web', { resources: { requests: { memory: '4Mi' } } });
    expect(evictionText('memory', pod, statsOf(), met, false).message).toBe(low('memory'));
  });
});
