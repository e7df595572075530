import { isAbsolute, join, relative, resolve } from 'node:path';
import type { PodIdentity } from '@podwright/container-runtime-interface';
import type { Pod } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';

/** Folders of the logs (`podLogsDir`) and of the links to them. */
export interface LogDirectories {
  readonly podLogsDir: string;
  readonly containerLogsDir: string;
}

const longestFileName = 255;

/**
 * Steps from `root` to a file that the runtime names, if these begin with the pod's own folder. Undefined for a path
 * elsewhere: that file is not the pod's.
 */
export function stepsToPodFile(root: string, podFolder: string, path: string): readonly string[] | undefined {
  const [first, ...rest] = relative(root, path).split('/');
  return isAbsolute(path) && first === podFolder && rest.length > 0 ? [first, ...rest] : undefined;
}

/** Log directory of a pod. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/helpers.go BuildPodLogsDirectory. */
export function podLogDirectory(podLogsDir: string, pod: Pod): string {
  const { namespace = '', name = '' } = pod.metadata;
  return join(podLogsDir, podLogFolder({ namespace, name, uid: podUid(pod) }));
}

/** Name of that directory. */
export const podLogFolder = ({ namespace, name, uid }: PodIdentity): string => `${namespace}_${name}_${uid}`;

export function containerLogDirectory(podLogsDir: string, pod: Pod, containerName: string): string {
  return join(podLogDirectory(podLogsDir, pod), containerName);
}

/** Path relative to the pod's log directory, as in the runtime's configuration. */
export function containerLogPath(containerName: string, restartCount: number): string {
  return `${containerName}/${restartCount}.log`;
}

/**
 * Where a `terminationMessagePath` is mounted in the container. Source: kubernetes v1.36 pkg/volume/util MakeAbsolutePath.
 */
export const terminationLogMount = (terminationMessagePath: string): string => resolve('/', terminationMessagePath);

export interface LogLinkNames {
  readonly podName: string;
  readonly namespace: string;
  readonly containerName: string;
  readonly containerId: string;
}

/**
 * Path of the link that log collectors read. A name that is too long for a file is cut at the end, so it loses a part
 * of the container id. Undefined when the runtime reports names that make no file name, but lead to another folder.
 * Source: kubernetes v1.36 pkg/kubelet/kuberuntime/legacy.go.
 */
export function containerLogLink(containerLogsDir: string, names: LogLinkNames): string | undefined {
  const suffix = '.log';
  const full = `${names.podName}_${names.namespace}_${names.containerName}-${names.containerId}`;
  if (full.includes('/')) return undefined;
  return join(containerLogsDir, full.slice(0, longestFileName - suffix.length) + suffix);
}
