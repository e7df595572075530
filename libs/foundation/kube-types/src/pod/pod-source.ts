import type { Pod } from '../objects.js';

/** `file`, `http` or `api`: where the kubelet saw the pod. */
export const configSourceAnnotation = 'kubernetes.io/config.source';
/** First-seen time, RFC 3339 with nine fraction digits. */
export const configSeenAnnotation = 'kubernetes.io/config.seen';
/** UID of a static pod as made from its manifest; compared between a static pod and its mirror. */
export const configHashAnnotation = 'kubernetes.io/config.hash';
/** Copy of the hash, present on mirror pods alone. */
export const configMirrorAnnotation = 'kubernetes.io/config.mirror';
/** The local annotations that are no part of a pod's meaning: kubernetes v1.36 pkg/kubelet/config/config.go. */
export const localAnnotations: readonly string[] = [
  configSourceAnnotation,
  configSeenAnnotation,
  configMirrorAnnotation,
];

export type PodSource = 'file' | 'http' | 'api';

/** Priority from which a pod counts as critical: twice the highest that a user may define. */
export const systemCriticalPriority = 2_000_000_000;
export const systemNodeCritical = 'system-node-critical';
export const systemClusterCritical = 'system-cluster-critical';

function annotation(pod: Pod, name: string): string | undefined {
  return pod.metadata.annotations?.[name];
}

/** Source of a pod that came out of pod-config; undefined for an object without the annotation. */
export function podSource(pod: Pod): PodSource | undefined {
  const source = annotation(pod, configSourceAnnotation);
  return source === 'file' || source === 'http' || source === 'api' ? source : undefined;
}

/** True for a pod from a file or a URL. An object without source annotation is not static. */
export function isStaticPod(pod: Pod): boolean {
  const source = annotation(pod, configSourceAnnotation);
  return source !== undefined && source !== 'api';
}

/** True for the API object that stands for a static pod. */
export function isMirrorPod(pod: Pod): boolean {
  return annotation(pod, configMirrorAnnotation) !== undefined;
}

/** Static, mirror, or of system priority: admitted first, evicted last. Source: kubernetes v1.36 pkg/kubelet/types/pod_update.go. */
export function isCriticalPod(pod: Pod): boolean {
  return isStaticPod(pod) || isMirrorPod(pod) || (pod.spec.priority ?? 0) >= systemCriticalPriority;
}

/** Critical and of class system-node-critical: gets the OOM score of Guaranteed. */
export function isNodeCriticalPod(pod: Pod): boolean {
  return isCriticalPod(pod) && pod.spec.priorityClassName === systemNodeCritical;
}
