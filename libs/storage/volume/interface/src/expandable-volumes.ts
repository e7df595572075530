import type { VolumeSpec } from './volume-spec.js';

export interface NodeExpandRequest {
  readonly spec: VolumeSpec;
  readonly mode: 'Filesystem' | 'Block';
  readonly devicePath: string;
  /** Where the device is mounted for the node, or its staging path; empty when it is neither. */
  readonly deviceMountPath: string;
  /** Where the volume is mounted for the pod, or the path of its device. */
  readonly volumePath: string;
  readonly oldBytes: number;
  readonly newBytes: number;
}

/** Source: kubernetes v1.36 pkg/volume/plugins.go NodeExpandableVolumePlugin. */
export interface ExpandableVolumes {
  /** False: only the controller expands. */
  requiresFsResize(): boolean;
  /**
   * Codes of rejections: `unimplemented` when this volume needs no expansion on the node; `failed-precondition` when it
   * cannot expand while in use; `invalid-argument`, `out-of-range` and `not-found` when it can never have that size. A
   * rejection marked as uncertain is tried again; others are final.
   */
  nodeExpand(request: NodeExpandRequest, signal: AbortSignal): Promise<void>;
}
