import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import type { Pod, Volume } from '@podwright/kube-types';
import { createMemoryLogger } from '@podwright/logging';
import { createMetricsRegistry } from '@podwright/metrics';
import type { NodeSource } from '@podwright/node-status-interface';
import { createSeededRandom, VirtualClock } from '@podwright/time';
import type { VolumePlugin, WrapperVolumes } from '@podwright/volume-interface';
import { createApiDataVolumePlugins } from './api-data-volume-plugins.js';
import { collectDownwardApi } from './downward-api.js';
import { noSources } from './fixtures/sources.js';

type Items = NonNullable<Volume['downwardAPI']>['items'];

const pod: Pod = {
  metadata: { name: 'web', namespace: 'prod', uid: 'u1', labels: { b: '2', a: '1' }, annotations: { note: 'x "y"' } },
  spec: { containers: [{ name: 'app', resources: { limits: { memory: '64Mi' } } }] },
};
const field = (path: string, fieldPath: string, mode?: number): NonNullable<Items>[number] => ({
  path,
  fieldRef: { fieldPath },
  ...(mode !== undefined && { mode }),
});
const resource = (path: string, name: string, divisor?: string): NonNullable<Items>[number] => ({
  path,
  resourceFieldRef: { containerName: 'app', resource: name, ...(divisor !== undefined && { divisor }) },
});

describe('collectDownwardApi', () => {
  const allocatable = (): Readonly<Record<string, string>> => ({ cpu: '3', memory: '8Gi' });
  const collect = (items: Items, defaultMode: number | undefined = 0o644): unknown[] =>
    [...collectDownwardApi(items ?? [], pod, defaultMode, allocatable)].map(([path, { data, mode }]) => [
      path,
      Buffer.from(data).toString(),
      mode.toString(8),
    ]);

  it.each<[NonNullable<Items>[number], string]>([
    [field('f', 'metadata.name'), 'web'],
    [field('f', 'metadata.namespace'), 'prod'],
    [field('f', 'metadata.uid'), 'u1'],
    [field('f', 'metadata.labels'), 'a="1"\nb="2"'],
    [field('f', 'metadata.annotations'), 'note="x \\"y\\""'],
    [field('f', "metadata.labels['a']"), '1'],
    [field('f', "metadata.annotations['note']"), 'x "y"'],
    [resource('f', 'limits.memory', '1Mi'), '64'],
    [resource('f', 'limits.cpu'), '3'],
    [resource('f', 'requests.cpu'), '0'],
    [{ path: 'f' }, ''],
  ])('%j', (item, expected) => {
    expect(collect([item])).toEqual([['f', expected, '644']]);
  });

  it('takes the mode of the item, clean paths, and the last item of a path', () => {
    const items = [field('a//b', 'metadata.name', 0o400), field('c', 'metadata.name'), field('./c', 'metadata.uid')];
    expect(collect(items, 0o600)).toEqual([
      ['a/b', 'web', '400'],
      ['c', 'u1', '600'],
    ]);
  });

  it('tells of all items without a value', () => {
    expect(() => collect([field('a', 'status.podIP')])).toThrow(/^unsupported fieldPath: status.podIP$/);
    expect(() =>
      collect([field('a', 'status.podIP'), resource('b', 'limits.gpu'), field('c', 'status.podIP')]),
    ).toThrow('[unsupported fieldPath: status.podIP, unsupported container resource : limits.gpu]');
    expect(() => collectDownwardApi([], pod, undefined, allocatable)).toThrow(
      'no defaultMode used, not even the default value for it',
    );
  });
});

describe('downwardAPI volumes', () => {
  let podDir = '';
  beforeEach(async () => void (podDir = await mkdtemp(join(tmpdir(), 'downward-'))));
  afterEach(() => rm(podDir, { recursive: true }));
  const { signal } = new AbortController();

  function setUp(node: NodeSource['getNode'] = () => ({ status: { allocatable: { cpu: '2' } } })) {
    const calls: string[] = [];
    const wrapper: WrapperVolumes = {
      setUp: async ({ volume }, path) => {
        calls.push(`setUp ${volume.name} ${volume.emptyDir?.medium ?? ''}`);
        await mkdir(path, { recursive: true });
      },
      tearDown: async (_, name, path) => {
        calls.push(`tearDown ${name}`);
        await rm(path, { recursive: true, force: true });
      },
    };
    const clock = new VirtualClock();
    const metrics = createMetricsRegistry();
    const [plugin] = createApiDataVolumePlugins({
      ...noSources,
      wrapper,
      clock,
      random: createSeededRandom(1),
      logger: createMemoryLogger(),
      metrics,
      nodeSource: { getNode: node } as Partial<NodeSource> as NodeSource,
    });
    const mount = async (items: Items, of = pod): Promise<string> => {
      const volume = { name: 'info', downwardAPI: { defaultMode: 0o644, ...(items && { items }) } };
      const mounter = (plugin as VolumePlugin).newMounter({ volume, pod: of, podDir });
      await mounter.setUp(signal);
      return mounter.hostPath;
    };
    return { plugin: plugin as VolumePlugin, mount, calls, metrics };
  }

  it('are read-only, labelled, refreshed, and in memory at upstream’s path', async () => {
    const { plugin, mount, calls } = setUp();
    expect(plugin).toMatchObject({ name: 'kubernetes.io/downward-api', requiresRemount: true });
    expect([{ downwardAPI: {} }, { emptyDir: {} }].map((of) => plugin.canSupport({ name: 'v', ...of }))).toEqual([
      true,
      false,
    ]);
    const path = await mount([field('labels', 'metadata.labels')]);
    expect(path).toBe(join(podDir, 'volumes/kubernetes.io~downward-api/info'));
    const volume = { name: 'info', downwardAPI: {} };
    expect(plugin.newMounter({ volume, pod, podDir })).toMatchObject({
      readOnly: true,
      managed: true,
      selinuxRelabel: true,
    });
    await plugin.tearDown(podDir, 'info');
    expect(calls).toEqual(['setUp wrapped_info Memory', 'tearDown wrapped_info']);
  });

  it('show labels and annotations as they are now', async () => {
    const { mount } = setUp();
    const items = [field('labels', 'metadata.labels'), field('notes/all', 'metadata.annotations')];
    const path = await mount(items);
    const read = async (): Promise<string[]> =>
      Promise.all(['labels', 'notes/all'].map((name) => readFile(join(path, name), 'utf8')));
    expect(await read()).toEqual(['a="1"\nb="2"', 'note="x \\"y\\""']);
    await mount(items, { ...pod, metadata: { ...pod.metadata, labels: { a: '3' }, annotations: {} } });
    expect(await read()).toEqual(['a="3"', '']);
  });

  it('keep their old content when the new one cannot be had', async () => {
    let known = true;
    const { mount, calls } = setUp(() => {
      if (known) return { status: { allocatable: { cpu: '2' } } };
      throw new KubeletError('nothing is known', { code: 'unavailable' });
    });
    const path = await mount([resource('cpu', 'limits.cpu')]);
    known = false;
    await expect(mount([resource('cpu', 'limits.cpu')])).rejects.toThrow('error retrieving node: nothing is known');
    expect([await readFile(join(path, 'cpu'), 'utf8'), calls]).toEqual(['2', ['setUp wrapped_info Memory']]);
  });

  it('are torn down when they cannot be written', async () => {
    const { mount, calls } = setUp();
    await expect(mount([field('../x', 'metadata.name')])).rejects.toThrow("invalid path: must not contain '..': ../x");
    expect(calls.at(-1)).toBe('tearDown wrapped_info');
  });

  it('have mount points for what is mounted below', async () => {
    const volumeMounts = [
      { name: 'info', mountPath: '/info' },
      { name: 'other', mountPath: '/info/deep/er' },
    ];
    const { mount } = setUp();
    const path = await mount([], { ...pod, spec: { containers: [{ name: 'app', volumeMounts }] } });
    expect(await readdir(join(path, 'deep'))).toEqual(['er']);
  });

  const isRoot = process.getuid?.() === 0;
  (isRoot ? it : it.skip)('belong to the fsGroup, readable for it (root)', async () => {
    const { mount, metrics } = setUp();
    const spec = { ...pod.spec, securityContext: { fsGroup: 4321 } };
    const path = await mount([field('secret/name', 'metadata.name', 0o400)], { ...pod, spec });
    const facts = async (name: string): Promise<unknown> => {
      const { gid, mode } = await stat(join(path, name));
      return [gid, (mode & 0o7777).toString(8)];
    };
    expect(await facts('secret/name')).toEqual([4321, '440']);
    expect(await facts('secret')).toEqual([4321, '2755']);
    expect(await facts('.')).toEqual([4321, '2755']);
    expect(await metrics.render()).toContain(
      'storage_operation_duration_seconds_count{migrated="false",operation_name="volume_apply_access_control",status="success",volume_plugin="kubernetes.io/downward-api"} 1',
    );
  });
});
