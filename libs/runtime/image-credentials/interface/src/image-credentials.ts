import { createToken } from '@podwright/assembly-interface';
import type { AuthConfig } from '@podwright/cri-client-interface';
import type { Pod, Secret } from '@podwright/kube-types';

/** Where a credential came from, for the records of pulled images. */
export type CredentialSource =
  | { readonly kind: 'secret'; readonly uid: string; readonly namespace: string; readonly name: string }
  /** A credential provider plugin asked with a token of the pod's service account. */
  | { readonly kind: 'service-account'; readonly uid: string; readonly namespace: string; readonly name: string }
  /** The node's own: every pod may use what was pulled with it. */
  | { readonly kind: 'node' };

export interface TrackedCredential {
  readonly auth: Partial<AuthConfig>;
  readonly source: CredentialSource;
  /** Hash of the credential's contents as upstream records it; empty for the node's own. */
  readonly hash: string;
}

/**
 * Finds the credentials that fit an image: pull secrets of the pod, the node's keyring files, credential provider plugins.
 * Source: kubernetes v1.36 pkg/credentialprovider.
 */
export interface ImageCredentials {
  /**
   * In the order in which they are tried; empty when nothing fits, then a pull is anonymous. Rejects with what an operator can
   * do when a source cannot be read.
   */
  lookup(request: {
    readonly image: string;
    readonly pod: Pod;
    readonly pullSecrets: readonly Secret[];
    readonly signal?: AbortSignal;
  }): Promise<readonly TrackedCredential[]>;
}

export const IMAGE_CREDENTIALS = createToken<ImageCredentials>('kubelet.image-credentials/v1');
