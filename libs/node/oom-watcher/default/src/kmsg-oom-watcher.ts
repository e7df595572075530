import { CLOCK, LOGGER, decodeOptions, needs, optional, type Needs } from '@podwright/assembly-interface';
import type { Health } from '@podwright/assembly-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import { EVENT_RECORDER } from '@podwright/events-interface';
import { JOURNAL } from '@podwright/journal-interface';
import type { Logger } from '@podwright/logging';
import { runsInUserNamespace } from '@podwright/machine';
import type { OomKill, OomWatcher } from '@podwright/oom-watcher-interface';
import { linkSignals, yieldToEventLoop } from '@podwright/time';
import { lost, openKernelLog, skipped, type KernelLog, type OpenKernelLog } from './kernel-log.js';
import { kmsgOomWatcherConfigSchema } from './kmsg-oom-watcher-config.js';
import type { KmsgOomWatcherConfig } from './kmsg-oom-watcher-config.js';
import { killedPod } from './killed-pod.js';
import { OomMessages } from './oom-messages.js';

// A kernel that logs without end must not keep the process reading.
const mostMessagesPerLook = 20_000;
/** Then others run: a millisecond at most, also while many write. */
const messagesAtOnce = 50;
/** A flood goes on for long. */
const lostToldEachMs = 60_000;

export const oomWatcherNeeds = needs({
  events: EVENT_RECORDER,
  clock: CLOCK,
  logger: LOGGER,
  journal: optional(JOURNAL),
});
export type OomWatcherNeeds = Needs<typeof oomWatcherNeeds>;

/**
 * {@link OomWatcher} that polls the kernel's messages every few seconds. Node cannot wait for `/dev/kmsg` to become
 * readable, as it watches no character devices; a poll that finds nothing costs one system call.
 * Source: kubernetes v1.36 pkg/kubelet/oom/oom_watcher_linux.go.
 */
export class KmsgOomWatcher implements OomWatcher {
  private readonly listeners = new Set<(kill: OomKill) => void>();
  private readonly stopping = new AbortController();
  private readonly logger: Logger;
  private readonly messages = new OomMessages();
  private tellLostAt = -Infinity;
  private starting: Promise<void> | undefined;
  private loop: Promise<void> | undefined;

  constructor(
    private readonly deps: OomWatcherNeeds,
    private readonly config: KmsgOomWatcherConfig,
    private readonly openLog: OpenKernelLog = openKernelLog,
    private readonly inUserNamespaceNow: () => Promise<boolean> = runsInUserNamespace,
  ) {
    this.logger = deps.logger.with({ logger: 'oom-watcher' });
  }

  /** Rejects in a user namespace that may not read the messages, unless the gate is on. */
  start(): Promise<void> {
    return (this.starting ??= this.open());
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.starting?.catch(() => undefined); // who called start has the failure
    await this.loop;
  }

  // A node works without the kernel's messages; the log reports that they are missing.
  healthy(): Health {
    return { ok: true };
  }

  watch(listener: (kill: OomKill) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private async open(): Promise<void> {
    const { file, inUserNamespace } = this.config;
    const log = await this.openLog(file).catch(async (error: unknown) => {
      const rootless = await this.inUserNamespaceNow().catch(() => false); // the error at hand matters more
      if (rootless && !inUserNamespace) throw refusal(file, error);
      if (rootless)
        this.logger.debug(2, 'Failed to create an oomWatcher (running in UserNS, ignoring)', { file, error });
      else this.tellUnreadable(error);
      return undefined;
    });
    if (log !== undefined) this.loop = this.run(log, this.stopping.signal);
  }

  private async run(log: KernelLog, signal: AbortSignal): Promise<void> {
    const reading = linkSignals(signal);
    try {
      // Skipping a long history takes a tenth of a second of CPU, which the start of the node needs more.
      const stopped = (): void => undefined; // nothing is read then
      await this.deps.clock.sleep(this.config.pollPeriodMs, reading.signal).catch(stopped);
      // Skip old messages: the kubelet that ran at their time reported them.
      await this.read(log, { take: () => undefined, tellLost: () => undefined }, reading.signal);
      const reader = { take: (message: string) => this.take(message), tellLost: () => this.tellLost() };
      const look = async (): Promise<void> => {
        try {
          await this.read(log, reader, reading.signal);
        } catch (error) {
          this.tellUnreadable(error);
          reading.abort();
        }
      };
      await this.deps.clock.every(this.config.pollPeriodMs, look, reading.signal);
    } catch (error) {
      this.tellUnreadable(error);
    } finally {
      reading.dispose();
      await log.close().catch((error: unknown) => this.logger.warn('kernel log could not be closed', { error }));
    }
  }

  private async read(
    log: KernelLog,
    reader: { take(message: string): void; tellLost(): void },
    signal: AbortSignal,
  ): Promise<void> {
    for (let count = 0; count < mostMessagesPerLook && !signal.aborted; count++) {
      if (count % messagesAtOnce === messagesAtOnce - 1) await yieldToEventLoop();
      const message = log.next();
      if (message === undefined) return;
      if (message === lost) reader.tellLost();
      else if (message !== skipped) reader.take(message);
    }
  }

  private take(message: string): void {
    const kill = this.messages.next(message);
    if (kill === undefined) return;
    this.logger.debug(1, 'process killed for want of memory', { ...kill });
    const { processName: process, containerCgroup: cgroup, ...rest } = kill;
    this.deps.journal?.report({ kind: 'oom.killed', ...killedPod(cgroup), process, cgroup, ...rest });
    // Kills at other limits concern a pod, whose container status reports them.
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
    this.deps.events.event({ kind: 'Node' }, 'Warning', 'SystemOOM', `System OOM encountered${victim}`);
  }

  private tellLost(): void {
    const now = this.deps.clock.monotonic();
    if (now < this.tellLostAt) return;
    this.tellLostAt = now + lostToldEachMs;
    this.logger.warn('Messages of the kernel were overwritten before they were read: kills may be missing', {
      file: this.config.file,
    });
  }

  private tellUnreadable(error: unknown): void {
    const { file } = this.config;
    this.logger.warn('kernel log cannot be read: system OOM kills are not reported', { file, error });
  }
}

function refusal(file: string, cause: unknown): KubeletError {
  const hint =
    'Failed to create an oomWatcher (running in UserNS, Hint: enable KubeletInUserNamespace feature flag to ignore the error)';
  return new KubeletError(`${hint}: ${file}: ${messageOf(cause)}`, { code: 'failed-precondition', cause });
}

/**
 * Creates one without an assembly. `openLog`: where messages come from. `inUserNamespaceNow`: whether the process is
 * in a user namespace. Throws `invalid-argument` for options out of range.
 */
export function createOomWatcher(
  {
    openLog,
    inUserNamespaceNow,
    ...deps
  }: OomWatcherNeeds & { readonly openLog?: OpenKernelLog; readonly inUserNamespaceNow?: () => Promise<boolean> },
  options: Partial<KmsgOomWatcherConfig> = {},
): KmsgOomWatcher {
  return new KmsgOomWatcher(
    deps,
    decodeOptions('oom-watcher', kmsgOomWatcherConfigSchema, options),
    openLog,
    inUserNamespaceNow,
  );
}
