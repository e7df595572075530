import path from 'node:path';
import { readMountTable, type MountEntry } from '@podwright/filesystem';
import { formatIfEmpty, growFileSystem } from './file-systems.js';
import type { LoopDevices } from './loop-devices.js';
import type { NodeTools } from './node-tools.js';
import type { FileSystemRequest, VolumeBacking } from './volume-backing.js';

export interface DiskTools {
  readonly tools: NodeTools;
  readonly loops: LoopDevices;
}

/** A volume in an image file behind a loop device. */
export class DiskBacking implements VolumeBacking {
  constructor(
    private readonly deps: DiskTools,
    private readonly options: { readonly image: string; readonly defaultFsType: string },
  ) {}

  async mountAt(target: string, { fsType, flags }: FileSystemRequest): Promise<void> {
    const { tools } = this.deps;
    const type = fsType === '' ? this.options.defaultFsType : fsType;
    const device = await this.device();
    await formatIfEmpty(tools, device, type);
    await tools.mount(device, target, flags, type);
  }

  device(): Promise<string> {
    return this.deps.loops.attach(this.options.image);
  }

  devices(): Promise<readonly string[]> {
    return this.deps.loops.of(this.options.image);
  }

  async mountsIn(table: readonly MountEntry[]): Promise<readonly MountEntry[]> {
    const devices = await this.devices();
    // A raw device is shown by a bind mount of its file, which is the root of a mount of /dev.
    const files = devices.map((device) => `/${path.basename(device)}`);
    return table.filter(
      ({ source, root, fsType }) => devices.includes(source) || (fsType === 'devtmpfs' && files.includes(root)),
    );
  }

  async release(): Promise<void> {
    if ((await this.mountsIn(await readMountTable())).length > 0) return;
    for (const device of await this.devices()) await this.deps.loops.detach(device);
  }

  async grow(mount: MountEntry | undefined): Promise<void> {
    for (const device of await this.devices()) {
      await this.deps.loops.refresh(device);
      // A mount of the raw device has no file system that could grow.
      if (mount?.source !== device) continue;
      await growFileSystem(this.deps.tools, { device, fsType: mount.fsType, mountPoint: mount.mountPoint });
    }
  }
}
