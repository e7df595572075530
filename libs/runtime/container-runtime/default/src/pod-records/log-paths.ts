import { join } from 'node:path';
import type { Pod } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';

/** Where logs are (`podLogsDir`), and where the links to them. */
export interface LogDirectories {
  readonly podLogsDir: string;
  readonly containerLogsDir: string;
}

const longestFileName = 255;

/** Source: kubernetes v1.36 pkg/kubelet/kuberuntime/helpers.go BuildPodLogsDirectory. */
export function podLogDirectory(podLogsDir: string, pod: Pod): string {
  return join(podLogsDir, `${pod.metadata.namespace ?? ''}_${pod.metadata.name ?? ''}_${podUid(pod)}`);
}

export function containerLogDirectory(podLogsDir: string, pod: Pod, containerName: string): string {
  return join(podLogDirectory(podLogsDir, pod), containerName);
}

/** Path below the pod's log directory, as the runtime is told. */
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
 * The link that log collectors look for. A name too long for a file loses its end, so part of the container id.
 * Source: kubernetes v1.36 pkg/kubelet/kuberuntime/legacy.go.
 */
export function containerLogLink(containerLogsDir: string, names: LogLinkNames): string {
  const suffix = '.log';
  const full = `${names.podName}_${names.namespace}_${names.containerName}-${names.containerId}`;
  return join(containerLogsDir, full.slice(0, longestFileName - suffix.length) + suffix);
}
