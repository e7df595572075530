import { KubeletError } from '@podwright/errors';
import type { Secret } from '@podwright/kube-types';
import type { SecretManager } from '@podwright/secret-interface';
import { injectable } from 'tsyringe';

/** {@link SecretManager} of a node without an API server: there is nothing to get, and it says so. */
@injectable()
export class StandaloneSecretManager implements SecretManager {
  async get(namespace: string, name: string): Promise<Secret> {
    throw new KubeletError(
      `secret "${namespace}/${name}" cannot be read: the kubelet runs without an API server (start it with --kubeconfig)`,
      { code: 'failed-precondition' },
    );
  }

  registerPod(): void {}
  unregisterPod(): void {}
}

/** Without DI. */
export function createStandaloneSecretManager(): SecretManager {
  return new StandaloneSecretManager();
}
