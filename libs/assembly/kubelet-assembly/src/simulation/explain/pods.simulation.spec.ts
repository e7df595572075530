import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { NodeExplanation, PodExplanation } from '@podwright/explain-interface';
import type { Pod } from '@podwright/kube-types';
import { MemoryPodSource } from '../memory-pod-source.js';
import { SimulatedNode } from '../simulated-node.js';
import { simulatedPod } from '../simulated-pod.js';
import { explained, explainedNode, golden, page } from './fixtures/explain-scene.js';
import { main, podCases } from './fixtures/pod-cases.js';

const later = (name: string, image = 'registry.test/main:1', spec: Partial<Pod['spec']> = {}): Pod =>
  simulatedPod(name, { containers: [main({ image })], ...spec });
const slow = { pullMs: 600_000 };

describe('what explain says of pods on a node without an API server', () => {
  let node: SimulatedNode;
  const seen = new Map<string, PodExplanation | NodeExplanation>();
  const look = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) seen.set(name, await explained(node, name));
  };
  const stay = [
    later('ending-grace', 'registry.test/deaf:1', { terminationGracePeriodSeconds: 600 }),
    later('ending-overdue', 'registry.test/main:1', { terminationGracePeriodSeconds: 5 }),
    later('ending-kill-failed'),
    later('removed'),
    later('waits-for-restart', 'registry.test/deaf:1', { terminationGracePeriodSeconds: 600 }),
  ];

  beforeAll(async () => {
    node = await SimulatedNode.create({
      jitterless: true,
      source: new MemoryPodSource('api', []),
      configuration: { serializeImagePulls: false, maxParallelImagePulls: 2 },
      runtime: { pullsAnything: false, requestTimeoutMs: 7_200_000 },
    });
    const { store, programs, faults, control } = node.runtime;
    for (const image of ['main', 'deaf']) store.load(`registry.test/${image}:1`);
    programs.set('registry.test/deaf:1', { onStop: 'ignore' });
    for (const { prepare } of podCases) prepare?.(node.runtime);
    await node.boot();
    const cases = podCases.map(({ pod }) => pod);
    node.want(...cases, ...stay);
    await node.clock.advance(100_000);
    await look(...cases.map(({ metadata }) => metadata.name ?? ''), 'redy', 'nobody-has-this');

    faults.hang({ rpc: 'stopContainer', subject: 'uid-ending-overdue' });
    const kill = {
      code: 'unknown',
      message: 'failed to kill task: ttrpc: closed',
      times: Number.POSITIVE_INFINITY,
    } as const;
    for (const rpc of ['stopContainer', 'stopPodSandbox'] as const) {
      faults.fail({ rpc, subject: 'uid-ending-kill-failed' }, kill);
    }
    for (const image of ['one', 'two', 'three']) store.publish(`registry.test/${image}:1`, slow);
    const pulls = [later('image-pulling', 'registry.test/one:1'), later('image-pulls-too', 'registry.test/two:1')];
    // Those whose pulls would wait behind the slow ones leave.
    const ready = cases.filter(({ metadata }) => metadata.name === 'ready');
    node.want(...ready, ...pulls);
    await node.clock.advance(2_000);
    const pulling = [...ready, ...pulls, later('image-queued', 'registry.test/three:1')];
    node.want(...pulling, ...stay.slice(-1));
    await node.clock.advance(38_000);
    await look('image-pulling', 'image-queued', ...stay.map(({ metadata }) => metadata.name ?? ''));

    control.goAway();
    node.want(...pulling, later('runtime-down'));
    await node.clock.advance(45_000);
    await look('runtime-down');
    seen.set('node-runtime-down', await explainedNode(node));
    control.comeBack();
    control.setNetworkReady(false);
    node.want(...pulling, later('network-not-ready'));
    await node.clock.advance(45_000);
    await look('network-not-ready');
    seen.set('node-network-not-ready', await explainedNode(node));
  });
  afterAll(() => node.dispose());

  it.each([
    ...podCases.map(({ situation, pod }) => [pod.metadata.name ?? '', situation] as const),
    ...(['image-pulling', 'image-queued', 'ending-grace', 'ending-overdue', 'ending-kill-failed'] as const).map(
      (each) => [each, each] as const,
    ),
    ['removed', 'removed'],
    ['waits-for-restart', 'waits-for-restart'],
    ['runtime-down', 'runtime-down'],
    ['network-not-ready', 'network-not-ready'],
    ['redy', 'unknown'],
    ['nobody-has-this', 'unknown'],
    ['node-runtime-down', 'runtime-down'],
    ['node-network-not-ready', 'network-not-ready'],
  ] as const)('%s: %s', async (name, situation) => {
    const explanation = seen.get(name);
    if (explanation === undefined) throw new Error(`nobody has looked at ${name}`);
    const text = page(explanation);
    expect([explanation.situation, text]).toEqual([situation, await golden(name, text)]);
  });
});
