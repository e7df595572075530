/**
 * The pod and the container that a cgroup belongs to, by the names that the kubelet and the runtime give: with the driver
 * cgroupfs `/kubepods/burstable/pod<uid>/<id>`, with systemd `.../kubepods-burstable-pod<uid>.slice/cri-<id>.scope`.
 */
export function killedPod(cgroup: string): { readonly podUid?: string; readonly containerId?: string } {
  const parts = cgroup.split('/');
  const podAt = parts.findIndex((part) => podPart.test(part));
  const uid = podPart.exec(parts[podAt] ?? '')?.[1];
  if (uid === undefined) return {};
  const containerId = containerPart.exec(parts[podAt + 1] ?? '')?.[1];
  // A systemd unit has no dashes of its own in a part of its name.
  return { podUid: uid.replaceAll('_', '-'), ...(containerId !== undefined && { containerId }) };
}

const podPart = /^(?:kubepods(?:-[a-z]+)?-)?pod([A-Za-z0-9_.-]+?)(?:\.slice)?$/;
const containerPart = /^(?:[a-z-]+-)?([0-9a-f]{64})(?:\.scope)?$/;
