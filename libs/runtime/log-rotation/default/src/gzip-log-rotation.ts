import { CLOCK, LOGGER, needs, optional, pick, type Health, type Needs } from '@podwright/assembly-interface';
import { abortable, Gate, mapLimit, withDeadline } from '@podwright/concurrency';
import { RUNTIME_SERVICE, type RuntimeService } from '@podwright/cri-client-interface';
import { hasCode, isMissing, KubeletError, messageOf, type ErrorCode } from '@podwright/errors';
import type { LogRotation } from '@podwright/log-rotation-interface';
import { limitRepeats, type Logger } from '@podwright/logging';
import { RUNTIME_VIEW } from '@podwright/evented-pleg-interface';
import { POD_CACHE } from '@podwright/pod-cache-interface';
import { lstat } from 'node:fs';
import path from 'node:path';
import { withLinkedSignal } from '@podwright/time';
import type { GzipLogRotationConfig } from './gzip-log-rotation-config.js';
import { LogCompressor } from './log-compressor.js';
import { isLogOf, openLogFolder } from './log-folder.js';
import { removeUnused, rotateLog } from './rotate-log.js';
import { RunningContainers, type RunningContainer } from './running-containers.js';

export type LogRotationRuntime = Pick<RuntimeService, 'listContainers' | 'containerStatus' | 'reopenContainerLog'>;

// Containers whose log path is looked up at the same time; with several, one that hangs does not delay all others.
const parallelChecks = 4;

export const logRotationNeeds = needs({
  service: pick(RUNTIME_SERVICE, 'listContainers', 'containerStatus', 'reopenContainerLog'),
  clock: CLOCK,
  logger: LOGGER,
  /** Knows the running containers without a call to the runtime. */
  view: optional(RUNTIME_VIEW),
  /** Knows the log paths without a call to the runtime. */
  cache: optional(pick(POD_CACHE, 'get')),
});
export type LogRotationNeeds = Needs<typeof logRotationNeeds>;

/**
 * {@link LogRotation} that checks the size of all logs each interval. A check does not wait for rotations, and a
 * rotation does not wait for compression. So a log exceeds its limit by one interval at most, as long as the runtime
 * answers.
 */
export class GzipLogRotation implements LogRotation {
  private readonly logger: Logger;
  private readonly containers: RunningContainers;
  private readonly places: Gate;
  private readonly compressor: LogCompressor;
  private readonly stopping = new AbortController();
  // A container's log path does not change.
  private paths = new Map<string, string>();
  /** Unfinished work by log path. */
  private readonly busy = new Map<string, Promise<void>>();
  /** Paths with an unanswered stat call: a disk that hangs must not take another thread at each check. */
  private readonly asked = new Set<string>();
  /**
   * Containers that were running when this process began and have not been checked yet; undefined before the first
   * check.
   */
  private untidied: Set<string> | undefined;
  private failure: string | undefined;
  private loop: Promise<void> | undefined;

  constructor(
    private readonly deps: LogRotationNeeds,
    private readonly config: GzipLogRotationConfig,
  ) {
    const { service, clock, logger, view, cache } = deps;
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
    this.loop = this.deps.clock.every(intervalMs, () => this.checkInBackground(), this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('log rotation is stopping', { code: 'cancelled' }));
    await Promise.all([this.loop, this.compressor.stop(), ...this.busy.values()]);
  }

  healthy(): Health {
    return { ok: true, ...(this.failure !== undefined && { detail: `logs are not checked: ${this.failure}` }) };
  }

  rotateDueLogs(signal?: AbortSignal): Promise<void> {
    return withLinkedSignal([this.stopping.signal, signal], async (until) => {
      await abortable(this.checkAll(until), until);
      await abortable(Promise.all(this.busy.values()), until);
      await abortable(this.compressor.whenIdle(), until);
    });
  }

  async clean(logPath: string): Promise<void> {
    await this.alone(logPath, async () => {
      await this.compressor.drop(logPath);
      const folder = await openLogFolder(this.config.podLogsDir, logPath);
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

  private async checkInBackground(): Promise<void> {
    const { signal } = this.stopping;
    try {
      await abortable(this.checkAll(signal), signal);
      this.failure = undefined;
    } catch (error) {
      if (signal.aborted) return;
      this.failure = messageOf(error);
      this.logger.error('Failed to rotate container logs', { error });
    }
  }

  /** Does not wait for the rotations that it starts. */
  private async checkAll(signal: AbortSignal): Promise<void> {
    if (this.config.maxSizeBytes < 0) return;
    const running = await this.containers.list(signal);
    const before = this.paths;
    this.paths = new Map(running.flatMap(({ id }) => (before.has(id) ? [[id, before.get(id) ?? '']] : [])));
    this.untidied ??= new Set(running.map(({ id }) => id));
    const check = (container: RunningContainer): Promise<void> => this.check(container, signal);
    const [known, unknown] = [running.filter(({ id }) => before.has(id)), running.filter(({ id }) => !before.has(id))];
    // All sizes at once, so that the threads wake once and not for each log.
    await Promise.all([mapLimit(unknown, parallelChecks, check, signal), ...known.map(check)]);
  }

  private async check(container: RunningContainer, signal: AbortSignal): Promise<void> {
    const containerId = container.id;
    try {
      const { clock } = this.deps;
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
      this.logger.error('Failed to inspect container log', { key: containerId, containerId, error });
    }
  }

  /** Finds the log path at a container's first check. */
  private async meet(container: RunningContainer, signal: AbortSignal): Promise<string> {
    const logPath = await this.containers.logPathOf(container, signal);
    if (logPath !== '' && !isLogOf(container.podUid, this.config.podLogsDir, logPath)) {
      throw failure(`log path ${JSON.stringify(logPath)} is not in the pod's log folder`);
    }
    this.paths.set(container.id, logPath);
    if (logPath !== '' && this.untidied?.has(container.id) === true) await this.tidy(logPath);
    this.untidied?.delete(container.id);
    return logPath;
  }

  /** Cleans up after a rotation that an earlier kubelet did not finish. */
  private async tidy(logPath: string): Promise<void> {
    await this.alone(logPath, async () => {
      const folder = await openLogFolder(this.config.podLogsDir, logPath);
      if (folder === undefined) return;
      try {
        const name = path.basename(logPath);
        await removeUnused({ path: logPath, name, folder }, { compressor: this.compressor, logger: this.logger });
      } finally {
        await folder.close();
      }
    });
  }

  /**
   * Rotates one log and never rejects. It gives its worker slot up after `patienceMs`; the log stays busy until the
   * work ends.
   */
  private async begin(containerId: string, logPath: string, size: number | undefined): Promise<void> {
    const { signal } = this.stopping;
    const work = this.alone(logPath, async () => {
      const leave = await this.places.enter({ signal });
      const timer = this.deps.clock.setTimer(this.config.patienceMs, leave);
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
    const { podLogsDir } = this.config;
    let folder = await openLogFolder(podLogsDir, logPath);
    if (folder === undefined) {
      // Somebody has removed it, and the runtime makes it again; or the container is being removed.
      if (!(await this.hasReopened(containerId, signal))) return;
      folder = await openLogFolder(podLogsDir, logPath);
      if (folder === undefined) throw stillMissing();
    }
    try {
      const name = path.basename(logPath);
      let stats = await folder.stat(name);
      if (stats === undefined) {
        // Either a kubelet died between the rename and the reopen, or the container is being removed.
        if (!(await this.hasReopened(containerId, signal))) return;
        stats = await folder.stat(name);
        if (stats === undefined) throw stillMissing();
      }
      if (!stats.isFile()) throw failure(`${logPath} is no regular file`);
      const { maxSizeBytes, maxFiles } = this.config;
      if (stats.size < maxSizeBytes) return;
      const due = { containerId, path: logPath, name, folder, maxFiles, nowMs: this.deps.clock.now() };
      const { compressor, logger } = this;
      const { service } = this.deps;
      await rotateLog(due, { service, compressor, logger }, signal);
    } finally {
      await folder.close();
    }
  }

  /** Resolves to false when the runtime does not have the container any more. */
  private async hasReopened(containerId: string, signal: AbortSignal): Promise<boolean> {
    try {
      await this.deps.service.reopenContainerLog({ containerId }, { signal });
      return true;
    } catch (error) {
      if (hasCode(error, 'not-found')) return false;
      throw failure(`Container log doesn't exist, reopen container log failed: ${messageOf(error)}`, error);
    }
  }

  /**
   * Undefined when the file does not exist. Callback API, because this runs for each log of the node six times a
   * minute.
   */
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
      const timer = this.deps.clock.setTimer(patienceMs, () =>
        fail(`no answer in ${patienceMs} ms`, 'deadline-exceeded'),
      );
    });
  }

  /** Serialises work on one log. */
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

const stillMissing = (): KubeletError =>
  failure('Failed to stat container log after reopen: no such file or directory');
