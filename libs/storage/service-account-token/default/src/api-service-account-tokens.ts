import { CLOCK, LOGGER, needs, optional, pick, RANDOM, type Needs } from '@podwright/assembly-interface';
import { abortable } from '@podwright/concurrency';
import { hasCode, KubeletError, messageOf } from '@podwright/errors';
import { KUBE_CLIENT, serviceAccounts } from '@podwright/kube-client-interface';
import type { Logger } from '@podwright/logging';
import { OFFLINE_OBJECTS } from '@podwright/offline-objects-interface';
import type {
  ServiceAccountToken,
  ServiceAccountTokens,
  TokenRequestSpec,
} from '@podwright/service-account-token-interface';
import { namedRandom } from '@podwright/time';
import { SavedTokens } from './saved-tokens.js';
import { isExpired, shouldReplace, type IssuedToken } from './token-freshness.js';
import { tokenKey, type TokenRequest } from './token-request.js';
import { TokenRequestSupport } from './token-request-support.js';

/** Time between removals of expired tokens; upstream's value. */
const cleanUpPeriodMs = 60_000;

interface CachedToken extends IssuedToken {
  readonly token: ServiceAccountToken;
  readonly podUid: string | undefined;
}

export const apiServiceAccountTokenNeeds = needs({
  client: pick(KUBE_CLIENT, 'createSubresource', 'getText'),
  clock: CLOCK,
  random: RANDOM,
  logger: LOGGER,
  /** With it, pods get saved tokens while the API server cannot be reached. */
  offline: optional(OFFLINE_OBJECTS),
});
export type ApiServiceAccountTokenNeeds = Needs<typeof apiServiceAccountTokenNeeds>;

/**
 * {@link ServiceAccountTokens} from the TokenRequest API. Concurrent callers of the same token share a call.
 * Source: kubernetes v1.36 pkg/kubelet/token/token_manager.go.
 */
export class ApiServiceAccountTokens implements ServiceAccountTokens {
  private readonly cache = new Map<string, CachedToken>();
  private readonly requests = new Map<string, { readonly podUid: string | undefined; answer: Promise<CachedToken> }>();
  private readonly stopping = new AbortController();
  private readonly support: TokenRequestSupport;
  private readonly saved: SavedTokens | undefined;
  private readonly logger: Logger;
  private cleaning: Promise<void> = Promise.resolve();

  constructor(private readonly deps: ApiServiceAccountTokenNeeds) {
    this.logger = deps.logger.with({ logger: 'service-account-token' });
    this.support = new TokenRequestSupport(deps.client);
    this.saved = deps.offline && new SavedTokens({ offline: deps.offline, clock: deps.clock, logger: this.logger });
  }

  async start(): Promise<void> {
    this.cleaning = this.deps.clock.every(cleanUpPeriodMs, () => this.dropExpired(), this.stopping.signal);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.cleaning;
    await Promise.allSettled([...this.requests.values()].map(({ answer }) => answer));
    this.cache.clear();
  }

  async get(
    namespace: string,
    serviceAccount: string,
    spec: TokenRequestSpec,
    signal: AbortSignal = this.stopping.signal,
  ): Promise<ServiceAccountToken> {
    const key = tokenKey(namespace, serviceAccount, spec);
    const cached = this.cache.get(key);
    const random = namedRandom(this.deps.random, `token ${namespace}/${serviceAccount}`);
    if (cached !== undefined && !shouldReplace(cached, this.deps.clock.now(), random)) return cached.token;
    try {
      return (await abortable(this.request(key, namespace, serviceAccount, spec), signal)).token;
    } catch (error) {
      if (cached === undefined || isExpired(cached, this.deps.clock.now())) {
        const saved = await this.saved?.insteadOf(error, { key, namespace, podUid: spec.boundObjectRef?.uid });
        if (saved !== undefined) return saved;
      }
      if (cached === undefined) throw failed(`failed to fetch token: ${messageOf(error)}`, error);
      if (isExpired(cached, this.deps.clock.now())) {
        throw failed(`token ${key} expired and refresh failed: ${messageOf(error)}`, error);
      }
      this.logger.warn("Couldn't update token", { cacheKey: key, error });
      return cached.token;
    }
  }

  deletePod(podUid: string): void {
    for (const [key, entry] of this.cache) if (entry.podUid === podUid) this.cache.delete(key);
    this.saved?.forgetPod(podUid);
    // Callers get the token of a request in progress, but it is not cached.
    for (const [key, entry] of this.requests) if (entry.podUid === podUid) this.requests.delete(key);
  }

  /** Removes the saved tokens of pods that are not `known`. */
  forgetAllBut(known: ReadonlySet<string>): void {
    this.saved?.forgetAllBut(known);
  }

  private request(key: string, namespace: string, name: string, spec: TokenRequestSpec): Promise<CachedToken> {
    const running = this.requests.get(key);
    if (running !== undefined) return running.answer;
    const request = { podUid: spec.boundObjectRef?.uid, answer: this.create(namespace, name, spec) };
    request.answer = request.answer
      .then((token) => {
        if (this.requests.get(key) !== request) return token;
        this.cache.set(key, token);
        this.saved?.keep({ key, namespace, podUid: token.podUid }, token.token);
        return token;
      })
      .finally(() => {
        if (this.requests.get(key) === request) this.requests.delete(key);
      });
    this.requests.set(key, request);
    return request.answer;
  }

  private async create(namespace: string, name: string, spec: TokenRequestSpec): Promise<CachedToken> {
    const { serviceAccountUid: uid, ...asked } = spec;
    const metadata = uid === undefined ? {} : { metadata: { uid } };
    const body: TokenRequest = {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      ...metadata,
      spec: asked,
    };
    const place = { namespace, name, subresource: 'token' };
    const { signal } = this.stopping;
    const answer = await this.deps.client
      .createSubresource<TokenRequest>(serviceAccounts, place, body, { signal })
      .catch(async (error: unknown) => {
        if (!hasCode(error, 'not-found') || (await this.support.isOffered(signal))) throw error;
        throw failed('the API server does not have TokenRequest endpoints enabled', error);
      });
    const { token, expirationTimestamp = '' } = answer.status ?? {};
    const expiresAtMs = Date.parse(expirationTimestamp);
    if (token === undefined || Number.isNaN(expiresAtMs)) {
      throw new KubeletError(`the API server answered without a token or its expiration`, { code: 'internal' });
    }
    const lifetimeSeconds = answer.spec.expirationSeconds;
    if (lifetimeSeconds === undefined) {
      this.logger.warn('Expiration seconds was nil for token request', { namespace, serviceAccount: name });
    }
    return { token: { token, expirationTimestamp }, expiresAtMs, lifetimeSeconds, podUid: spec.boundObjectRef?.uid };
  }

  private dropExpired(): void {
    const nowMs = this.deps.clock.now();
    for (const [key, entry] of this.cache) if (isExpired(entry, nowMs)) this.cache.delete(key);
  }
}

function failed(message: string, cause: unknown): KubeletError {
  return new KubeletError(message, { code: KubeletError.from(cause).code, cause });
}
