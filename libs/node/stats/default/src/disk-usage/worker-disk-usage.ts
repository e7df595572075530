import { Worker } from 'node:worker_threads';
import { abortable } from '@podwright/concurrency';
import { KubeletError } from '@podwright/errors';
import type { Clock, Timer } from '@podwright/time';
import type { DiskUsageJob, DiskUsageReply } from './disk-usage-worker.js';
import type { DiskUsage, FolderUsage, TreeUsage } from './disk-usage.js';
import { diskUsageWorkerSource } from './worker-source.js';

export interface WorkerDiskUsageOptions {
  /** How long the thread may work on one count; then it returns what it has counted so far. Default 20 000 ms. */
  readonly limitMs?: number;
  /** A thread that does not answer for this long is considered hung in a dead file system. Default 60 000 ms. */
  readonly stuckAfterMs?: number;
  /** The thread ends after this long without work. Default 5000 ms. */
  readonly idleMs?: number;
}

// A thread that hangs in a dead file system cannot be terminated and keeps its memory.
const mostStuckThreads = 2;
// Enough for a million hard-linked files; a larger tree ends the thread, not the kubelet.
const heapMb = 64;

type Work =
  | { readonly kind: 'tree'; readonly path: string }
  | { readonly kind: 'folders'; readonly paths: readonly string[] };

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: KubeletError) => void;
}

/** {@link DiskUsage} in a worker thread that runs only while there is work. */
export class WorkerDiskUsage implements DiskUsage {
  private readonly limitMs: number;
  private readonly stuckAfterMs: number;
  private readonly idleMs: number;
  private readonly waiting = new Map<number, Waiting>();
  private worker: Worker | undefined;
  private ending = new Set<Promise<unknown>>();
  private stuckThreads = 0;
  private idle: Timer | undefined;
  private lastId = 0;
  private stopped = false;

  constructor(
    private readonly clock: Clock,
    { limitMs = 20_000, stuckAfterMs = 60_000, idleMs = 5_000 }: WorkerDiskUsageOptions = {},
  ) {
    this.limitMs = limitMs;
    this.stuckAfterMs = stuckAfterMs;
    this.idleMs = idleMs;
  }

  tree(path: string, signal: AbortSignal): Promise<TreeUsage> {
    return this.run<TreeUsage>({ kind: 'tree', path }, signal);
  }

  folders(paths: readonly string[], signal: AbortSignal): Promise<readonly (FolderUsage | undefined)[]> {
    return this.run<readonly (FolderUsage | undefined)[]>({ kind: 'folders', paths }, signal);
  }

  /** Whether the thread runs. */
  get running(): boolean {
    return this.worker !== undefined;
  }

  /** Rejects the counts in progress. Resolves when the thread has ended; does not wait for one that hangs. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.endThread(new KubeletError('the count was stopped', { code: 'cancelled' }));
    await Promise.all(this.ending);
  }

  private async run<R>(work: Work, signal: AbortSignal): Promise<R> {
    signal.throwIfAborted();
    const worker = this.thread();
    const id = ++this.lastId;
    const deadline = this.clock.deadline(this.stuckAfterMs, signal);
    const answer = new Promise<unknown>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    const job: DiskUsageJob = { ...work, id, limitMs: this.limitMs };
    worker.ref();
    worker.postMessage(job);
    try {
      // The answer comes from our own thread, so its type is known.
      return (await abortable(answer, deadline.signal)) as R;
    } catch (error) {
      if (this.waiting.has(id) && this.worker === worker) {
        if (signal.aborted) worker.postMessage({ kind: 'cancel', id });
        else this.abandonThread(worker);
      }
      throw error;
    } finally {
      deadline.dispose();
      this.waiting.delete(id);
      answer.catch(() => undefined);
      this.rest();
    }
  }

  private thread(): Worker {
    if (this.stopped) throw new KubeletError('disk usage is stopped', { code: 'cancelled' });
    this.idle?.cancel();
    this.idle = undefined;
    if (this.worker !== undefined) return this.worker;
    if (this.stuckThreads >= mostStuckThreads) {
      throw new KubeletError('file systems that were measured before do not answer', { code: 'unavailable' });
    }
    const worker = new Worker(diskUsageWorkerSource(), {
      eval: true,
      name: 'disk-usage',
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 4 },
    });
    worker.on('message', (reply: DiskUsageReply) => this.answer(reply));
    // `exit` follows `error`.
    let cause: unknown;
    worker.on('error', (error) => (cause = error));
    worker.on('exit', () => {
      if (this.worker !== worker) return;
      this.worker = undefined;
      this.rejectAll(new KubeletError('the thread that measures disk usage ended', { code: 'unavailable', cause }));
    });
    this.worker = worker;
    return worker;
  }

  private answer(reply: DiskUsageReply): void {
    const waiting = this.waiting.get(reply.id);
    if (waiting === undefined) return;
    if ('result' in reply) return waiting.resolve(reply.result);
    const code = reply.error.code === 'ENOENT' ? 'not-found' : 'unknown';
    waiting.reject(new KubeletError(reply.error.message, { code }));
  }

  private rest(): void {
    if (this.waiting.size > 0 || this.worker === undefined) return;
    this.worker.unref();
    this.idle?.cancel();
    this.idle = this.clock.setTimer(this.idleMs, () => {
      this.endThread(new KubeletError('the thread that measures disk usage was idle', { code: 'cancelled' }));
    });
  }

  private endThread(reason: KubeletError): void {
    this.idle?.cancel();
    const { worker } = this;
    this.worker = undefined;
    if (worker !== undefined) {
      const ended = worker.terminate().finally(() => this.ending.delete(ended));
      this.ending.add(ended);
    }
    this.rejectAll(reason);
  }

  /** Gives up a thread that hangs in a kernel call; the other counts continue in a new thread. */
  private abandonThread(worker: Worker): void {
    this.worker = undefined;
    this.stuckThreads++;
    worker.unref();
    void worker.terminate().finally(() => this.stuckThreads--);
    this.rejectAll(new KubeletError('a file system that is measured does not answer', { code: 'unavailable' }));
  }

  private rejectAll(reason: KubeletError): void {
    for (const { reject } of this.waiting.values()) reject(reason);
    this.waiting.clear();
  }
}
