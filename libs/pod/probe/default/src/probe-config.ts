import { booleanField, defineConfig } from '@podwright/assembly-interface';

export interface ProbeConfig {
  /**
   * Gate ChangeContainerStatusOnKubeletRestart: a restarted kubelet shows a container with probes as not started and not
   * ready until it has probed it. Otherwise it shows what the earlier kubelet knew.
   */
  readonly changeStatusOnRestart: boolean;
}

export const probeConfig = defineConfig<ProbeConfig>({ changeStatusOnRestart: booleanField(false) });
