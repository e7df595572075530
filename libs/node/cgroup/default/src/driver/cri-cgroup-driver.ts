import { CLOCK, LOGGER, METRICS } from '@podwright/assembly-interface';
import type { CgroupDriver, CgroupDriverName } from '@podwright/cgroup-interface';
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
/** The first version that will not run on a runtime without RuntimeConfig. */
const lostInVersion = '1.37.0';

type Runtime = Pick<RuntimeService, 'runtimeConfig'>;

/** {@link CgroupDriver} of the runtime: what it answers wins over the configuration, which holds where it cannot answer. */
@injectable()
export class CriCgroupDriver implements CgroupDriver {
  private known: CgroupDriverName | undefined;
  private starting: Promise<void> | undefined;
  private readonly stopping = new AbortController();

  constructor(
    @inject(RUNTIME_SERVICE) private readonly runtime: Runtime,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) private readonly logger: Logger,
    @inject(METRICS) private readonly metrics: MetricsRegistry,
    @inject(CRI_CGROUP_DRIVER_CONFIG) private readonly config: CriCgroupDriverConfig,
  ) {}

  /** Rejects with the runtime's error when it cannot be asked, and for an answer that names no driver. */
  start(): Promise<void> {
    this.starting ??= this.ask().then((answer) => void (this.known = answer));
    return this.starting;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.starting?.catch(() => undefined);
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
    if ('error' in last) throw last.error;
    if (last.driver === undefined) return configured;
    const answer = driverOf(last.driver);
    this.logger.info('Using cgroup driver setting received from the CRI runtime', { cgroupDriver: answer });
    return answer;
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
}

/** Without DI. */
export function createCriCgroupDriver(
  { runtime, clock, logger, metrics }: CriCgroupDriverDeps,
  config: CriCgroupDriverConfig,
): CgroupDriver {
  return new CriCgroupDriver(runtime, clock, logger, metrics, config);
}
