import { CLOCK, LOGGER, METRICS, needs, optional, pick, type Needs } from '@podwright/assembly-interface';
import {
  CGROUP_DRIVER_MISMATCH,
  type CgroupDriver,
  type CgroupDriverName,
  type OnCgroupDriverMismatch,
} from '@podwright/cgroup-interface';
import { CgroupDriver as CriDriver, RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { hasCode, KubeletError } from '@podwright/errors';
import type { CriCgroupDriverConfig } from './cri-cgroup-driver-config.js';

// Upstream asks this often, with a pause after an error: the runtime may still be starting.
const questions = 3;
const pauseMs = 2_000;
// Shorter than the period of the runtime's health check: no pod may start under a wrong cgroup name.
const awayPauseMs = 1_000;
/** The first version that does not run on a runtime without RuntimeConfig. */
const lostInVersion = '1.37.0';

export const cgroupDriverNeeds = needs({
  runtime: pick(RUNTIME_SERVICE, 'runtimeConfig'),
  clock: CLOCK,
  logger: LOGGER,
  metrics: METRICS,
  mismatch: optional(CGROUP_DRIVER_MISMATCH),
});

/**
 * {@link CgroupDriver} of the runtime: its answer overrides the configuration, which applies when the runtime has no
 * answer.
 */
export class CriCgroupDriver implements CgroupDriver {
  private known: CgroupDriverName | undefined;
  private starting: Promise<void> | undefined;
  private awaiting: Promise<void> | undefined;
  private readonly stopping = new AbortController();

  constructor(
    private readonly deps: Needs<typeof cgroupDriverNeeds>,
    private readonly config: CriCgroupDriverConfig,
  ) {}

  /**
   * Rejects for an unknown driver, and with the runtime's error when it cannot be asked. But if the runtime is
   * unavailable and there is a mismatch listener, resolves with the configured driver, and `awaitRuntime` asks again.
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
    this.deps.logger.debug(4, 'Getting CRI runtime configuration information');
    const { cgroupDriver: configured } = this.config;
    const { signal } = this.stopping;
    let last: { readonly driver: CriDriver | undefined } | { readonly error: unknown } = { driver: undefined };
    for (let question = 1; question <= questions; question += 1) {
      try {
        const { linux } = await this.deps.runtime.runtimeConfig({}, { signal });
        last = { driver: linux?.cgroupDriver };
      } catch (error) {
        if (hasCode(error, 'unimplemented')) return this.fallBack();
        last = { error };
        await this.deps.clock.sleep(pauseMs, signal);
      }
    }
    if ('error' in last) {
      if (this.deps.mismatch === undefined || !hasCode(last.error, 'unavailable')) throw last.error;
      const message = 'The CRI runtime is away: the configured cgroup driver holds until it can be asked';
      this.deps.logger.warn(message, { cgroupDriver: configured, error: last.error });
      this.awaiting = this.awaitRuntime(this.deps.mismatch, signal);
      return configured;
    }
    if (last.driver === undefined) return configured;
    const answer = driverOf(last.driver);
    this.deps.logger.info('Using cgroup driver setting received from the CRI runtime', { cgroupDriver: answer });
    return answer;
  }

  /** Resolves when the runtime has answered or the signal aborts. */
  private async awaitRuntime(mismatch: OnCgroupDriverMismatch, signal: AbortSignal): Promise<void> {
    const { cgroupDriver: assumed } = this.config;
    while (!signal.aborted) {
      try {
        const { linux } = await this.deps.runtime.runtimeConfig({}, { signal });
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
        await this.deps.clock.sleep(awayPauseMs, signal).catch(() => undefined); // it rejects only with the signal
      }
    }
  }

  private fallBack(): CgroupDriverName {
    const losing = this.deps.metrics.gauge({
      name: 'kubelet_cri_losing_support',
      help: 'the Kubernetes version that the currently running CRI implementation will lose support on if not upgraded.',
      labels: ['version'],
    });
    losing.set(1, { version: lostInVersion });
    this.deps.logger.info(
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
