import { CLOCK, LOGGER, METRICS } from '@podwright/assembly-interface';
import {
  CGROUP_DRIVER_MISMATCH,
  type CgroupDriver,
  type CgroupDriverName,
  type OnCgroupDriverMismatch,
} from '@podwright/cgroup-interface';
import { CgroupDriver as CriDriver, RUNTIME_SERVICE, type RuntimeService } from '@podwright/cri-client-interface';
import { hasCode, KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { CRI_CGROUP_DRIVER_CONFIG, type CriCgroupDriverConfig } from './cri-cgroup-driver-config.js';

// Upstream asks as often, whatever comes, and pauses after an error: the runtime may be just starting.
const questions = 3;
const pauseMs = 2_000;
// A runtime that was away is asked more often than its state is looked at: no pod may start under the wrong name.
const awayPauseMs = 1_000;
/** The first version that will not run on a runtime without RuntimeConfig. */
const lostInVersion = '1.37.0';

type Runtime = Pick<RuntimeService, 'runtimeConfig'>;

/** {@link CgroupDriver} of the runtime: what it answers wins over the configuration, which holds where it cannot answer. */
@injectable()
export class CriCgroupDriver implements CgroupDriver {
  private known: CgroupDriverName | undefined;
  private starting: Promise<void> | undefined;
  private awaiting: Promise<void> | undefined;
  private readonly stopping = new AbortController();

  constructor(
    @inject(RUNTIME_SERVICE) private readonly runtime: Runtime,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(METRICS) private readonly metrics: MetricsRegistry,
    @inject(CRI_CGROUP_DRIVER_CONFIG) private readonly config: CriCgroupDriverConfig,
    @inject(CGROUP_DRIVER_MISMATCH, { isOptional: true }) private readonly mismatch?: OnCgroupDriverMismatch,
  ) {}

  /**
   * Rejects with the runtime's error when it cannot be asked, and for an answer that names no driver. A runtime that is away is
   * waited for after the start, when somebody can be told of another driver than the configured one.
   */
  start(): Promise<void> {
    this.starting ??= this.ask().then((answer) => void (this.known = answer));
    return this.starting;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.starting?.catch(() => undefined);
    await this.awaiting;
  }

  name(): CgroupDriverName {
    if (this.known !== undefined) return this.known;
    throw new KubeletError('the cgroup driver is not known before the start', { code: 'failed-precondition' });
  }

  private async ask(): Promise<CgroupDriverName> {
    this.logger.debug(4, 'Getting CRI runtime configuration information');
    const { cgroupDriver: configured } = this.config;
    const { signal } = this.stopping;
    let last: { readonly driver: CriDriver | undefined } | { readonly error: unknown } = { driver: undefined };
    for (let question = 1; question <= questions; question += 1) {
      try {
        const { linux } = await this.runtime.runtimeConfig({}, { signal });
        last = { driver: linux?.cgroupDriver };
      } catch (error) {
        if (hasCode(error, 'unimplemented')) return this.fallBack();
        last = { error };
        await this.clock.sleep(pauseMs, signal);
      }
    }
    if ('error' in last) {
      if (this.mismatch === undefined || !hasCode(last.error, 'unavailable')) throw last.error;
      const message = 'The CRI runtime is away: the configured cgroup driver holds until it can be asked';
      this.logger.warn(message, { cgroupDriver: configured, error: last.error });
      this.awaiting = this.awaitRuntime(this.mismatch, signal);
      return configured;
    }
    if (last.driver === undefined) return configured;
    const answer = driverOf(last.driver);
    this.logger.info('Using cgroup driver setting received from the CRI runtime', { cgroupDriver: answer });
    return answer;
  }

  /** Resolves when the runtime has answered, or with the signal. */
  private async awaitRuntime(mismatch: OnCgroupDriverMismatch, signal: AbortSignal): Promise<void> {
    const { cgroupDriver: assumed } = this.config;
    while (!signal.aborted) {
      try {
        const { linux } = await this.runtime.runtimeConfig({}, { signal });
        const answer = linux?.cgroupDriver === undefined ? assumed : driverOf(linux.cgroupDriver);
        if (answer !== assumed) {
          mismatch(
            `the cgroup driver of the CRI runtime is ${answer}, and the kubelet started with ${assumed} while it was away`,
          );
        }
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (hasCode(error, 'unimplemented')) return void this.fallBack();
        if (hasCode(error, 'invalid-argument')) return mismatch(KubeletError.from(error).message);
        await this.clock.sleep(awayPauseMs, signal).catch(() => undefined); // it rejects only with the signal
      }
    }
  }

  private fallBack(): CgroupDriverName {
    const losing = this.metrics.gauge({
      name: 'kubelet_cri_losing_support',
      help: 'the Kubernetes version that the currently running CRI implementation will lose support on if not upgraded.',
      labels: ['version'],
    });
    losing.set(1, { version: lostInVersion });
    this.logger.info(
      'CRI implementation should be updated to support RuntimeConfig. Falling back to using cgroupDriver from kubelet config.',
    );
    return this.config.cgroupDriver;
  }
}

function driverOf(answer: CriDriver): CgroupDriverName {
  if (answer === CriDriver.SYSTEMD) return 'systemd';
  if (answer === CriDriver.CGROUPFS) return 'cgroupfs';
  throw new KubeletError(`runtime returned an unknown cgroup driver ${String(answer)}`, { code: 'invalid-argument' });
}

export interface CriCgroupDriverDeps {
  readonly runtime: Runtime;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly mismatch?: OnCgroupDriverMismatch;
}

/** Without DI. */
export function createCriCgroupDriver(
  { runtime, clock, logger, metrics, mismatch }: CriCgroupDriverDeps,
  config: CriCgroupDriverConfig,
): CgroupDriver {
  return new CriCgroupDriver(runtime, clock, logger, metrics, config, mismatch);
}
