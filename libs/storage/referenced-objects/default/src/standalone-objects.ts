import { KubeletError } from '@podwright/errors';
import type { ReferencedObjectManager } from '@podwright/referenced-objects-interface';

/** {@link ReferencedObjectManager} of a node without an API server: rejects every request. */
export class StandaloneObjects<T> implements ReferencedObjectManager<T> {
  /** `noun`: the kind's word in messages, `secret` or `configmap`. */
  constructor(private readonly noun: string) {}

  async get(namespace: string, name: string): Promise<T> {
    throw new KubeletError(
      `${this.noun} "${namespace}/${name}" cannot be read: the kubelet runs without an API server (start it with --kubeconfig)`,
      { code: 'failed-precondition' },
    );
  }

  registerPod(): void {}
  unregisterPod(): void {}
}
