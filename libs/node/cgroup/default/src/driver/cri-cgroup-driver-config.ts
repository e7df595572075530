import { defineConfig, enumField } from '@podwright/assembly-interface';
import type { CgroupDriverName } from '@podwright/cgroup-interface';

export interface CriCgroupDriverConfig {
  /** The driver to use when the runtime reports none. */
  readonly cgroupDriver: CgroupDriverName;
}

export const criCgroupDriverConfig = defineConfig<CriCgroupDriverConfig>({
  cgroupDriver: enumField(['cgroupfs', 'systemd'], 'cgroupfs'),
});
