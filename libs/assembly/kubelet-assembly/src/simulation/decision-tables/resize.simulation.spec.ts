import { afterEach, describe, expect, it } from '@jest/globals';
import type { Container, PodSpec } from '@podwright/kube-types';
import { PodScene, container, sidecar } from './pod-scene.js';

type Sizes = Readonly<Record<string, string>>;

interface Row {
  readonly row: string;
  readonly before: Sizes;
  readonly after: Sizes;
  readonly own?: Partial<Container>;
  readonly spec?: Partial<PodSpec>;
  readonly usedBytes?: number;
  /** Reason of PodResizePending, of PodResizeInProgress; none: no such condition. */
  readonly pending?: string;
  readonly inProgress?: string;
  readonly events: readonly string[];
  readonly story?: readonly string[];
}

const small = { cpu: '200m', memory: '64Mi' };
const large = { cpu: '400m', memory: '128Mi' };
const restart = (resourceName: string): Partial<Container> => ({
  resizePolicy: [{ resourceName, restartPolicy: 'RestartContainer' }],
});
const granted = ['ResizeStarted', 'ResizeCompleted'];

const rows: readonly Row[] = [
  {
    row: 'Granted | PodResizeInProgress set, event ResizeStarted; default NotRequired',
    before: small,
    after: large,
    events: granted,
  },
  {
    row: 'Deferred | more than the node has, sidecars counted in',
    before: small,
    after: { cpu: '1900m', memory: '64Mi' },
    spec: { initContainers: [sidecar('s', { resources: { requests: { cpu: '300m' } } })] },
    pending: 'Deferred',
    events: ['ResizeDeferred'],
  },
  {
    row: 'Restart needed | resizePolicy RestartContainer for a changed resource: container killed and started',
    before: small,
    after: { ...small, memory: '128Mi' },
    own: restart('memory'),
    events: granted,
    story: ['stop main 30', 'start main'],
  },
  {
    row: 'Restart needed | not for a resource that did not change',
    before: small,
    after: { ...small, cpu: '400m' },
    own: restart('memory'),
    events: granted,
  },
  {
    row: 'Memory decrease | refused while container usage >= new limit (Error, ResizeError)',
    before: large,
    after: small,
    usedBytes: 100 * 2 ** 20,
    inProgress: 'Error',
    events: ['ResizeStarted', 'ResizeError'],
  },
  {
    row: 'Memory decrease | granted while usage is below',
    before: large,
    after: small,
    usedBytes: 2 ** 20,
    events: granted,
  },
];

describe('in-place resize', () => {
  let scene: PodScene;
  afterEach(() => scene.close());

  it.each(rows)('$row', async ({ before, after, own = {}, spec = {}, usedBytes, ...expected }) => {
    const sized = (sizes: Sizes): Partial<PodSpec> => ({
      ...spec,
      containers: [container('main', { ...own, resources: { requests: sizes, limits: sizes } })],
    });
    scene = await PodScene.open();
    scene.programs.set('main', { usage: { memoryBytes: usedBytes ?? 2 ** 20 } });
    scene.want(sized(before), { metadata: { generation: 1 } });
    await scene.ready();
    await scene.pass();
    scene.forget();
    scene.want(sized(after), { metadata: { generation: 2 } });
    await scene.pass(8_000);
    const reasons = scene.node.reasons(scene.pod).filter((reason) => reason.startsWith('Resize'));
    expect([...new Set(reasons)]).toEqual(expected.events);
    expect(scene.condition('PodResizePending')?.reason).toBe(expected.pending);
    expect(scene.condition('PodResizeInProgress')?.reason).toBe(expected.inProgress);
    expect(scene.story().filter((step) => !step.startsWith('remove'))).toEqual(expected.story ?? []);
  });

  it('Memory decrease | a refused one is tried again every 10 s, and granted once usage is below', async () => {
    const sized = (memory: string): Partial<PodSpec> => ({
      containers: [container('main', { resources: { requests: { memory }, limits: { memory } } })],
    });
    scene = await PodScene.open();
    const usage = { memoryBytes: 100 * 2 ** 20 };
    scene.programs.set('main', { usage });
    scene.want(sized('128Mi'), { metadata: { generation: 1 } });
    await scene.ready();
    await scene.pass();
    scene.want(sized('64Mi'), { metadata: { generation: 2 } });
    await scene.pass(2_000);
    scene.forget();
    await scene.pass(30_000);
    const looks = scene.node.runtime.calls.all.filter(({ rpc }) => /^(containerStats|listContainerStats)$/.test(rpc));
    expect(looks.length).toBeGreaterThanOrEqual(2);
    expect(looks.length).toBeLessThanOrEqual(8);
    usage.memoryBytes = 2 ** 20;
    await scene.node.until(() => scene.condition('PodResizeInProgress') === undefined, 30_000);
    expect(scene.containerStatus('main')?.resources?.limits?.['memory']).toBe('64Mi');
  });
});
