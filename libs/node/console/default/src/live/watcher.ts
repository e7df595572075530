import type {
  ConsoleMessage,
  ConsoleMessageName,
  ConsoleMessages,
  ConsoleSnapshot,
  ListChange,
} from '@podwright/console-interface';
import type { JournalEntry } from '@podwright/journal-interface';

// As many as a page shows at once.
const mostEntries = 200;

type State = 'sample' | 'node' | 'facts' | 'images';
const stateNames: readonly State[] = ['facts', 'node', 'images', 'sample'];

/** Changes of a list that nobody has taken yet, joined: what came and went in between is not told. */
class PendingChanges<T extends { readonly uid: string }> {
  private readonly byUid = new Map<string, T | undefined>();

  add({ changed, removed }: ListChange<T>): void {
    for (const each of changed) this.byUid.set(each.uid, each);
    for (const uid of removed) this.byUid.set(uid, undefined);
  }

  take(): ListChange<T> | undefined {
    if (this.byUid.size === 0) return undefined;
    const all = [...this.byUid];
    this.byUid.clear();
    return {
      changed: all.flatMap(([, value]) => value ?? []),
      removed: all.flatMap(([uid, value]) => (value === undefined ? [uid] : [])),
    };
  }
}

/**
 * What waits for one watcher. It holds the newest of each state and joins changes, so a watcher that takes nothing costs
 * no more than one that has not taken the last message.
 */
export class Watcher {
  private hello: ConsoleSnapshot | undefined;
  private isWelcome = false;
  private readonly states = new Map<State, ConsoleMessage>();
  private readonly pods = new PendingChanges<ListChangeOf<'pods'>>();
  private readonly lanes = new PendingChanges<ListChangeOf<'lanes'>>();
  private entries: readonly JournalEntry[] = [];
  private dropped = 0;
  private wake: (() => void) | undefined;
  private over: { readonly error?: unknown } | undefined;
  private waitsSinceMs: number | undefined;

  /** `now`: monotonic milliseconds. */
  constructor(private readonly now: () => number) {}

  /** Since when something waits to be taken; undefined when nothing does. */
  get slowSinceMs(): number | undefined {
    return this.waitsSinceMs;
  }

  /** What is told before is part of the snapshot. */
  welcome(snapshot: ConsoleSnapshot): void {
    this.hello = snapshot;
    this.isWelcome = true;
    this.woken();
  }

  tell(message: ConsoleMessage): void {
    if (!this.isWelcome || this.over !== undefined) return;
    if (message.name === 'pods') this.pods.add(message.data);
    else if (message.name === 'lanes') this.lanes.add(message.data);
    else if (message.name === 'journal') this.addEntries(message.data);
    else if (message.name !== 'hello') this.states.set(message.name, message);
    this.woken();
  }

  /** Its messages end; with an error, they fail. What waits is let go. */
  end(error?: unknown): void {
    this.over ??= error === undefined ? {} : { error };
    this.hello = undefined;
    this.states.clear();
    this.pods.take();
    this.lanes.take();
    this.entries = [];
    this.woken();
  }

  async *messages(): AsyncGenerator<ConsoleMessage, void, undefined> {
    for (;;) {
      const next = this.take();
      if (next !== undefined) {
        yield next;
        continue;
      }
      if (this.over !== undefined) {
        if ('error' in this.over) throw this.over.error;
        return;
      }
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  private take(): ConsoleMessage | undefined {
    const next = this.first();
    this.waitsSinceMs = next === undefined ? undefined : this.now();
    return next;
  }

  private first(): ConsoleMessage | undefined {
    const { hello } = this;
    if (hello !== undefined) {
      this.hello = undefined;
      return { name: 'hello', data: hello };
    }
    const pods = this.pods.take();
    if (pods !== undefined) return { name: 'pods', data: pods };
    const lanes = this.lanes.take();
    if (lanes !== undefined) return { name: 'lanes', data: lanes };
    for (const name of stateNames) {
      const state = this.states.get(name);
      this.states.delete(name);
      if (state !== undefined) return state;
    }
    return this.takeEntries();
  }

  private addEntries({ entries, dropped = 0 }: ConsoleMessages['journal']): void {
    const all = this.entries.length === 0 ? entries : [...this.entries, ...entries];
    this.entries = all.slice(-mostEntries);
    this.dropped += dropped + all.length - this.entries.length;
  }

  private takeEntries(): ConsoleMessage | undefined {
    const { entries, dropped } = this;
    if (entries.length === 0) return undefined;
    this.entries = [];
    this.dropped = 0;
    return { name: 'journal', data: { entries, ...(dropped > 0 && { dropped }) } };
  }

  private woken(): void {
    this.waitsSinceMs ??= this.now();
    this.wake?.();
    this.wake = undefined;
  }
}

type ListChangeOf<N extends ConsoleMessageName> = ConsoleMessages[N] extends ListChange<infer T> ? T : never;
