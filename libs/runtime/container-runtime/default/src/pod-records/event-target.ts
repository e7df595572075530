import type { EventObject, EventRecorder, EventType } from '@podwright/events-interface';
import type { Container, Pod } from '@podwright/kube-types';
import { containerFieldPath } from '@podwright/kube-types';

// Upstream's text for a container that is not in the spec.
const implicitContainerPrefix = 'implicitly required container ';

/** The object of an event about one container. Source: kubernetes v1.36 pkg/kubelet/container/ref.go. */
export function containerEventObject(pod: Pod, containerName: string): EventObject {
  const fieldPath = containerFieldPath(pod, containerName) ?? `${implicitContainerPrefix}${containerName}`;
  return { kind: 'Pod', pod, fieldPath };
}

export interface ContainerEvent {
  readonly pod: Pod;
  readonly container: Container;
  /**
   * Replaced by the container's name in the message; otherwise each instance would make a new event instead of
   * increasing a count.
   */
  readonly containerId?: string;
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
}

/**
 * Records an event about one container. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go
 * recordContainerEvent.
 */
export function recordContainerEvent(recorder: EventRecorder, event: ContainerEvent): void {
  const { pod, container, containerId = '', message } = event;
  const text = containerId === '' ? message : message.replaceAll(containerId, container.name);
  recorder.event(containerEventObject(pod, container.name), event.type, event.reason, text);
}
