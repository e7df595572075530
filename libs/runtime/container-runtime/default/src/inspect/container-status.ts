import type { RuntimeContainerStatus } from '@podwright/container-runtime-interface';
import type { ContainerStatus } from '@podwright/cri-client-interface';
import { restartCountOf } from '../pod-records/labels.js';
import { toRuntimeContainer } from './convert-records.js';
import { terminationMessage, type PodFolders } from './termination-message.js';

/**
 * Converts a CRI container status, and reads the termination message of an exited container. Source: kubernetes v1.36
 * pkg/kubelet/kuberuntime/kuberuntime_container.go toKubeContainerStatus.
 */
export async function toContainerStatus(
  cri: ContainerStatus,
  podSandboxId: string,
  folders: PodFolders,
): Promise<RuntimeContainerStatus> {
  const record = toRuntimeContainer(cri, podSandboxId);
  const exited = record.state === 'exited';
  const lastWords = exited ? await terminationMessage(cri, folders) : '';
  return {
    ...record,
    restartCount: restartCountOf(cri.annotations),
    startedAt: record.state === 'created' ? 0n : cri.startedAt,
    finishedAt: exited ? cri.finishedAt : 0n,
    exitCode: exited ? cri.exitCode : 0,
    reason: exited ? cri.reason : '',
    message: exited ? [cri.message, lastWords].filter((part) => part !== '').join(': ') : '',
    logPath: cri.logPath,
    cri,
  };
}
