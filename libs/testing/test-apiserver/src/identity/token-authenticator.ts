import { messageOf } from '@podwright/errors';
import { objectKey } from '@podwright/kube-types';
import type { ApiUser } from '../http/api-request.js';
import type { ObjectStore } from '../store/object-store.js';
import { ServiceAccountTokens, tokenIssuer, type TokenClaims } from './service-account-tokens.js';

/** The user of a token and the audiences that it is valid for, or why it is invalid. */
export type TokenVerdict =
  | { readonly user: ApiUser; readonly audiences: readonly string[] }
  | { readonly error: string };

/** Authenticates static tokens and service account tokens, including the objects that these are bound to. */
export class TokenAuthenticator {
  constructor(
    private readonly tokens: ServiceAccountTokens,
    private readonly store: ObjectStore,
    private readonly staticTokens: ReadonlyMap<string, ApiUser>,
  ) {}

  /** Authenticates a token, which must have one of the `audiences`; when there are none, the API server's own. */
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

  /** The fault of a token whose bound object no longer exists; undefined when it does. */
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
    // A pod's token is bound to the pod; its node is only information.
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
