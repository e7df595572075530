const kubeletLabels = new Set([
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'node.kubernetes.io/instance-type',
  'beta.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
  'node.kubernetes.io/windows-build',
]);
const kubeletNamespaces = ['kubelet.kubernetes.io', 'node.kubernetes.io'];
const restricted = 'node-restriction.kubernetes.io';

/**
 * The changed labels that a node may not set itself, sorted. Source: kubernetes v1.36
 * plugin/pkg/admission/noderestriction/admission.go getForbiddenLabels and
 * staging/src/k8s.io/kubelet/pkg/apis/well_known_labels.go.
 */
export function forbiddenNodeLabels(
  next: Readonly<Record<string, string>> = {},
  old: Readonly<Record<string, string>> = {},
): readonly string[] {
  const modified = [...new Set([...Object.keys(next), ...Object.keys(old)])].filter((key) => next[key] !== old[key]);
  return modified.filter(isForbidden).sort();
}

function isForbidden(label: string): boolean {
  const namespace = label.includes('/') ? (label.split('/')[0] ?? '') : '';
  if (within(namespace, restricted)) return true;
  const ofKubernetes = within(namespace, 'kubernetes.io') || within(namespace, 'k8s.io');
  return ofKubernetes && !kubeletLabels.has(label) && !kubeletNamespaces.some((own) => within(namespace, own));
}

function within(namespace: string, domain: string): boolean {
  return namespace === domain || namespace.endsWith(`.${domain}`);
}
