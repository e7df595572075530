import { booleanField, createToken, defineConfig, durationMsField, integerField } from '@podwright/assembly-interface';
import { localNodeFaults, localNodeFields, type LocalNodeConfig } from '../local-node-config.js';

/** `nodeIps` are those of `--node-ip`, also `0.0.0.0` or `::` alone; without any the node's address is looked for. */
export interface ReporterConfig extends LocalNodeConfig {
  /** The kubelet registers the node; false: somebody else creates it. */
  readonly registerNode: boolean;
  /** Gate KubeletRegistrationGetOnExistsOnly: a kubelet that may not create nodes does not look for one that exists. */
  readonly getOnExistsOnly: boolean;
  /** Port of the kubelet's API. */
  readonly port: number;
  /** Time between two looks at what the status should be, up to 4 % longer. */
  readonly statusUpdateFrequencyMs: number;
  /** A status that has not changed is sent after this, too. */
  readonly statusReportFrequencyMs: number;
  /** Longest wait for one answer of the API server about the status. */
  readonly timeoutMs: number;
  /** Images in the status; -1: all. */
  readonly nodeStatusMaxImages: number;
  /** Gate SupplementalGroupsPolicy. */
  readonly supplementalGroupsPolicy: boolean;
}

export const REPORTER_CONFIG = createToken<ReporterConfig>('kubelet.node-status-reporter.config/v1');

export const reporterConfigSchema = defineConfig<ReporterConfig>(
  REPORTER_CONFIG,
  {
    ...localNodeFields,
    registerNode: booleanField(true),
    getOnExistsOnly: booleanField(false),
    port: integerField(10_250, { min: 0, max: 65_535 }),
    statusUpdateFrequencyMs: durationMsField(10_000, { min: 1 }),
    statusReportFrequencyMs: durationMsField(300_000, { min: 1 }),
    timeoutMs: durationMsField(10_000, { min: 1 }),
    nodeStatusMaxImages: integerField(50, { min: -1 }),
    supplementalGroupsPolicy: booleanField(true),
  },
  localNodeFaults,
);
