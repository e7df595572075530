import { createToken } from '@podwright/assembly-interface';
import type { ConfigMap, Pod, Secret } from '@podwright/kube-types';

/** Gets objects of one kind that pods refer to. Source: kubernetes v1.36 pkg/kubelet/util/manager. */
export interface ReferencedObjectManager<T> {
  /** Rejects with `not-found` when there is no such object, `failed-precondition` without an API server. */
  get(namespace: string, name: string): Promise<T>;
  /** Keeps the objects that the pod refers to current, until {@link unregisterPod}. */
  registerPod(pod: Pod): void;
  unregisterPod(pod: Pod): void;
}

/** Source: kubernetes v1.36 pkg/kubelet/secret. */
export type SecretManager = ReferencedObjectManager<Secret>;
/** Source: kubernetes v1.36 pkg/kubelet/configmap. */
export type ConfigMapManager = ReferencedObjectManager<ConfigMap>;

export const SECRET_MANAGER = createToken<SecretManager>('kubelet.secret-manager/v1');
export const CONFIGMAP_MANAGER = createToken<ConfigMapManager>('kubelet.configmap-manager/v1');
