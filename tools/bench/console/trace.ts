import type { CDPSession } from 'playwright-core';

/** One task of the page's main thread, during which it draws nothing. */
export interface TracedTask {
  /** What it needed of a processor: on a busy machine this says more than the clock. */
  readonly cpuMs: number;
  readonly wallMs: number;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** Chromium's own record of what a page does. */
export class Trace {
  private readonly events: TraceEvent[] = [];

  private constructor(private readonly session: CDPSession) {
    session.on('Tracing.dataCollected', ({ value }) => this.events.push(...(value as unknown as TraceEvent[])));
  }

  static async start(session: CDPSession): Promise<Trace> {
    const trace = new Trace(session);
    await session.send('Tracing.start', { traceConfig: { includedCategories: ['toplevel', '__metadata'] } });
    return trace;
  }

  /** Ends the record. */
  async tasks(): Promise<readonly TracedTask[]> {
    const complete = new Promise<void>((resolve) => this.session.once('Tracing.tracingComplete', () => resolve()));
    await this.session.send('Tracing.end');
    await complete;
    const mainThreads = new Set(
      this.events
        .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
        .map(({ pid, tid }) => `${pid} ${tid}`),
    );
    if (mainThreads.size === 0) throw new Error("the trace names no page's main thread");
    return this.events
      .filter(({ name, pid, tid }) => name === 'ThreadControllerImpl::RunTask' && mainThreads.has(`${pid} ${tid}`))
      .map(({ dur = 0, tdur = 0 }) => ({ cpuMs: tdur / 1000, wallMs: dur / 1000 }));
  }
}
