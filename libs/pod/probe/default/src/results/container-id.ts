/** The bare CRI id from an id as statuses show it, such as `containerd://...`. */
export function bareContainerId(containerId: string): string {
  const at = containerId.indexOf('://');
  return at < 0 ? containerId : containerId.slice(at + 3);
}
