import {
  configMirrorAnnotation,
  objectKey,
  type Container,
  type Pod,
  type ServiceAccount,
  type Volume,
} from '@podwright/kube-types';
import type { Random } from '@podwright/time';
import { randomSuffix } from '@podwright/api-machinery';
import { asPod } from '../strategies/pod-strategy.js';
import { referencesOf } from '../authorization/pod-references.js';
import { createsPod, refused, type AdmissionPlugin, type AdmissionRequest } from './admission.js';

const tokenMountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const volumePrefix = 'kube-api-access-';
const tokenSeconds = 60 * 60 + 7;

/**
 * Sets the default service account and mounts its token in each container.
 * Source: kubernetes v1.36 plugin/pkg/admission/serviceaccount/admission.go.
 */
export const admitServiceAccount: AdmissionPlugin = (request, { store, random }) => {
  const { object, namespace } = request;
  if (!createsPod(request) || object === undefined) return undefined;
  const pod = asPod(object);
  if (pod.metadata.annotations?.[configMirrorAnnotation] !== undefined) {
    refuseMirrorPod(request, pod);
    return undefined;
  }
  const name = pod.spec.serviceAccountName || 'default';
  const found = store.get('serviceaccounts', objectKey(namespace, name)) as ServiceAccount | undefined;
  if (found === undefined) {
    const missing = `serviceaccount "${name}" not found`;
    throw refused(request, `error looking up service account ${namespace}/${name}: ${missing}`);
  }
  const mounts = pod.spec.automountServiceAccountToken ?? found.automountServiceAccountToken ?? true;
  const pullSecrets = pod.spec.imagePullSecrets ?? [];
  const spec: Pod['spec'] = {
    ...pod.spec,
    serviceAccountName: name,
    serviceAccount: name,
    ...(pullSecrets.length === 0 && found.imagePullSecrets ? { imagePullSecrets: found.imagePullSecrets } : {}),
  };
  return { ...object, spec: mounts ? withToken(spec, random) : spec };
};

function refuseMirrorPod(request: AdmissionRequest, pod: Pod): void {
  if (pod.spec.serviceAccountName) throw refused(request, 'a mirror pod may not reference service accounts');
  if (referencesOf(pod).secrets.size > 0) throw refused(request, 'a mirror pod may not reference secrets');
  const projected = (pod.spec.volumes ?? []).flatMap((volume) => volume.projected?.sources ?? []);
  if (projected.some(({ serviceAccountToken }) => serviceAccountToken !== undefined)) {
    throw refused(request, 'a mirror pod may not use ServiceAccountToken volume projections');
  }
}

function withToken(spec: Pod['spec'], random: Random): Pod['spec'] {
  const own = (spec.volumes ?? []).find(({ name }) => name.startsWith(volumePrefix));
  const name = own?.name ?? `${volumePrefix}${randomSuffix(random)}`;
  let used = false;
  const mounted = (container: Container): Container => {
    const mounts = container.volumeMounts ?? [];
    if (mounts.some(({ mountPath }) => mountPath === tokenMountPath)) return container;
    used = true;
    return { ...container, volumeMounts: [...mounts, { name, readOnly: true, mountPath: tokenMountPath }] };
  };
  const containers = spec.containers.map(mounted);
  const initContainers = spec.initContainers?.map(mounted);
  return {
    ...spec,
    containers,
    ...(initContainers && { initContainers }),
    ...(used && own === undefined ? { volumes: [...(spec.volumes ?? []), tokenVolume(name)] } : {}),
  };
}

function tokenVolume(name: string): Volume {
  return {
    name,
    projected: {
      defaultMode: 0o644,
      sources: [
        { serviceAccountToken: { path: 'token', expirationSeconds: tokenSeconds } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
    },
  };
}
