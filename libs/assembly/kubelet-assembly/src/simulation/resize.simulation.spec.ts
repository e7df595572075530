import { afterEach, describe, expect, it } from '@jest/globals';
import type { Container, Pod, PodCondition, PodSpec } from '@podwright/kube-types';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { MemoryPodSource } from './memory-pod-source.js';
import { SimulatedNode } from './simulated-node.js';
import { simulatedPod } from './simulated-pod.js';

interface Sizes {
  readonly cpu: string;
  readonly memory?: string;
}

/** A pod as the API server serves it: of a generation, and with a container of this size. */
function podOf(name: string, { cpu, memory = '64Mi' }: Sizes, generation = 1, more: Partial<Container> = {}): Pod {
  const resources = { requests: { cpu, memory }, limits: { cpu, memory } };
  const image = 'registry.test/main:1';
  const spec: Partial<PodSpec> = {
    containers: [{ name: 'main', image, imagePullPolicy: 'IfNotPresent', resources, ...more }],
  };
  const pod = simulatedPod(name, spec);
  return { ...pod, metadata: { ...pod.metadata, generation } };
}

describe('in-place resize', () => {
  let node: SimulatedNode;
  afterEach(() => node.dispose());

  const begin = async (...pods: readonly Pod[]): Promise<void> => {
    // A node of two CPUs.
    node = await SimulatedNode.create({ jitterless: true, source: new MemoryPodSource('api', pods) });
    await node.boot();
    await node.until(() => pods.every((pod) => node.isReady(pod)));
  };
  const resources = (pod: Pod) => node.status(pod)?.containerStatuses?.[0]?.resources;
  const ids = (pod: Pod) => node.status(pod)?.containerStatuses?.map(({ containerID }) => containerID);
  const resizeReasons = (pod: Pod): string[] => node.reasons(pod).filter((reason) => reason.startsWith('Resize'));
  const condition = (pod: Pod, type: string): PodCondition | undefined =>
    node.status(pod)?.conditions?.find((each) => each.type === type);
  const shows =
    (pod: Pod, cpu: string, memory = '64Mi') =>
    (): boolean =>
      resources(pod)?.limits?.['cpu'] === cpu && resources(pod)?.limits?.['memory'] === memory;

  it.each([
    ['grows', { cpu: '1', memory: '128Mi' }],
    ['shrinks', { cpu: '250m', memory: '32Mi' }],
    ['gets more of one and less of the other', { cpu: '1', memory: '32Mi' }],
  ])('a container %s while it runs', async (_what, sizes) => {
    const before = podOf('a', { cpu: '500m' });
    await begin(before);
    const [id] = ids(before) ?? [];
    node.want(podOf('a', sizes, 2));
    const tookMs = await node.until(shows(before, sizes.cpu, sizes.memory));
    expect(tookMs).toBeLessThan(3_000);
    expect(ids(before)).toEqual([id]);
    expect(resources(before)?.requests).toEqual(sizes);
    expect(node.status(before)?.containerStatuses?.[0]).toMatchObject({ allocatedResources: sizes, restartCount: 0 });
    await node.until(() => resizeReasons(before).includes('ResizeCompleted'));
    expect(resizeReasons(before)).toEqual(['ResizeStarted', 'ResizeCompleted']);
    await node.until(() => condition(before, 'PodResizeInProgress') === undefined);
    expect(node.status(before)?.observedGeneration).toBe(2);
  });

  it('a container whose policy asks for it is restarted with its new size', async () => {
    const policy = { resizePolicy: [{ resourceName: 'memory', restartPolicy: 'RestartContainer' }] };
    const before = podOf('a', { cpu: '500m' }, 1, policy);
    await begin(before);
    node.want(podOf('a', { cpu: '500m', memory: '128Mi' }, 2, policy));
    await node.until(() => node.status(before)?.containerStatuses?.[0]?.restartCount === 1 && node.isReady(before));
    await node.until(shows(before, '500m', '128Mi'));
    const killing = node.events(before).find(({ reason }) => reason === 'Killing');
    expect(killing?.message).toBe('Container main resize requires restart');
    await node.until(() => resizeReasons(before).includes('ResizeCompleted'));
  });

  it('a resize without room waits, and is granted when another pod goes', async () => {
    const [a, b] = [podOf('a', { cpu: '500m' }), podOf('b', { cpu: '1' })];
    await begin(a, b);
    const wish = podOf('a', { cpu: '1500m' }, 2);
    node.want(wish, b);
    await node.until(() => condition(a, 'PodResizePending') !== undefined);
    expect(condition(a, 'PodResizePending')).toMatchObject({ reason: 'Deferred', observedGeneration: 2 });
    expect(condition(a, 'PodResizePending')?.message).toMatch(/^Node didn't have enough resource: cpu/);
    expect(shows(a, '500m')()).toBe(true);
    await node.clock.advance(5_000);
    node.want(wish);
    await node.until(() => node.isStopped(b), 120_000);
    await node.until(shows(a, '1500m'), 200_000);
    await node.until(() => condition(a, 'PodResizePending') === undefined);
    expect(resizeReasons(a).slice(0, 2)).toEqual(['ResizeDeferred', 'ResizeStarted']);
  });

  it('a resize beyond the node waits, and the pod runs on as it was', async () => {
    const before = podOf('a', { cpu: '500m' });
    await begin(before);
    node.want(podOf('a', { cpu: '64' }, 2));
    await node.until(() => condition(before, 'PodResizePending') !== undefined);
    expect(condition(before, 'PodResizePending')).toMatchObject({
      reason: 'Deferred',
      message: expect.stringMatching(
        /^Node didn't have enough resource: cpu, requested: 64000, used: \d+, capacity: \d+$/,
      ),
    });
    expect(shows(before, '500m')()).toBe(true);
    node.want(podOf('a', { cpu: '500m' }, 3));
    await node.until(() => condition(before, 'PodResizePending') === undefined);
    expect(resizeReasons(before)).toEqual(['ResizeDeferred']);
  });

  it('goes on after the kubelet was killed between the grant and the runtime', async () => {
    const before = podOf('a', { cpu: '500m' });
    await begin(before);
    const [id] = ids(before) ?? [];
    node.runtime.faults.delay({ rpc: 'updateContainerResources' }, () => 600_000);
    node.want(podOf('a', { cpu: '1' }, 2));
    await node.until(() => resizeReasons(before).includes('ResizeStarted'));
    await node.clock.advance(500);
    expect(shows(before, '500m')()).toBe(true);
    await node.kill();
    node.runtime.faults.clear();
    await node.clock.advance(500);
    await node.boot();
    await node.until(() => node.isReady(before));
    await node.until(shows(before, '1'));
    expect(ids(before)).toEqual([id]);
    await node.until(() => resizeReasons(before).includes('ResizeCompleted'));
  });

  it('what was asked for while no kubelet ran is found at the start, and nothing is resized twice', async () => {
    const before = podOf('a', { cpu: '500m' });
    await begin(before);
    await node.kill();
    await node.clock.advance(500);
    const after = podOf('a', { cpu: '1' }, 2);
    node.source.set([after]);
    await node.boot();
    await node.until(shows(before, '1'), 120_000);
    await node.kill();
    await node.clock.advance(500);
    await node.boot();
    await node.until(() => node.isReady(before));
    await node.clock.advance(60_000);
    expect(resizeReasons(before)).toEqual([]);
  });

  it.each(['allocated_pods_state', 'actuated_pods_state'])('%s that is corrupt is told at the start', async (name) => {
    const before = podOf('a', { cpu: '500m' });
    await begin(before);
    await node.kill();
    const file = path.join(node.dir, 'root', name);
    await writeFile(file, '{"data":"{}","checksum":7}');
    await expect(node.boot()).rejects.toThrow(`delete pod resource information checkpoint file "${file}"`);
  });
});
