import type { LanePhase, LaneSpan } from '@podwright/console-interface';
import type { JournalEntry } from '@podwright/journal-interface';

// Nobody sees less.
const shortestMs = 1;

interface Open {
  readonly phase: LanePhase;
  readonly of: string | undefined;
  readonly fromMs: number;
}

/** Makes spans of a pod's entries, which it takes oldest first. What is over is known at its end, with how long it took. */
export class LaneSpans {
  private readonly closed: LaneSpan[] = [];
  private readonly open = new Map<string, Open>();
  private readonly running = new Set<string>();

  /** Those that last have no end. */
  all(): readonly LaneSpan[] {
    const lasting = [...this.open.values()].map(({ phase, fromMs, of }) => span(phase, fromMs, undefined, of));
    return [...this.closed, ...lasting];
  }

  take(entry: JournalEntry): void {
    const { atMs } = entry;
    switch (entry.kind) {
      case 'pod.received':
        return entry.operation === 'add' ? this.begin('queue', atMs) : undefined;
      case 'pod.refused':
        return entry.operation === 'add' ? this.endAll(atMs) : undefined;
      case 'pod.sync':
        return entry.state === 'sync' ? this.end('queue', Math.max(0, atMs - entry.durationMs)) : undefined;
      case 'volume.mounted':
        this.end('queue', atMs - entry.waitedMs);
        return this.add('volumes', atMs - entry.waitedMs, atMs, entry.volume);
      case 'volumes.waiting':
        if (entry.operation === 'unmount') return undefined;
        this.end('queue', atMs - entry.waitedMs);
        return this.begin('volumes', atMs - entry.waitedMs);
      case 'volumes.ready':
        this.end('queue', atMs - entry.waitedMs);
        return this.end('volumes', atMs);
      case 'sandbox.created':
      case 'sandbox.failed':
        return this.sandbox(atMs, entry.durationMs, entry.kind === 'sandbox.created' ? entry.waitedMs : 0);
      case 'image.pull':
        return this.image(entry);
      case 'pod.ending':
        this.end('queue', atMs);
        this.end('ready', atMs);
        this.endOf('back-off', atMs);
        return this.begin('ending', atMs);
      case 'pod.ended':
        return this.endAll(atMs);
      case 'status.changed':
        return entry.ready ? this.begin('ready', atMs) : this.end('ready', atMs);
      default:
        return this.container(entry);
    }
  }

  private container(entry: JournalEntry): void {
    const { atMs } = entry;
    switch (entry.kind) {
      case 'container.started': {
        const { container, durationMs, containerId, type } = entry;
        this.end('queue', atMs - durationMs);
        this.end('back-off', atMs - durationMs, container);
        this.add('start', atMs - durationMs, atMs, container);
        this.running.add(containerId);
        return type === 'init' ? undefined : this.begin('running', atMs);
      }
      case 'container.exited': {
        const endedMs = entry.finishedAtMs ?? atMs;
        this.running.delete(entry.containerId);
        return this.running.size === 0 ? this.end('running', endedMs) : undefined;
      }
      case 'container.failed':
        return this.end('start', atMs, entry.container);
      case 'container.restart':
        return entry.action === 'waits'
          ? this.begin('back-off', atMs, entry.container)
          : this.end('back-off', atMs, entry.container);
      default:
        return undefined;
    }
  }

  private sandbox(atMs: number, durationMs: number, waitedMs: number): void {
    const fromMs = atMs - durationMs;
    this.end('queue', fromMs - waitedMs);
    if (waitedMs >= 1) this.add('queue', fromMs - waitedMs, fromMs);
    this.add('sandbox', fromMs, atMs);
  }

  private image({ atMs, image, state }: JournalEntry<'image.pull'>): void {
    if (state === 'queued' || state === 'pulling') {
      this.end('queue', atMs);
      return this.begin('image', atMs, image);
    }
    return this.end('image', atMs, image);
  }

  /** One that lasts already goes on. */
  private begin(phase: LanePhase, fromMs: number, of?: string): void {
    const key = keyOf(phase, of);
    if (!this.open.has(key)) this.open.set(key, { phase, fromMs, of });
  }

  private end(phase: LanePhase, untilMs: number, of?: string): void {
    const key = keyOf(phase, of);
    const open = this.open.get(key);
    if (open === undefined) return;
    this.open.delete(key);
    this.add(phase, open.fromMs, Math.max(open.fromMs, untilMs), of);
  }

  private endOf(phase: LanePhase, untilMs: number): void {
    for (const each of [...this.open.values()]) if (each.phase === phase) this.end(phase, untilMs, each.of);
  }

  private endAll(untilMs: number): void {
    for (const { phase, of } of [...this.open.values()]) this.end(phase, untilMs, of);
    this.running.clear();
  }

  private add(phase: LanePhase, fromMs: number, untilMs: number, of?: string): void {
    if (untilMs - fromMs >= shortestMs) this.closed.push(span(phase, fromMs, untilMs, of));
  }
}

const keyOf = (phase: LanePhase, of: string | undefined): string => (of === undefined ? phase : `${phase} ${of}`);

const span = (phase: LanePhase, fromMs: number, untilMs: number | undefined, of: string | undefined): LaneSpan => ({
  ...{ phase, fromMs: Math.round(fromMs) },
  ...(untilMs !== undefined && { untilMs: Math.round(untilMs) }),
  ...(of !== undefined && { of }),
});
