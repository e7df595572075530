import { visitContainers, type Pod, type Volume } from '@podwright/kube-types';

/** Secrets that a pod refers to. Source: kubernetes v1.36 pkg/api/v1/pod/util.go VisitPodSecretNames. */
export function podSecretNames(pod: Pod): ReadonlySet<string> {
  const names: (string | undefined)[] = (pod.spec.imagePullSecrets ?? []).map(({ name }) => name);
  for (const { container } of visitContainers(pod.spec)) {
    for (const { secretRef } of container.envFrom ?? []) names.push(secretRef?.name);
    for (const { valueFrom } of container.env ?? []) names.push(valueFrom?.secretKeyRef?.name);
  }
  for (const volume of pod.spec.volumes ?? []) names.push(...secretsOfVolume(volume));
  return given(names);
}

/** Config maps that a pod refers to. Source: kubernetes v1.36 pkg/api/v1/pod/util.go VisitPodConfigmapNames. */
export function podConfigMapNames(pod: Pod): ReadonlySet<string> {
  const names: (string | undefined)[] = [];
  for (const { container } of visitContainers(pod.spec)) {
    for (const { configMapRef } of container.envFrom ?? []) names.push(configMapRef?.name);
    for (const { valueFrom } of container.env ?? []) names.push(valueFrom?.configMapKeyRef?.name);
  }
  for (const { configMap, projected } of pod.spec.volumes ?? []) {
    names.push(configMap?.name, ...(projected?.sources ?? []).map((source) => source.configMap?.name));
  }
  return given(names);
}

const secretRefSources = ['cephfs', 'cinder', 'flexVolume', 'iscsi', 'rbd', 'scaleIO', 'storageos'] as const;

function secretsOfVolume(volume: Volume): readonly (string | undefined)[] {
  return [
    volume.secret?.secretName,
    volume.azureFile?.secretName,
    ...secretRefSources.map((source) => volume[source]?.secretRef?.name),
    volume.csi?.nodePublishSecretRef?.name,
    ...(volume.projected?.sources ?? []).map(({ secret }) => secret?.name),
  ];
}

function given(names: readonly (string | undefined)[]): ReadonlySet<string> {
  return new Set(names.filter((name) => name !== undefined && name !== '')) as ReadonlySet<string>;
}
