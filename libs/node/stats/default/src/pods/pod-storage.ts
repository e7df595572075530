import type { PodSandboxMetadata } from '@podwright/cri-client-interface';
import type { PodManager } from '@podwright/pod-manager-interface';
import type { ContainerStats, FsStats, PodStats } from '@podwright/stats-interface';
import type { PodVolumeStats } from '../volumes/pod-volume-stats.js';
import type { PodFilesReader } from './pod-files.js';
import { bytesBelow, ephemeralStorage, filesStats, type FileSystemReading } from './storage-stats.js';

/** Disk usage of pods besides writable layers, as read for one summary. */
export interface PodStorageReading {
  logsOf(podUid: string, containerName: string): FsStats | undefined;
  /** Storage of a pod including its volumes; `containers` must be complete. */
  of(podUid: string, containers: readonly ContainerStats[]): Pick<PodStats, 'volume' | 'ephemeral-storage'>;
}

export interface PodStorageOptions {
  /** How long a summary waits for volume measurements. */
  readonly volumeWaitMs: number;
  readonly countsLogInodes: boolean;
}

/** Reads the storage of pods. Source: kubernetes v1.36 pkg/kubelet/stats/helper.go makePodStorageStats. */
export class PodStorage {
  constructor(
    private readonly files: PodFilesReader,
    private readonly volumes: PodVolumeStats,
    private readonly pods: Pick<PodManager, 'getPods'>,
    private readonly options: PodStorageOptions,
  ) {}

  async read(
    rootFs: FileSystemReading,
    pods: readonly PodSandboxMetadata[],
    signal: AbortSignal,
  ): Promise<PodStorageReading> {
    const [files] = await Promise.all([
      this.files.read(pods, signal),
      this.volumes.refresh(this.pods.getPods(), this.options.volumeWaitMs, signal, new Set(pods.map(({ uid }) => uid))),
    ]);
    return {
      logsOf: (podUid, containerName) => {
        const usage = files.byPodUid.get(podUid)?.logs?.folders[containerName];
        return usage === undefined ? undefined : filesStats(rootFs, usage, files.time);
      },
      of: (podUid, containers) => {
        const { logs, etcHosts, terminationLogs } = files.byPodUid.get(podUid) ?? {};
        const measured = this.volumes.get(podUid);
        const { ephemeral, persistent } = measured ?? { ephemeral: [], persistent: [] };
        const volume = [...ephemeral, ...persistent];
        const storage = ephemeralStorage({
          rootFs,
          containers,
          volumes: ephemeral,
          podLogs: logs === undefined ? undefined : filesStats(rootFs, logs.own, files.time),
          etcHosts: etcHosts === undefined ? undefined : filesStats(rootFs, etcHosts, files.time),
          terminationLogBytes: bytesBelow(terminationLogs),
          countsLogInodes: this.options.countsLogInodes,
        });
        return { ...(volume.length > 0 && { volume }), 'ephemeral-storage': storage };
      },
    };
  }
}
