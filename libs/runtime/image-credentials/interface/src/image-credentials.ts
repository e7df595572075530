import { createToken, type Lifecycle } from '@podwright/assembly-interface';
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

export interface CredentialLookup {
  /** As written in the pod, with or without tag and digest. */
  readonly image: string;
  readonly pod: Pod;
  readonly pullSecrets: readonly Secret[];
  readonly signal?: AbortSignal;
}

/**
 * Finds the credentials that fit an image: pull secrets of the pod, the node's keyring files, credential provider plugins.
 * `start()` rejects when the configuration of the plugins is wrong, naming file, field and value: a node must not come up and
 * then pull nothing. Source: kubernetes v1.36 pkg/credentialprovider.
 */
export interface ImageCredentials extends Lifecycle {
  /**
   * In the order in which they are tried; empty when nothing fits, then a pull is anonymous. Rejects with `invalid-argument`
   * for an image name or a pull secret that cannot be read; the message tells which secret, and nothing of what is in it. A
   * plugin that fails is logged and gives nothing. Never cached: a second call asks again.
   */
  lookup(request: CredentialLookup): Promise<readonly TrackedCredential[]>;
}

export const IMAGE_CREDENTIALS = createToken<ImageCredentials>('kubelet.image-credentials/v1');
