import { ExpiringCache } from '@podwright/cache';
import { KubeletError, messageOf } from '@podwright/errors';
import type { TokenReview } from '@podwright/kube-types';
import type { UserInfo } from '@podwright/server-auth-interface';
import type { Clock } from '@podwright/time';
import { AnswerFields } from '../review/answer-fields.js';
import type { Reviewer } from '../review/reviewer.js';
import { FairTurns } from '../review/fair-turns.js';
import { SharedLookups } from '../review/shared-lookups.js';
import type { TokenCacheMetrics } from './token-cache-metrics.js';
import type { TokenKeys } from './token-keys.js';
import { tokenSource } from './token-source.js';

// Only a few users scrape and administrate a node. Refused tokens are cached separately, because anyone can invent
// them: a flood must not evict users. Upstream's cache has no limit.
const mostUsers = 2_000;
const mostRefused = 500;
// How long a token that was good is asked about before those of strangers. Longer than a scraper pauses.
const familiarMs = 60 * 60_000;
const familiarSource = 'familiar';
// Few places, because the budget of reviews is first come, first served: what waits there is not ordered any more.
const turnOptions = { places: 50, maxWaiting: 150, preferred: familiarSource };

/** The user, undefined for a refusal without an error; or too many were being checked. */
type Verdict = UserInfo | undefined | 'turned away';

export interface TokenAuthenticatorDeps {
  readonly reviewer: Pick<Reviewer<TokenReview>, 'ask'>;
  readonly keys: TokenKeys;
  readonly clock: Clock;
  readonly metrics: TokenCacheMetrics;
  readonly stopping: AbortSignal;
}

/**
 * Authenticates bearer tokens by TokenReview. Caches the user, or a plain refusal; as upstream, not a refusal with an
 * error. Never stores or logs the tokens themselves.
 * Source: kubernetes v1.36 apiserver/plugin/pkg/authenticator/token/webhook/webhook.go and
 * apiserver/pkg/authentication/token/cache/cached_token_authenticator.go.
 */
export class TokenAuthenticator {
  private readonly users: ExpiringCache<UserInfo>;
  private readonly refused: ExpiringCache<true>;
  private readonly familiar: ExpiringCache<true>;
  private readonly lookups: SharedLookups<Verdict>;
  private readonly turns = new FairTurns(turnOptions);

  constructor(
    private readonly deps: TokenAuthenticatorDeps,
    private readonly cacheTtlMs: number,
  ) {
    this.users = new ExpiringCache(deps.clock, mostUsers);
    this.familiar = new ExpiringCache(deps.clock, mostUsers);
    this.refused = new ExpiringCache(deps.clock, mostRefused);
    this.lookups = new SharedLookups(deps.clock, deps.stopping);
  }

  /**
   * Rejects with `unauthenticated` for a token that is invalid or could not be checked, with `resource-exhausted` when
   * too many are being checked. Cached tokens wait for nobody, and those that were good before not for strangers.
   */
  async authenticate(token: string, remoteAddress: string, signal: AbortSignal): Promise<UserInfo> {
    const { clock, keys } = this.deps;
    const startedAtMs = clock.monotonic();
    const key = keys.keyOf(token);
    const known = this.users.get(key);
    if (known !== undefined || this.refused.get(key) === true) {
      this.count('hit', startedAtMs);
      if (known !== undefined) return known;
      throw invalidToken();
    }
    const source = this.familiar.get(key) === true ? familiarSource : tokenSource(remoteAddress);
    const user = await this.lookUp(key, { token, source }, startedAtMs, signal);
    if (user === undefined) throw invalidToken();
    if (user === 'turned away')
      throw new KubeletError('too many bearer tokens are being checked', { code: 'resource-exhausted' });
    return user;
  }

  async ended(): Promise<void> {
    await this.lookups.ended();
  }

  private async lookUp(key: string, unknown: UnknownToken, startedAtMs: number, signal: AbortSignal): Promise<Verdict> {
    const { activeFetches } = this.deps.metrics;
    activeFetches.add(1, { status: 'blocked' });
    try {
      return await this.lookups.run(key, (ending) => this.fetch(key, unknown, ending), signal);
    } catch (error) {
      throw new KubeletError(messageOf(error), { code: 'unauthenticated', cause: error });
    } finally {
      activeFetches.add(-1, { status: 'blocked' });
      this.count('miss', startedAtMs);
    }
  }

  private async fetch(key: string, { token, source }: UnknownToken, signal: AbortSignal): Promise<Verdict> {
    const leave = await this.turns.enter(source, signal);
    if (leave === undefined) return 'turned away';
    const { activeFetches, fetches } = this.deps.metrics;
    activeFetches.add(1, { status: 'in_flight' });
    let status = 'error';
    try {
      const user = await this.review(token, signal);
      status = 'ok';
      if (user === undefined) this.refused.set(key, true, this.cacheTtlMs);
      else this.keep(key, user);
      return user;
    } finally {
      fetches.increment({ status });
      activeFetches.add(-1, { status: 'in_flight' });
      leave();
    }
  }

  private keep(key: string, user: UserInfo): void {
    this.users.set(key, user, this.cacheTtlMs);
    this.familiar.set(key, true, familiarMs);
  }

  /** Undefined for a refusal without an error. */
  private async review(token: string, signal: AbortSignal): Promise<UserInfo | undefined> {
    // No audiences: as for upstream, the API server uses its own.
    const { status } = await this.deps.reviewer.ask({ spec: { token } }, signal);
    const fields = new AnswerFields(status, 'status');
    const [user, error] = [userOf(fields.inner('user')), fields.text('error')];
    if (fields.flag('authenticated')) return user;
    if (error !== '') throw new KubeletError(error, { code: 'unauthenticated' });
    return undefined;
  }

  private count(status: 'hit' | 'miss', startedAtMs: number): void {
    const { clock, metrics } = this.deps;
    metrics.requests.increment({ status });
    metrics.requestDuration.observe((clock.monotonic() - startedAtMs) / 1000, { status });
  }
}

interface UnknownToken {
  readonly token: string;
  readonly source: string;
}

function userOf(fields: AnswerFields): UserInfo {
  const [uid, extra] = [fields.text('uid'), fields.textsByName('extra')];
  return {
    name: fields.text('username'),
    ...(uid !== '' && { uid }),
    groups: fields.texts('groups'),
    ...(extra !== undefined && { extra }),
  };
}

function invalidToken(): KubeletError {
  return new KubeletError('invalid bearer token', { code: 'unauthenticated' });
}
