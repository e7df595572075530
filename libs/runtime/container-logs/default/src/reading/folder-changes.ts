import { watch } from 'node:fs';
import type { FSWatcher } from 'node:fs';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { onAbort } from '@podwright/time';

/** Wakes who waits for something to happen in a folder. */
export class FolderChanges {
  private watcher: FSWatcher | undefined;
  private changed = false;
  private wake: () => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /** Changes before this are not seen. A machine without watches left is no reason to fail: waits then last their time. */
  watch(path: string): void {
    try {
      this.watcher = watch(path, { persistent: false });
      this.watcher.on('change', () => this.notify());
      this.watcher.on('error', (error) => this.withoutWatch(error));
    } catch (error) {
      this.withoutWatch(error);
    }
  }

  /** Resolves at the first change since the last call, after `mostMs`, or when the signal aborts. One call at a time. */
  async wait(mostMs: number, signal: AbortSignal): Promise<void> {
    if (!this.changed && !signal.aborted) {
      const woken = new Promise<void>((resolve) => (this.wake = resolve));
      const timer = this.clock.setTimer(mostMs, this.wake);
      const unsubscribe = onAbort(signal, this.wake);
      await woken;
      timer.cancel();
      unsubscribe();
    }
    this.changed = false;
  }

  close(): void {
    this.watcher?.close();
  }

  private notify(): void {
    this.changed = true;
    this.wake();
  }

  private withoutWatch(error: unknown): void {
    this.logger.debug(2, 'Log folder cannot be watched, looking at it each second', { error });
  }
}
