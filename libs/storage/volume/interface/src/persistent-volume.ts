import { matchesNodeSelectorTerms, type PersistentVolume } from '@podwright/kube-types';

const gidAnnotation = 'pv.beta.kubernetes.io/gid';

/**
 * The group that containers need to use the volume, for their supplemental groups; undefined without one, and where the
 * annotation is no number. Source: kubernetes v1.36 pkg/kubelet/volumemanager/volume_manager.go getExtraSupplementalGid.
 */
export function supplementalGroup({ metadata }: PersistentVolume): number | undefined {
  const text = metadata?.annotations?.[gidAnnotation] ?? '';
  const group = /^[+-]?\d+$/.test(text) ? Number(text) : NaN;
  return Number.isSafeInteger(group) ? group : undefined;
}

/**
 * Why the volume cannot be used on a node with these labels; undefined when it can. Source: kubernetes v1.36
 * staging/src/k8s.io/component-helpers/storage/volume/helpers.go CheckNodeAffinity.
 */
export function nodeAffinityProblem(
  { spec }: PersistentVolume,
  labels: Readonly<Record<string, string>>,
): string | undefined {
  const required = spec?.nodeAffinity?.required;
  // Fields cannot be asked for: the check knows the labels alone.
  if (!required || matchesNodeSelectorTerms(required.nodeSelectorTerms, labels, '')) return undefined;
  return 'no matching NodeSelectorTerms';
}
