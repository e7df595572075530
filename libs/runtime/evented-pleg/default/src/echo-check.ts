import type { Clock, Timer } from '@podwright/time';
import { created, exited, running } from './event-news.js';
import type { Progress } from './event-news.js';

/** A change that a look has found. */
export interface FoundChange {
  readonly podUid: string;
  readonly containerId: string;
  readonly progress: Progress;
}

// Events without a change that goes with them, doubled ones for example: the oldest are forgotten.
const mostTold = 2000;

/**
 * Tells whether the event stream is alive: what a look finds out has to be told by an event as well, sooner or later. A stream
 * that says nothing is alive as long as nothing happens, so silence alone proves nothing.
 */
export class EchoCheck {
  private readonly told = new Map<string, Progress>();
  /** Containers that looks have found running. */
  private readonly ran = new Set<string>();
  private readonly awaited = new Map<string, FoundChange & { readonly dueMs: number }>();
  private timer: Timer | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly timeoutMs: number,
    private readonly onMissed: (change: FoundChange) => void,
  ) {}

  /** An event came. True when a look had found the same before. */
  tell(containerId: string, progress: Progress): boolean {
    const change = this.awaited.get(containerId);
    if (change !== undefined && progress >= change.progress) {
      this.awaited.delete(containerId);
      return true;
    }
    const before = this.told.get(containerId);
    this.told.delete(containerId); // so that the map stays in the order of arrival
    // One that was overtaken by a later one takes nothing back.
    this.told.set(containerId, before !== undefined && before > progress ? before : progress);
    const [oldest] = this.told.size > mostTold ? this.told.keys() : [];
    if (oldest !== undefined) this.told.delete(oldest);
    return false;
  }

  /** A look found a change. True when an event had told it before; else, when `demanded`, one has to within the time-out. */
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

  /** A look found that a container is gone. */
  forget(containerId: string): void {
    this.ran.delete(containerId);
  }

  // A container that cannot be started has ended without having run: containerd tells only that it was created.
  private progressToBeTold({ containerId, progress }: FoundChange, told: Progress | undefined): Progress {
    if (progress === running) this.ran.add(containerId);
    const hasRun = this.ran.has(containerId) || (told !== undefined && told >= running);
    return progress === exited && !hasRun ? created : progress;
  }

  /** Forgets what the stream has told or still had to tell: it has ended. */
  clear(): void {
    this.timer?.cancel();
    this.timer = undefined;
    this.told.clear();
    this.awaited.clear();
  }

  private watch(): void {
    if (this.timer !== undefined) return;
    // In order of their time: each is due equally long after it was found.
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
