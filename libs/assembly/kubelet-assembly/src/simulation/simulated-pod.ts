import { type Container, type Pod, type PodSpec } from '@podwright/kube-types';
import { defaultPod } from '@podwright/pod-manifest';

/** A pod as a source delivers it, with one container `main` unless `spec` says otherwise. */
export function simulatedPod(name: string, spec: Partial<PodSpec> = {}, uid = `uid-${name}`): Pod {
  const containers: Container[] = [{ name: 'main', image: 'registry.test/main:1', imagePullPolicy: 'IfNotPresent' }];
  return defaultPod({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', uid, annotations: { 'kubernetes.io/config.hash': uid } },
    spec: { containers, ...spec },
    status: { phase: 'Pending' },
  } as Pod);
}

/** `count` pods named `pod-0`, `pod-1` and so on. */
export function simulatedPods(count: number, spec?: Partial<PodSpec>): readonly Pod[] {
  return Array.from({ length: count }, (_, index) => simulatedPod(`pod-${index}`, spec));
}
