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
import { diskFolder, iscsiFolders, iscsiSourceOf, pluginName } from './iscsi-disk.js';
import type { IscsiParts } from './iscsi-parts.js';

/** Gives a pod the disk that is mounted once for the node. Source: kubernetes v1.36 pkg/volume/iscsi/disk_manager.go. */
export class IscsiMounter implements VolumeMounter {
  readonly readOnly: boolean;
  readonly managed: boolean;
  readonly usage = 'file-system';
  private readonly source: string;
  private relabel = true;

  constructor(
    private readonly parts: IscsiParts,
    private readonly spec: VolumeSpec,
    readonly hostPath: string,
  ) {
    this.source = diskFolder(iscsiFolders(parts.pluginsDir).mounts, iscsiSourceOf(spec));
    this.readOnly = isReadOnlySpec(spec);
    this.managed = !this.readOnly;
  }

  get selinuxRelabel(): boolean {
    return this.relabel;
  }

  async setUp(signal: AbortSignal, { seLinuxLabel }: SetUpOptions = {}): Promise<void> {
    this.relabel = seLinuxLabel === undefined || seLinuxLabel === '';
    const { spec, source, hostPath: target, readOnly } = this;
    const given = spec.persistentVolume === undefined ? [] : mountOptionsOf(spec.persistentVolume);
    const options = joinMountOptions(given, readOnly ? ['ro'] : []);
    await bindForPod(
      {
        ...this.parts,
        source,
        target,
        options,
        group: readOnly ? undefined : measuredGroupOf(spec, pluginName, this.parts),
      },
      signal,
    );
  }
}
