import { describe, expect, it } from '@jest/globals';
import type { Pod, PodStatus } from '@podwright/kube-types';
import { cgroupSample, createTestNode, type TestNode } from '../fixtures/test-node.js';
import { NodeSampler } from './node-sampler.js';

const { signal } = new AbortController();
const memory = (workingSet: number): never => ({ workingSet }) as never;

function runPod({ pods }: TestNode, uid: string, containerID: string): Pod {
  const pod: Pod = { metadata: { uid, namespace: 'shop', name: uid }, spec: { containers: [{ name: 'main' }] } };
  const main = { name: 'main', containerID, state: { running: {} } };
  pods.add(pod, { phase: 'Running', containerStatuses: [main] } as unknown as PodStatus);
  return pod;
}

describe('NodeSampler', () => {
  it('reads the root cgroup, the disks, and one cgroup for each pod', async () => {
    const node = createTestNode({
      stats: {
        summary: async () => ({
          node: {
            ...{ nodeName: 'node-1', startTime: '', rlimit: { time: '', curproc: 42 } },
            fs: { time: '', usedBytes: 1, capacityBytes: 2 },
            runtime: { imageFs: { time: '', usedBytes: 3, capacityBytes: 4 } },
          },
          pods: [],
        }),
      },
    });
    const line = { totalUs: 0, avg10: 1.5, avg60: 0, avg300: 0 };
    node.cgroups.set(
      '/',
      cgroupSample('/', {
        cpu: { usageNs: 0, usageNanoCores: 11, pressure: { some: line, full: line } },
        memory: memory(2 ** 30),
      }),
    );
    node.cgroups.set('/kubepods/podu1', cgroupSample('/kubepods/podu1', { cpu: { usageNs: 0, usageNanoCores: 5 } }));
    node.cgroups.set('/kubepods/podu1/c1', cgroupSample('/kubepods/podu1/c1', { memory: memory(1) }));
    runPod(node, 'u1', 'containerd://c1');
    expect(await new NodeSampler(node.deps as never, async () => true).sample(signal)).toEqual({
      ...{ atMs: node.clock.now(), cpuNanoCores: 11, psiSomeCpu: 1.5 },
      ...{ memoryWorkingSetBytes: 2 ** 30, memoryAvailableBytes: 7 * 2 ** 30 },
      ...{ fsUsedBytes: 1, fsCapacityBytes: 2, imageFsUsedBytes: 3, imageFsCapacityBytes: 4, processes: 42 },
      ...{ networkRxBytesPerSecond: undefined, networkTxBytesPerSecond: undefined },
      pods: [{ uid: 'u1', cpuNanoCores: 5 }],
    });
  });

  it('asks the runtime for pods that have no cgroup of their own', async () => {
    const asked: unknown[] = [];
    const node = createTestNode({
      stats: {
        summary: async (options) => {
          asked.push(options?.onlyCpuAndMemory);
          const podRef = { uid: 'u1', namespace: 'shop', name: 'u1' };
          const cpu = { time: '', usageNanoCores: 8 };
          return { node: { nodeName: '', startTime: '' }, pods: [{ podRef, startTime: '', containers: [], cpu }] };
        },
      },
    });
    // Directly below the root of all pods.
    node.cgroups.set('/kubepods/c1', cgroupSample('/kubepods/c1'));
    runPod(node, 'u1', 'containerd://c1');
    const { pods } = await new NodeSampler(node.deps as never, async () => true).sample(signal);
    expect(pods).toEqual([{ uid: 'u1', cpuNanoCores: 8 }]);
    expect(asked).toEqual([undefined, true]);
  });

  it('leaves out what cannot be read, says so once, and measures the rest', async () => {
    const node = createTestNode({ stats: { summary: () => Promise.reject(new Error('the runtime is down')) } });
    const sampler = new NodeSampler(node.deps as never, async () => true);
    for (let sample = 0; sample < 3; sample++) {
      expect(await sampler.sample(signal)).toMatchObject({ pods: [] });
      await node.clock.advance(10_000);
    }
    expect(node.logger.messages('error')).toEqual(['The console cannot measure everything']);
  });

  it('does not wait for a runtime that hangs', async () => {
    const node = createTestNode({ stats: { summary: () => new Promise(() => undefined) } });
    const sampling = new NodeSampler(node.deps as never, async () => true).sample(signal);
    await node.clock.advance(1_500);
    expect(await sampling).toMatchObject({ pods: [] });
  });
});
