import { containerIdOf, lastCgroupName } from '@podwright/cgroup-files';

/**
 * The pod and the container that a cgroup belongs to, by the names that the kubelet and the runtime give: with the driver
 * cgroupfs `/kubepods/burstable/pod<uid>/<id>`, with systemd `.../kubepods-burstable-pod<uid>.slice/cri-<id>.scope`. What
 * is above `kubepods` may have any name, and so may what a container makes below its own.
 */
export function killedPod(cgroup: string): { readonly podUid?: string; readonly containerId?: string } {
  const parts = cgroup.split('/');
  const names = parts.map(lastCgroupName);
  const rootAt = names.indexOf('kubepods');
  const podAt = names.findIndex((name, index) => index > rootAt && /^pod./.test(name));
  if (rootAt < 0 || podAt < 0) return {};
  const containerId = containerIdOf(parts[podAt + 1] ?? '');
  return { podUid: (names[podAt] ?? '').slice('pod'.length), ...(containerId !== undefined && { containerId }) };
}
