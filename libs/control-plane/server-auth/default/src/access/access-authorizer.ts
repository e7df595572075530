import { createHash } from 'node:crypto';
import { ExpiringCache } from '@podwright/cache';
import { KubeletError, messageOf } from '@podwright/errors';
import type { SubjectAccessReview } from '@podwright/kube-types';
import type { AccessAttributes, AccessDecision, UserInfo } from '@podwright/server-auth-interface';
import type { Clock } from '@podwright/time';
import { AnswerFields } from '../review/answer-fields.js';
import type { Reviewer } from '../review/reviewer.js';
import { SharedLookups } from '../review/shared-lookups.js';

// Source: kubernetes v1.36 apiserver/plugin/pkg/authorizer/webhook/webhook.go, cache.NewLRUExpireCache(8192).
const mostAnswers = 8_192;
/**
 * Maximum length, in characters, of the fields that the caller chooses; answers to longer questions are not cached.
 * Same source.
 */
const longestKept = 10_000;
const apiVersion = 'v1';
const resource = 'nodes';

export interface AccessAuthorizerDeps {
  readonly reviewer: Pick<Reviewer<SubjectAccessReview>, 'ask'>;
  readonly clock: Clock;
  readonly stopping: AbortSignal;
}

export interface AccessAuthorizerOptions {
  readonly nodeName: string;
  /** How long allowed and denied answers are cached, in milliseconds. */
  readonly cacheAuthorizedTtlMs: number;
  readonly cacheUnauthorizedTtlMs: number;
}

type Answer = Required<Pick<NonNullable<SubjectAccessReview['status']>, 'allowed' | 'denied' | 'reason'>>;

/**
 * Authorizes by SubjectAccessReview. The API server decides about every user: no group bypasses it; a bypass would
 * belong in `authorize()` of `DelegatingServerAuth`.
 * Source: kubernetes v1.36 apiserver/plugin/pkg/authorizer/webhook/webhook.go.
 */
export class AccessAuthorizer {
  private readonly answers: ExpiringCache<Answer>;
  private readonly lookups: SharedLookups<Answer>;

  constructor(
    private readonly deps: AccessAuthorizerDeps,
    private readonly options: AccessAuthorizerOptions,
  ) {
    this.answers = new ExpiringCache(deps.clock, mostAnswers);
    this.lookups = new SharedLookups(deps.clock, deps.stopping);
  }

  /** Rejects with `internal` for an invalid answer, with `unavailable` without an answer. */
  async authorize(user: UserInfo, attributes: AccessAttributes, signal: AbortSignal): Promise<AccessDecision> {
    const { allowed, denied, reason } = await this.answer(user, attributes, signal);
    if (allowed && denied) {
      const message = 'webhook subject access review returned both allow and deny response';
      throw new KubeletError(message, { code: 'internal' });
    }
    return { allowed, ...(reason !== '' && { reason }) };
  }

  async ended(): Promise<void> {
    await this.lookups.ended();
  }

  private async answer(user: UserInfo, attributes: AccessAttributes, signal: AbortSignal): Promise<Answer> {
    const spec = this.specOf(user, attributes);
    // A hash, to avoid storing long names of users and groups.
    const key = createHash('sha256').update(JSON.stringify(spec)).digest('base64');
    const known = this.answers.get(key);
    if (known !== undefined) return known;
    const answer = await this.lookups.run(key, (ending) => this.ask(spec, ending), signal);
    if (this.isKept(attributes)) {
      const { cacheAuthorizedTtlMs, cacheUnauthorizedTtlMs } = this.options;
      this.answers.set(key, answer, answer.allowed ? cacheAuthorizedTtlMs : cacheUnauthorizedTtlMs);
    }
    return answer;
  }

  private async ask(spec: SubjectAccessReview['spec'], signal: AbortSignal): Promise<Answer> {
    try {
      const { status } = await this.deps.reviewer.ask({ spec }, signal);
      const fields = new AnswerFields(status, 'status');
      return { allowed: fields.flag('allowed'), denied: fields.flag('denied'), reason: fields.text('reason') };
    } catch (error) {
      throw new KubeletError(messageOf(error), { code: 'unavailable', cause: error });
    }
  }

  private specOf(user: UserInfo, { verb, subresource }: AccessAttributes): SubjectAccessReview['spec'] {
    const { name, uid, groups, extra } = user;
    return {
      resourceAttributes: { verb, version: apiVersion, resource, subresource, name: this.options.nodeName },
      user: name,
      groups: [...groups],
      ...(extra !== undefined && { extra: Object.fromEntries(Object.entries(extra).map(([k, v]) => [k, [...v]])) }),
      ...(uid !== undefined && { uid }),
    };
  }

  private isKept({ verb, subresource, path }: AccessAttributes): boolean {
    const parts = [verb, apiVersion, resource, subresource, this.options.nodeName, path];
    return parts.reduce((length, part) => length + Buffer.byteLength(part), 0) < longestKept;
  }
}
