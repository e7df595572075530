import {
  containerHashAnnotation,
  containerNameLabel,
  containerPortsAnnotation,
  containerPreStopHandlerAnnotation,
  containerRestartCountAnnotation,
  containerTerminationMessagePathAnnotation,
  containerTerminationMessagePolicyAnnotation,
  podDeletionGracePeriodAnnotation,
  podNameLabel,
  podNamespaceLabel,
  podTerminationGracePeriodAnnotation,
  podUidLabel,
} from '@podwright/cri-client-interface';
import { type Container, goJson, type Pod } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';
import { containerHash } from './container-hash.js';

type Strings = Readonly<Record<string, string>>;

function identityLabels(pod: Pod): Strings {
  return {
    [podNameLabel]: pod.metadata.name ?? '',
    [podNamespaceLabel]: pod.metadata.namespace ?? '',
    [podUidLabel]: podUid(pod),
  };
}

/**
 * Labels of a sandbox: those of the pod, and the pod's names. Source: kubernetes v1.36
 * pkg/kubelet/kuberuntime/labels.go.
 */
export function sandboxLabels(pod: Pod): Strings {
  return { ...pod.metadata.labels, ...identityLabels(pod) };
}

/** Labels of a container; the pod's own labels are not copied. */
export function containerLabels(pod: Pod, container: Container): Strings {
  return { ...identityLabels(pod), [containerNameLabel]: container.name };
}

/**
 * Annotations from which a later kubelet can handle a container without knowing its pod. They override `extra` (from
 * devices).
 */
export function containerAnnotations(pod: Pod, container: Container, restartCount: number, extra: Strings): Strings {
  const { deletionGracePeriodSeconds } = pod.metadata;
  const { terminationGracePeriodSeconds } = pod.spec;
  const annotations: Record<string, string> = {
    ...extra,
    [containerHashAnnotation]: containerHash(container),
    [containerRestartCountAnnotation]: String(restartCount),
    [containerTerminationMessagePathAnnotation]: container.terminationMessagePath ?? '',
    [containerTerminationMessagePolicyAnnotation]: container.terminationMessagePolicy ?? '',
  };
  if (deletionGracePeriodSeconds !== undefined) {
    annotations[podDeletionGracePeriodAnnotation] = String(deletionGracePeriodSeconds);
  }
  if (terminationGracePeriodSeconds !== undefined) {
    annotations[podTerminationGracePeriodAnnotation] = String(terminationGracePeriodSeconds);
  }
  const preStop = container.lifecycle?.preStop;
  if (preStop !== undefined) annotations[containerPreStopHandlerAnnotation] = goJson(preStop);
  if (container.ports !== undefined && container.ports.length > 0) {
    // In the order of Go's struct, because tools compare the text.
    const ports = container.ports.map(({ name, hostPort, containerPort, protocol, hostIP }) => ({
      name: name || undefined,
      hostPort: hostPort || undefined,
      containerPort,
      protocol: protocol || undefined,
      hostIP: hostIP || undefined,
    }));
    annotations[containerPortsAnnotation] = goJson(ports);
  }
  return annotations;
}

/** As upstream: a missing or invalid number counts as 0. */
export function restartCountOf(annotations: Strings): number {
  const count = Number(annotations[containerRestartCountAnnotation] ?? '0');
  return Number.isSafeInteger(count) ? count : 0;
}

/** `0` for a container without a hash. */
export function hashOf(annotations: Strings): string {
  const text = annotations[containerHashAnnotation] ?? '';
  return /^[0-9a-f]+$/i.test(text) ? text.toLowerCase().replace(/^0+(?=.)/, '') : '0';
}
