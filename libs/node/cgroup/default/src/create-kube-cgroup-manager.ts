import { decodeOptions } from '@podwright/assembly-interface';
import type {
  CgroupDriver,
  CgroupManager,
  PodCgroupCpuReduction,
  PodCgroupResourceControl,
} from '@podwright/cgroup-interface';
import type { ExclusiveCpus } from '@podwright/cpu-manager-interface';
import type { EventRecorder } from '@podwright/events-interface';
import type { Logger } from '@podwright/logging';
import type { MetricsRegistry } from '@podwright/metrics';
import type { ActivePods } from '@podwright/pod-workers-interface';
import type { Clock } from '@podwright/time';
import type { CgroupFiles } from './cgroup-files.js';
import { kubeCgroupConfig, type KubeCgroupConfig } from './kube-cgroup-config.js';
import { KubeCgroupManager } from './kube-cgroup-manager.js';
import type { SystemdUnits } from './systemd/systemd-units.js';

export interface KubeCgroupDeps {
  readonly clock: Clock;
  readonly logger: Logger;
  /** Default: those of the kernel. */
  readonly files?: CgroupFiles;
  readonly metrics?: MetricsRegistry;
  /** Default: what the options say. */
  readonly driver?: Pick<CgroupDriver, 'name'>;
  readonly events?: Pick<EventRecorder, 'event'>;
  /** Default: the pods that this manager was asked about. */
  readonly activePods?: ActivePods;
  readonly exclusiveCpus?: Pick<ExclusiveCpus, 'podHas'>;
  /** Default: the machine's systemd, when the driver is `systemd`. */
  readonly systemd?: SystemdUnits;
}

/** Without DI. Throws `invalid-argument` for options out of range. */
export function createKubeCgroupManager(
  deps: KubeCgroupDeps,
  options: Partial<KubeCgroupConfig> = {},
): CgroupManager & PodCgroupResourceControl & PodCgroupCpuReduction {
  const { clock, logger, files, metrics, driver, events, activePods, exclusiveCpus, systemd } = deps;
  const config = decodeOptions('cgroup', kubeCgroupConfig, options);
  return new KubeCgroupManager(
    clock,
    logger,
    config,
    files,
    metrics,
    driver,
    events,
    activePods,
    exclusiveCpus,
    systemd,
  );
}
