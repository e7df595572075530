import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@podwright/contract';
import type { Volume } from '@podwright/kube-types';
import type { VolumePlugin } from '../volume-plugin.js';
import { specName, type VolumeSpec } from '../volume-spec.js';

export interface VolumePluginHarness {
  readonly plugin: VolumePlugin;
  /** A volume of the plugin's kind, of a pod whose directory exists and is empty. */
  readonly spec: VolumeSpec;
  /** Where containers find the volume below its folder. Default: the folder itself. */
  readonly mountedAt?: string;
  /** The plugin in a restarted kubelet. */
  restart(): VolumePlugin;
}

const name = 'other';
const others: readonly Volume[] = [
  { name, emptyDir: {} },
  { name, hostPath: { path: '/srv' } },
  { name, secret: { secretName: 's' } },
  { name, configMap: { name: 'c' } },
  { name, downwardAPI: { items: [] } },
  { name, projected: { sources: [] } },
  { name, nfs: { server: 'nfs', path: '/' } },
  { name, persistentVolumeClaim: { claimName: 'p' } },
];

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Every {@link VolumePlugin} that creates a directory below the pod's passes this suite. */
export function describeVolumePluginContract(title: string, create: () => Promise<VolumePluginHarness>): void {
  describe(`${title} as a VolumePlugin`, () => {
    const signal = new AbortController().signal;

    it('supports volumes of its kind, and of no other', async () => {
      const { plugin, spec } = await create();
      expect(plugin.canSupport(spec.volume, spec.persistentVolume)).toBe(true);
      const own = Object.keys(spec.volume).filter((key) => key !== 'name');
      const foreign = others.filter((volume) => !own.some((key) => key in volume));
      expect(foreign.filter((volume) => plugin.canSupport(volume))).toEqual([]);
    });

    it('has its folder below the volumes of the pod, by its name and that of the volume', async () => {
      const { plugin, spec, mountedAt = '' } = await create();
      expect(plugin.name).toMatch(/^[^/]+\/[^/]+$/);
      const folder = join(spec.podDir, 'volumes', plugin.name.replace('/', '~'), specName(spec));
      expect(plugin.newMounter(spec).hostPath).toBe(join(folder, mountedAt));
    });

    it('makes nothing before it is set up, and keeps what is inside when it is set up again', async () => {
      const { plugin, spec, restart } = await create();
      const mounter = plugin.newMounter(spec);
      expect(await exists(mounter.hostPath)).toBe(false);
      await mounter.setUp(signal);
      await writeFile(join(mounter.hostPath, 'kept'), 'by the pod');
      await mounter.setUp(signal);
      await restart().newMounter(spec).setUp(signal);
      expect(await exists(join(mounter.hostPath, 'kept'))).toBe(true);
    });

    it('is taken down by path alone, after a restart, twice, and where nothing was made', async () => {
      const { plugin, spec, restart } = await create();
      await plugin.tearDown(spec.podDir, specName(spec));
      const mounter = plugin.newMounter(spec);
      await mounter.setUp(signal);
      await writeFile(join(mounter.hostPath, 'gone'), 'with the pod');
      await restart().tearDown(spec.podDir, specName(spec));
      expect(await exists(mounter.hostPath)).toBe(false);
      await restart().tearDown(spec.podDir, specName(spec));
    });
  });
}
