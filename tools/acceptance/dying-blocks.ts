// A plugin of block volumes for PersistentVolumes with the source `quobyte`, which no other plugin supports: the
// `registry` is the path of a device. The plugin gives each pod a link to the device of its own. When the file `dieAt`
// names a step, the kubelet kills itself after that step, once.
import { mkdir, readFile, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { contribution, defineConfig, defineModule, stringField } from '@podwright/assembly-interface';
import { isReadOnlySpec, specName, VOLUME_PLUGINS } from '@podwright/volume-interface';
import type { BlockVolumeMapper, VolumePlugin, VolumeSpec } from '@podwright/volume-interface';

interface DyingBlocksConfig {
  /** Folder of the links and the global map paths. */
  readonly dir: string;
  readonly dieAt: string;
}

const name = 'example.dev/dying-blocks';

function createPlugin(_deps: unknown, { dir, dieAt }: DyingBlocksConfig): VolumePlugin {
  const after = async (step: string): Promise<void> => {
    const wanted = await readFile(dieAt, 'utf8').catch(() => '');
    if (wanted !== step) return;
    await rm(dieAt);
    process.kill(process.pid, 'SIGKILL');
  };
  const newMapper = (spec: VolumeSpec): BlockVolumeMapper => {
    const staged = path.join(dir, 'staged', specName(spec));
    const link = path.join(dir, 'published', specName(spec), spec.pod.metadata.uid ?? '');
    return {
      globalMapPath: path.join(dir, 'global', specName(spec)),
      usage: 'block',
      setUpDevice: async () => {
        await mkdir(staged, { recursive: true });
        await after('setUpDevice');
        return staged;
      },
      mapPodDevice: async () => {
        await mkdir(path.dirname(link), { recursive: true });
        await rm(link, { force: true });
        await symlink(spec.persistentVolume?.spec?.quobyte?.registry ?? '', link);
        await after('mapPodDevice');
        return link;
      },
      unmapPodDevice: async () => {
        await after('unmap');
        await rm(link, { force: true });
        await after('unmapPodDevice');
      },
      tearDownDevice: async () => {
        await rm(staged, { recursive: true, force: true });
        await rm(path.dirname(link), { recursive: true, force: true });
        await after('tearDownDevice');
      },
    };
  };
  return {
    name,
    canSupport: (_volume, persistentVolume) => persistentVolume?.spec?.quobyte !== undefined,
    volumeName: specName,
    deviceMountable: {
      canDeviceMount: () => true,
      deviceMountPath: () => Promise.resolve(path.join(dir, 'mounts')),
      mountDevice: () => Promise.reject(new Error('only block devices')),
      unmountDevice: () => Promise.resolve(),
    },
    block: { newMapper },
    newMounter: (spec) => ({
      hostPath: '',
      readOnly: isReadOnlySpec(spec),
      managed: false,
      selinuxRelabel: false,
      setUp: () => Promise.reject(new Error('only block devices')),
    }),
    tearDown: () => Promise.resolve(),
    reconstruct: (_podDir, volumeName) =>
      Promise.resolve({
        volume: { name: volumeName },
        persistentVolume: { metadata: { name: volumeName }, spec: { volumeMode: 'Block' } },
      }),
  };
}

export default defineModule({
  name: 'dying-blocks',
  provides: [],
  config: defineConfig<DyingBlocksConfig>({ dir: stringField(''), dieAt: stringField('') }),
  create: createPlugin,
  contributes: [contribution(VOLUME_PLUGINS, (plugin: VolumePlugin) => [plugin])],
});
