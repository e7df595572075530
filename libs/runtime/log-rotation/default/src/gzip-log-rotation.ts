import { CLOCK, LOGGER, decodeOptions, type Health } from '@podwright/assembly-interface';
import { abortable, Gate, mapLimit, withDeadline } from '@podwright/concurrency';
import { RUNTIME_SERVICE, type RuntimeService } from '@podwright/cri-client-interface';
import { hasCode, KubeletError, messageOf, type ErrorCode } from '@podwright/errors';
import type { LogRotation } from '@podwright/log-rotation-interface';
import { limitRepeats, type Logger } from '@podwright/logging';
import { RUNTIME_VIEW, type RuntimeView } from '@podwright/pleg-interface';
import { POD_CACHE, type PodCache } from '@podwright/pod-cache-interface';
import type { Clock } from '@podwright/time';
import { lstat } from 'node:fs';
import path from 'node:path';
import { inject, injectable } from 'tsyringe';
import {
  GZIP_LOG_ROTATION_CONFIG,
  gzipLogRotationConfigSchema,
  type GzipLogRotationConfig,
} from './gzip-log-rotation-config.js';
import { LogCompressor } from './log-compressor.js';
import { isMissing, LogFolder } from './log-folder.js';
import { removeUnused, rotateLog } from './rotate-log.js';
import { RunningContainers, type RunningContainer } from './running-containers.js';

export type LogRotationRuntime = Pick<RuntimeService, 'listContainers' | 'containerStatus' | 'reopenContainerLog'>;

export interface GzipLogRotationDeps {
  readonly service: LogRotationRuntime;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Knows the containers without a question to the runtime. */
  readonly view?: RuntimeView;
  /** Knows where logs are without a question to the runtime. */
  readonly cache?: Pick<PodCache, 'get'>;
}

// Containers whose logs are found out at once: a few keep one that hangs from delaying all others.
const parallelLooks = 4;

/**
 * {@link LogRotation} that looks at the sizes of all logs each interval. A look waits for no rotation and a rotation for no
 * compression, so a log grows for one interval beyond its limit at most, as long as the runtime answers.
 */
@injectable()
export class GzipLogRotation implements LogRotation {
  private readonly logger: Logger;
  private readonly containers: RunningContainers;
  private readonly places: Gate;
  private readonly compressor: LogCompressor;
  private readonly stopping = new AbortController();
  // A path does not change while its container lives.
  private paths = new Map<string, string>();
  /** Logs that somebody works on. */
  private readonly busy = new Map<string, Promise<void>>();
  /** Paths whose size the disk was asked for and has not told: a dead one must not take a thread at each look. */
  private readonly asked = new Set<string>();
  /** Containers that are older than this process, until they are met. */
  private untidied: Set<string> | undefined;
  private failure: string | undefined;
  private loop: Promise<void> | undefined;

  constructor(
    @inject(RUNTIME_SERVICE) private readonly service: LogRotationRuntime,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) logger: Logger,
    @inject(GZIP_LOG_ROTATION_CONFIG) private readonly config: GzipLogRotationConfig,
    @inject(RUNTIME_VIEW, { isOptional: true }) view?: RuntimeView,
    @inject(POD_CACHE, { isOptional: true }) cache?: Pick<PodCache, 'get'>,
  ) {
    this.containers = new RunningContainers(service, view, cache);
    this.logger = limitRepeats(logger.with({ logger: 'log-rotation' }), clock);
    this.places = new Gate({ places: config.workers });
    this.compressor = new LogCompressor(config.podLogsDir, config.workers, this.logger);
  }

  async start(): Promise<void> {
    if (this.loop !== undefined || this.stopping.signal.aborted) return;
    const { maxSizeBytes, intervalMs, workers } = this.config;
    if (maxSizeBytes < 0) {
      this.logger.info('Container logs are not rotated: their largest size is negative', { maxSizeBytes });
      return;
    }
    this.logger.info('Initializing container log rotate workers', { workers, monitorPeriodMs: intervalMs });
    this.loop = this.clock.every(intervalMs, () => this.lookInBackground(), this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('log rotation is stopping', { code: 'cancelled' }));
    await Promise.all([this.loop, this.compressor.stop(), ...this.busy.values()]);
  }

  healthy(): Health {
    return { ok: true, ...(this.failure !== undefined && { detail: `logs are not looked at: ${this.failure}` }) };
  }

  async rotateDueLogs(signal?: AbortSignal): Promise<void> {
    const stopping = this.stopping.signal;
    const until = signal === undefined ? stopping : AbortSignal.any([stopping, signal]);
    await abortable(this.look(until), until);
    await abortable(Promise.all(this.busy.values()), until);
    await abortable(this.compressor.whenIdle(), until);
  }

  async clean(logPath: string): Promise<void> {
    await this.alone(logPath, async () => {
      await this.compressor.drop(logPath);
      const folder = await LogFolder.of(this.config.podLogsDir, logPath);
      if (folder === undefined) return;
      try {
        const log = path.basename(logPath);
        const names = (await folder.names()).filter((name) => name.startsWith(log));
        for (const name of names) await folder.remove(name);
      } catch (error) {
        const message = `failed to remove container log ${JSON.stringify(logPath)}: ${messageOf(error)}`;
        throw new KubeletError(message, { code: 'internal', cause: error });
      } finally {
        await folder.close();
      }
    });
  }

  private async lookInBackground(): Promise<void> {
    const { signal } = this.stopping;
    try {
      await abortable(this.look(signal), signal);
      this.failure = undefined;
    } catch (error) {
      if (signal.aborted) return;
      this.failure = messageOf(error);
      this.logger.error('Failed to rotate container logs', { error });
    }
  }

  /** Rotations that it begins are not waited for. */
  private async look(signal: AbortSignal): Promise<void> {
    if (this.config.maxSizeBytes < 0) return;
    const running = await this.containers.list(signal);
    const before = this.paths;
    this.paths = new Map(running.flatMap(({ id }) => (before.has(id) ? [[id, before.get(id) ?? '']] : [])));
    this.untidied ??= new Set(running.map(({ id }) => id));
    const check = (container: RunningContainer): Promise<void> => this.check(container, signal);
    const [known, unknown] = [running.filter(({ id }) => before.has(id)), running.filter(({ id }) => !before.has(id))];
    // Sizes all at once: the threads that ask for them and this one are then woken once, not for each.
    await Promise.all([mapLimit(unknown, parallelLooks, check, signal), ...known.map(check)]);
  }

  private async check(container: RunningContainer, signal: AbortSignal): Promise<void> {
    const containerId = container.id;
    try {
      const { clock } = this;
      const { patienceMs } = this.config;
      const logPath =
        this.paths.get(containerId) ??
        (await withDeadline(clock, patienceMs, (until) => this.meet(container, until), signal));
      if (logPath === '' || this.busy.has(logPath) || this.asked.has(logPath)) return;
      const size = await this.sizeOf(logPath);
      if (signal.aborted || (size !== undefined && size < this.config.maxSizeBytes)) return;
      void this.begin(containerId, logPath, size);
    } catch (error) {
      if (signal.aborted || hasCode(error, 'not-found')) return;
      this.logger.error('Failed to look at container log', { key: containerId, containerId, error });
    }
  }

  /** The first look at a container: where its log is. */
  private async meet(container: RunningContainer, signal: AbortSignal): Promise<string> {
    const logPath = await this.containers.logPathOf(container, signal);
    if (logPath !== '' && !path.isAbsolute(logPath)) {
      throw new KubeletError(`log path ${JSON.stringify(logPath)} is not absolute`, { code: 'failed-precondition' });
    }
    this.paths.set(container.id, logPath);
    if (logPath !== '' && this.untidied?.has(container.id) === true) await this.tidy(logPath);
    this.untidied?.delete(container.id);
    return logPath;
  }

  /** Puts a rotation right that a kubelet before did not end. */
  private async tidy(logPath: string): Promise<void> {
    await this.alone(logPath, async () => {
      const folder = await LogFolder.of(this.config.podLogsDir, logPath);
      if (folder === undefined) return;
      try {
        const name = path.basename(logPath);
        await removeUnused({ path: logPath, name, folder }, { compressor: this.compressor, logger: this.logger });
      } finally {
        await folder.close();
      }
    });
  }

  /** Never rejects. A worker's place is held for the time of patience at most; the log stays busy until the work has ended. */
  private async begin(containerId: string, logPath: string, size: number | undefined): Promise<void> {
    const { signal } = this.stopping;
    const work = this.alone(logPath, async () => {
      const leave = await this.places.enter({ signal });
      const timer = this.clock.setTimer(this.config.patienceMs, leave);
      try {
        await this.rotate(containerId, logPath, signal);
      } finally {
        timer.cancel();
        leave();
      }
    });
    await work.catch((error: unknown) => {
      if (signal.aborted) return;
      const { maxSizeBytes: maxSize } = this.config;
      const fields = { key: containerId, containerId, path: logPath, currentSize: size, maxSize, error };
      this.logger.error('Failed to rotate log for container', fields);
    });
  }

  private async rotate(containerId: string, logPath: string, signal: AbortSignal): Promise<void> {
    const folder = await LogFolder.of(this.config.podLogsDir, logPath);
    if (folder === undefined) return; // the pod is being removed
    try {
      const name = path.basename(logPath);
      let stats = await folder.stat(name);
      if (stats === undefined) {
        // A kubelet died between giving the log another name and telling the runtime, or the container is just being removed.
        let isGone = false;
        await this.service.reopenContainerLog({ containerId }, { signal }).catch((error: unknown) => {
          if (hasCode(error, 'not-found')) return void (isGone = true);
          throw failure(`Container log doesn't exist, reopen container log failed: ${messageOf(error)}`, error);
        });
        if (isGone) return;
        stats = await folder.stat(name);
        if (stats === undefined) throw failure('Failed to stat container log after reopen: no such file or directory');
      }
      if (!stats.isFile()) throw failure(`${logPath} is no regular file`);
      const { maxSizeBytes, maxFiles } = this.config;
      if (stats.size < maxSizeBytes) return;
      const due = { containerId, path: logPath, name, folder, maxFiles, nowMs: this.clock.now() };
      const { service, compressor, logger } = this;
      await rotateLog(due, { service, compressor, logger }, signal);
    } finally {
      await folder.close();
    }
  }

  /** Undefined: there is no such file. Plain calls, as this is done for each log of the node six times a minute. */
  private sizeOf(logPath: string): Promise<number | undefined> {
    const { patienceMs } = this.config;
    return new Promise((resolve, reject) => {
      const fail = (problem: string, code: ErrorCode, cause?: unknown): void =>
        reject(new KubeletError(`Failed to stat container log: ${problem}`, { code, cause }));
      lstat(logPath, (error, stats) => {
        this.asked.delete(logPath);
        timer.cancel();
        if (error === null) resolve(stats.size);
        else if (isMissing(error)) resolve(undefined);
        else fail(messageOf(error), 'internal', error);
      });
      this.asked.add(logPath);
      const timer = this.clock.setTimer(patienceMs, () => fail(`no answer in ${patienceMs} ms`, 'deadline-exceeded'));
    });
  }

  /** One piece of work per log at a time; a further one waits. */
  private async alone(logPath: string, work: () => Promise<void>): Promise<void> {
    for (let other = this.busy.get(logPath); other !== undefined; other = this.busy.get(logPath)) await other;
    const run = work();
    const settled = run.then(
      () => undefined,
      () => undefined,
    );
    this.busy.set(logPath, settled);
    try {
      await run;
    } finally {
      this.busy.delete(logPath);
    }
  }
}

function failure(message: string, cause?: unknown): KubeletError {
  return new KubeletError(message, { code: 'failed-precondition', ...(cause !== undefined && { cause }) });
}

/** Makes one without a container. Throws `invalid-argument` for options out of range. */
export function createGzipLogRotation(
  { service, clock, logger, view, cache }: GzipLogRotationDeps,
  options: Partial<GzipLogRotationConfig> = {},
): GzipLogRotation {
  const config = decodeOptions('log-rotation', gzipLogRotationConfigSchema, options);
  return new GzipLogRotation(service, clock, logger, config, view, cache);
}
