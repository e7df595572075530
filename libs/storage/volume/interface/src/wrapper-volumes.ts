import type { VolumeSpec } from './volume-plugin.js';

/**
 * The emptyDir beneath a volume whose files the kubelet writes: set up and taken down at the path of that volume instead
 * of its own. Both are idempotent. Source: kubernetes v1.36 pkg/volume/plugins.go VolumeHost.NewWrapperMounter.
 */
export interface WrapperVolumes {
  /** `spec.volume` is the emptyDir; its name is that of the wrapped volume with `wrapped_` before it. */
  setUp(spec: VolumeSpec, path: string, signal: AbortSignal): Promise<void>;
  /** By path alone, the pod may be gone. Missing is fine. */
  tearDown(podDir: string, wrapperName: string, path: string): Promise<void>;
}
