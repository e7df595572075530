import { booleanField, defineConfig, durationMsField, numberField, stringField } from '@podwright/assembly-interface';

export interface OnDemandStatsConfig {
  readonly nodeName: string;
  /** `--root-dir`: its file system is the node's. */
  readonly rootDir: string;
  readonly podLogsDir: string;
  /** Endpoint of the runtime; the path of its socket identifies CRI-O. */
  readonly runtimeEndpoint: string;
  /** Feature gate: read pods and containers from the runtime's statistics only. */
  readonly podAndContainerStatsFromCri: boolean;
  /** Feature gate KubeletPSI: readings of cgroups have `psi`, with zeros where the kernel reports none. */
  readonly pressure: boolean;
  /** Feature gate KubeletSeparateDiskGC: CRI-O may keep images and containers on two file systems. */
  readonly separateDiskGc: boolean;
  /** Shortest time between two measurements of a volume; 0 or less disables them. */
  readonly volumeStatsAggPeriodMs: number;
  /** Feature gate CSIVolumeHealth: volumes are measured each period also when nobody asks. */
  readonly volumeHealth: boolean;
  /** Maximum age of a reading when the caller names none. */
  readonly maxAgeMs: number;
  /** Longest wait for the capacity and usage of a file system. */
  readonly fileSystemTimeoutMs: number;
  /** Longest wait of a summary for the sizes of logs. */
  readonly logsTimeoutMs: number;
  /** Longest wait of a summary for volume measurements; a later summary has the rest. */
  readonly volumeWaitMs: number;
  /** How long one count of files may take; then its result so far is used. */
  readonly countLimitMs: number;
  /** `--show-hidden-metrics-for-version` was given. */
  readonly showHiddenMetrics: boolean;
}

export const onDemandStatsConfigSchema = defineConfig<OnDemandStatsConfig>({
  nodeName: stringField(),
  rootDir: stringField('/var/lib/kubelet'),
  podLogsDir: stringField('/var/log/pods'),
  runtimeEndpoint: stringField('unix:///run/containerd/containerd.sock'),
  podAndContainerStatsFromCri: booleanField(false),
  pressure: booleanField(true),
  separateDiskGc: booleanField(true),
  volumeStatsAggPeriodMs: numberField(60_000),
  volumeHealth: booleanField(false),
  maxAgeMs: durationMsField(10_000),
  fileSystemTimeoutMs: durationMsField(2_000, { min: 1 }),
  logsTimeoutMs: durationMsField(5_000, { min: 1 }),
  volumeWaitMs: durationMsField(1_000, { min: 1 }),
  countLimitMs: durationMsField(20_000, { min: 1 }),
  showHiddenMetrics: booleanField(false),
});
