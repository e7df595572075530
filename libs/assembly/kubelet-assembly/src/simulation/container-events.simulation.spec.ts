import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ContainerEventResponse } from '@podwright/cri-client-interface';
import { missingInContainerd } from '@podwright/simulated-runtime';
import { createSeededRandom } from '@podwright/time';
import { SimulatedNode } from './simulated-node.js';
import { simulatedPod, simulatedPods } from './simulated-pod.js';

const gate = { featureGates: { EventedPLEG: true } };

/** What becomes of the events; each makes one for a node. */
const disturbances: Readonly<
  Record<string, () => (event: ContainerEventResponse) => readonly ContainerEventResponse[]>
> = {
  'arrive as they should': () => (event) => [event],
  'are lost, each second one': () => {
    const random = createSeededRandom('events');
    return (event) => (random.next() < 0.5 ? [] : [event]);
  },
  'are doubled': () => (event) => [event, event],
  'arrive in the wrong order': () => {
    const kept: ContainerEventResponse[] = [];
    return (event) => (kept.push(event) < 3 ? [] : kept.splice(0).reverse());
  },
  'tell nothing of the pod': () => (event) => [{ ...event, podSandboxStatus: undefined, containersStatuses: [] }],
  'tell an old status': () => {
    const first = new Map<string, ContainerEventResponse>();
    return (event) => {
      const old = first.get(event.containerId) ?? event;
      first.set(event.containerId, old);
      return [{ ...old, containerEventType: event.containerEventType, createdAt: 1n }];
    };
  },
  'do not arrive any more': () => () => [],
};

describe('with the gate EventedPLEG', () => {
  let node: SimulatedNode;
  beforeEach(async () => {
    node = await SimulatedNode.create();
  });
  afterEach(() => node.dispose());

  const pods = simulatedPods(10);
  const created = (): number => node.runtime.calls.count('createContainer');
  const lists = (): number => node.runtime.calls.count('listPodSandbox');
  const restartsOf = (name: string): number | undefined =>
    node.status(simulatedPod(name))?.containerStatuses?.[0]?.restartCount;

  /** A kubelet that relies on events, with ten pods ready. */
  async function relying(): Promise<void> {
    await node.boot(gate);
    node.want(...pods);
    await node.until(() => pods.every((pod) => node.isReady(pod)));
    await node.clock.advance(20_000);
  }

  const crash = (name: string): void =>
    node.runtime.control.exitContainer(node.runtime.control.container(`uid-${name}`, 'main')?.id ?? '');

  it.each(Object.keys(disturbances))('nothing is missed and nothing started twice when events %s', async (name) => {
    await relying();
    node.runtime.control.disturbEvents(disturbances[name]!());
    for (const crashed of ['pod-0', 'pod-1', 'pod-2']) {
      crash(crashed);
      await node.clock.advance(40);
    }
    const added = simulatedPod('added');
    node.want(...pods.slice(0, 9), added);
    await node.until(() => [0, 1, 2].every((index) => restartsOf(`pod-${index}`) === 1), 310_000);
    await node.until(() => node.isStopped(pods[9]!), 60_000);
    await node.until(() => [...pods.slice(0, 9), added].every((pod) => node.isReady(pod)), 310_000);
    await node.clock.advance(700_000);
    expect(created()).toBe(14);
    expect(node.complaints()).toEqual([]);
  });

  it('a container that ends is acted upon at once, and an idle node is not listed', async () => {
    await relying();
    crash('pod-0');
    expect(await node.until(() => restartsOf('pod-0') === 1)).toBeLessThan(500);
    await node.clock.advance(60_000);
    const before = lists();
    await node.clock.advance(100_000);
    // One look at each pod for each of its resyncs, and one of all for the safety net.
    expect(lists() - before).toBeLessThan(40);
  });

  it.each([
    ['a restart', 2_000],
    ['ten minutes', 600_000],
  ])('a runtime that is away for %s restarts nothing, and events are relied upon again', async (_name, outageMs) => {
    await relying();
    node.runtime.control.goAway();
    await node.clock.advance(outageMs);
    node.runtime.control.comeBack();
    crash('pod-0');
    await node.until(() => restartsOf('pod-0') === 1);
    await node.clock.advance(60_000);
    expect(created()).toBe(11);
    crash('pod-1');
    expect(await node.until(() => restartsOf('pod-1') === 1)).toBeLessThan(500);
    const before = lists();
    await node.clock.advance(100_000);
    expect(lists() - before).toBeLessThan(40);
    expect(node.complaints()).toEqual([]);
  });

  it('a kubelet that is killed finds everything again', async () => {
    await relying();
    await node.kill();
    crash('pod-0');
    await node.boot(gate);
    await node.until(() => restartsOf('pod-0') === 1 && pods.every((pod) => node.isReady(pod)));
    await node.clock.advance(60_000);
    expect(created()).toBe(11);
  });
});

describe('with the gate EventedPLEG and a runtime without container events', () => {
  it('pods are listed each second, and that is told once', async () => {
    const unimplemented = [...missingInContainerd, 'getContainerEvents' as const];
    const node = await SimulatedNode.create({ runtime: { unimplemented } });
    await node.boot(gate);
    const pod = simulatedPod('a');
    node.want(pod);
    await node.until(() => node.isReady(pod));
    await node.clock.advance(1_000_000);
    node.runtime.control.exitContainer(node.runtime.control.container('uid-a', 'main')?.id ?? '');
    expect(await node.until(() => node.status(pod)?.containerStatuses?.[0]?.restartCount === 1)).toBeLessThan(2_500);
    const told = node.logger.entries.filter(({ message }) => message.startsWith('the runtime has no container events'));
    expect(told).toHaveLength(1);
    await node.dispose();
  });
});
