import type { RuntimePodStatus } from '@podwright/container-runtime-interface';
import type { Pod, Secret } from '@podwright/kube-types';
import type { SandboxConfig } from '../sandbox/sandbox-config.js';
import type { StartPlace } from '../start-gate/start-place.js';
import type { ImageVolumes } from './image-volumes.js';

/** What all containers of one sync have in common. */
export interface StartContext {
  readonly pod: Pod;
  readonly status: RuntimePodStatus;
  readonly sandboxId: string;
  readonly sandboxConfig: SandboxConfig;
  readonly podIps: readonly string[];
  readonly pullSecrets: readonly Secret[];
  /** See SyncPodRequest. */
  readonly signal?: AbortSignal | undefined;
  readonly imageVolumes: ImageVolumes;
  readonly place: StartPlace;
}
