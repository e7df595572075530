import type { Pod } from '../objects.js';

/** Where the kubelet got the pod from: `file`, `http`, `local` or `api`. */
export const configSourceAnnotation = 'kubernetes.io/config.source';
/** When the kubelet first saw the pod: RFC 3339 with nine fraction digits. */
export const configSeenAnnotation = 'kubernetes.io/config.seen';
/** The UID that the kubelet computed from a static pod's manifest; a mirror pod with another hash is outdated. */
export const configHashAnnotation = 'kubernetes.io/config.hash';
/** The static pod's hash; only mirror pods have this annotation. */
export const configMirrorAnnotation = 'kubernetes.io/config.mirror';
/**
 * Annotations of the kubelet itself, which do not count as changes of a pod. Source: kubernetes v1.36
 * pkg/kubelet/config/config.go.
 */
export const localAnnotations: readonly string[] = [
  configSourceAnnotation,
  configSeenAnnotation,
  configMirrorAnnotation,
];

/** `local`: people put the pod on this node through the kubelet's local API. */
export type PodSource = 'file' | 'http' | 'local' | 'api';

const podSources: readonly string[] = ['file', 'http', 'local', 'api'] satisfies readonly PodSource[];

/** Priority from which a pod counts as critical: twice the highest that a user may define. */
export const systemCriticalPriority = 2_000_000_000;
export const systemNodeCritical = 'system-node-critical';
export const systemClusterCritical = 'system-cluster-critical';

function annotation(pod: Pod, name: string): string | undefined {
  return pod.metadata.annotations?.[name];
}

/** The source of a pod; undefined when it has no source annotation, which pod-config adds. */
export function podSource(pod: Pod): PodSource | undefined {
  const source = annotation(pod, configSourceAnnotation);
  return podSources.includes(source ?? '') ? (source as PodSource) : undefined;
}

/**
 * True for a pod that does not come from an API server, but from a file, a URL or the local API; false for an object
 * without the source annotation.
 */
export function isStaticPod(pod: Pod): boolean {
  const source = annotation(pod, configSourceAnnotation);
  return source !== undefined && source !== 'api';
}

/** True for the API object that represents a static pod. */
export function isMirrorPod(pod: Pod): boolean {
  return annotation(pod, configMirrorAnnotation) !== undefined;
}

/**
 * True for a pod of a manifest, a mirror pod and a pod of system priority: the kubelet may evict others to admit it. A
 * pod of the local API is an ordinary one: the manifests of a node are its operator's, the API is there for workloads.
 * Source: kubernetes v1.36 pkg/kubelet/types/pod_update.go.
 */
export function isCriticalPod(pod: Pod): boolean {
  const fromManifest = isStaticPod(pod) && podSource(pod) !== 'local';
  return fromManifest || isMirrorPod(pod) || (pod.spec.priority ?? 0) >= systemCriticalPriority;
}

/** True for a critical pod of the class system-node-critical, which gets the OOM score of Guaranteed pods. */
export function isNodeCriticalPod(pod: Pod): boolean {
  return isCriticalPod(pod) && pod.spec.priorityClassName === systemNodeCritical;
}
