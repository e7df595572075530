import { type ApiObject, parseFieldSelector } from '@podwright/api-machinery';
import type { Authorizer } from '../authorization/authorizer.js';
import type { ApiUser } from '../http/api-request.js';
import type { TokenAuthenticator } from '../identity/token-authenticator.js';

interface ReviewSpec {
  readonly token?: string;
  readonly audiences?: readonly string[];
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly resourceAttributes?: {
    readonly namespace?: string;
    readonly verb?: string;
    readonly group?: string;
    readonly resource?: string;
    readonly subresource?: string;
    readonly name?: string;
    readonly fieldSelector?: { readonly rawSelector?: string };
  };
  readonly nonResourceAttributes?: { readonly path?: string; readonly verb?: string };
}

/** Answers token and access reviews, which are not stored. */
export class Reviews {
  constructor(
    private readonly tokens: TokenAuthenticator,
    private readonly authorizer: Authorizer,
  ) {}

  /** Returns the review with its status. @throws Error for any other kind. */
  answer(review: ApiObject, asker: ApiUser): ApiObject {
    const spec = (review.spec ?? {}) as ReviewSpec;
    switch (review.kind) {
      case 'TokenReview':
        return { ...review, status: this.tokenStatus(spec) };
      case 'SubjectAccessReview':
      case 'LocalSubjectAccessReview':
        return { ...review, status: this.accessStatus(spec, { name: spec.user ?? '', groups: spec.groups ?? [] }) };
      case 'SelfSubjectAccessReview':
        return { ...review, status: this.accessStatus(spec, asker) };
      case 'SelfSubjectReview':
        return { ...review, status: { userInfo: userInfo(asker) } };
      case 'SelfSubjectRulesReview':
        return { ...review, status: rulesOf(asker) };
      default:
        throw new Error(`no review of kind ${review.kind ?? ''}`);
    }
  }

  private tokenStatus({ token = '', audiences = [] }: ReviewSpec): object {
    const verdict = this.tokens.authenticate(token, audiences);
    if ('error' in verdict) return { user: {}, error: `[${verdict.error}, invalid bearer token]` };
    return { authenticated: true, user: userInfo(verdict.user), audiences: verdict.audiences };
  }

  private accessStatus({ resourceAttributes, nonResourceAttributes }: ReviewSpec, user: ApiUser): object {
    const decision =
      resourceAttributes === undefined
        ? this.authorizer.decidePath(user, nonResourceAttributes?.path ?? '')
        : this.authorizer.decide({
            user,
            verb: resourceAttributes.verb ?? '',
            group: resourceAttributes.group ?? '',
            plural: resourceAttributes.resource ?? '',
            subresource: resourceAttributes.subresource ?? '',
            namespace: resourceAttributes.namespace ?? '',
            name: resourceAttributes.name ?? '',
            fields: parseFieldSelector(resourceAttributes.fieldSelector?.rawSelector ?? ''),
          });
    return { allowed: decision.allowed, ...(decision.reason !== '' && { reason: decision.reason }) };
  }
}

function userInfo({ name, groups, uid, extra }: ApiUser): object {
  return { username: name, ...(uid !== undefined && { uid }), groups, ...(extra && { extra }) };
}

function rulesOf({ groups }: ApiUser): object {
  const everything = groups.includes('system:masters');
  return {
    resourceRules: everything ? [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }] : [],
    nonResourceRules: everything ? [{ verbs: ['*'], nonResourceURLs: ['*'] }] : [],
    incomplete: !everything,
  };
}
