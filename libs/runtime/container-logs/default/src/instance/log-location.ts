import { readlink } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { isMissing } from '@podwright/errors';
import type { Pod } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';
import { refused } from '../files/log-error.js';
import type { ContainerInstance } from './container-instance.js';

/** A log file: the folder names below `podLogsDir`, and the file name. */
export interface LogLocation {
  readonly folder: readonly string[];
  readonly name: string;
}

/** Name of a pod's log folder. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/helpers.go BuildPodLogsDirectory. */
export function podLogFolder({ metadata, ...pod }: Pod): string {
  return `${metadata.namespace ?? ''}_${metadata.name ?? ''}_${podUid({ metadata, ...pod })}`;
}

/** Converts the path that the runtime reports. Throws `failed-precondition` when it is outside of the pod's folder. */
export function locationOf(podLogsDir: string, pod: Pod, logPath: string): LogLocation {
  const podFolder = podLogFolder(pod);
  const names = relative(join(podLogsDir, podFolder), logPath).split('/');
  const name = names.pop() ?? '';
  if (!isAbsolute(logPath) || name === '' || name === '..' || names[0] === '..') {
    throw refused(logPath, "it is outside of the pod's log folder");
  }
  return { folder: [podFolder, ...names], name };
}

export interface LogDirectories {
  readonly podLogsDir: string;
  readonly containerLogsDir: string;
}

/**
 * Guesses where the log of a container is that the runtime has no record of, the likeliest first. The link for log
 * collectors names the file; without a link, the numbers of the run give its possible names.
 */
export async function likelyLocations(
  { podLogsDir, containerLogsDir }: LogDirectories,
  pod: Pod,
  container: string,
  instance: ContainerInstance,
): Promise<readonly LogLocation[]> {
  const { name = '', namespace = '' } = pod.metadata;
  const linkName = `${name}_${namespace}_${container}-${instance.criId}`.slice(0, longestLinkName);
  const target = await linkTarget(join(containerLogsDir, `${linkName}.log`));
  if (target !== undefined) return [locationOf(podLogsDir, pod, target)];
  return instance.logNumbers.map((number) => ({ folder: [podLogFolder(pod), container], name: `${number}.log` }));
}

// A file name has at most 255 bytes; `.log` takes four.
const longestLinkName = 251;

async function linkTarget(link: string): Promise<string | undefined> {
  try {
    return await readlink(link);
  } catch (error) {
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'EINVAL') return undefined;
    throw error;
  }
}
