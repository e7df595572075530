/**
 * Formats a runtime's version for the Node: without a leading `v` and without trailing text; `Unknown` for a text that
 * is no version. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_manager.go newRuntimeVersion,
 * apimachinery/pkg/util/version.
 */
export function runtimeVersionText(reported: string): string {
  const [, numbers, rest = ''] = /^\s*v?(\d+(?:\.\d+)*)(.*)$/s.exec(reported) ?? [];
  if (numbers === undefined) return 'Unknown';
  const parts = numbers.split('.');
  const semantic = parts.length === 3 && !parts.some((part) => /^0\d/.test(part));
  const identifiers = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
  const suffix = new RegExp(`^(?:-${identifiers})?(?:\\+${identifiers})?\\s*$`);
  if (semantic && suffix.test(rest)) return numbers + rest.trim();
  return parts.length < 2 ? 'Unknown' : parts.map(Number).join('.');
}
