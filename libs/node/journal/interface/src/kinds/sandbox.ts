import type { JournalPod } from './journal-pod.js';

/** A pod has a sandbox with its network. */
export interface SandboxCreated {
  readonly kind: 'sandbox.created';
  readonly pod: JournalPod;
  readonly sandboxId: string;
  /** 0 for the first sandbox of the pod. */
  readonly attempt: number;
  /** How long the pod waited for a place among the pods that start at a time. */
  readonly waitedMs: number;
  /** The call of the runtime, network included. */
  readonly durationMs: number;
  /** Empty for the host network. */
  readonly podIps: readonly string[];
}

/** A sandbox was not created. The next sync tries again. */
export interface SandboxFailed {
  readonly kind: 'sandbox.failed';
  readonly pod: JournalPod;
  readonly attempt: number;
  readonly durationMs: number;
  /** `claims`: dynamic resources could not be prepared. `config`: nothing was asked of the runtime. */
  readonly step: 'claims' | 'config' | 'create' | 'status';
  /** In upstream's words, with those of the runtime and of the network plugin. */
  readonly error: string;
}

/** The sandbox of a pod that runs is of no more use: all containers are stopped and a new one is created. */
export interface SandboxReplaced {
  readonly kind: 'sandbox.replaced';
  readonly pod: JournalPod;
  readonly sandboxId: string;
}

export type SandboxDecision = SandboxCreated | SandboxFailed | SandboxReplaced;
