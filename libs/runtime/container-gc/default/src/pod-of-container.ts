import type { RuntimePod } from '@podwright/container-runtime-interface';
import {
  containerNameLabel,
  containerPortsAnnotation,
  containerPreStopHandlerAnnotation,
  podDeletionGracePeriodAnnotation,
  podNameLabel,
  podNamespaceLabel,
  podTerminationGracePeriodAnnotation,
  podUidLabel,
} from '@podwright/cri-client-interface';
import type { Container } from '@podwright/cri-client-interface';
import { isJsonObject, type LifecycleHandler, type Pod } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';

/**
 * Restores a pod from a container's labels and annotations: names, grace periods, preStop hook and ports, just enough
 * to kill the container. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_container.go
 * restoreSpecsFromContainerLabels.
 */
export function podOfContainer({ id, labels, annotations }: Container, logger: Logger): Pod {
  const read = (name: string): unknown => {
    const text = annotations[name];
    if (text === undefined) return undefined;
    try {
      return JSON.parse(text);
    } catch (error) {
      logger.error('An annotation of a container cannot be read', { containerId: id, annotation: name, error });
      return undefined;
    }
  };
  const preStop = objectOf<LifecycleHandler>(read(containerPreStopHandlerAnnotation));
  const ports = read(containerPortsAnnotation);
  const deletionGracePeriodSeconds = secondsOf(read(podDeletionGracePeriodAnnotation));
  const terminationGracePeriodSeconds = secondsOf(read(podTerminationGracePeriodAnnotation));
  const container: Pod['spec']['containers'][number] = {
    name: nameOf(labels),
    ...(preStop !== undefined && { lifecycle: { preStop } }),
    ...(Array.isArray(ports) && { ports: ports as { containerPort: number }[] }),
  };
  return {
    metadata: {
      uid: labels[podUidLabel] ?? '',
      name: labels[podNameLabel] ?? '',
      namespace: labels[podNamespaceLabel] ?? '',
      ...(deletionGracePeriodSeconds !== undefined && { deletionGracePeriodSeconds }),
    },
    spec: {
      containers: [container],
      ...(terminationGracePeriodSeconds !== undefined && { terminationGracePeriodSeconds }),
    },
  };
}

/** A running pod with this container alone, in state running; it has no sandboxes, so that killing it stops none. */
export function runningPodOf({ id, labels, podSandboxId, createdAt, image, imageRef, imageId }: Container): RuntimePod {
  return {
    uid: labels[podUidLabel] ?? '',
    name: labels[podNameLabel] ?? '',
    namespace: labels[podNamespaceLabel] ?? '',
    containers: [
      {
        id,
        name: nameOf(labels),
        podSandboxId,
        state: 'running',
        createdAt,
        image: image?.image ?? '',
        imageRef,
        imageId,
        hash: '0',
      },
    ],
    sandboxes: [],
  };
}

function nameOf(labels: Container['labels']): string {
  return labels[containerNameLabel] ?? '';
}

function secondsOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

function objectOf<T extends object>(value: unknown): T | undefined {
  return isJsonObject(value) ? (value as T) : undefined;
}
