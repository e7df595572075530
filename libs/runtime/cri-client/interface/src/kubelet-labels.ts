// A kubelet finds its pods on a shared runtime by these labels, so their names are the same in every version. Source:
// kubernetes v1.36 staging/src/k8s.io/kubelet/pkg/types/labels.go (the identity), pkg/kubelet/kuberuntime/labels.go.

/** Label of sandboxes and containers: `metadata.name` of the pod. */
export const podNameLabel = 'io.kubernetes.pod.name';

/** Label of sandboxes and containers: `metadata.namespace` of the pod. */
export const podNamespaceLabel = 'io.kubernetes.pod.namespace';

/** Label of sandboxes and containers: UID of the pod; of a static pod its own, not the mirror pod's. */
export const podUidLabel = 'io.kubernetes.pod.uid';

/** Label of containers: their name in the pod spec. */
export const containerNameLabel = 'io.kubernetes.container.name';

/** Annotation of containers: lower-case hex of their spec's hash. */
export const containerHashAnnotation = 'io.kubernetes.container.hash';

/** Annotation of containers: number of earlier starts of the container of that name, decimal. */
export const containerRestartCountAnnotation = 'io.kubernetes.container.restartCount';

/** Annotation of containers: path of the termination message, inside the container. */
export const containerTerminationMessagePathAnnotation = 'io.kubernetes.container.terminationMessagePath';

/** Annotation of containers: `File` or `FallbackToLogsOnError`. */
export const containerTerminationMessagePolicyAnnotation = 'io.kubernetes.container.terminationMessagePolicy';

/** Annotation of containers that have one: the `lifecycle.preStop` of the spec as JSON. */
export const containerPreStopHandlerAnnotation = 'io.kubernetes.container.preStopHandler';

/** Annotation of containers that have any: the `ports` of the spec as JSON. */
export const containerPortsAnnotation = 'io.kubernetes.container.ports';

/** Annotation of containers whose pod is being deleted: `metadata.deletionGracePeriodSeconds`, decimal. */
export const podDeletionGracePeriodAnnotation = 'io.kubernetes.pod.deletionGracePeriod';

/** Annotation of containers: `spec.terminationGracePeriodSeconds` of their pod, decimal. */
export const podTerminationGracePeriodAnnotation = 'io.kubernetes.pod.terminationGracePeriod';
