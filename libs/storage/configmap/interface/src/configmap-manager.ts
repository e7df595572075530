import { createToken } from '@podwright/assembly-interface';
import type { Pod, ConfigMap } from '@podwright/kube-types';

/** Source: kubernetes v1.36 pkg/kubelet/configmap. */
export interface ConfigMapManager {
  /** Rejects with `not-found` when there is no such object, `failed-precondition` without an API server. */
  get(namespace: string, name: string): Promise<ConfigMap>;
  /** The pod's references are kept fresh until it is unregistered. */
  registerPod(pod: Pod): void;
  unregisterPod(pod: Pod): void;
}

export const CONFIGMAP_MANAGER = createToken<ConfigMapManager>('kubelet.configmap-manager/v1');
