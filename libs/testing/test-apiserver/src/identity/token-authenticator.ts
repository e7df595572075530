import { messageOf } from '@podwright/errors';
import type { ApiUser } from '../http/api-request.js';
import { objectKey } from '../registry/object-key.js';
import type { ObjectStore } from '../store/object-store.js';
import { ServiceAccountTokens, tokenIssuer, type TokenClaims } from './service-account-tokens.js';

/** What a token is worth: its user and the audiences it is good for, or what is wrong with it. */
export type TokenVerdict =
  { readonly user: ApiUser; readonly audiences: readonly string[] } | { readonly error: string };

/** Knows static tokens and those of service accounts, with the objects that they are bound to. */
export class TokenAuthenticator {
  constructor(
    private readonly tokens: ServiceAccountTokens,
    private readonly store: ObjectStore,
    private readonly staticTokens: ReadonlyMap<string, ApiUser>,
  ) {}

  /** `audiences`: any of them must be the token's; the API server's own when empty. */
  authenticate(token: string, audiences: readonly string[] = []): TokenVerdict {
    const wanted = audiences.length === 0 ? [tokenIssuer] : audiences;
    const known = this.staticTokens.get(token);
    if (known !== undefined) return { user: known, audiences: wanted };
    if (!ServiceAccountTokens.looksLikeToken(token)) return { error: 'invalid bearer token' };
    try {
      const claims = this.tokens.verify(token);
      const shared = claims.aud.filter((audience) => wanted.includes(audience));
      if (shared.length === 0) {
        return {
          error: `token audiences ${JSON.stringify(claims.aud)} is invalid for the target audiences ${JSON.stringify(wanted)}`,
        };
      }
      const fault = this.boundFault(claims);
      return fault === undefined ? { user: userOf(claims), audiences: shared } : { error: fault };
    } catch (error) {
      return { error: messageOf(error) };
    }
  }

  /** A token dies with what it is bound to. */
  private boundFault({ 'kubernetes.io': bound }: TokenClaims): string | undefined {
    const { namespace, serviceaccount, pod, secret, node } = bound;
    const alive = (resource: string, key: string, uid: string | undefined): boolean =>
      this.store.get(resource, key)?.metadata.uid === uid;
    if (!alive('serviceaccounts', objectKey(namespace, serviceaccount.name), serviceaccount.uid)) {
      return 'service account token has been invalidated';
    }
    if (pod && !alive('pods', objectKey(namespace, pod.name), pod.uid))
      return 'service account token has been invalidated';
    if (secret && !alive('secrets', objectKey(namespace, secret.name), secret.uid)) {
      return 'service account token has been invalidated';
    }
    // The node of a pod's token is information; the binding is to the pod.
    if (node && !pod && !alive('nodes', node.name, node.uid)) return 'service account token has been invalidated';
    return undefined;
  }
}

function userOf({ sub, jti, 'kubernetes.io': bound }: TokenClaims): ApiUser {
  const { namespace, serviceaccount, pod, node } = bound;
  const key = (name: string): string => `authentication.kubernetes.io/${name}`;
  return {
    name: sub,
    uid: serviceaccount.uid ?? '',
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    extra: {
      [key('credential-id')]: [`JTI=${jti}`],
      ...(pod && { [key('pod-name')]: [pod.name], [key('pod-uid')]: [pod.uid ?? ''] }),
      ...(node && {
        [key('node-name')]: [node.name],
        ...(node.uid !== undefined && { [key('node-uid')]: [node.uid] }),
      }),
    },
  };
}
