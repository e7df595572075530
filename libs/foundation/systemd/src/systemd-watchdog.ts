import { KubeletError, messageOf } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import { formatGoDuration, jitter, type Clock, type Random } from '@podwright/time';
import { notifySystemd, type NotifyDeps } from './notify-systemd.js';
import { watchdogTimeoutMs } from './watchdog-timeout.js';

/** One check that has to pass before systemd hears that the process is well. */
export interface WatchdogCheck {
  readonly name: string;
  check(): { readonly ok: true } | { readonly ok: false; readonly reason: string };
}

export interface SystemdWatchdogDeps extends NotifyDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly pid: number;
}

const smallestTimeoutMs = 1_000;
const retryAfterMs = 1_000;
const retryJitter = 0.1;

/**
 * Tells systemd twice per `WatchdogSec=` that this process is well, as long as every check passes; before
 * {@link useChecks} there is none. When systemd hears nothing it restarts the service. Source: kubernetes v1.36
 * pkg/kubelet/watchdog/watchdog_linux.go.
 */
export class SystemdWatchdog {
  private checks: readonly WatchdogCheck[] = [];
  private readonly stopping = new AbortController();
  private loop: Promise<void> | undefined;

  constructor(private readonly deps: SystemdWatchdogDeps) {}

  useChecks(checks: readonly WatchdogCheck[]): void {
    this.checks = checks;
  }

  /** Throws `invalid-argument` for a timeout that systemd cannot mean, or that is too short. */
  start(): void {
    const { env, pid, logger, clock } = this.deps;
    const timeoutMs = configured(() => watchdogTimeoutMs(env, pid));
    if (timeoutMs === 0) {
      logger.info('Systemd watchdog is not enabled');
      return;
    }
    if (timeoutMs <= smallestTimeoutMs) {
      throw invalid(`configure watchdog timeout too small: ${formatGoDuration(timeoutMs)}`);
    }
    const periodMs = timeoutMs / 2;
    logger.info('Starting systemd watchdog with interval', { interval: formatGoDuration(periodMs) });
    this.loop ??= clock.every(periodMs, () => this.tell(periodMs), this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop;
  }

  private async tell(limitMs: number): Promise<void> {
    const { logger } = this.deps;
    const failed = this.firstFailure();
    if (failed !== undefined) {
      logger.error('Do not notify watchdog this iteration as the kubelet is reportedly not healthy', { error: failed });
      return;
    }
    try {
      if (await this.notified(limitMs)) return;
      await this.deps.clock.sleep(jitter(this.deps.random, retryAfterMs, retryJitter), this.stopping.signal);
      if (await this.notified(limitMs)) return;
      logger.error('Failed to notify watchdog', { error: 'timed out waiting for the condition' });
    } catch (error) {
      if (!this.stopping.signal.aborted) logger.error('Failed to notify watchdog', { error });
    }
  }

  private firstFailure(): string | undefined {
    for (const { name, check } of this.checks) {
      const health = check();
      if (!health.ok) return `checker ${name} failed: ${health.reason}`;
    }
    return undefined;
  }

  /** False: another try may succeed. */
  private async notified(limitMs: number): Promise<boolean> {
    const { clock, logger } = this.deps;
    const limit = clock.deadline(limitMs, this.stopping.signal);
    let acknowledged: boolean;
    try {
      acknowledged = await notifySystemd(this.deps, 'WATCHDOG=1', limit.signal);
    } catch (error) {
      logger.debug(5, 'Failed to notify systemd watchdog, retrying', { error });
      return false;
    } finally {
      limit.dispose();
    }
    if (!acknowledged) {
      throw new Error('failed to notify systemd watchdog, notification not supported - (i.e. NOTIFY_SOCKET is unset)');
    }
    logger.debug(5, 'Watchdog plugin notified', { acknowledgment: true, state: 'WATCHDOG=1' });
    return true;
  }
}

function configured(read: () => number): number {
  try {
    return read();
  } catch (error) {
    throw invalid(`configure watchdog: ${messageOf(error)}`);
  }
}

const invalid = (problem: string): KubeletError =>
  new KubeletError(`create health checker: ${problem}`, { code: 'invalid-argument' });
