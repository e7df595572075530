import { createToken, defineConfig, enumField } from '@podwright/assembly-interface';
import type { CgroupDriverName } from '@podwright/cgroup-interface';

export interface CriCgroupDriverConfig {
  /** What holds where the runtime does not tell. */
  readonly cgroupDriver: CgroupDriverName;
}

export const CRI_CGROUP_DRIVER_CONFIG = createToken<CriCgroupDriverConfig>('kubelet.cgroup-driver.config/v1');

export const criCgroupDriverConfig = defineConfig<CriCgroupDriverConfig>(CRI_CGROUP_DRIVER_CONFIG, {
  cgroupDriver: enumField(['cgroupfs', 'systemd'], 'cgroupfs'),
});
