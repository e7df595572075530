import { ChangeWriter } from '@podwright/checkpoint';
import { hasCode } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import type { DraDriverClient } from '../drivers/dra-driver-client.js';
import { deviceReport, type DeviceReport } from './device-report.js';
import type { HealthCache, HealthLimits } from './health-cache.js';
import type { HealthFile } from './health-file.js';

export interface HealthStreamsDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly cache: HealthCache;
  readonly file: HealthFile;
  readonly limits: HealthLimits;
  readonly retryMs: number;
  readonly onChange: (driver: string, devices: readonly DeviceReport[]) => void;
}

/**
 * Reads the health that plugins report, one stream per plugin. Source: kubernetes v1.36
 * pkg/kubelet/cm/dra/manager.go HandleWatchResourcesStream.
 */
export class HealthStreams {
  private readonly open = new Map<string, number>();
  /** Drivers that report more devices than there is room for. */
  private readonly excessive = new Set<string>();
  private readonly writer: ChangeWriter;
  private hasFile = false;

  constructor(private readonly deps: HealthStreamsDeps) {
    const message =
      'Failed to save health checkpoint after update. Kubelet restart may lose the device health information.';
    this.writer = new ChangeWriter(async () => {
      try {
        await deps.file.write(deps.cache.all());
        this.hasFile = true;
      } catch (error) {
        deps.logger.error(message, { error });
      }
    });
  }

  /** Takes over what an earlier process knew; a file that cannot be read is no fault of the start. */
  async load(): Promise<void> {
    try {
      const known = await this.deps.file.read();
      this.hasFile = true;
      for (const [driver, devices] of known) this.tellOmitted(driver, this.deps.cache.restore(driver, devices));
    } catch (error) {
      if (!hasCode(error, 'not-found')) this.deps.logger.error('Failed to load health checkpoint', { error });
    }
  }

  /** Reads until the signal aborts, and again a while after a stream has ended. A plugin need not have the service. */
  async watch(driver: string, client: DraDriverClient, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.readStream(driver, client, signal);
      // Only the signal ends the sleep early.
      await this.deps.clock.sleep(this.deps.retryMs, signal).catch(() => undefined);
    }
  }

  /** Resolves when all changes are on disk. */
  flushed(): Promise<void> {
    return this.writer.flushed();
  }

  private async readStream(driver: string, client: DraDriverClient, signal: AbortSignal): Promise<void> {
    this.open.set(driver, (this.open.get(driver) ?? 0) + 1);
    try {
      for await (const devices of client.health(signal)) {
        const { changed, omitted } = this.deps.cache.update(driver, devices.map(deviceReport));
        this.tellOmitted(driver, omitted);
        if (changed.length === 0) continue;
        this.writer.changed();
        this.deps.onChange(driver, changed);
      }
      this.deps.logger.debug(2, 'WatchResources health stream has ended', { pluginName: driver });
    } catch (error) {
      if (!signal.aborted)
        this.deps.logger.debug(2, 'WatchResources health stream has ended', { pluginName: driver, error });
    } finally {
      this.ended(driver);
    }
  }

  /** Once, until all of its devices are known again. */
  private tellOmitted(driver: string, omitted: number): void {
    if (omitted === 0) {
      this.excessive.delete(driver);
      return;
    }
    if (this.excessive.has(driver)) return;
    this.excessive.add(driver);
    const { maxDriverHealthDevices, maxHealthDevices } = this.deps.limits;
    const message =
      'The driver reports the health of more devices than the kubelet keeps; the others count as Unknown. Raise maxDriverHealthDevices or maxHealthDevices of @podwright/dra';
    this.deps.logger.warn(message, { pluginName: driver, omitted, maxDriverHealthDevices, maxHealthDevices });
  }

  private ended(driver: string): void {
    const others = (this.open.get(driver) ?? 1) - 1;
    if (others > 0) {
      this.open.set(driver, others);
      return;
    }
    this.open.delete(driver);
    this.excessive.delete(driver);
    // As upstream, the file is there once a stream has ended, also that of a driver without the service.
    if (this.deps.cache.clear(driver) || !this.hasFile) this.writer.changed();
  }
}
