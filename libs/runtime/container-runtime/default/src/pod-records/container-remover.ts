import { rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { ContainedFolder } from '@podwright/contained-path';
import type {
  InternalContainerLifecycle,
  PodIdentity,
  RuntimeContainerStatus,
  RuntimePodStatus,
} from '@podwright/container-runtime-interface';
import { containerNameLabel, podNameLabel, podNamespaceLabel, podUidLabel } from '@podwright/cri-client-interface';
import type { RuntimeService } from '@podwright/cri-client-interface';
import { isMissing, KubeletError, messageOf } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';
import { podRef } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { LogDirectories } from './log-paths.js';
import { containerLogLink, podLogFolder, stepsToPodFile } from './log-paths.js';

/**
 * Removes containers with their logs. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go
 * removeContainer.
 */
export class ContainerRemover {
  private readonly underWay = new Map<string, Promise<void>>();

  constructor(
    private readonly runtime: RuntimeService,
    private readonly directories: LogDirectories,
    private readonly logger: Logger,
    private readonly internalLifecycle?: InternalContainerLifecycle,
  ) {}

  /**
   * Removes a container. Concurrent calls for one container share the removal, because a runtime refuses to remove a
   * container that it is already removing.
   */
  remove(containerId: string, keepLogs = false): Promise<void> {
    const begun = this.underWay.get(containerId);
    if (begun !== undefined) return begun;
    const removal = this.removeOnce(containerId, keepLogs).finally(() => this.underWay.delete(containerId));
    this.underWay.set(containerId, removal);
    return removal;
  }

  /** Removes the logs first: without the record, nothing would point to them. */
  private async removeOnce(containerId: string, keepLogs: boolean): Promise<void> {
    await this.internalLifecycle?.postStopContainer(containerId);
    if (!keepLogs) await this.removeLogs(containerId);
    await this.runtime.removeContainer({ containerId });
  }

  /** Removes all records of init containers, because they run again in a new sandbox. Never rejects. */
  async purgeInitContainers(pod: Pod, status: RuntimePodStatus): Promise<void> {
    await this.removeAll(pod, initRecords(pod, status));
  }

  /** Keeps only the newest ended record of each init container. Never rejects. */
  async pruneInitContainers(pod: Pod, status: RuntimePodStatus): Promise<void> {
    const seen = new Set<string>();
    const old = initRecords(pod, status).filter(({ name, state }) => {
      if (state !== 'exited' && state !== 'unknown') return false;
      if (seen.has(name)) return true;
      seen.add(name);
      return false;
    });
    await this.removeAll(pod, old);
  }

  private async removeAll(pod: Pod, records: readonly RuntimeContainerStatus[]): Promise<void> {
    for (const { id } of records) {
      await this.remove(id).catch((error: unknown) => {
        this.logger.error('Failed to remove init container', { pod: podRef(pod), containerId: id, error });
      });
    }
  }

  private async removeLogs(containerId: string): Promise<void> {
    const { status } = await this.runtime.containerStatus({ containerId });
    if (status === undefined) {
      throw new KubeletError(`failed to get container status ${JSON.stringify(containerId)}`, { code: 'internal' });
    }
    const { labels } = status;
    const [name = '', namespace = ''] = [labels[podNameLabel], labels[podNamespaceLabel]];
    await this.removeLogFiles(status.logPath, { namespace, name, uid: labels[podUidLabel] ?? '' });
    const containerName = labels[containerNameLabel] ?? '';
    const names = { podName: name, namespace, containerName, containerId };
    const link = containerLogLink(this.directories.containerLogsDir, names);
    if (link === undefined) return;
    await rm(link, { force: true }).catch((cause: unknown) => {
      const message = `failed to remove container ${JSON.stringify(containerId)} log legacy symlink ${JSON.stringify(link)}: ${messageOf(cause)}`;
      throw new KubeletError(message, { code: 'internal', cause });
    });
  }

  /** Removes the log and its rotated files. */
  private async removeLogFiles(logPath: string, pod: PodIdentity): Promise<void> {
    if (logPath === '') return;
    const { podLogsDir } = this.directories;
    const steps = stepsToPodFile(podLogsDir, podLogFolder(pod), logPath);
    if (steps === undefined) {
      this.logger.warn('Log outside of the log directory of its pod is left alone', { logPath });
      return;
    }
    // A pod that mounts the directory from the host can put a link in place of a folder; its container must go anyway.
    const folder = await ContainedFolder.open(podLogsDir, steps.slice(0, -1)).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw error;
      this.logger.warn('Log behind what is no folder is left alone', { logPath });
      return undefined;
    });
    if (folder === undefined) return;
    try {
      const logs = (await folder.names()).filter((name) => name.startsWith(basename(logPath)));
      await Promise.all(logs.map((name) => folder.remove(name)));
    } finally {
      await folder.close();
    }
  }
}

function initRecords(pod: Pod, status: RuntimePodStatus): readonly RuntimeContainerStatus[] {
  const names = new Set((pod.spec.initContainers ?? []).map(({ name }) => name));
  return names.size === 0 ? [] : status.containers.filter(({ name }) => names.has(name));
}
