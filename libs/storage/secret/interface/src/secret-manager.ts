import { createToken } from '@podwright/assembly-interface';
import type { Pod, Secret } from '@podwright/kube-types';

/** Source: kubernetes v1.36 pkg/kubelet/secret. */
export interface SecretManager {
  /** Rejects with `not-found` when there is no such object, `failed-precondition` without an API server. */
  get(namespace: string, name: string): Promise<Secret>;
  /** The pod's references are kept fresh until it is unregistered. */
  registerPod(pod: Pod): void;
  unregisterPod(pod: Pod): void;
}

export const SECRET_MANAGER = createToken<SecretManager>('kubelet.secret-manager/v1');
