import { defineConfig, durationMsField, integerField, stringField } from '@podwright/assembly-interface';

export interface RuntimeContainerGcConfig {
  /** Pause between two passes, in milliseconds. Default 60000. */
  readonly periodMs: number;
  /** Dead containers younger than this are kept, in milliseconds. Default 0. */
  readonly minAgeMs: number;
  /** Dead records kept per container of a pod; -1 = no limit. Default 1. */
  readonly maxPerPodContainer: number;
  /** Dead records kept on the node; -1 = no limit. Default -1. */
  readonly maxContainers: number;
  /** Folder of the pods' log folders. Default `/var/log/pods`. */
  readonly podLogsDir: string;
  /** Folder of the links to container logs. Default `/var/log/containers`. */
  readonly containerLogsDir: string;
  /** Records removed at once in a pass. Default 4. */
  readonly parallelRemovals: number;
  /** Dead containers that may wait for removal; further ones are left to the next pass. Default 50. */
  readonly deletionQueue: number;
}

export const runtimeContainerGcConfigSchema = defineConfig<RuntimeContainerGcConfig>({
  periodMs: durationMsField(60_000, { min: 1 }),
  minAgeMs: durationMsField(0),
  maxPerPodContainer: integerField(1, { min: -1 }),
  maxContainers: integerField(-1, { min: -1 }),
  podLogsDir: stringField('/var/log/pods'),
  containerLogsDir: stringField('/var/log/containers'),
  parallelRemovals: integerField(4, { min: 1 }),
  deletionQueue: integerField(50, { min: 1 }),
});
