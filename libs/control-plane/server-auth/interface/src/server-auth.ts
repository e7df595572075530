import { createToken, type HealthReporter, type Lifecycle } from '@podwright/assembly-interface';

/** Who sends a request. */
export interface UserInfo {
  readonly name: string;
  readonly uid?: string;
  /** `system:authenticated` included for everybody but the anonymous user. */
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What a request brings along to show who sends it. */
export interface RequestCredentials {
  /**
   * The TLS connection's client certificate, undefined when there was none. `chain` is what the client sent, DER, leaf first;
   * nothing of it has been verified.
   */
  readonly clientCertificate?: { readonly chain: readonly Uint8Array[] };
  /** Without `Bearer `; from the Authorization header or the WebSocket subprotocol. */
  readonly bearerToken?: string;
}

/** One question to the authorizer, about this node. */
export interface AccessAttributes {
  /** `get`, `create`, `update`, `patch`, `delete`; empty for other HTTP methods. */
  readonly verb: string;
  /** Of the resource nodes: `proxy`, `metrics`, `stats`, `log`, ... */
  readonly subresource: string;
  /** Path of the URL, for the audit of the API server. */
  readonly path: string;
}

export interface AccessDecision {
  readonly allowed: boolean;
  /** Why not, as the authorizer says it; may be empty. */
  readonly reason?: string;
}

/**
 * Decides who may call the kubelet's own API. `start()` rejects when the configuration cannot work (no method at all, a
 * webhook without an API server, a CA file that cannot be read) and names the field and what to set.
 * Source: kubernetes v1.36 cmd/kubelet/app/auth.go, pkg/kubelet/server/auth.go.
 */
export interface ServerAuth extends Lifecycle, HealthReporter {
  /** Whether TLS should ask clients for a certificate (`authentication.x509.clientCAFile` is set). */
  readonly requestsClientCertificates: boolean;
  /**
   * The user, or undefined when no credentials were recognised and anonymous requests are off. Rejects with
   * `unauthenticated` when credentials are wrong, or could not be checked. Wrong ones never become anonymous.
   */
  authenticate(credentials: RequestCredentials, signal: AbortSignal): Promise<UserInfo | undefined>;
  /** Rejects with `unavailable` or `internal` when nobody could decide. No opinion is `allowed: false`. */
  authorize(user: UserInfo, attributes: AccessAttributes, signal: AbortSignal): Promise<AccessDecision>;
}

export const SERVER_AUTH = createToken<ServerAuth>('kubelet.server-auth/v1');
