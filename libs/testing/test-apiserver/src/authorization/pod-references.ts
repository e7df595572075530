import { visitContainers, type Pod } from '@podwright/kube-types';
import { claimNamesOf } from '../controllers/resource-claims/claims-of-pod.js';

/** The names of the objects in its namespace that a pod refers to. */
export interface PodReferences {
  readonly secrets: ReadonlySet<string>;
  readonly configMaps: ReadonlySet<string>;
  readonly claims: ReadonlySet<string>;
  readonly resourceClaims: ReadonlySet<string>;
}

/**
 * Collects a pod's references. Source: kubernetes v1.36 pkg/api/v1/pod/util.go VisitPodSecretNames and
 * VisitPodConfigmapNames.
 */
export function referencesOf(pod: Pod): PodReferences {
  const { spec } = pod;
  const secrets = new Set<string>();
  const configMaps = new Set<string>();
  const claims = new Set<string>();
  const add = (set: Set<string>, name: string | undefined): void => {
    if (name) set.add(name);
  };
  for (const { name } of spec.imagePullSecrets ?? []) add(secrets, name);
  for (const { container } of visitContainers(spec)) {
    for (const { secretRef, configMapRef } of container.envFrom ?? []) {
      add(secrets, secretRef?.name);
      add(configMaps, configMapRef?.name);
    }
    for (const { valueFrom } of container.env ?? []) {
      add(secrets, valueFrom?.secretKeyRef?.name);
      add(configMaps, valueFrom?.configMapKeyRef?.name);
    }
  }
  for (const volume of spec.volumes ?? []) {
    add(secrets, volume.secret?.secretName);
    add(configMaps, volume.configMap?.name);
    add(secrets, volume.csi?.nodePublishSecretRef?.name);
    add(secrets, volume.azureFile?.secretName);
    for (const source of ['cephfs', 'cinder', 'flexVolume', 'iscsi', 'rbd', 'scaleIO', 'storageos'] as const) {
      add(secrets, volume[source]?.secretRef?.name);
    }
    for (const { secret, configMap } of volume.projected?.sources ?? []) {
      add(secrets, secret?.name);
      add(configMaps, configMap?.name);
    }
    add(claims, volume.persistentVolumeClaim?.claimName);
    if (volume.ephemeral) add(claims, `${pod.metadata.name ?? ''}-${volume.name}`);
  }
  const resourceClaims = new Set(claimNamesOf(pod));
  return { secrets, configMaps, claims, resourceClaims };
}
