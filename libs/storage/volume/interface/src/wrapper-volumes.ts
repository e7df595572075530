import { createToken } from '@podwright/assembly-interface';
import type { VolumeSpec } from './volume-spec.js';

/**
 * The emptyDir that holds a volume whose files the kubelet writes, such as a secret. It lies at the path of that
 * volume, not at its own. Both methods are idempotent. Source: kubernetes v1.36 pkg/volume/plugins.go
 * VolumeHost.NewWrapperMounter.
 */
export interface WrapperVolumes {
  /** `spec.volume` is the emptyDir; its name is `wrapped_` plus the name of the wrapped volume. */
  setUp(spec: VolumeSpec, path: string, signal: AbortSignal): Promise<void>;
  /** Gets paths only, because the pod may be gone. Does nothing when the emptyDir is missing. */
  tearDown(podDir: string, wrapperName: string, path: string): Promise<void>;
}

export const WRAPPER_VOLUMES = createToken<WrapperVolumes>('kubelet.wrapper-volumes/v1');
