// A kind of volume of your own: a folder with a file `greeting` for the pod. A pod asks for it by the flexVolume driver
// `example.dev/greeting`, the field in which the API of Kubernetes leaves room for others.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { contribution, defineModule } from '@podwright/assembly-interface';
import { VOLUME_PLUGINS, type VolumePlugin } from '@podwright/volume-interface';

const name = 'example.dev/greeting';
const folderOf = (podDir: string, volume: string): string =>
  path.join(podDir, 'volumes', name.replace('/', '~'), volume);

const greetingPlugin: VolumePlugin = {
  name,
  canSupport: ({ flexVolume }) => flexVolume?.driver === name,
  newMounter: ({ podDir, volume, pod }) => {
    const hostPath = folderOf(podDir, volume.name);
    return {
      hostPath,
      readOnly: volume.flexVolume?.readOnly ?? false,
      managed: true,
      selinuxRelabel: true,
      setUp: async () => {
        await mkdir(hostPath, { recursive: true });
        await writeFile(path.join(hostPath, 'greeting'), `Hello, ${pod.metadata.name}!\n`);
      },
    };
  },
  tearDown: (podDir, volume) => rm(folderOf(podDir, volume), { recursive: true, force: true }),
};

export default defineModule({
  name: 'greeting-volume',
  provides: [],
  create: () => greetingPlugin,
  contributes: [contribution(VOLUME_PLUGINS, (plugin: VolumePlugin) => [plugin])],
});
