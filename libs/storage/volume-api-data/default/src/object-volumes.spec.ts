import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { KubeletError } from '@podwright/errors';
import type { ConfigMap, Pod, Secret, Volume } from '@podwright/kube-types';
import { objects } from './fixtures/sources.js';
import { VolumeHarness } from './fixtures/volume-harness.js';

const pod: Pod = { metadata: { name: 'web', namespace: 'prod', uid: 'u1' }, spec: { containers: [] } };
const base64 = (text: string): string => Buffer.from(text).toString('base64');

let podDir = '';
beforeEach(async () => void (podDir = await mkdtemp(join(tmpdir(), 'objects-'))));
afterEach(() => rm(podDir, { recursive: true }));

describe('secret and configMap volumes', () => {
  const secrets: Record<string, Secret> = { key: { data: { a: base64('1'), b: base64('2') } } };
  const configMaps: Record<string, ConfigMap> = { conf: { data: { a: '1' }, binaryData: { b: base64('2') } } };
  const harness = (): VolumeHarness => new VolumeHarness(podDir, pod, objects(secrets, configMaps));
  const secret = (more: Partial<NonNullable<Volume['secret']>> = {}): Partial<Volume> => ({
    secret: { secretName: 'key', defaultMode: 0o640, ...more },
  });
  const configMap = (more: Partial<NonNullable<Volume['configMap']>> = {}): Partial<Volume> => ({
    configMap: { name: 'conf', defaultMode: 0o640, ...more },
  });

  it.each([
    ['secret', secret(), 'kubernetes.io/secret', 'setUp wrapped_v Memory'],
    ['configMap', configMap(), 'kubernetes.io/configmap', 'setUp wrapped_v'],
  ])('%s: files of all keys, read-only, refreshed, in its medium', async (_what, source, name, setUp) => {
    const made = harness();
    const volume = { name: 'v', ...source };
    const plugin = made.pluginOf(volume);
    expect(plugin).toMatchObject({ name, requiresRemount: true });
    expect(plugin.newMounter({ volume, pod, podDir })).toMatchObject({
      readOnly: true,
      managed: true,
      selinuxRelabel: true,
      usage: 'tree',
      hostPath: join(podDir, 'volumes', name.replace('/', '~'), 'v'),
    });
    expect(await made.mount(source)).toEqual({ a: '1 640', b: '2 640' });
    expect(made.calls).toEqual([setUp]);
  });

  it('follow their object, file by file', async () => {
    const objectsNow: Record<string, Secret> = { key: { data: { a: base64('1'), b: base64('2') } } };
    const made = new VolumeHarness(podDir, pod, objects(objectsNow, {}));
    await made.mount(secret());
    objectsNow['key'] = { data: { a: base64('3'), c: base64('4') } };
    expect(await made.mount(secret())).toEqual({ a: '3 640', c: '4 640' });
  });

  it.each<[string, Partial<Volume>, Record<string, string> | string]>([
    ['missing secret', secret({ secretName: 'no' }), 'secret "no" not found'],
    ['missing configMap', configMap({ name: 'no' }), 'configmap "no" not found'],
    ['missing secret, optional', secret({ secretName: 'no', optional: true }), {}],
    ['missing configMap, optional', configMap({ name: 'no', optional: true }), {}],
    ['item', secret({ items: [{ key: 'a', path: 'x/y', mode: 0o400 }] }), { 'x/y': '1 400' }],
    ['missing secret key', secret({ items: [{ key: 'z', path: 'x' }] }), 'references non-existent secret key: z'],
    [
      'missing config key',
      configMap({ items: [{ key: 'z', path: 'x' }] }),
      'configmap references non-existent config key: z',
    ],
    ['missing key, optional', configMap({ items: [{ key: 'z', path: 'x' }], optional: true }), {}],
    ['path out of the volume', secret({ items: [{ key: 'a', path: '../x' }] }), "must not contain '..'"],
  ])('%s', async (_what, source, expected) => {
    const mounted = harness().mount(source);
    if (typeof expected === 'string') await expect(mounted).rejects.toThrow(expected);
    else expect(await mounted).toEqual(expected);
  });

  it.each([secret({ optional: true }), configMap({ optional: true })])(
    'are refused without an API server, optional or not: %j',
    async (source) => {
      const get = async (): Promise<never> => {
        throw new KubeletError('start it with --kubeconfig', { code: 'failed-precondition' });
      };
      const made = new VolumeHarness(podDir, pod, { secrets: { get }, configMaps: { get } });
      await expect(made.mount(source)).rejects.toThrow('not supported due to running kubelet in standalone mode');
      expect(made.calls).toEqual([]);
    },
  );

  it('keep their files when the object cannot be read any more', async () => {
    const objectsNow: Record<string, Secret> = { key: { data: { a: base64('1') } } };
    const made = new VolumeHarness(podDir, pod, objects(objectsNow, {}));
    await made.mount(secret());
    delete objectsNow['key'];
    await expect(made.mount(secret())).rejects.toThrow('secret "key" not found');
    expect(made.calls).toEqual(['setUp wrapped_v Memory']);
  });

  it('are compared with the disk by each sync without a cause, but not by the syncs of one start', async () => {
    const made = harness();
    await made.mount(secret());
    const { hostPath } = made.pluginOf({ name: 'v', ...secret() }).newMounter({ volume: { name: 'v' }, pod, podDir });
    await writeFile(join(hostPath, '..data/b'), 'x');
    await made.clock.advance(29_999);
    expect(await made.mount(secret())).toEqual({ a: '1 640', b: 'x 640' });
    await made.clock.advance(1);
    expect(await made.mount(secret())).toEqual({ a: '1 640', b: '2 640' });
  });

  it('come back with the next sync when somebody has taken the whole volume away', async () => {
    const made = harness();
    const files = await made.mount(secret());
    const { hostPath } = made.pluginOf({ name: 'v', ...secret() }).newMounter({ volume: { name: 'v' }, pod, podDir });
    await rm(hostPath, { recursive: true });
    expect(await made.mount(secret())).toEqual(files);
  });

  it('are written anew after they were torn down', async () => {
    const made = harness();
    const files = await made.mount(secret());
    await made.pluginOf({ name: 'v', ...secret() }).tearDown(podDir, 'v', new AbortController().signal);
    expect(await made.mount(secret())).toEqual(files);
  });
});
