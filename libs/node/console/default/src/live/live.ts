import type { ConsoleMessage } from '@podwright/console-interface';
import { KubeletError } from '@podwright/errors';
import { onAbort, type Timer } from '@podwright/time';
import { historyMs } from '../history-window.js';
import type { ConsoleConfig } from '../console-config.js';
import type { ConsoleParts } from '../console-needs.js';
import { SampleHistory } from '../node/sample-history.js';
import { LiveSession } from './live-session.js';
import { Watcher } from './watcher.js';

// A browser reads at once what comes; whoever does not is asleep or gone.
const slowestMs = 60_000;

interface Session {
  readonly session: LiveSession;
  readonly opened: Promise<void>;
}

/** Those who watch, and what they are told. */
export class Live {
  private readonly watchers = new Set<Watcher>();
  private readonly history = new SampleHistory();
  private readonly ending = new Set<Promise<void>>();
  private current: Session | undefined;
  private forgetting: Timer | undefined;
  private isStopped = false;

  constructor(
    private readonly parts: ConsoleParts,
    private readonly config: Pick<ConsoleConfig, 'nodeName' | 'hostRoot' | 'maxWatchers'> & {
      readonly startedMs: number;
    },
  ) {}

  get count(): number {
    return this.watchers.size;
  }

  watch(signal: AbortSignal): AsyncIterable<ConsoleMessage> {
    if (this.isStopped) throw new KubeletError('the console is stopped', { code: 'unavailable' });
    const { maxWatchers } = this.config;
    if (this.watchers.size >= maxWatchers) {
      const message = `${maxWatchers} browsers or programs watch this node's console already; close one of them`;
      throw new KubeletError(message, { code: 'resource-exhausted' });
    }
    const watcher = new Watcher(() => this.parts.clock.monotonic());
    this.watchers.add(watcher);
    this.forgetting?.cancel();
    const unsubscribe = onAbort(signal, () => this.leave(watcher));
    const session = (this.current ??= this.begin());
    session.opened
      .then(() => watcher.welcome(session.session.snapshot()))
      .catch((error: unknown) => this.leave(watcher, error));
    if (signal.aborted) this.leave(watcher);
    return this.messagesOf(watcher, unsubscribe);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    for (const watcher of [...this.watchers]) this.leave(watcher);
    this.forgetting?.cancel();
    this.history.clear();
    await Promise.all(this.ending);
  }

  private begin(): Session {
    const session = new LiveSession(this.parts, this.config, this.history, (message) => this.tell(message));
    return { session, opened: session.open() };
  }

  private tell(message: ConsoleMessage): void {
    const now = this.parts.clock.monotonic();
    for (const watcher of [...this.watchers]) {
      if (now - (watcher.slowSinceMs ?? now) > slowestMs) this.leave(watcher);
      else watcher.tell(message);
    }
  }

  private leave(watcher: Watcher, error?: unknown): void {
    watcher.end(error);
    if (!this.watchers.delete(watcher) || this.watchers.size > 0) return;
    const { current } = this;
    this.current = undefined;
    const ending = (current?.session.stop() ?? Promise.resolve()).finally(() => this.ending.delete(ending));
    this.ending.add(ending);
    if (!this.isStopped) this.forgetting = this.parts.clock.setTimer(historyMs, () => this.history.clear());
  }

  private async *messagesOf(watcher: Watcher, unsubscribe: () => void): AsyncGenerator<ConsoleMessage> {
    try {
      yield* watcher.messages();
    } finally {
      unsubscribe();
      this.leave(watcher);
    }
  }
}
