import { contribution, defineModule, type AnyModule } from '@podwright/assembly-interface';
import { VOLUME_PLUGINS, type VolumePlugin, type VolumeSpec } from '@podwright/volume-interface';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';

const pluginName = 'example.com/disk';

/** The name of the disk in the status of nodes. */
export const uniqueDiskName = (disk: string): string => `${pluginName}/${disk}`;

/**
 * A volume plugin for disks that a controller attaches: the glusterfs volumes, which have no plugin any more. It mounts
 * nothing and records its calls.
 */
export class ScriptedDisks {
  /** Such as `mountDevice disk-1 /dev/disk-1` and `setUp disk-1 <pod>`. */
  readonly calls: string[] = [];

  constructor(private readonly dir: string) {}

  get module(): AnyModule {
    return defineModule({
      name: 'scripted-disks',
      provides: [],
      create: () => this.plugin(),
      contributes: [contribution(VOLUME_PLUGINS, (plugin: VolumePlugin) => [plugin])],
    });
  }

  private plugin(): VolumePlugin {
    const { calls } = this;
    const note = async (call: string): Promise<void> => void calls.push(call);
    const folder = (podDir: string, name: string): string => path.join(podDir, 'volumes/example.com~disk', name);
    return {
      name: pluginName,
      canSupport: (_volume, persistentVolume) => persistentVolume?.spec?.glusterfs !== undefined,
      volumeName: diskOf,
      attachable: {
        canAttach: () => true,
        waitForAttach: async (_spec, devicePath) => devicePath,
        attach: () => Promise.reject(new Error('the controller attaches')),
        detach: () => Promise.reject(new Error('the controller detaches')),
      },
      deviceMountable: {
        canDeviceMount: () => true,
        deviceMountPath: async (spec) => path.join(this.dir, 'disks', diskOf(spec)),
        mountDevice: (spec, _path, { devicePath }) => note(`mountDevice ${diskOf(spec)} ${devicePath}`),
        unmountDevice: (mountPath) => note(`unmountDevice ${path.basename(mountPath)}`),
      },
      newMounter: (spec) => {
        const hostPath = folder(spec.podDir, spec.persistentVolume?.metadata?.name ?? '');
        const setUp = async (): Promise<void> => {
          await mkdir(hostPath, { recursive: true });
          await note(`setUp ${diskOf(spec)} ${spec.pod.metadata.name}`);
        };
        return { hostPath, readOnly: false, managed: true, selinuxRelabel: false, setUp };
      },
      tearDown: async (podDir, name) => {
        await rm(folder(podDir, name), { recursive: true, force: true });
        await note(`tearDown ${name}`);
      },
    };
  }
}

function diskOf({ persistentVolume }: VolumeSpec): string {
  return persistentVolume?.spec?.glusterfs?.path ?? '';
}
