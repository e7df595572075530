import type { Health, HealthReporter, Lifecycle, ModuleHealth } from '@podwright/assembly-interface';
import { withDeadline } from '@podwright/concurrency';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { ModuleInstances } from './module-instances.js';

export interface LifecycleOrderOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly stopTimeoutMs: number;
}

interface Part {
  readonly module: string;
  readonly lifecycle: Lifecycle;
}

// A start may take long (to fill a cache, for example); after this time the log reports it.
const slowStartMs = 10_000;

/** Starts the lifecycles of modules one after another and stops them in reverse. */
export class LifecycleOrder implements Lifecycle {
  private readonly parts: readonly Part[];
  /**
   * The parts whose start() was called, in order: a failed or unfinished start may also have left something to stop.
   */
  private readonly begun: Part[] = [];
  private starting: Promise<void> | undefined;
  private stopping: Promise<void> | undefined;

  constructor(
    private readonly modules: readonly ModuleInstances[],
    private readonly options: LifecycleOrderOptions,
  ) {
    this.parts = modules.flatMap(({ name, instances }) =>
      instances.filter(isLifecycle).map((lifecycle) => ({ module: name, lifecycle })),
    );
  }

  // The promise is stored before the first await, so that concurrent calls share one run.
  start(): Promise<void> {
    this.starting ??= this.startAll();
    return this.starting;
  }

  stop(): Promise<void> {
    this.stopping ??= this.stopBegun();
    return this.stopping;
  }

  health(): readonly ModuleHealth[] {
    return this.modules.flatMap(({ name, instances }) => {
      const reporters = instances.filter(isHealthReporter);
      return reporters.length === 0 ? [] : [{ module: name, health: healthOf(reporters) }];
    });
  }

  private async startAll(): Promise<void> {
    for (const part of this.parts) {
      if (this.stopping !== undefined) throw new KubeletError('the assembly was stopped', { code: 'cancelled' });
      this.begun.push(part);
      const slow = this.options.clock.setTimer(slowStartMs, () =>
        this.options.logger.warn('Module is still starting', { module: part.module, afterMs: slowStartMs }),
      );
      try {
        await part.lifecycle.start();
      } catch (error) {
        slow.cancel();
        await this.stop();
        throw new KubeletError(`${part.module} failed to start: ${messageOf(error)}`, {
          code: KubeletError.from(error).code,
          cause: error,
        });
      } finally {
        slow.cancel();
      }
    }
    if (this.stopping !== undefined) throw new KubeletError('the assembly was stopped', { code: 'cancelled' });
  }

  private async stopBegun(): Promise<void> {
    // So that a start() called in the same turn sees that the stop has begun.
    await Promise.resolve();
    for (let part = this.begun.pop(); part !== undefined; part = this.begun.pop()) await this.stopPart(part);
  }

  private async stopPart({ module, lifecycle }: Part): Promise<void> {
    const { clock, logger, stopTimeoutMs } = this.options;
    try {
      await withDeadline(clock, stopTimeoutMs, async () => lifecycle.stop());
    } catch (error) {
      const hangs = hasCode(error, 'deadline-exceeded');
      logger.error(hangs ? 'Module did not stop in time, going on' : 'Module failed to stop', {
        module,
        stopTimeoutMs,
        error,
      });
    }
  }
}

function isLifecycle(instance: object): instance is Lifecycle {
  const { start, stop } = instance as { start?: unknown; stop?: unknown };
  return typeof start === 'function' && typeof stop === 'function';
}

function isHealthReporter(instance: object): instance is HealthReporter {
  return typeof (instance as { healthy?: unknown }).healthy === 'function';
}

function healthOf(reporters: readonly HealthReporter[]): Health {
  const details: string[] = [];
  const reasons = reporters.flatMap((reporter) => {
    try {
      const health = reporter.healthy();
      if (!health.ok) return [health.reason];
      if (health.detail !== undefined) details.push(health.detail);
      return [];
    } catch (error) {
      return [`its health check failed: ${messageOf(error)}`];
    }
  });
  if (reasons.length > 0) return { ok: false, reason: reasons.join('; ') };
  return { ok: true, ...(details.length > 0 && { detail: details.join('; ') }) };
}
