import {
  booleanField,
  createToken,
  defineConfig,
  durationMsField,
  numberField,
  stringField,
} from '@podwright/assembly-interface';

export interface OnDemandStatsConfig {
  readonly nodeName: string;
  /** `--root-dir`: its file system is the node's. */
  readonly rootDir: string;
  readonly podLogsDir: string;
  /** CRI-O is known by the path of its socket. */
  readonly runtimeEndpoint: string;
  /** Feature gate: pods and containers from the runtime's own statistics alone. */
  readonly podAndContainerStatsFromCri: boolean;
  /** Shortest time between two measurements of a volume; 0 or less: none is measured. */
  readonly volumeStatsAggPeriodMs: number;
  /** A reading no older than this answers, where the caller names no age. */
  readonly maxAgeMs: number;
  /** Longest wait for the numbers of a whole file system. */
  readonly fileSystemTimeoutMs: number;
  /** Longest wait of a summary for the sizes of logs. */
  readonly logsTimeoutMs: number;
  /** Longest wait of a summary for volumes that are due; the rest is in a later one. */
  readonly volumeWaitMs: number;
  /** How long one count of files may work; then what it has is the answer. */
  readonly countLimitMs: number;
  /** `--show-hidden-metrics-for-version` was given. */
  readonly showHiddenMetrics: boolean;
}

export const ON_DEMAND_STATS_CONFIG = createToken<OnDemandStatsConfig>('kubelet.stats.config/v1');

export const onDemandStatsConfigSchema = defineConfig<OnDemandStatsConfig>(ON_DEMAND_STATS_CONFIG, {
  nodeName: stringField(),
  rootDir: stringField('/var/lib/kubelet'),
  podLogsDir: stringField('/var/log/pods'),
  runtimeEndpoint: stringField('unix:///run/containerd/containerd.sock'),
  podAndContainerStatsFromCri: booleanField(false),
  volumeStatsAggPeriodMs: numberField(60_000),
  maxAgeMs: durationMsField(10_000),
  fileSystemTimeoutMs: durationMsField(2_000, { min: 1 }),
  logsTimeoutMs: durationMsField(5_000, { min: 1 }),
  volumeWaitMs: durationMsField(1_000, { min: 1 }),
  countLimitMs: durationMsField(20_000, { min: 1 }),
  showHiddenMetrics: booleanField(false),
});
