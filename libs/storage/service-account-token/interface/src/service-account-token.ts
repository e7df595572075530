import { createToken, type Lifecycle } from '@podwright/assembly-interface';

export interface TokenRequestSpec {
  readonly audiences?: readonly string[];
  readonly expirationSeconds?: number;
  readonly boundObjectRef?: {
    readonly kind: string;
    readonly apiVersion: string;
    readonly name: string;
    readonly uid: string;
  };
  /** Precondition: the service account must have this UID, so that a recreated one of the same name gives no token. */
  readonly serviceAccountUid?: string;
}

export interface ServiceAccountToken {
  readonly token: string;
  /** RFC 3339. */
  readonly expirationTimestamp: string;
}

/**
 * Requests service account tokens and caches them until they are due for replacement.
 * Source: kubernetes v1.36 pkg/kubelet/token/token_manager.go.
 */
export interface ServiceAccountTokens extends Lifecycle {
  /**
   * Resolves with a token from the cache or the API server. Rejects with the API server's error, or with
   * `failed-precondition` without an API server.
   */
  get(
    namespace: string,
    serviceAccount: string,
    spec: TokenRequestSpec,
    signal?: AbortSignal,
  ): Promise<ServiceAccountToken>;
  /** Forgets the tokens that are bound to a deleted pod. */
  deletePod(podUid: string): void;
}

export const SERVICE_ACCOUNT_TOKENS = createToken<ServiceAccountTokens>('kubelet.service-account-tokens/v1');
