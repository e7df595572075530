import { booleanField, defineConfig, durationMsField, integerField } from '@podwright/assembly-interface';
import { localNodeFaults, localNodeFields, type LocalNodeConfig } from '../local-node-config.js';

/**
 * `nodeIps`: those of `--node-ip`, including a lone `0.0.0.0` or `::`; empty: the kubelet detects the node's address.
 */
export interface ReporterConfig extends LocalNodeConfig {
  /** The kubelet registers the node; false: something else creates it. */
  readonly registerNode: boolean;
  /** Gate KubeletRegistrationGetOnExistsOnly: a kubelet that may not create nodes does not look for an existing one. */
  readonly getOnExistsOnly: boolean;
  /** Port of the kubelet's API. */
  readonly port: number;
  /** Time between two computations of the status, extended by up to 4 %. */
  readonly statusUpdateFrequencyMs: number;
  /** Time after which an unchanged status is sent as well. */
  readonly statusReportFrequencyMs: number;
  /** Longest wait for one answer of the API server to a status call. */
  readonly timeoutMs: number;
  /** Maximum number of images in the status; -1: all. */
  readonly nodeStatusMaxImages: number;
  /** Gate SupplementalGroupsPolicy. */
  readonly supplementalGroupsPolicy: boolean;
}

export const reporterConfigSchema = defineConfig<ReporterConfig>(
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
