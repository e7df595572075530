import { join } from 'node:path';
import type { Pod } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';

/** Folders of the logs (`podLogsDir`) and of the links to them. */
export interface LogDirectories {
  readonly podLogsDir: string;
  readonly containerLogsDir: string;
}

const longestFileName = 255;

/** Log directory of a pod. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/helpers.go BuildPodLogsDirectory. */
export function podLogDirectory(podLogsDir: string, pod: Pod): string {
  return join(podLogsDir, `${pod.metadata.namespace ?? ''}_${pod.metadata.name ?? ''}_${podUid(pod)}`);
}

export function containerLogDirectory(podLogsDir: string, pod: Pod, containerName: string): string {
  return join(podLogDirectory(podLogsDir, pod), containerName);
}

/** Path relative to the pod's log directory, as in the runtime's configuration. */
export function containerLogPath(containerName: string, restartCount: number): string {
  return `${containerName}/${restartCount}.log`;
}

export interface LogLinkNames {
  readonly podName: string;
  readonly namespace: string;
  readonly containerName: string;
  readonly containerId: string;
}

/**
 * Path of the link that log collectors read. A name that is too long for a file is cut at the end, so it loses a part
 * of the container id. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/legacy.go.
 */
export function containerLogLink(containerLogsDir: string, names: LogLinkNames): string {
  const suffix = '.log';
  const full = `${names.podName}_${names.namespace}_${names.containerName}-${names.containerId}`;
  return join(containerLogsDir, full.slice(0, longestFileName - suffix.length) + suffix);
}
