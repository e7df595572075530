import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { mapLimit, withDeadline } from '@podwright/concurrency';
import type { PodSandboxMetadata } from '@podwright/cri-client-interface';
import type { FailureLog } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import { KubeletError } from '@podwright/errors';
import type { CountedUsage, DiskUsage, FolderUsage } from '../disk-usage/disk-usage.js';
import { wireTime } from '../readings/wire-time.js';

/** Files that the kubelet and the runtime keep for one pod; undefined where there are none or the count failed. */
export interface PodFiles {
  readonly logs: FolderUsage | undefined;
  readonly etcHosts: CountedUsage | undefined;
  /** Termination messages of all containers, which a container may fill. Upstream leaves them out. */
  readonly terminationLogs: FolderUsage | undefined;
}

export interface PodFilesReading {
  readonly time: string;
  readonly byPodUid: ReadonlyMap<string, PodFiles>;
}

export interface PodFilesOptions {
  readonly rootDir: string;
  readonly podLogsDir: string;
  /** How long a summary waits for the counts. */
  readonly timeoutMs: number;
}

const blockBytes = 512;
const lookedAtOnce = 16;

/** Counts log files and the hosts file of pods. Source: kubernetes v1.36 pkg/kubelet/stats/host_stats_provider.go. */
export class PodFilesReader {
  constructor(
    private readonly diskUsage: DiskUsage,
    private readonly clock: Clock,
    private readonly failureLog: FailureLog,
    private readonly options: PodFilesOptions,
  ) {}

  /** Rejects only with the signal: a summary without log sizes is better than none. */
  async read(pods: readonly PodSandboxMetadata[], signal: AbortSignal): Promise<PodFilesReading> {
    const { rootDir, podLogsDir, timeoutMs } = this.options;
    // The names come from manifests through the runtime, so they are not trusted.
    const known = pods.filter(({ namespace, name, uid }) => [namespace, name, uid].every(isFileName));
    const folders = known.map(({ namespace, name, uid }) => join(podLogsDir, `${namespace}_${name}_${uid}`));
    try {
      const ownFolders = known.map(({ uid }) => join(rootDir, 'pods', uid, 'containers'));
      const [counted, etcHosts] = await withDeadline(
        this.clock,
        timeoutMs,
        (limit) =>
          Promise.all([
            folders.length === 0 ? [] : this.diskUsage.folders([...folders, ...ownFolders], limit),
            mapLimit(known, lookedAtOnce, ({ uid }) => fileUsage(join(rootDir, 'pods', uid, 'etc-hosts')), limit),
          ]),
        signal,
      );
      this.failureLog.over('The files of pods are counted again');
      const byPodUid = new Map(
        known.map(({ uid }, index): [string, PodFiles] => {
          const terminationLogs = counted[folders.length + index];
          return [uid, { logs: counted[index], etcHosts: etcHosts[index], terminationLogs }];
        }),
      );
      return { time: wireTime(this.clock.now()), byPodUid };
    } catch (error) {
      if (signal.aborted) throw error;
      this.failureLog.failed(KubeletError.from(error).code, 'Unable to fetch pod log stats', { error });
      return { time: wireTime(this.clock.now()), byPodUid: new Map() };
    }
  }
}

function isFileName(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..' && !text.includes('/');
}

// Pods with a mount at /etc/hosts have no such file.
async function fileUsage(path: string): Promise<CountedUsage | undefined> {
  try {
    const { blocks } = await lstat(path);
    return { bytes: blocks * blockBytes, inodes: 1, complete: true };
  } catch {
    return undefined;
  }
}
