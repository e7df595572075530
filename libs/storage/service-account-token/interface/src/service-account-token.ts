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
  /** Precondition, sent beside the spec: a token only of the service account with this UID, not of a namesake after it. */
  readonly serviceAccountUid?: string;
}

export interface ServiceAccountToken {
  readonly token: string;
  /** RFC 3339. */
  readonly expirationTimestamp: string;
}

/**
 * Tokens of service accounts, kept until they should be replaced. Source: kubernetes v1.36 pkg/kubelet/token/token_manager.go.
 */
export interface ServiceAccountTokens extends Lifecycle {
  /** A token that is fresh enough. Rejects with the API server's error, `failed-precondition` without one. */
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
