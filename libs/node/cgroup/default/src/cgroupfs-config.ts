import { booleanField, createToken, defineConfig, enumField, stringField } from '@podwright/assembly-interface';

export interface CgroupfsConfig {
  /** `cgroupfs` or `systemd`: only how names are rendered. */
  readonly cgroupDriver: 'cgroupfs' | 'systemd';
  /** Parent of `kubepods`. */
  readonly cgroupRoot: string;
  /** false: no `kubepods` hierarchy, pods go below the root. */
  readonly cgroupsPerQos: boolean;
  /** Where the kernel's list of mounts is read; tests point it elsewhere. */
  readonly mountInfoFile: string;
}

export const CGROUPFS_CONFIG = createToken<CgroupfsConfig>('kubelet.cgroup.config/v1');

export const cgroupfsConfig = defineConfig<CgroupfsConfig>(CGROUPFS_CONFIG, {
  cgroupDriver: enumField(['cgroupfs', 'systemd'], 'cgroupfs'),
  cgroupRoot: stringField('/'),
  cgroupsPerQos: booleanField(true),
  mountInfoFile: stringField('/proc/self/mountinfo'),
});
