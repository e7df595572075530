/**
 * The cgroup that accounts for a process, from the text of its `/proc/<pid>/cgroup`; undefined when its v1 cgroups for
 * CPU and memory differ. Source: kubernetes v1.36 pkg/kubelet/cm/container_manager_linux.go getContainer.
 */
export function ownCgroupOf(procCgroup: string): string | undefined {
  const cgroups = new Map<string, string>();
  for (const line of procCgroup.split('\n')) {
    const [, controllers, cgroup] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
    if (controllers === undefined || cgroup === undefined) continue;
    for (const controller of controllers.split(',')) cgroups.set(controller, cgroup);
  }
  const [cpu, memory] = [cgroups.get('cpu'), cgroups.get('memory')];
  if (cpu === undefined && memory === undefined) return cgroups.get('');
  return cpu === memory ? (cgroups.get('name=systemd') ?? cpu) : undefined;
}
