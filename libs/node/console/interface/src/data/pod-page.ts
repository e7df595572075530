import type { PodExplanation } from '@podwright/explain-interface';
import type { JournalEntry } from '@podwright/journal-interface';
import type { PodLane } from './pod-lane.js';
import type { PodRow } from './pod-row.js';

export interface ProbeAnswer {
  readonly atMs: number;
  readonly outcome: 'success' | 'failure' | 'error';
  readonly output: string;
}

export interface ProbePage {
  readonly probe: 'liveness' | 'readiness' | 'startup';
  /** `http-get :8080/healthz`, `tcp-socket :5432`, `grpc :9000`, `exec cat /ready`. */
  readonly how: string;
  readonly periodMs: number;
  readonly timeoutMs: number;
  readonly failureThreshold: number;
  /** Oldest first; those that the journal has. */
  readonly history: readonly ProbeAnswer[];
}

/** One container. CPU in millicores and nanocores, memory in bytes. Without its environment. */
export interface ContainerPage {
  readonly name: string;
  /** `init`, `sidecar`, `regular`, `ephemeral`. */
  readonly type: string;
  readonly image: string;
  readonly imageId?: string;
  /** `waiting`, `running`, `terminated`, with the reason behind it: `waiting: CrashLoopBackOff`. */
  readonly state: string;
  readonly cpuRequestMillis?: number;
  readonly cpuLimitMillis?: number;
  readonly memoryRequestBytes?: number;
  readonly memoryLimitBytes?: number;
  readonly cpuNanoCores?: number;
  readonly memoryWorkingSetBytes?: number;
  readonly mounts: readonly { readonly volume: string; readonly path: string; readonly readOnly: boolean }[];
  readonly ports: readonly { readonly name?: string; readonly port: number; readonly protocol: string }[];
  readonly probes: readonly ProbePage[];
}

export interface VolumePage {
  readonly name: string;
  /** The field of the pod's spec: `configMap`, `emptyDir`, `persistentVolumeClaim`, ... */
  readonly kind: string;
  readonly mounted: boolean;
  readonly usedBytes?: number;
  readonly capacityBytes?: number;
}

/** What the kubelet reported about a pod, as `kubectl describe` shows it. */
export interface PodEvent {
  /** Of the last time. */
  readonly atMs: number;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
  readonly count: number;
  /** The container. */
  readonly of?: string;
}

/** All about one pod, without environment variables and without contents of secrets. */
export interface PodPage {
  readonly explanation: PodExplanation;
  /** Absent for a pod that is gone. */
  readonly row?: PodRow;
  readonly lane?: PodLane;
  readonly containers: readonly ContainerPage[];
  readonly volumes: readonly VolumePage[];
  /** Newest first. */
  readonly events: readonly PodEvent[];
  /** What the journal has of it, newest first, at most 200. */
  readonly decisions: readonly JournalEntry[];
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}
