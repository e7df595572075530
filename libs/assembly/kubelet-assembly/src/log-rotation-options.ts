import { configure, type ConfiguredModule } from '@podwright/assembly-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import { compareQuantities, quantityValue } from '@podwright/kube-types';
import { logRotationModule } from '@podwright/log-rotation';
import { parseGoDuration } from '@podwright/time';
import type { NodeSettings } from './node-settings.js';

/** Options of log rotation. Throws `invalid-argument` with upstream's text for an invalid size. */
export function logRotationOptions({ configuration }: NodeSettings): ConfiguredModule {
  const { containerLogMaxSize, containerLogMaxFiles, containerLogMaxWorkers, podLogsDir } = configuration;
  return configure(logRotationModule, {
    maxSizeBytes: sizeOf(containerLogMaxSize),
    maxFiles: containerLogMaxFiles,
    workers: containerLogMaxWorkers,
    intervalMs: parseGoDuration(configuration.containerLogMonitorInterval),
    podLogsDir,
  });
}

/** Source: kubernetes v1.36 pkg/kubelet/logs/container_log_manager.go parseMaxSize. */
function sizeOf(text: string): number {
  try {
    const bytes = quantityValue(text);
    if (compareQuantities(text, String(bytes)) !== 0) throw new Error('invalid max log size');
    return Number(bytes);
  } catch (error) {
    const parsing = `failed to parse container log max size ${JSON.stringify(text)}: ${messageOf(error)}`;
    throw new KubeletError(`failed to initialize container log manager: ${parsing}`, {
      code: 'invalid-argument',
      cause: error,
    });
  }
}
