/**
 * The path of a cgroup, from the components of its internal name, as the driver writes it.
 * Source: kubernetes v1.36 pkg/kubelet/cm/cgroup_manager_linux.go.
 */
export function cgroupName(driver: 'cgroupfs' | 'systemd', root: string, components: readonly string[]): string {
  const all = [...root.split('/').filter((part) => part !== ''), ...components];
  if (driver === 'cgroupfs') return `/${all.join('/')}`;
  const escaped = all.map((part) => part.replaceAll('-', '_'));
  return escaped.map((_, index) => `/${escaped.slice(0, index + 1).join('-')}.slice`).join('') || '/';
}

/**
 * The last component of a path, without what the driver adds: `pod<uid>` for `/kubepods/burstable/pod<uid>` and for
 * `.../kubepods-burstable-pod<uid with _>.slice`, `<id>` for `.../<id>` and for `.../cri-containerd-<id>.scope`.
 */
export function lastCgroupName(cgroup: string): string {
  const last = cgroup.slice(cgroup.lastIndexOf('/') + 1);
  const [, unit, suffix] = /^(.*)\.(slice|scope)$/s.exec(last) ?? [];
  if (unit === undefined) return last;
  const name = unit.slice(unit.lastIndexOf('-') + 1);
  return suffix === 'slice' ? name.replaceAll('_', '-') : name;
}

/**
 * The id of a container or sandbox in the last component of a path, with any cgroup driver and runtime; undefined for
 * other cgroups, among them those of CRI-O's conmon. CRI-O writes `crio-` before the id with both drivers.
 */
export function containerIdOf(cgroup: string): string | undefined {
  const last = cgroup.slice(cgroup.lastIndexOf('/') + 1);
  if (last.endsWith('.mount') || last.startsWith('crio-conmon-')) return undefined;
  return /^(?:[a-z0-9-]+-)?([a-z0-9]{64})(?:\.scope)?$/.exec(last)?.[1];
}

/** The UID in the name of a pod's cgroup, `pod<uid>` or `...-pod<uid>.slice`; undefined for other cgroups. */
export function podUidOf(driver: 'cgroupfs' | 'systemd', directory: string): string | undefined {
  if (driver === 'systemd' && !directory.endsWith('.slice')) return undefined;
  const parts = (driver === 'cgroupfs' ? directory : lastCgroupName(directory)).split('pod');
  return parts.length === 2 && parts[0] === '' && parts[1] !== '' ? parts[1] : undefined;
}
