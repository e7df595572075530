import { describe, expect, it } from '@jest/globals';
import type { NetworkInterfaceSample } from '@podwright/cgroup-stats-interface';
import type { Pod } from '@podwright/kube-types';
import { createTestNode } from '../fixtures/test-node.js';
import { NetworkRate } from './network-rate.js';
import { nodeFacts } from './node-facts.js';
import { SampleHistory } from './sample-history.js';

describe('the facts of a node', () => {
  const { machine } = createTestNode().deps.cgroups;
  const known = { nodeName: 'node-1', machine: machine(), version: 'v1.36.0', startedMs: 5 };
  const pod = (cpu: string, limit?: string): Pod => ({
    metadata: {},
    spec: { containers: [{ name: 'c', resources: { requests: { cpu }, ...(limit && { limits: { cpu: limit } }) } }] },
  });

  it('are those of the Node, with what its pods ask for', () => {
    const facts = nodeFacts({
      ...known,
      node: {
        metadata: { name: 'node-1' },
        status: {
          capacity: { cpu: '4', memory: '8Gi', pods: '110', 'hugepages-2Mi': '0', 'example.com/gpu': '2' },
          allocatable: { cpu: '3500m', memory: '7Gi', pods: '110', 'hugepages-2Mi': '0', 'example.com/gpu': '2' },
          addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
          nodeInfo: { kubeletVersion: 'v1.36.1', osImage: 'Debian', containerRuntimeVersion: 'containerd://2.1' },
        },
      } as never,
      pods: [
        { pod: pod('250m', '1'), phase: 'Running' },
        { pod: pod('100m'), phase: 'Pending' },
        { pod: pod('9'), phase: 'Succeeded' },
      ],
    });
    expect(facts).toMatchObject({
      name: 'node-1',
      kubeletVersion: 'v1.36.1',
      runtime: 'containerd://2.1',
      cgroupVersion: 2,
    });
    const of = (name: string): unknown => facts.resources.find((resource) => resource.name === name);
    expect(of('cpu')).toEqual({
      ...{ name: 'cpu', capacity: 4000, allocatable: 3500, reserved: 500, requested: 350, limited: 1000 },
    });
    expect(of('memory')).toMatchObject({ capacity: 8 * 2 ** 30, reserved: 2 ** 30, requested: 0 });
    expect(of('pods')).toMatchObject({ capacity: 110, requested: 2 });
    expect(of('example.com/gpu')).toMatchObject({ capacity: 2 });
    expect(of('hugepages-2Mi')).toBeUndefined();
  });

  it('are those of the machine while nothing is known of the Node', () => {
    expect(nodeFacts({ ...known, pods: [] })).toMatchObject({
      ...{ name: 'node-1', kubeletVersion: 'v1.36.0', kernelVersion: '6.12.0', runtime: '', resources: [] },
    });
  });
});

describe('the rate of the network', () => {
  const of = (name: string, rxBytes: number, txBytes: number): NetworkInterfaceSample => ({
    ...{ name, rxBytes, txBytes, rxPackets: 0, rxErrors: 0, rxDropped: 0, txPackets: 0, txErrors: 0, txDropped: 0 },
  });
  const isDevice = async (name: string): Promise<boolean> => name.startsWith('ens');

  it('counts devices, not the bridges behind them', async () => {
    const rate = new NetworkRate(isDevice);
    expect(await rate.next([of('ens3', 1000, 100), of('cni0', 1000, 100)], 0)).toEqual({});
    expect(await rate.next([of('ens3', 5000, 300), of('cni0', 9000, 900)], 2000)).toEqual({
      ...{ networkRxBytesPerSecond: 2000, networkTxBytesPerSecond: 100 },
    });
  });

  it('counts all where nothing is a device, and nothing when a counter fell', async () => {
    const rate = new NetworkRate(isDevice);
    await rate.next([of('eth0', 1000, 0), of('eth1', 1000, 0)], 0);
    expect(await rate.next([of('eth0', 2000, 0), of('eth1', 2000, 0)], 1000)).toMatchObject({
      networkRxBytesPerSecond: 2000,
    });
    expect(await rate.next([of('eth0', 10, 0)], 2000)).toEqual({});
  });
});

describe('the history of samples', () => {
  const pods = (count: number, cpuNanoCores = 1): readonly { uid: string; cpuNanoCores: number }[] =>
    Array.from({ length: count }, (_, index) => ({ uid: `u${index}`, cpuNanoCores }));

  it('gives back what it was given, and what nobody could read stays absent', () => {
    const history = new SampleHistory();
    const sample = {
      ...{ atMs: 1000, cpuNanoCores: 5, psiSomeIo: 0.5 },
      pods: [{ uid: 'a', cpuNanoCores: 7, memoryWorkingSetBytes: 9 }, { uid: 'b' }],
    };
    history.add(sample);
    expect(history.list(1000)).toEqual([sample]);
  });

  it('has the last ten minutes, and no more than 300', () => {
    const history = new SampleHistory();
    for (let index = 0; index < 400; index++) history.add({ atMs: 1000 * index, pods: [] });
    expect(history.list(399_000)).toHaveLength(300);
    const later = history.list(900_000);
    expect(later[0]?.atMs).toBe(301_000);
    history.clear();
    expect(history.list(399_000)).toEqual([]);
  });

  it('leaves pods out evenly on a node that has many, but not of the newest', () => {
    const history = new SampleHistory();
    for (let index = 0; index < 300; index++) history.add({ atMs: 1000 * index, pods: pods(200) });
    const listed = history.list(299_000);
    const withPods = listed.flatMap((sample, index) => (sample.pods.length > 0 ? [index] : []));
    expect(withPods).toEqual(Array.from({ length: 30 }, (_, index) => 10 * index + 9));
    expect(listed.at(-1)?.pods).toEqual(pods(200));
  });
});
