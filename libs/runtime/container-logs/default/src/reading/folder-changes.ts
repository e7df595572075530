import { watchDirectory } from '@podwright/filesystem';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { onAbort } from '@podwright/time';

/** Waits for changes in a folder. */
export class FolderChanges {
  private closeWatch: (() => void) | undefined;
  private changed = false;
  private wake: () => void = () => undefined;

  constructor(
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * Begins to watch; earlier changes go unnoticed. Never throws: when no watch is available, each wait lasts its full
   * time.
   */
  watch(path: string): void {
    try {
      this.closeWatch = watchDirectory(
        path,
        () => this.notify(),
        (error) => this.withoutWatch(error),
      );
    } catch (error) {
      this.withoutWatch(error);
    }
  }

  /**
   * Resolves at the first change since the last call, after `mostMs`, or when the signal aborts. Never rejects. One
   * call at a time.
   */
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
    this.closeWatch?.();
  }

  private notify(): void {
    this.changed = true;
    this.wake();
  }

  private withoutWatch(error: unknown): void {
    this.logger.debug(2, 'Log folder cannot be watched, polling it', { error });
  }
}
