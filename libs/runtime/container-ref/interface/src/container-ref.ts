import { createToken } from '@podwright/assembly-interface';
import type { Container, ObjectReference, Pod } from '@podwright/kube-types';

/** Names containers and pods as events name them. Source: kubernetes v1.36 pkg/kubelet/container/ref.go. */
export interface ContainerRef {
  /**
   * With `fieldPath` `spec.containers{name}`; `spec.containers[index]` for a container without a name. Throws `not-found` for a
   * container that is not of the pod.
   */
  ofContainer(pod: Pod, container: Pick<Container, 'name'>): ObjectReference;
  /** `apiVersion`, `kind`, and of name, namespace, uid and resourceVersion those that the pod has. */
  ofPod(pod: Pick<Pod, 'metadata'>): ObjectReference;
}

export const CONTAINER_REF = createToken<ContainerRef>('kubelet.container-ref/v1');
