import { createToken, type Lifecycle } from '@podwright/assembly-interface';
import type { AuthConfig } from '@podwright/cri-client-interface';
import type { Pod, Secret } from '@podwright/kube-types';

/** Origin of a credential, for the records of pulled images. */
export type CredentialSource =
  | { readonly kind: 'secret'; readonly uid: string; readonly namespace: string; readonly name: string }
  /** From a credential provider plugin that got a token of the pod's service account. */
  | { readonly kind: 'service-account'; readonly uid: string; readonly namespace: string; readonly name: string }
  /** The node's own credential: every pod may use images that were pulled with it. */
  | { readonly kind: 'node' };

export interface TrackedCredential {
  readonly auth: Partial<AuthConfig>;
  readonly source: CredentialSource;
  /** Hash of the credential's content, computed as upstream; empty for the node's own. */
  readonly hash: string;
}

export interface CredentialLookup {
  /** Image as in the pod spec, with or without tag and digest. */
  readonly image: string;
  readonly pod: Pod;
  readonly pullSecrets: readonly Secret[];
  readonly signal?: AbortSignal;
}

/**
 * Finds the credentials for an image: the pod's pull secrets, the node's keyring files, credential provider plugins.
 * `start()` rejects when the plugins' configuration is wrong, and names file, field and value: otherwise the node would
 * start and then fail every pull. Source: kubernetes v1.36 pkg/credentialprovider.
 */
export interface ImageCredentials extends Lifecycle {
  /**
   * Resolves with the credentials in the order in which a pull tries them; empty when none fits, then the pull is
   * anonymous. Rejects with `invalid-argument` for a malformed image name or pull secret; the message names the secret,
   * but contains nothing of its content. A plugin that fails is logged and skipped. The result is not cached.
   */
  lookup(request: CredentialLookup): Promise<readonly TrackedCredential[]>;
}

export const IMAGE_CREDENTIALS = createToken<ImageCredentials>('kubelet.image-credentials/v1');
