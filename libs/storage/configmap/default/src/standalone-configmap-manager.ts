import { KubeletError } from '@podwright/errors';
import type { ConfigMap } from '@podwright/kube-types';
import type { ConfigMapManager } from '@podwright/configmap-interface';
import { injectable } from 'tsyringe';

/** {@link ConfigMapManager} of a node without an API server: there is nothing to get, and it says so. */
@injectable()
export class StandaloneConfigMapManager implements ConfigMapManager {
  async get(namespace: string, name: string): Promise<ConfigMap> {
    throw new KubeletError(
      `configmap "${namespace}/${name}" cannot be read: the kubelet runs without an API server (start it with --kubeconfig)`,
      { code: 'failed-precondition' },
    );
  }

  registerPod(): void {}
  unregisterPod(): void {}
}

/** Without DI. */
export function createStandaloneConfigMapManager(): ConfigMapManager {
  return new StandaloneConfigMapManager();
}
