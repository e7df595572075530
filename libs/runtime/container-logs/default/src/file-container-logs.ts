import { CLOCK, LOGGER } from '@podwright/assembly-interface';
import type { ContainerLogRequest, ContainerLogs } from '@podwright/container-logs-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import type { RuntimeService } from '@podwright/cri-client-interface';
import { hasCode, KubeletError } from '@podwright/errors';
import { podUid } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { POD_CACHE } from '@podwright/pod-cache-interface';
import type { PodCache } from '@podwright/pod-cache-interface';
import type { Clock } from '@podwright/time';
import { inject, injectable } from 'tsyringe';
import { FILE_CONTAINER_LOGS_CONFIG, fileContainerLogsConfigSchema } from './file-container-logs-config.js';
import type { FileContainerLogsConfig } from './file-container-logs-config.js';
import { containerInstance } from './instance/container-instance.js';
import type { ContainerInstance } from './instance/container-instance.js';
import { ContainerRecords } from './instance/container-records.js';
import { likelyLocations, locationOf } from './instance/log-location.js';
import type { LogLocation } from './instance/log-location.js';
import { LogReading } from './reading/log-reading.js';
import type { LogReadingDeps } from './reading/log-reading.js';
import { logContent } from './reading/log-content.js';
import { readOptions } from './reading/read-options.js';

/** {@link ContainerLogs} out of the files that the runtime writes, across their rotation. */
@injectable()
export class FileContainerLogs implements ContainerLogs {
  private readonly logger: Logger;
  private readonly records: ContainerRecords;

  constructor(
    @inject(RUNTIME_SERVICE) service: RuntimeService,
    @inject(POD_CACHE) cache: PodCache,
    @inject(CLOCK) private readonly clock: Clock,
    @inject(LOGGER) logger: Logger,
    @inject(FILE_CONTAINER_LOGS_CONFIG) private readonly config: FileContainerLogsConfig,
  ) {
    this.logger = logger.with({ logger: 'container-logs' });
    this.records = new ContainerRecords(service, cache, this.logger);
  }

  async open(request: ContainerLogRequest): Promise<AsyncIterable<Uint8Array>> {
    const { pod, status, container, options, signal } = request;
    const how = readOptions(options, this.clock.now());
    const instance = containerInstance(pod.metadata.name ?? '', status, container, options.previous === true);
    signal.throwIfAborted();
    const { locations, known } = await this.locate(request, instance);
    return logContent(signal, async (reading) => {
      const deps: LogReadingDeps = {
        clock: this.clock,
        logger: this.logger,
        signal: reading,
        isRunning: () => this.isRunning(podUid(pod), instance.criId, reading),
      };
      for (const location of locations) {
        try {
          return await LogReading.open(this.config.podLogsDir, location, deps, how, this.config);
        } catch (error) {
          if (known || !hasCode(error, 'not-found')) throw error;
        }
      }
      throw unreadable(instance);
    });
  }

  /** The runtime's own word first; of a container that it knows nothing of, the files may still be there. */
  private async locate(
    { pod, container, signal }: ContainerLogRequest,
    instance: ContainerInstance,
  ): Promise<{ readonly locations: readonly LogLocation[]; readonly known: boolean }> {
    const record = await this.records.find(podUid(pod), instance.criId, signal);
    if (typeof record === 'object' && record.logPath !== '') {
      return { locations: [locationOf(this.config.podLogsDir, pod, record.logPath)], known: true };
    }
    return { locations: await likelyLocations(this.config, pod, container, instance), known: false };
  }

  /** A runtime that is away says nothing about its containers, which go on. */
  private async isRunning(uid: string, criId: string, signal: AbortSignal): Promise<boolean> {
    const record = await this.records.find(uid, criId, signal);
    return typeof record === 'object' ? record.running : record === 'unknown';
  }
}

/** Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go GetContainerLogs. */
function unreadable({ containerId }: ContainerInstance): KubeletError {
  return new KubeletError(`unable to retrieve container logs for ${containerId}`, { code: 'not-found' });
}

export interface FileContainerLogsDeps {
  readonly service: RuntimeService;
  readonly cache: PodCache;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Makes one without a container. Throws `invalid-argument` for options of the wrong kind. */
export function createFileContainerLogs(
  deps: FileContainerLogsDeps,
  options: Partial<FileContainerLogsConfig> = {},
): FileContainerLogs {
  const decoded = fileContainerLogsConfigSchema.decode(options);
  if (decoded.ok) return new FileContainerLogs(deps.service, deps.cache, deps.clock, deps.logger, decoded.value);
  const problems = decoded.faults.map(({ field, problem }) => `${field} ${problem}`);
  throw new KubeletError(`container-logs options: ${problems.join('; ')}`, { code: 'invalid-argument' });
}
