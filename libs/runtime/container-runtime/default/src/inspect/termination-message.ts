import { openRegularFile } from '@podwright/contained-path';
import {
  containerTerminationMessagePathAnnotation,
  containerTerminationMessagePolicyAnnotation,
} from '@podwright/cri-client-interface';
import type { ContainerStatus } from '@podwright/cri-client-interface';
import { isMissing, messageOf } from '@podwright/errors';
import { lstat } from 'node:fs/promises';
import { readTail } from './file-tail.js';
import { readLogTail } from './log-tail.js';

const mostBytes = 4096;

/**
 * Termination message of an exited container; empty when there is none. Never rejects: an error becomes the message.
 * Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go getTerminationMessage.
 */
export async function terminationMessage(status: ContainerStatus): Promise<string> {
  // A container that could not run has no logs.
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

/** Users see this text in the pod's status, so a missing log has upstream's text. */
function logProblem(path: string, error: unknown): string {
  return isMissing(error)
    ? `failed to try resolving symlinks in path "${path}": lstat ${path}: no such file or directory`
    : messageOf(error);
}

async function fromFile({ annotations, mounts }: ContainerStatus): Promise<string> {
  const path = annotations[containerTerminationMessagePathAnnotation] ?? '';
  const mount = path === '' ? undefined : mounts.find(({ containerPath }) => containerPath === path);
  if (mount === undefined) return '';
  try {
    // Most containers leave it empty, and each inspection of an ended container asks: one call answers that.
    const seen = await lstat(mount.hostPath);
    if (seen.isFile() && seen.size === 0) return '';
    // The container can write here, so a link is refused, and so is a pipe, whose read would never end.
    return (await readTail(await openRegularFile(mount.hostPath), mostBytes)).data.toString('utf8');
  } catch (error) {
    if (isMissing(error)) return '';
    return `Error on reading termination log ${mount.hostPath}: ${messageOf(error)}`;
  }
}
