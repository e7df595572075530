import {
  booleanField,
  createToken,
  defineConfig,
  durationMsField,
  listField,
  stringField,
} from '@podwright/assembly-interface';

export interface PodSyncConfig {
  /** State directory of the kubelet; pod directories are made below `pods` in it. */
  readonly rootDir: string;
  /** Those of `--node-ip`, also `0.0.0.0` or `::`: the family of the first goes first in pods' addresses. None: IPv4. */
  readonly nodeIps: readonly string[];
  /** Longest wait for the volumes of a pod. The odd seconds are upstream's, so that the limit is recognised in a log. */
  readonly volumeTimeoutMs: number;
  /** Gate InPlacePodLevelResourcesVerticalScaling. */
  readonly podLevelResize: boolean;
  /** Show the stop signal that each container has (gate ContainerStopSignals). */
  readonly containerStopSignals: boolean;
}

export const POD_SYNC_CONFIG = createToken<PodSyncConfig>('kubelet.pod-sync.config/v1');

export const podSyncConfig = defineConfig<PodSyncConfig>(POD_SYNC_CONFIG, {
  rootDir: stringField('/var/lib/kubelet'),
  nodeIps: listField([]),
  volumeTimeoutMs: durationMsField(123_000),
  podLevelResize: booleanField(true),
  containerStopSignals: booleanField(false),
});
