import type { ConditionGates } from '@podwright/status-interface';
import { booleanField, defineConfig, durationMsField, listField, stringField } from '@podwright/assembly-interface';

/** `readyToStartCondition`: show the condition PodReadyToStartContainers. */
export interface PodSyncConfig extends ConditionGates {
  /** The kubelet's state directory; pod directories are in `pods` below it. */
  readonly rootDir: string;
  /**
   * Addresses of `--node-ip`, including `0.0.0.0` or `::`: the family of the first comes first in pods' addresses.
   * Empty: IPv4.
   */
  readonly nodeIps: readonly string[];
  /** Without an API server pods get no addresses of the node. */
  readonly hasApiServer: boolean;
  /** Longest wait for the volumes of a pod. The odd seconds are upstream's and make the limit recognizable in a log. */
  readonly volumeTimeoutMs: number;
  /** Gate InPlacePodLevelResourcesVerticalScaling. */
  readonly podLevelResize: boolean;
  /** Show the stop signal of each container (gate ContainerStopSignals). */
  readonly containerStopSignals: boolean;
  /** Show the ids of mounted images (gate ImageVolumeWithDigest). */
  readonly imageVolumeDigests: boolean;
}

export const podSyncConfig = defineConfig<PodSyncConfig>({
  rootDir: stringField('/var/lib/kubelet'),
  nodeIps: listField([]),
  hasApiServer: booleanField(true),
  volumeTimeoutMs: durationMsField(123_000),
  podLevelResize: booleanField(true),
  containerStopSignals: booleanField(false),
  readyToStartCondition: booleanField(true),
  restartAllContainers: booleanField(true),
  imageVolumeDigests: booleanField(false),
});
