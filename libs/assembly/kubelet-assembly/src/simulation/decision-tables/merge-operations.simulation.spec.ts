import { afterEach, describe, expect, it } from '@jest/globals';
import type { Pod } from '@podwright/kube-types';
import { MemoryPodSource } from '../memory-pod-source.js';
import { PodScene, container, type PodParts } from './pod-scene.js';

interface Row {
  readonly row: string;
  /** Changes to a pod that runs with label `a: b`. */
  readonly spec?: Pod['spec'];
  readonly parts?: PodParts;
  /** What the loop is told. */
  readonly ops: readonly string[];
}

const metadata = { labels: { a: 'b' } };
const annotated = (annotations: Readonly<Record<string, string>>): PodParts => ({
  metadata: { ...metadata, annotations: { 'kubernetes.io/config.hash': 'uid-web', ...annotations } },
});
const deletion = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 };

const rows: readonly Row[] = [
  { row: 'none | equal', parts: { metadata }, ops: [] },
  {
    row: 'UPDATE | semantic change: spec',
    spec: { containers: [container('main', { image: 'other:1' })] },
    parts: { metadata },
    ops: ['UPDATE'],
  },
  { row: 'UPDATE | semantic change: labels', parts: { metadata: { labels: { a: 'c' } } }, ops: ['UPDATE'] },
  { row: 'UPDATE | semantic change: annotations', parts: annotated({ x: 'y' }), ops: ['UPDATE'] },
  { row: 'UPDATE | config.hash is compared', parts: annotated({ 'kubernetes.io/config.hash': 'z' }), ops: ['UPDATE'] },
  {
    row: 'none | config.source, config.seen, config.mirror are not compared',
    parts: annotated({
      'kubernetes.io/config.source': 'x',
      'kubernetes.io/config.seen': 'y',
      'kubernetes.io/config.mirror': 'z',
    }),
    ops: [],
  },
  {
    row: 'DELETE | semantic change and new deletionTimestamp != nil',
    parts: { metadata: { ...metadata, ...deletion } },
    ops: ['DELETE'],
  },
  {
    row: 'RECONCILE | no semantic change, status differs',
    parts: { metadata, status: { phase: 'Running' } },
    ops: ['RECONCILE'],
  },
  { row: 'REMOVE, ADD | known UID missing; UID not known', parts: { metadata, uid: 'uid-2' }, ops: ['REMOVE', 'ADD'] },
];

describe('merge of pod sources', () => {
  let scene: PodScene;
  afterEach(() => scene.close());
  const ops = (): readonly string[] =>
    scene.node.logger.entries.flatMap(({ message }) => /^SyncLoop ([A-Z]+)$/.exec(message)?.[1] ?? []);

  // An empty ADD if it is the first delivery of the source and there is nothing else to tell.
  const first = ['ADD'];

  it.each(rows)('$row', async ({ spec = {}, parts = {}, ops: expected }) => {
    scene = await PodScene.open();
    await scene.run({}, { metadata });
    const before = ops().length;
    await scene.run(spec, parts, 1_000);
    expect(ops().slice(before)).toEqual(expected);
  });

  it('ADD | also when deletionTimestamp is already set', async () => {
    scene = await PodScene.open();
    await scene.run({}, { metadata: deletion }, 1_000);
    expect(ops()).toEqual([...first, 'ADD']);
    expect(scene.story()).toEqual([]);
  });

  it('REMOVE', async () => {
    scene = await PodScene.open();
    await scene.run({});
    scene.node.want();
    await scene.pass();
    expect(ops()).toEqual([...first, 'ADD', 'REMOVE']);
    expect(scene.node.isStopped(scene.pod)).toBe(true);
  });

  it('on RECONCILE only the status of the cached object is replaced', async () => {
    scene = await PodScene.open();
    await scene.run({}, { metadata });
    scene.forget();
    await scene.run({}, { metadata, status: { phase: 'Running', conditions: [{ type: 'foreign', status: 'True' }] } });
    expect(scene.story()).toEqual([]);
    scene.node.runtime.control.exitContainer(scene.record('main')?.id ?? '', 1);
    await scene.node.until(() => scene.condition('foreign')?.status === 'True');
  });

  it('duplicate full name in one delivery: the later one dropped, event FailedValidation', async () => {
    scene = await PodScene.open();
    const twin = { ...scene.pod, metadata: { ...scene.pod.metadata, uid: 'uid-twin' } };
    scene.node.want(scene.pod, twin);
    await scene.ready();
    expect(scene.node.runtime.control.containers('uid-twin')).toEqual([]);
    expect(scene.node.events(twin).map(({ type, reason, message }) => [type, reason, message])).toEqual([
      [
        'Warning',
        'FailedValidation',
        'Error validating pod web_default(uid-twin) from api due to duplicate pod name "web", ignoring',
      ],
    ]);
  });

  it('sources ready: until then no deletion of pods', async () => {
    scene = await PodScene.open();
    scene.want({});
    await scene.ready();
    await scene.node.kill();
    await scene.node.boot({ staticPodPath: '' }, new MemoryPodSource('api'));
    await scene.pass(60_000);
    expect(scene.node.isStopped(scene.pod)).toBe(false);
  });
});
