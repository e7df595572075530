import { join } from 'node:path';
import { bindForPod } from '@podwright/filesystem';
import {
  isReadOnlySpec,
  joinMountOptions,
  measuredGroupOf,
  mountOptionsOf,
  type SetUpOptions,
  type VolumeMounter,
  type VolumeSpec,
} from '@podwright/volume-interface';
import { fcDiskOf, fcFolderName, fcFolders, pluginName } from './fc-disk.js';
import type { FcParts } from './fc-parts.js';

/** Gives a pod the disk that is mounted once for the node. Source: kubernetes v1.36 pkg/volume/fc/disk_manager.go. */
export class FcMounter implements VolumeMounter {
  readonly readOnly: boolean;
  readonly managed: boolean;
  private readonly mountedAt: string;
  private hasContext = false;

  constructor(
    private readonly parts: FcParts,
    private readonly spec: VolumeSpec,
    readonly hostPath: string,
  ) {
    this.mountedAt = join(fcFolders(parts.pluginsDir).mounts, fcFolderName(fcDiskOf(spec)));
    this.readOnly = isReadOnlySpec(spec);
    this.managed = !this.readOnly;
  }

  get selinuxRelabel(): boolean {
    return !this.hasContext;
  }

  async setUp(signal: AbortSignal, { seLinuxLabel = '' }: SetUpOptions = {}): Promise<void> {
    this.hasContext = seLinuxLabel !== '';
    const { persistentVolume } = this.spec;
    const ofVolume = persistentVolume === undefined ? [] : mountOptionsOf(persistentVolume);
    const bind = {
      source: this.mountedAt,
      target: this.hostPath,
      options: joinMountOptions(ofVolume, this.readOnly ? ['ro'] : []),
      group: this.readOnly ? undefined : measuredGroupOf(this.spec, pluginName, this.parts),
    };
    await bindForPod({ ...this.parts, ...bind }, signal);
  }
}
