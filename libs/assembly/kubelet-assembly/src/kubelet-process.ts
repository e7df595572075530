import {
  maskConfiguration,
  type KubeletConfiguration,
  type KubeletFlags,
  type LoggingConfiguration,
} from '@podwright/kubelet-configuration';
import type { RootLogger } from '@podwright/logging';
import type { KubeletProcess } from '@podwright/server-interface';
import type { Clock } from '@podwright/time';
import { flagValues } from './flag-values.js';
import { version } from './version.js';

export interface KubeletProcessParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<RootLogger, 'setVerbosity' | 'flush'>;
}

/**
 * State behind the endpoints about the process itself. `useCgroupDriver` sets the driver in effect, which the runtime
 * may have named.
 */
export function createKubeletProcess(
  configuration: KubeletConfiguration,
  flags: KubeletFlags,
  { clock, logger }: KubeletProcessParts,
): KubeletProcess & { readonly useCgroupDriver: (name: string) => void } {
  const masked = maskConfiguration(configuration);
  let shown = masked;
  let verbosity: LoggingConfiguration['verbosity'] = configuration.logging.verbosity;
  return {
    get configuration() {
      return shown;
    },
    useCgroupDriver: (cgroupDriver) => {
      shown = { ...masked, cgroupDriver };
    },
    flags: flagValues(flags, masked),
    version,
    startedMs: clock.now(),
    get verbosity() {
      return verbosity;
    },
    setVerbosity: (level) => {
      verbosity = level;
      logger.setVerbosity(level);
    },
    flushLogs: () => logger.flush(),
  };
}
