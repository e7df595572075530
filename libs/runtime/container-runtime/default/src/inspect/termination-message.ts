import {
  containerTerminationMessagePathAnnotation,
  containerTerminationMessagePolicyAnnotation,
} from '@podwright/cri-client-interface';
import type { ContainerStatus } from '@podwright/cri-client-interface';
import { messageOf } from '@podwright/errors';
import { readTail } from './file-tail.js';
import { readLogTail } from './log-tail.js';

const mostBytes = 4096;

/**
 * Last words of an exited container, empty when it left none. Never rejects: what went wrong is the message then.
 * Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go getTerminationMessage.
 */
export async function terminationMessage(status: ContainerStatus): Promise<string> {
  // A container that never ran has no logs.
  const fallBackToLogs =
    status.annotations[containerTerminationMessagePolicyAnnotation] === 'FallbackToLogsOnError' &&
    status.exitCode !== 0 &&
    status.reason !== 'ContainerCannotRun';
  const own = await fromFile(status);
  if (own !== '' || !fallBackToLogs) return own;
  return readLogTail(status.logPath).catch(
    (error: unknown) => `Error on reading termination message from logs: ${logProblem(status.logPath, error)}`,
  );
}

/** Users meet this text in the status of the pod, so a log that is gone reads as upstream has it. */
function logProblem(path: string, error: unknown): string {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
    ? `failed to try resolving symlinks in path "${path}": lstat ${path}: no such file or directory`
    : messageOf(error);
}

async function fromFile({ annotations, mounts }: ContainerStatus): Promise<string> {
  const path = annotations[containerTerminationMessagePathAnnotation] ?? '';
  const mount = path === '' ? undefined : mounts.find(({ containerPath }) => containerPath === path);
  if (mount === undefined) return '';
  try {
    return (await readTail(mount.hostPath, mostBytes)).data.toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    return `Error on reading termination log ${mount.hostPath}: ${messageOf(error)}`;
  }
}
