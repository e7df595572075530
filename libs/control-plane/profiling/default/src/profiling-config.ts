import { booleanField, defineConfig } from '@podwright/assembly-interface';

export interface ProfilingConfig {
  /** False: `/debug/pprof/` answers 405. */
  readonly enabled: boolean;
}

/** The default is that of a KubeletConfiguration. */
export const profilingConfig = defineConfig<ProfilingConfig>({ enabled: booleanField(true) });
