import type { Container, Pod } from '@podwright/kube-types';
import { podUid } from '@podwright/kube-types';
import { containerHash } from './container-hash.js';
import { goJson } from './go-json.js';

export const podNameLabel = 'io.kubernetes.pod.name';
export const podNamespaceLabel = 'io.kubernetes.pod.namespace';
export const podUidLabel = 'io.kubernetes.pod.uid';
export const containerNameLabel = 'io.kubernetes.container.name';

export const hashAnnotation = 'io.kubernetes.container.hash';
export const restartCountAnnotation = 'io.kubernetes.container.restartCount';
export const terminationMessagePathAnnotation = 'io.kubernetes.container.terminationMessagePath';
export const terminationMessagePolicyAnnotation = 'io.kubernetes.container.terminationMessagePolicy';
const deletionGracePeriodAnnotation = 'io.kubernetes.pod.deletionGracePeriod';
const terminationGracePeriodAnnotation = 'io.kubernetes.pod.terminationGracePeriod';
const preStopHandlerAnnotation = 'io.kubernetes.container.preStopHandler';
const portsAnnotation = 'io.kubernetes.container.ports';

type Strings = Readonly<Record<string, string>>;

function identityLabels(pod: Pod): Strings {
  return {
    [podNameLabel]: pod.metadata.name ?? '',
    [podNamespaceLabel]: pod.metadata.namespace ?? '',
    [podUidLabel]: podUid(pod),
  };
}

/** Source: kubernetes v1.36 pkg/kubelet/kuberuntime/labels.go. */
export function sandboxLabels(pod: Pod): Strings {
  return { ...pod.metadata.labels, ...identityLabels(pod) };
}

/** The labels of the pod are not copied. */
export function containerLabels(pod: Pod, container: Container): Strings {
  return { ...identityLabels(pod), [containerNameLabel]: container.name };
}

/** What a later kubelet needs to know of a container whose pod it has never seen. `extra` (devices) is overridden. */
export function containerAnnotations(pod: Pod, container: Container, restartCount: number, extra: Strings): Strings {
  const { deletionGracePeriodSeconds } = pod.metadata;
  const { terminationGracePeriodSeconds } = pod.spec;
  const annotations: Record<string, string> = {
    ...extra,
    [hashAnnotation]: containerHash(container),
    [restartCountAnnotation]: String(restartCount),
    [terminationMessagePathAnnotation]: container.terminationMessagePath ?? '',
    [terminationMessagePolicyAnnotation]: container.terminationMessagePolicy ?? '',
  };
  if (deletionGracePeriodSeconds !== undefined) {
    annotations[deletionGracePeriodAnnotation] = String(deletionGracePeriodSeconds);
  }
  if (terminationGracePeriodSeconds !== undefined) {
    annotations[terminationGracePeriodAnnotation] = String(terminationGracePeriodSeconds);
  }
  const preStop = container.lifecycle?.preStop;
  if (preStop !== undefined) annotations[preStopHandlerAnnotation] = goJson(preStop);
  if (container.ports !== undefined && container.ports.length > 0) {
    // In the order of Go's struct, as tools that compare the text expect it.
    const ports = container.ports.map(({ name, hostPort, containerPort, protocol, hostIP }) => ({
      name: name || undefined,
      hostPort: hostPort || undefined,
      containerPort,
      protocol: protocol || undefined,
      hostIP: hostIP || undefined,
    }));
    annotations[portsAnnotation] = goJson(ports);
  }
  return annotations;
}

/** Upstream reads a missing or broken number as 0. */
export function restartCountOf(annotations: Strings): number {
  const count = Number(annotations[restartCountAnnotation] ?? '0');
  return Number.isSafeInteger(count) ? count : 0;
}

/** `0` for a container that carries no hash. */
export function hashOf(annotations: Strings): string {
  const text = annotations[hashAnnotation] ?? '';
  return /^[0-9a-f]+$/i.test(text) ? text.toLowerCase().replace(/^0+(?=.)/, '') : '0';
}
