import { CLOCK, LOGGER, decodeOptions } from '@podwright/assembly-interface';
import type { Health } from '@podwright/assembly-interface';
import { EVENT_RECORDER } from '@podwright/events-interface';
import type { EventRecorder } from '@podwright/events-interface';
import type { Logger } from '@podwright/logging';
import type { OomKill, OomWatcher } from '@podwright/oom-watcher-interface';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { openKernelLog, type KernelLog, type OpenKernelLog } from './kernel-log.js';
import { KMSG_OOM_WATCHER_CONFIG, kmsgOomWatcherConfigSchema } from './kmsg-oom-watcher-config.js';
import type { KmsgOomWatcherConfig } from './kmsg-oom-watcher-config.js';
import { OomMessages } from './oom-messages.js';

// A kernel that never stops talking must not keep the process reading.
const mostMessagesPerLook = 20_000;

/**
 * {@link OomWatcher} that reads the kernel's messages every few seconds. `/dev/kmsg` could tell when there is something to
 * read, but not to Node, which watches no character devices; a look that finds nothing is one system call.
 * Source: kubernetes v1.36 pkg/kubelet/oom/oom_watcher_linux.go.
 */
@injectable()
export class KmsgOomWatcher implements OomWatcher {
  private readonly listeners = new Set<(kill: OomKill) => void>();
  private readonly stopping = new AbortController();
  private readonly logger: Logger;
  private readonly messages = new OomMessages();
  private loop: Promise<void> | undefined;
  private openLog: OpenKernelLog = openKernelLog;

  constructor(
    @inject(EVENT_RECORDER) private readonly events: EventRecorder,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) logger: Logger,
    @inject(KMSG_OOM_WATCHER_CONFIG) private readonly config: KmsgOomWatcherConfig,
  ) {
    this.logger = logger.with({ logger: 'oom-watcher' });
  }

  /** For specs: where messages come from. Before `start()`. */
  readFrom(openLog: OpenKernelLog): this {
    this.openLog = openLog;
    return this;
  }

  async start(): Promise<void> {
    this.loop ??= this.run(this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  // A node without the kernel's messages works; that they are missing was told.
  healthy(): Health {
    return { ok: true };
  }

  watch(listener: (kill: OomKill) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private async run(signal: AbortSignal): Promise<void> {
    let log: KernelLog | undefined;
    const reading = new AbortController();
    const stop = (): void => reading.abort();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) return;
    try {
      const opened = (log = await this.openLog(this.config.file));
      // Reading a long history takes a tenth of a second of CPU, which the start of the node has better use for.
      const stopped = (): void => undefined; // nothing is read then
      await this.clock.sleep(this.config.pollPeriodMs, reading.signal).catch(stopped);
      // What is there already was told by whoever ran when it happened.
      await this.read(opened, () => undefined, reading.signal);
      const look = async (): Promise<void> => {
        try {
          await this.read(opened, (message) => this.take(message), reading.signal);
        } catch (error) {
          this.tellUnreadable(error);
          reading.abort();
        }
      };
      await this.clock.every(this.config.pollPeriodMs, look, reading.signal);
    } catch (error) {
      this.tellUnreadable(error);
    } finally {
      signal.removeEventListener('abort', stop);
      await log?.close().catch((error: unknown) => this.logger.warn('kernel log could not be closed', { error }));
    }
  }

  private async read(log: KernelLog, take: (message: string) => void, signal: AbortSignal): Promise<void> {
    for (let count = 0; count < mostMessagesPerLook && !signal.aborted; count++) {
      const message = await log.next();
      if (message === undefined) return;
      take(message);
    }
  }

  private take(message: string): void {
    const kill = this.messages.next(message);
    if (kill === undefined) return;
    this.logger.debug(1, 'process killed for want of memory', { ...kill });
    // Another limit than that of the system is the business of the pod: its container's status tells.
    if (kill.limitCgroup === '/') this.record(kill);
    for (const listener of this.listeners) {
      try {
        listener(kill);
      } catch (error) {
        this.logger.error('listener of kills for want of memory failed', { error });
      }
    }
  }

  private record({ processName, pid }: OomKill): void {
    const victim = processName !== '' && pid !== 0 ? `, victim process: ${processName}, pid: ${pid}` : '';
    this.events.event({ kind: 'Node' }, 'Warning', 'SystemOOM', `System OOM encountered${victim}`);
  }

  private tellUnreadable(error: unknown): void {
    this.logger.warn('kernel messages cannot be read: kills for want of memory of the system are not told', {
      file: this.config.file,
      error,
    });
  }
}

export interface KmsgOomWatcherDeps {
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Where messages come from. Default: the file of the options. */
  readonly openLog?: OpenKernelLog;
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createOomWatcher(
  { events, clock, logger, openLog = openKernelLog }: KmsgOomWatcherDeps,
  options: Partial<KmsgOomWatcherConfig> = {},
): KmsgOomWatcher {
  const config = decodeOptions('oom-watcher', kmsgOomWatcherConfigSchema, options);
  return new KmsgOomWatcher(events, clock, logger, config).readFrom(openLog);
}
