import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { RpcName } from '@podwright/cri-client-interface';
import { podUid, type Pod } from '@podwright/kube-types';
import { MemoryPodSource } from './memory-pod-source.js';
import { SimulatedNode } from './simulated-node.js';
import { simulatedPod, simulatedPods } from './simulated-pod.js';

// The requirement behind this file: one stuck thing stays one stuck thing.
describe('one pod of many that is stuck', () => {
  let node: SimulatedNode;
  beforeEach(async () => {
    // A short request timeout would hide a call that hangs for good.
    node = await SimulatedNode.create({
      configuration: { runtimeRequestTimeout: '2h0m0s' },
      runtime: { requestTimeoutMs: 7_200_000 },
    });
    await node.boot();
  });
  afterEach(() => node.dispose());

  const stuck = simulatedPod('stuck', { containers: [{ name: 'stuck', image: 'registry.test/stuck:1' }] });
  async function othersLiveNormally(count: number): Promise<void> {
    const others = simulatedPods(count);
    const half = count >> 1;
    node.want(stuck, ...others);
    expect(await node.until(() => others.every((pod) => node.isReady(pod)))).toBeLessThan(30_000);
    // Longer than the pleg's threshold: an old relist would show by now.
    await node.clock.advance(200_000);
    expect(node.complaints()).toEqual([]);
    const crashed = others[7]!;
    node.runtime.control.exitContainer(node.runtime.control.container(podUid(crashed), 'main')?.id ?? '', 1);
    await node.until(() => node.status(crashed)?.containerStatuses?.[0]?.restartCount === 1 && node.isReady(crashed));
    const added = simulatedPod('added');
    node.want(stuck, ...others, added);
    expect(await node.until(() => node.isReady(added))).toBeLessThan(5_000);
    node.want(stuck, ...others.slice(half));
    expect(await node.until(() => [added, ...others.slice(0, half)].every((pod) => node.isStopped(pod)))).toBeLessThan(
      15_000,
    );
    // Housekeeping goes on as well: it forgets the statuses of removed pods.
    await node.until(() => others.slice(0, half).every((pod) => node.status(pod) === undefined), 30_000);
    await node.clock.advance(200_000);
    expect(node.complaints()).toEqual([]);
    node.want(...others.slice(half));
    await node.clock.advance(200_000);
    expect(node.complaints()).toEqual([]);
    expect(others.slice(half).every((pod) => node.isReady(pod))).toBe(true);
  }

  const hanging: readonly RpcName[] = [
    'podSandboxStatus',
    'containerStatus',
    'runPodSandbox',
    'createContainer',
    'startContainer',
    'stopContainer',
    'stopPodSandbox',
    'removeContainer',
    'removePodSandbox',
  ];
  it.each(hanging)('%s of it hangs', async (rpc) => {
    node.runtime.faults.hang({ rpc, subject: podUid(stuck) });
    await othersLiveNormally(rpc === 'podSandboxStatus' || rpc === 'containerStatus' ? 99 : 15);
    expect(await node.stop()).toBeLessThanOrEqual(2_000);
  });

  it.each(['pullImage', 'imageStatus'] as const)('%s of its image hangs', async (rpc) => {
    node.runtime.faults.hang({ rpc, subject: 'registry.test/stuck:1' });
    await node.stop();
    await node.boot({ serializeImagePulls: false });
    await othersLiveNormally(15);
    expect(await node.stop()).toBeLessThanOrEqual(2_000);
  });

  it('everything of it hangs', async () => {
    node.runtime.faults.hang({ subject: podUid(stuck) });
    await othersLiveNormally(15);
    expect(await node.stop()).toBeLessThanOrEqual(2_000);
  });
});

describe('a CNI plugin', () => {
  let node: SimulatedNode;
  beforeEach(async () => {
    // Pods of manifests would be critical ones.
    node = await SimulatedNode.create({ source: new MemoryPodSource('local') });
    await node.boot();
  });
  afterEach(() => node.dispose());
  const pods = simulatedPods(48);
  const secondsUntilReady = async (awaited: readonly Pod[]): Promise<number> =>
    (await node.until(() => awaited.every((pod) => node.isReady(pod)), 300_000)) / 1000;

  it('that is slow for all pods gets more of them at once', async () => {
    node.runtime.faults.delay({ rpc: 'runPodSandbox' }, 3_000);
    node.want(...pods);
    // Twelve turns of twice the cores would take 36 s.
    expect(await secondsUntilReady(pods)).toBeLessThan(20);
  });

  it('that hangs for some pods holds up neither the others nor its own pod', async () => {
    const hanging = pods.filter((_, index) => index % 3 === 0);
    for (const pod of hanging) node.runtime.faults.hang({ rpc: 'runPodSandbox', subject: podUid(pod) });
    node.runtime.faults.delay({ rpc: 'runPodSandbox' }, 300);
    node.want(...pods);
    await node.clock.advance(1_000);
    const plugin = simulatedPod('plugin', { priorityClassName: 'system-node-critical', priority: 2_000_001_000 });
    node.want(...pods, plugin);
    expect(await secondsUntilReady([plugin])).toBeLessThan(3);
    // Sixteen hang. The first four that start keep their places for ten seconds, because no start has ended yet that says
    // how long one takes; at worst all four hang. The others hang for two seconds each. With ten each it would be 40 s.
    expect(await secondsUntilReady(pods.filter((pod) => !hanging.includes(pod)))).toBeLessThan(20);
  });
});

describe('a runtime that answers nothing at all', () => {
  it('lets the kubelet say so and stop within its time', async () => {
    const node = await SimulatedNode.create();
    await node.boot();
    const pods = simulatedPods(20);
    node.want(...pods);
    await node.until(() => pods.every((pod) => node.isReady(pod)));
    const release = node.runtime.faults.hang({});
    await node.clock.advance(400_000);
    expect(node.complaints()[0]).toMatch(/^pleg was last seen active/);
    release();
    await node.until(() => node.complaints().length === 0, 180_000);
    expect(node.runtime.calls.count('createContainer')).toBe(20);
    node.runtime.faults.hang({});
    await node.clock.advance(5_000);
    expect(await node.stop()).toBeLessThanOrEqual(2_000);
    await node.dispose();
  });
});
