import type { MetricsRegistry } from '@podwright/metrics';

// Upstream's list, with its quirk: taints are listed by their message, so that TaintToleration counts as Other.
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

/** The label value for a reason: few enough values for a metric. Source: kubernetes v1.36 pkg/kubelet/kubelet.go recordAdmissionRejection. */
export function rejectionLabel(reason: string): string {
  if (known.has(reason)) return reason;
  return reason.startsWith('OutOf') ? 'OutOfExtendedResources' : 'Other';
}

/** Counts refused pods; called with the reason. */
export function rejectionCounter(metrics: MetricsRegistry): (reason: string) => void {
  const counter = metrics.counter({
    name: 'kubelet_admission_rejections_total',
    help: 'Cumulative number pod admission rejections by the Kubelet.',
    labels: ['reason'],
  });
  return (reason) => counter.increment({ reason: rejectionLabel(reason) });
}
