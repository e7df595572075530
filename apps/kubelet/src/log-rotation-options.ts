import { KubeletError, messageOf } from '@podwright/errors';
import { compareQuantities, quantityValue } from '@podwright/kube-types';
import { durationToMs, type KubeletConfiguration } from '@podwright/kubelet-configuration';

/** When container logs are rotated. Throws `invalid-argument` in upstream's words for a size that is none. */
export function logRotationOptions(configuration: KubeletConfiguration): Readonly<Record<string, unknown>> {
  const { containerLogMaxSize, containerLogMaxFiles, containerLogMaxWorkers, podLogsDir } = configuration;
  return {
    maxSizeBytes: sizeOf(containerLogMaxSize),
    maxFiles: containerLogMaxFiles,
    workers: containerLogMaxWorkers,
    intervalMs: durationToMs(configuration.containerLogMonitorInterval),
    podLogsDir,
  };
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
