import { status } from '@grpc/grpc-js';
import { Mutex } from '@podwright/concurrency';
import { StatusError } from '@podwright/grpc';
import { quantityToBytes } from '@podwright/kube-types';
import type { DriverSettings } from '../test-csi-driver-options.js';
import { DirectoryBacking } from './directory-backing.js';
import { DiskBacking } from './disk-backing.js';
import { LoopDevices } from './loop-devices.js';
import { NodeTools } from './node-tools.js';
import { NodeVolume } from './node-volume.js';
import { VolumeFolder, type VolumeRecord } from './volume-folder.js';

/** A volume of the driver, with what it occupies on the node. */
export interface VolumeState extends VolumeRecord {
  readonly mountPoints: readonly string[];
  readonly devices: readonly string[];
}

/** A volume on which nobody else works meanwhile. */
export interface OpenVolume {
  readonly record: VolumeRecord;
  readonly volume: NodeVolume;
}

/** The driver's volumes. Work on one volume is done one after the other; volumes do not wait for each other. */
export class DriverVolumes {
  private readonly folder: VolumeFolder;
  private readonly tools: NodeTools;
  private readonly loops: LoopDevices;
  private readonly locks = new Map<string, Mutex>();

  constructor(private readonly settings: DriverSettings) {
    this.folder = new VolumeFolder(settings.dir);
    this.tools = new NodeTools(settings.clock, settings.env);
    this.loops = new LoopDevices(this.tools);
  }

  /** Gives back the devices that a killed driver had taken and not yet mounted. */
  async recover(): Promise<void> {
    for (const record of await this.folder.list()) await this.locked(record.id, () => this.open(record).release());
  }

  /** Works on an existing volume; resolves with undefined when there is none. */
  use<T>(id: string, task: (open: OpenVolume) => Promise<T>): Promise<T | undefined> {
    return this.locked(id, async () => {
      const record = await this.folder.find(id);
      return record === undefined ? undefined : task({ record, volume: this.open(record) });
    });
  }

  /** Works on a volume that its context describes, and makes it where the settings allow. */
  useDescribed(
    id: string,
    context: Readonly<Record<string, string>>,
    task: (volume: NodeVolume) => Promise<void>,
  ): Promise<void> {
    return this.locked(id, async () => {
      const known = await this.folder.find(id);
      if (known === undefined && this.settings.unknownVolumes === 'refuse') throw notFound(id);
      const record = known ?? this.described(id, context);
      if (known === undefined) await this.folder.save(record);
      await task(this.open(record));
    });
  }

  create(id: string, described: Partial<Pick<VolumeRecord, 'kind' | 'capacityBytes'>>): Promise<void> {
    const { kind, capacityBytes } = { ...this.settings.volumes, ...described };
    return this.locked(id, () => this.folder.save({ id, kind, capacityBytes, ephemeral: false }));
  }

  /** Rejects while the volume is mounted. */
  async remove(id: string): Promise<void> {
    await this.use(id, ({ volume }) => this.removeUnused(id, volume));
  }

  /** For the pod's own volume, after it was unpublished; within {@link use}. */
  async removeUnused(id: string, volume: NodeVolume): Promise<void> {
    const [mount] = await volume.mounts();
    if (mount !== undefined) {
      throw new StatusError(status.FAILED_PRECONDITION, `volume ${id} is mounted at ${mount.mountPoint}`);
    }
    await volume.release();
    await this.folder.remove(id);
  }

  /** Makes the volume larger, never smaller; resolves with its new size. Within {@link use}. */
  async grow({ record, volume }: OpenVolume, requiredBytes: number): Promise<number> {
    const capacityBytes = Math.max(record.capacityBytes, requiredBytes);
    await this.folder.save({ ...record, capacityBytes });
    await volume.grow();
    return capacityBytes;
  }

  async states(): Promise<readonly VolumeState[]> {
    const records = await this.folder.list();
    return Promise.all(
      records.map(async (record) => {
        const volume = this.open(record);
        const [mounts, devices] = await Promise.all([volume.mounts(), volume.devices()]);
        return { ...record, mountPoints: mounts.map(({ mountPoint }) => mountPoint), devices };
      }),
    );
  }

  private described(id: string, context: Readonly<Record<string, string>>): VolumeRecord {
    const defaults = this.settings.volumes;
    const kind = context['kind'] ?? defaults.kind;
    if (kind !== 'disk' && kind !== 'directory') {
      throw new StatusError(status.INVALID_ARGUMENT, `kind is disk or directory, not ${kind}`);
    }
    return {
      id,
      kind,
      capacityBytes: capacityOf(context['capacity']) ?? defaults.capacityBytes,
      ephemeral: context['csi.storage.k8s.io/ephemeral'] === 'true',
    };
  }

  private open({ id, kind, ...rest }: VolumeRecord): NodeVolume {
    const { tools, loops } = this;
    const backing =
      kind === 'directory'
        ? new DirectoryBacking(tools, this.folder.directoryOf(id))
        : new DiskBacking(
            { tools, loops },
            { image: this.folder.imageOf(id), defaultFsType: this.settings.volumes.fsType },
          );
    return new NodeVolume(tools, { id, kind, ...rest }, backing);
  }

  private async locked<T>(id: string, task: () => Promise<T>): Promise<T> {
    const lock = this.locks.get(id) ?? new Mutex();
    this.locks.set(id, lock);
    try {
      return await lock.run(task);
    } finally {
      if (!lock.locked) this.locks.delete(id);
    }
  }
}

export function notFound(id: string): StatusError {
  return new StatusError(status.NOT_FOUND, `there is no volume ${id}`);
}

function capacityOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  try {
    return quantityToBytes(text);
  } catch {
    throw new StatusError(status.INVALID_ARGUMENT, `capacity is a quantity, not ${text}`);
  }
}
