import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Pod } from '@podwright/kube-types';
import { exists } from './guest-commands.js';

const ROOT = '/sys/fs/cgroup';
export const KUBEPODS = 'kubepods.slice';

/** The UID that the node knows a pod by; that of a static pod is the hash of its configuration. */
export function podUid(pod: Pod): string {
  return pod.metadata.annotations?.['kubernetes.io/config.hash'] ?? pod.metadata.uid ?? '';
}

/** A pod's slice below the root of the hierarchy, named as upstream does. */
export function podSlice(pod: Pod): string {
  const escaped = podUid(pod).replaceAll('-', '_');
  const qos = pod.status?.qosClass ?? '';
  if (qos === 'Guaranteed') return `${KUBEPODS}/kubepods-pod${escaped}.slice`;
  const parent = `kubepods-${qos.toLowerCase()}`;
  return `${KUBEPODS}/${parent}.slice/${parent}-pod${escaped}.slice`;
}

/** A container's scope, as runc names it for containerd. */
export function containerScope(pod: Pod, name: string): string {
  const id = pod.status?.containerStatuses?.find((status) => status.name === name)?.containerID ?? '';
  return `${podSlice(pod)}/cri-${id.replace('://', '-')}.scope`;
}

/** Content of a cgroup's file, trimmed. */
export async function readCgroup(cgroup: string, file: string): Promise<string> {
  return (await readFile(path.join(ROOT, cgroup, file), 'utf8')).trim();
}

export async function readCgroupFiles<const Names extends readonly string[]>(
  cgroup: string,
  files: Names,
): Promise<Record<Names[number], string>> {
  const entries = await Promise.all(files.map(async (file) => [file, await readCgroup(cgroup, file)]));
  return Object.fromEntries(entries) as Record<Names[number], string>;
}

export async function cgroupExists(cgroup: string): Promise<boolean> {
  return exists(path.join(ROOT, cgroup));
}

/** Names of all pod slices, of every QoS class. */
export async function podSlices(): Promise<readonly string[]> {
  const classes = [KUBEPODS, `${KUBEPODS}/kubepods-burstable.slice`, `${KUBEPODS}/kubepods-besteffort.slice`];
  const names = await Promise.all(classes.map((name) => readdir(path.join(ROOT, name)).catch(() => [])));
  return names.flat().filter((name) => /-pod[0-9a-f_]+\.slice$/.test(name));
}
