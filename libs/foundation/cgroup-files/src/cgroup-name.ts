/** How the components of an internal cgroup name are rendered for a driver. Source: kubernetes v1.36 pkg/kubelet/cm/cgroup_manager_linux.go. */
export function cgroupName(driver: 'cgroupfs' | 'systemd', root: string, components: readonly string[]): string {
  const all = [...root.split('/').filter((part) => part !== ''), ...components];
  if (driver === 'cgroupfs') return `/${all.join('/')}`;
  const escaped = all.map((part) => part.replaceAll('-', '_'));
  return escaped.map((_, index) => `/${escaped.slice(0, index + 1).join('-')}.slice`).join('') || '/';
}

/** UID in the last component of a pod cgroup, `pod<uid>` or `...-pod<uid>.slice`; undefined for other cgroups. */
export function podUidOf(driver: 'cgroupfs' | 'systemd', directory: string): string | undefined {
  if (driver === 'systemd' && !directory.endsWith('.slice')) return undefined;
  const last =
    driver === 'cgroupfs' ? directory : directory.slice(0, -'.slice'.length).split('-').at(-1)?.replaceAll('_', '-');
  const parts = last?.split('pod') ?? [];
  return parts.length === 2 && parts[0] === '' && parts[1] !== '' ? parts[1] : undefined;
}
