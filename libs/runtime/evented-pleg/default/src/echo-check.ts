import type { Clock, Timer } from '@podwright/time';
import { created, exited, running } from './container-progress.js';
import type { Progress } from './container-progress.js';

/** A change that a relist found. */
export interface FoundChange {
  readonly podUid: string;
  readonly containerId: string;
  readonly progress: Progress;
}

// Bounds the events that no relist matches, such as duplicates; the oldest are forgotten.
const mostTold = 2000;

/**
 * Detects a stalled event stream: every change that a relist finds must also arrive as an event within a timeout.
 * Silence alone proves nothing, because a quiet node has no events.
 */
export class EchoCheck {
  private readonly told = new Map<string, Progress>();
  /** Containers that a relist has shown running. */
  private readonly ran = new Set<string>();
  private readonly awaited = new Map<string, FoundChange & { readonly dueMs: number }>();
  private timer: Timer | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly timeoutMs: number,
    private readonly onMissed: (change: FoundChange) => void,
  ) {}

  /** Takes an event. True when a relist found the same change before. */
  tell(containerId: string, progress: Progress): boolean {
    const change = this.awaited.get(containerId);
    if (change !== undefined && progress >= change.progress) {
      this.awaited.delete(containerId);
      return true;
    }
    const before = this.told.get(containerId);
    this.told.delete(containerId); // keeps the map in order of arrival
    // A late event must not undo the progress of a newer one.
    this.told.set(containerId, before !== undefined && before > progress ? before : progress);
    const [oldest] = this.told.size > mostTold ? this.told.keys() : [];
    if (oldest !== undefined) this.told.delete(oldest);
    return false;
  }

  /**
   * Takes a change that a relist found. True when an event reported it before; otherwise, when `demanded`, starts to
   * wait for the event.
   */
  find(found: FoundChange, demanded: boolean): boolean {
    const { containerId } = found;
    const told = this.told.get(containerId);
    const progress = this.progressToBeTold(found, told);
    if (told !== undefined && told >= progress) return true;
    if (!demanded || this.awaited.has(containerId)) return false;
    this.awaited.set(containerId, { ...found, progress, dueMs: this.clock.monotonic() + this.timeoutMs });
    this.watch();
    return false;
  }

  /** Forgets a container that a relist no longer shows. */
  forget(containerId: string): void {
    this.ran.delete(containerId);
  }

  // A container that fails to start exits without having run: for it, containerd sends only the created event.
  private progressToBeTold({ containerId, progress }: FoundChange, told: Progress | undefined): Progress {
    if (progress === running) this.ran.add(containerId);
    const hasRun = this.ran.has(containerId) || (told !== undefined && told >= running);
    return progress === exited && !hasRun ? created : progress;
  }

  /** Forgets all events and expectations, because the stream has ended. */
  clear(): void {
    this.timer?.cancel();
    this.timer = undefined;
    this.told.clear();
    this.awaited.clear();
  }

  private watch(): void {
    if (this.timer !== undefined) return;
    // The map is in order of due time, since every entry has the same timeout.
    const [first] = this.awaited.values();
    if (first === undefined) return;
    this.timer = this.clock.setTimer(Math.max(0, first.dueMs - this.clock.monotonic()), () => {
      this.timer = undefined;
      const [oldest] = this.awaited.values();
      if (oldest !== undefined && oldest.dueMs <= this.clock.monotonic()) this.onMissed(oldest);
      else this.watch();
    });
  }
}
