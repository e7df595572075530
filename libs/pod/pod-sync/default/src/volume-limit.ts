import { messageOf } from '@podwright/errors';
import { podQosClass, type Pod } from '@podwright/kube-types';
import { volumeAttachmentLimitExceeded as reason } from '@podwright/volume-interface';
import type { PodSyncNeeds } from './pod-sync-needs.js';

/** True when the node can attach no more volumes, so that the pod will never start on it. */
export function isVolumeLimit(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'reason' in error && error.reason === reason;
}

/**
 * Rejects the pod as admission does; its controller may replace it on another node. Source: kubernetes v1.36
 * pkg/kubelet/kubelet.go SyncPod, rejectPod.
 */
export function rejectForVolumeLimit(
  { events, statuses, metrics }: Pick<PodSyncNeeds, 'events' | 'statuses' | 'metrics'>,
  pod: Pod,
  error: unknown,
): void {
  const message = messageOf(error);
  events.event({ kind: 'Pod', pod }, 'Warning', reason, message);
  const status = { qosClass: podQosClass(pod), phase: 'Failed', reason, message: `Pod was rejected: ${message}` };
  statuses.setPodStatus(pod, status);
  metrics
    .counter({
      name: 'kubelet_admission_rejections_total',
      help: 'Cumulative number pod admission rejections by the Kubelet.',
      labels: ['reason'],
    })
    .increment({ reason });
}
