import { booleanField, defineConfig, durationMsField, integerField, stringField } from '@podwright/assembly-interface';

export interface ClaimDraManagerConfig {
  /** The kubelet's root directory: it has the two checkpoints. */
  readonly rootDir: string;
  /** Longest wait for an answer of a driver. */
  readonly callTimeoutMs: number;
  /** How long a driver may be away before its ResourceSlices are deleted. */
  readonly wipingDelayMs: number;
  /** Pause before a health stream that has ended is opened again. */
  readonly healthRetryMs: number;
  /** Pods may have a claim for extended resources. Gate DRAExtendedResource. */
  readonly extendedResources: boolean;
  /** Claims may belong to the pod's group and be reserved for it. Gate DRAWorkloadResourceClaims. */
  readonly groupClaims: boolean;
  /** false: no health streams, and container statuses show no health. Gate ResourceHealthStatus. */
  readonly resourceHealthStatus: boolean;
  /** Statuses show the driver's message beside the health. Gate ResourceHealthStatusMessage. */
  readonly resourceHealthMessage: boolean;
  /** Devices of one driver whose health is kept; others are Unknown. */
  readonly maxDriverHealthDevices: number;
  /** Devices of all drivers whose health is kept. */
  readonly maxHealthDevices: number;
}

// Source: kubernetes v1.36 pkg/kubelet/cm/dra/manager.go, pkg/kubelet/cm/dra/plugin/dra_plugin.go,
// pkg/features/kube_features.go.
export const claimDraManagerConfigSchema = defineConfig<ClaimDraManagerConfig>({
  rootDir: stringField('/var/lib/kubelet'),
  callTimeoutMs: durationMsField(45_000),
  wipingDelayMs: durationMsField(30_000),
  healthRetryMs: durationMsField(5_000),
  extendedResources: booleanField(true),
  groupClaims: booleanField(false),
  resourceHealthStatus: booleanField(true),
  resourceHealthMessage: booleanField(true),
  // A node has some hundred devices. Upstream has no limit.
  maxDriverHealthDevices: integerField(4096, { min: 1 }),
  maxHealthDevices: integerField(16_384, { min: 1 }),
});
