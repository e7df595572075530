import type { ConsoleMessages } from '@podwright/console-interface';
import type { JournalEntry } from '@podwright/journal-interface';
import type { Clock, Timer } from '@podwright/time';

const periodMs = 250;
const mostEntries = 200;

/** Collects entries and tells them at most four times a second. */
export class JournalBatch {
  private entries: JournalEntry[] = [];
  private dropped = 0;
  private timer: Timer | undefined;

  constructor(
    private readonly clock: Pick<Clock, 'setTimer'>,
    private readonly tell: (batch: ConsoleMessages['journal']) => void,
  ) {}

  add(entry: JournalEntry): void {
    this.entries.push(entry);
    // Cut now and then: shifting each time would cost too much.
    if (this.entries.length >= 2 * mostEntries) this.cut();
    this.timer ??= this.clock.setTimer(periodMs, () => this.flush());
  }

  stop(): void {
    this.timer?.cancel();
    this.timer = undefined;
    this.entries = [];
  }

  private cut(): void {
    const surplus = Math.max(0, this.entries.length - mostEntries);
    this.entries = this.entries.slice(surplus);
    this.dropped += surplus;
  }

  private flush(): void {
    this.cut();
    const { entries, dropped } = this;
    this.entries = [];
    this.dropped = 0;
    this.timer = undefined;
    this.tell({ entries, ...(dropped > 0 && { dropped }) });
  }
}
