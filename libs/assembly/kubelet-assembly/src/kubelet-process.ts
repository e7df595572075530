import path from 'node:path';
import { selfSignedFiles } from '@podwright/cert-rotation';
import {
  maskConfiguration,
  type KubeletConfiguration,
  type LoadedKubelet,
  type LoggingConfiguration,
  type ProgramFlags,
} from '@podwright/kubelet-configuration';
import type { RootLogger } from '@podwright/logging';
import type { KubeletProcess } from '@podwright/server-interface';
import type { Clock } from '@podwright/time';
import { flagValues, type GivenFlags } from './flag-values.js';

type KubeletSettings = GivenFlags & Pick<LoadedKubelet, 'configuration'>;

export interface KubeletProcessParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly logger: Pick<RootLogger, 'setVerbosity' | 'flush'>;
}

/**
 * State behind the endpoints about the process itself. `useCgroupDriver` sets the driver in effect, which the runtime
 * may have named.
 */
export function createKubeletProcess(
  { configuration, ...given }: KubeletSettings,
  program: ProgramFlags,
  { clock, logger }: KubeletProcessParts,
): KubeletProcess & { readonly useCgroupDriver: (name: string) => void } {
  const inEffect = withServingPair(configuration, path.resolve(given.flags.certDir));
  let shown = inEffect;
  let verbosity: LoggingConfiguration['verbosity'] = configuration.logging.verbosity;
  return {
    get configuration() {
      return shown;
    },
    useCgroupDriver: (cgroupDriver) => {
      shown = { ...inEffect, cgroupDriver };
    },
    // Only /flagz shows them.
    get flags() {
      return flagValues(program, { ...given, commandLine: maskConfiguration(given.commandLine) });
    },
    version: given.flags.version.reported,
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

// A kubelet without a certificate makes one for itself.
function withServingPair(configuration: KubeletConfiguration, certDir: string): KubeletConfiguration {
  const { serverTLSBootstrap, tlsCertFile, tlsPrivateKeyFile } = configuration;
  if (serverTLSBootstrap || tlsCertFile !== '' || tlsPrivateKeyFile !== '') return configuration;
  const { certFile, keyFile } = selfSignedFiles(certDir);
  return { ...configuration, tlsCertFile: certFile, tlsPrivateKeyFile: keyFile };
}
