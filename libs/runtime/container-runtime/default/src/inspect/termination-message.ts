import { openRegularFile } from '@podwright/contained-path';
import {
  containerTerminationMessagePathAnnotation,
  containerTerminationMessagePolicyAnnotation,
} from '@podwright/cri-client-interface';
import type { PodIdentity } from '@podwright/container-runtime-interface';
import type { ContainerStatus } from '@podwright/cri-client-interface';
import { isMissing, KubeletError, messageOf } from '@podwright/errors';
import { lstat, realpath } from 'node:fs/promises';
import { podLogFolder, stepsToPodFile, terminationLogMount } from '../pod-records/log-paths.js';
import { readTail } from './file-tail.js';
import { readLogTail } from './log-tail.js';

const mostBytes = 4096;

/** The folders of all pods and of all logs, and whose file it must be. */
export interface PodFolders {
  readonly podsDir: string;
  readonly podLogsDir: string;
  readonly pod: PodIdentity;
}

/**
 * Termination message of an exited container; empty when there is none. Never rejects: an error becomes the message.
 * The runtime names the files, and everybody who may read pods sees the message: it comes from the pod's folders alone.
 * Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go getTerminationMessage.
 */
export async function terminationMessage(status: ContainerStatus, folders: PodFolders): Promise<string> {
  // A container that could not run has no logs.
  const fallBackToLogs =
    status.annotations[containerTerminationMessagePolicyAnnotation] === 'FallbackToLogsOnError' &&
    status.exitCode !== 0 &&
    status.reason !== 'ContainerCannotRun';
  const own = await fromFile(status, folders);
  if (own !== '' || !fallBackToLogs) return own;
  const { logPath } = status;
  const isOwn = stepsToPodFile(folders.podLogsDir, podLogFolder(folders.pod), logPath) !== undefined;
  return (isOwn ? readLogTail(logPath) : refused()).catch(
    (error: unknown) => `Error on reading termination message from logs: ${logProblem(logPath, error)}`,
  );
}

const refused = (): Promise<never> =>
  Promise.reject(new KubeletError("it is not in the pod's folder", { code: 'failed-precondition' }));

/** Also when the runtime has resolved links in the path of the kubelet's folder, as CRI-O does. */
async function isInPodDir(path: string, { podsDir, pod: { uid } }: PodFolders): Promise<boolean> {
  const isBelow = (root: string): boolean => stepsToPodFile(root, uid, path) !== undefined;
  return isBelow(podsDir) || isBelow(await realpath(podsDir));
}

/** Users see this text in the pod's status, so a missing log has upstream's text. */
function logProblem(path: string, error: unknown): string {
  return isMissing(error)
    ? `failed to try resolving symlinks in path "${path}": lstat ${path}: no such file or directory`
    : messageOf(error);
}

async function fromFile({ annotations, mounts }: ContainerStatus, folders: PodFolders): Promise<string> {
  const path = annotations[containerTerminationMessagePathAnnotation] ?? '';
  const mountedAt = terminationLogMount(path);
  const mount = path === '' ? undefined : mounts.find(({ containerPath }) => containerPath === mountedAt);
  if (mount === undefined) return '';
  try {
    // Most containers leave it empty, and each inspection of an ended container asks: one call answers that.
    const seen = await lstat(mount.hostPath);
    if (seen.isFile() && seen.size === 0) return '';
    if (!(await isInPodDir(mount.hostPath, folders))) await refused();
    // The container can write here, so a link is refused, and so is a pipe, whose read would never end.
    return (await readTail(await openRegularFile(mount.hostPath), mostBytes)).data.toString('utf8');
  } catch (error) {
    if (isMissing(error)) return '';
    return `Error on reading termination log ${mount.hostPath}: ${messageOf(error)}`;
  }
}
