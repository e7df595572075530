import { createHash, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import { KubeletError } from '@podwright/errors';
import type { Clock } from '@podwright/time';

/** The issuer of tokens, and the default audience. */
export const tokenIssuer = 'https://kubernetes.default.svc.cluster.local';

interface Reference {
  readonly name: string;
  readonly uid?: string;
}

/** The claims of a token, as in kubernetes v1.36 pkg/serviceaccount/claims.go. Times are in seconds since 1970. */
export interface TokenClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly nbf: number;
  readonly jti: string;
  readonly 'kubernetes.io': {
    readonly namespace: string;
    readonly serviceaccount: Reference;
    readonly pod?: Reference;
    readonly node?: Reference;
    readonly secret?: Reference;
    readonly warnafter?: number;
  };
}

/** Signs and verifies the tokens of service accounts: JWTs with ES256. */
export class ServiceAccountTokens {
  private readonly privateKey: KeyObject;
  private readonly publicKey: KeyObject;
  private readonly keyId: string;

  constructor(private readonly clock: Clock) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    this.privateKey = privateKey;
    this.publicKey = publicKey;
    const spki = publicKey.export({ type: 'spki', format: 'der' });
    this.keyId = createHash('sha256').update(spki).digest('base64url');
  }

  sign(claims: TokenClaims): string {
    const content = `${encode({ alg: 'ES256', kid: this.keyId })}.${encode(claims)}`;
    const signature = sign('sha256', Buffer.from(content), { key: this.privateKey, dsaEncoding: 'ieee-p1363' });
    return `${content}.${signature.toString('base64url')}`;
  }

  /** Verifies a token's signature and validity; returns its claims. Throws `unauthenticated` with the reason. */
  verify(token: string): TokenClaims {
    const [header = '', payload = '', signature = '', ...more] = token.split('.');
    const key = { key: this.publicKey, dsaEncoding: 'ieee-p1363' } as const;
    const content = Buffer.from(`${header}.${payload}`);
    if (more.length > 0 || !verify('sha256', content, key, Buffer.from(signature, 'base64url'))) {
      throw invalid('invalid bearer token');
    }
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as TokenClaims;
    const nowSeconds = this.clock.now() / 1_000;
    if (claims.exp <= nowSeconds) throw invalid('service account token has expired');
    if (claims.nbf > nowSeconds + 1) throw invalid('service account token is not valid yet');
    return claims;
  }

  /** True for text in the form of a JWT. */
  static looksLikeToken(text: string): boolean {
    return text.split('.').length === 3;
  }
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function invalid(message: string): KubeletError {
  return new KubeletError(message, { code: 'unauthenticated' });
}
