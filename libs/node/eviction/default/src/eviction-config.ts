import {
  booleanField,
  createToken,
  defineConfig,
  durationMsField,
  integerField,
  stringField,
  stringMapField,
  type FieldFault,
} from '@podwright/assembly-interface';
import { InvalidStatement, parseThresholds, type ThresholdStatements } from './thresholds/parse-thresholds.js';

export interface EvictionConfig extends ThresholdStatements {
  /** How long a condition holds after the shortage was last seen, in milliseconds. Default 300000. */
  readonly pressureTransitionPeriodMs: number;
  /** Longest grace of a pod that a soft threshold evicts. Default 0. */
  readonly maxPodGracePeriodSeconds: number;
  /** Pause between two passes, in milliseconds. Default 10000. */
  readonly monitoringPeriodMs: number;
  /** Also look every second whether memory crosses a threshold; cgroup v1 only. Default false. */
  readonly kernelMemcgNotification: boolean;
  /** Keep pods within their limits of local storage. Default true. */
  readonly localStorageCapacityIsolation: boolean;
  /** Feature gate: requests of the pod as a whole count. Default true. */
  readonly podLevelResources: boolean;
  /** Feature gate: images may lie on another file system than containers. Default true. */
  readonly separateDiskGc: boolean;
  /** `--root-dir`: its file system is `nodefs`. Default `/var/lib/kubelet`. */
  readonly rootDir: string;
  /** By its path CRI-O is known, which alone tells the file system of containers from that of images. */
  readonly runtimeEndpoint: string;
  /** Decisions that can be read back. Default 50. */
  readonly keepDecisions: number;
}

export const EVICTION_CONFIG = createToken<EvictionConfig>('kubelet.eviction.config/v1');

export const evictionConfigSchema = defineConfig<EvictionConfig>(
  EVICTION_CONFIG,
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
