import { CLOCK, LOGGER, needs, type Needs } from '@podwright/assembly-interface';
import type { ContainerLogRequest, ContainerLogs } from '@podwright/container-logs-interface';
import { RUNTIME_SERVICE } from '@podwright/cri-client-interface';
import { hasCode, KubeletError } from '@podwright/errors';
import { podUid } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import { POD_CACHE } from '@podwright/pod-cache-interface';
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

export const containerLogsNeeds = needs({
  service: RUNTIME_SERVICE,
  cache: POD_CACHE,
  clock: CLOCK,
  logger: LOGGER,
});
export type ContainerLogsNeeds = Needs<typeof containerLogsNeeds>;

/** {@link ContainerLogs} that reads the files which the runtime writes, across their rotation. */
export class FileContainerLogs implements ContainerLogs {
  private readonly logger: Logger;
  private readonly records: ContainerRecords;

  constructor(
    private readonly deps: ContainerLogsNeeds,
    private readonly config: FileContainerLogsConfig,
  ) {
    const { service, cache, logger } = deps;
    this.logger = logger.with({ logger: 'container-logs' });
    this.records = new ContainerRecords(service, cache, this.logger);
  }

  async open(request: ContainerLogRequest): Promise<AsyncIterable<Uint8Array>> {
    const { pod, status, container, options, signal } = request;
    const how = readOptions(options, this.deps.clock.now());
    const instance = containerInstance(pod.metadata.name ?? '', status, container, options.previous === true);
    signal.throwIfAborted();
    const { locations, known } = await this.locate(request, instance);
    const content = logContent(signal, async (reading) => {
      const deps: LogReadingDeps = {
        clock: this.deps.clock,
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
    return options.follow === true ? content.catch((error: unknown) => unreadableContent(error, signal)) : content;
  }

  /**
   * Takes the path from the runtime. When the runtime has no record of the container, lists paths where its log may be.
   */
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

  /** True also while the runtime is unavailable: its containers keep running then. */
  private async isRunning(uid: string, criId: string, signal: AbortSignal): Promise<boolean> {
    const record = await this.records.find(uid, criId, signal);
    return typeof record === 'object' ? record.running : record === 'unknown';
  }
}

/** Content that ends at once with the error: who follows a log gets an answer first, as from upstream. */
async function* unreadableContent(error: unknown, signal: AbortSignal): AsyncGenerator<Uint8Array, undefined> {
  if (!signal.aborted) throw error;
}

/** Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go GetContainerLogs. */
function unreadable({ containerId }: ContainerInstance): KubeletError {
  return new KubeletError(`unable to retrieve container logs for ${containerId}`, { code: 'not-found' });
}
