import { abortReason, onAbort } from '@podwright/time';

interface Waiter {
  readonly open: Map<string, number>;
  readonly resolve: () => void;
}

/** Callers that wait until versions of statuses have reached the API server. */
export class DeliveryWaiters {
  private readonly waiters = new Set<Waiter>();

  /** Waits for `versions`, by pod UID. Rejects with the signal's reason. */
  async wait(versions: ReadonlyMap<string, number>, signal: AbortSignal): Promise<void> {
    if (versions.size === 0) return;
    await new Promise<void>((resolve, reject) => {
      const waiter: Waiter = { open: new Map(versions), resolve: () => (unsubscribe(), resolve()) };
      const unsubscribe = onAbort(signal, () => {
        this.waiters.delete(waiter);
        reject(abortReason(signal));
      });
      this.waiters.add(waiter);
    });
  }

  /** Checks again all versions that callers wait for. */
  tell(isOver: (uid: string, version: number) => boolean): void {
    for (const waiter of [...this.waiters]) {
      for (const [uid, version] of waiter.open) if (isOver(uid, version)) waiter.open.delete(uid);
      if (waiter.open.size > 0) continue;
      this.waiters.delete(waiter);
      waiter.resolve();
    }
  }
}
