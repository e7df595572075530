import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/** The user who sends a request. */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string;
  /** Includes `system:authenticated` for every user but the anonymous one. */
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The credentials of one request. */
export interface RequestCredentials {
  /**
   * The client certificate of the TLS connection, undefined when the client sent none. `chain` is what the client sent:
   * DER, leaf first, not verified.
   */
  readonly clientCertificate?: { readonly chain: readonly Uint8Array[] };
  /** From the Authorization header, without `Bearer `, or from the WebSocket subprotocol. */
  readonly bearerToken?: string;
  /** The sender's IP address, so that one sender cannot use up what there is for checking tokens. */
  readonly remoteAddress?: string;
}

/** One question to the authorizer, about this node. */
export interface AccessAttributes {
  /** `get`, `create`, `update`, `patch`, `delete`; empty for other HTTP methods. */
  readonly verb: string;
  /** Subresource of `nodes`: `proxy`, `metrics`, `stats`, `log`, ... */
  readonly subresource: string;
  /** Path of the URL, for the API server's audit log. */
  readonly path: string;
}

export interface AccessDecision {
  readonly allowed: boolean;
  /** Why access is denied, in the authorizer's words; may be empty. */
  readonly reason?: string;
}

/**
 * Decides who may call the kubelet's own API. `start()` rejects when the configuration cannot work: no authentication
 * method, a webhook without an API server, an unreadable CA file. Its message names the field and what to set.
 * Source: kubernetes v1.36 cmd/kubelet/app/auth.go, pkg/kubelet/server/auth.go.
 */
export interface ServerAuth extends Lifecycle, HealthReporter {
  /** True when TLS should request a certificate from clients: `authentication.x509.clientCAFile` is set. */
  readonly requestsClientCertificates: boolean;
  /**
   * Resolves with the user, or with undefined when the request has no credentials of a known kind and anonymous
   * requests are off. Rejects with `unauthenticated` when the credentials are wrong or cannot be checked; a request
   * with wrong credentials never becomes anonymous. Rejects with `resource-exhausted` when too many are being checked
   * to check these as well; a user who is known already is never kept waiting.
   */
  authenticate(credentials: RequestCredentials, signal: AbortSignal): Promise<UserInfo | undefined>;
  /**
   * Rejects with `unavailable` or `internal` when the authorizer does not answer. An authorizer without an opinion
   * counts as `allowed: false`.
   */
  authorize(user: UserInfo, attributes: AccessAttributes, signal: AbortSignal): Promise<AccessDecision>;
}

export const SERVER_AUTH = createToken<ServerAuth>('kubelet.server-auth/v1');
