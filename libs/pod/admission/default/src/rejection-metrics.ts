import type { MetricsRegistry } from '@podwright/metrics';

// Upstream's list with its quirk: it has the message of taints, so the reason TaintToleration counts as Other.
const known: ReadonlySet<string> = new Set([
  'AppArmor',
  'PodOSSelectorNodeLabelDoesNotMatch',
  'PodOSNotSupported',
  'InvalidNodeInfo',
  'InitContainerRestartPolicyForbidden',
  'SupplementalGroupsPolicyNotSupported',
  'UnexpectedAdmissionError',
  'UnknownReason',
  'UnexpectedPredicateFailureType',
  'OutOfcpu',
  'OutOfmemory',
  'OutOfephemeral-storage',
  'OutOfpods',
  'PodLevelResourcesNotSupported',
  'PodFeatureUnsupported',
  "node(s) had taints that the pod didn't tolerate",
  'Evicted',
  'SysctlForbidden',
  'TopologyAffinityError',
  'NodeShutdown',
  'VolumeAttachmentLimitExceeded',
]);

/**
 * The label value of a reason, from a bounded set. Source: kubernetes v1.36 pkg/kubelet/kubelet.go
 * recordAdmissionRejection.
 */
export function rejectionLabel(reason: string): string {
  if (known.has(reason)) return reason;
  return reason.startsWith('OutOf') ? 'OutOfExtendedResources' : 'Other';
}

/** Returns a function that counts a rejected pod by its reason. */
export function rejectionCounter(metrics: MetricsRegistry): (reason: string) => void {
  const counter = metrics.counter({
    name: 'kubelet_admission_rejections_total',
    help: 'Cumulative number pod admission rejections by the Kubelet.',
    labels: ['reason'],
  });
  return (reason) => counter.increment({ reason: rejectionLabel(reason) });
}
