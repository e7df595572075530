import {
  booleanField,
  defineConfig,
  durationMsField,
  integerField,
  stringField,
  stringMapField,
  type FieldFault,
} from '@podwright/assembly-interface';
import { InvalidStatement, parseThresholds, type ThresholdStatements } from './thresholds/parse-thresholds.js';

export interface EvictionConfig extends ThresholdStatements {
  /** How long a condition stays after the shortage was last observed, in milliseconds. Default 300000. */
  readonly pressureTransitionPeriodMs: number;
  /** Longest grace period of a pod that a soft threshold evicts, in seconds. Default 0. */
  readonly maxPodGracePeriodSeconds: number;
  /** Time between two passes, in milliseconds. Default 10000. */
  readonly monitoringPeriodMs: number;
  /** Also check every second whether memory crosses a threshold; cgroup v1 only. Default false. */
  readonly kernelMemcgNotification: boolean;
  /** Evict pods that exceed their local storage limits. Default true. */
  readonly localStorageCapacityIsolation: boolean;
  /** Feature gate: pod-level requests count. Default true. */
  readonly podLevelResources: boolean;
  /** Feature gate: images may be on another file system than containers. Default true. */
  readonly separateDiskGc: boolean;
  /** `--root-dir`: its file system is `nodefs`. Default `/var/lib/kubelet`. */
  readonly rootDir: string;
  /** Its path identifies CRI-O, the only runtime that reports container and image file systems separately. */
  readonly runtimeEndpoint: string;
  /** Number of decisions to keep. Default 50. */
  readonly keepDecisions: number;
}

export const evictionConfigSchema = defineConfig<EvictionConfig>(
  {
    evictionHard: stringMapField({}),
    evictionSoft: stringMapField({}),
    evictionSoftGracePeriod: stringMapField({}),
    evictionMinimumReclaim: stringMapField({}),
    enforcePods: booleanField(true),
    pressureTransitionPeriodMs: durationMsField(300_000),
    maxPodGracePeriodSeconds: integerField(0),
    monitoringPeriodMs: durationMsField(10_000, { min: 1 }),
    kernelMemcgNotification: booleanField(false),
    localStorageCapacityIsolation: booleanField(true),
    podLevelResources: booleanField(true),
    separateDiskGc: booleanField(true),
    rootDir: stringField('/var/lib/kubelet'),
    runtimeEndpoint: stringField('unix:///run/containerd/containerd.sock'),
    keepDecisions: integerField(50, { min: 1, max: 1_000 }),
  },
  (config): readonly FieldFault[] => {
    try {
      parseThresholds(config);
      return [];
    } catch (error) {
      if (!(error instanceof InvalidStatement)) throw error;
      const { field, value, message } = error;
      return [{ field, value, problem: `is refused: ${message}` }];
    }
  },
);
