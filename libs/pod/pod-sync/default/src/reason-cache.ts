import type { SyncResult } from '@podwright/container-runtime-interface';

export interface StartFailure {
  readonly reason: string;
  readonly message: string;
}

// Upstream keeps this many (kubernetes v1.36 pkg/kubelet/reason_cache.go).
const capacity = 1000;

/** Why the last sync did not start a container, by container. Bounded; drops the least recently written entry first. */
export class ReasonCache {
  private readonly entries = new Map<string, StartFailure>();

  /** Containers without a StartContainer result keep their entry. */
  update(podUid: string, results: readonly SyncResult[]): void {
    for (const { action, target, error } of results) {
      if (action !== 'StartContainer') continue;
      const key = keyOf(podUid, target);
      this.entries.delete(key);
      if (error !== undefined) this.entries.set(key, { reason: error.reason, message: error.message });
    }
    for (const key of this.entries.keys()) {
      if (this.entries.size <= capacity) break;
      this.entries.delete(key);
    }
  }

  get(podUid: string, container: string): StartFailure | undefined {
    return this.entries.get(keyOf(podUid, container));
  }

  forget(podUid: string): void {
    for (const key of this.entries.keys()) if (key.startsWith(`${podUid}_`)) this.entries.delete(key);
  }
}

const keyOf = (podUid: string, container: string): string => `${podUid}_${container}`;
