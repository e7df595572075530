import type { JournalPod } from './journal-pod.js';

/** A sync has all volumes of a pod. Reported when it had to wait for at least one. */
export interface VolumesReady {
  readonly kind: 'volumes.ready';
  readonly pod: JournalPod;
  /** Names in the pod's spec. */
  readonly volumes: readonly string[];
  readonly waitedMs: number;
}

/** A sync gave up its wait for the volumes of a pod. The next one waits again. */
export interface VolumesWaiting {
  readonly kind: 'volumes.waiting';
  readonly pod: JournalPod;
  /** Names in the pod's spec that are not mounted; with `operation` `unmount`, unique names of volumes that still are. */
  readonly volumes: readonly string[];
  /** Those of `volumes` that are not attached to the node. */
  readonly unattached: readonly string[];
  /** Those of `volumes` whose claim or kind could not be resolved. */
  readonly unresolved: readonly string[];
  readonly operation: 'mount' | 'unmount';
  readonly waitedMs: number;
  /** In upstream's words. */
  readonly error: string;
}

/** A volume of a pod is mounted. */
export interface VolumeMounted {
  readonly kind: 'volume.mounted';
  readonly pod: JournalPod;
  /** Name in the pod's spec. */
  readonly volume: string;
  /** Upstream's name of the plugin, such as `kubernetes.io/csi`. */
  readonly plugin: string;
  /** From the sync that wanted it until now. */
  readonly waitedMs: number;
}

/** A volume of a pod is unmounted. */
export interface VolumeUnmounted {
  readonly kind: 'volume.unmounted';
  readonly pod: JournalPod;
  readonly volume: string;
  readonly plugin: string;
  readonly durationMs: number;
}

/** One step for a volume of a pod has failed. */
export interface VolumeFailed {
  readonly kind: 'volume.failed';
  readonly pod: JournalPod;
  /** Name in the pod's spec; the unique name when only that is left. */
  readonly volume: string;
  readonly plugin: string;
  readonly operation: 'attach' | 'mount' | 'unmount' | 'unmount-device';
  /** Failures of this operation in a row. */
  readonly failures: number;
  /** In upstream's words. */
  readonly error: string;
  /** Wall clock, Unix milliseconds. */
  readonly retryAtMs: number;
}

export type VolumeDecision = VolumesReady | VolumesWaiting | VolumeMounted | VolumeUnmounted | VolumeFailed;
