import {
  CLOCK,
  LOGGER,
  METRICS,
  needs,
  optional,
  pick,
  RANDOM,
  type Health,
  type Needs,
} from '@podwright/assembly-interface';
import { KubeletError, messageOf } from '@podwright/errors';
import { KUBE_CLIENT, subjectAccessReviews, tokenReviews } from '@podwright/kube-client-interface';
import type {
  AccessAttributes,
  AccessDecision,
  RequestCredentials,
  ServerAuth,
  UserInfo,
} from '@podwright/server-auth-interface';
import { AccessAuthorizer } from './access/access-authorizer.js';
import { anonymousUser, withAuthenticatedGroup } from './authenticated-group.js';
import { CertificateAuthenticator } from './certificate/certificate-authenticator.js';
import { createExpirationMetric } from './certificate/certificate-metrics.js';
import { ClientCaFile } from './certificate/client-ca-file.js';
import { configurationFault } from './configuration-fault.js';
import type { DelegatingServerAuthConfig } from './delegating-server-auth-config.js';
import { createReviewMetrics } from './review/review-metrics.js';
import { Reviewer } from './review/reviewer.js';
import { TokenAuthenticator } from './token/token-authenticator.js';
import { createTokenCacheMetrics } from './token/token-cache-metrics.js';
import { TokenKeys } from './token/token-keys.js';

export const serverAuthNeeds = needs({
  clock: CLOCK,
  random: RANDOM,
  metrics: METRICS,
  logger: LOGGER,
  /** Without a client there are no TokenReviews or SubjectAccessReviews: `start()` rejects when options need them. */
  client: optional(pick(KUBE_CLIENT, 'create')),
});
export type ServerAuthNeeds = Needs<typeof serverAuthNeeds>;

/**
 * {@link ServerAuth} that verifies client certificates itself and asks the API server about everything else.
 * Source: kubernetes v1.36 cmd/kubelet/app/auth.go, apiserver/pkg/authentication/authenticatorfactory/delegating.go.
 */
export class DelegatingServerAuth implements ServerAuth {
  private readonly stopping = new AbortController();
  private readonly caFile: ClientCaFile | undefined;
  private readonly certificates: CertificateAuthenticator | undefined;
  private readonly tokens: TokenAuthenticator | undefined;
  private readonly access: AccessAuthorizer | undefined;
  private started = false;

  constructor(
    private readonly deps: ServerAuthNeeds,
    private readonly config: DelegatingServerAuthConfig,
  ) {
    const { clock, random, metrics, logger, client } = deps;
    const { clientCaFile: file, reloadClientCaFile: reload } = config;
    const { signal: stopping } = this.stopping;
    if (file !== '') {
      const caFile = new ClientCaFile({ clock, logger }, { file, reload });
      const expiration = createExpirationMetric(metrics);
      this.caFile = caFile;
      this.certificates = new CertificateAuthenticator({ clock, expiration, roots: () => caFile.current() }, config);
    }
    if (client === undefined) return;
    if (config.webhookAuthentication) {
      const asked = { client, clock, random, logger, metrics: createReviewMetrics(metrics, 'authn') };
      const reviewer = new Reviewer(asked, { resource: tokenReviews, budget: 'authentication', who: 'authenticator' });
      const deps = {
        reviewer,
        keys: new TokenKeys(random),
        metrics: createTokenCacheMetrics(metrics),
        clock,
        stopping,
      };
      this.tokens = new TokenAuthenticator(deps, config.cacheTtlMs);
    }
    if (config.authorizationMode === 'Webhook') {
      const asked = { client, clock, random, logger, metrics: createReviewMetrics(metrics, 'authz') };
      const resource = subjectAccessReviews;
      const reviewer = new Reviewer(asked, { resource, budget: 'authorization', who: 'authorizer' });
      this.access = new AccessAuthorizer({ reviewer, clock, stopping }, config);
    }
  }

  get requestsClientCertificates(): boolean {
    return this.certificates !== undefined;
  }

  async start(): Promise<void> {
    if (this.stopping.signal.aborted) return;
    const fault = configurationFault(this.config, this.deps.client !== undefined);
    if (fault !== undefined) throw new KubeletError(fault, { code: 'invalid-argument' });
    await this.caFile?.start();
    const { clientCaFile, webhookAuthentication, anonymous } = this.config;
    if (clientCaFile === '' && !webhookAuthentication && !anonymous) {
      this.deps.logger.warn(
        'No authentication method is configured, so the server refuses every request that needs one',
        {
          options: [
            'authentication.x509.clientCAFile',
            'authentication.webhook.enabled',
            'authentication.anonymous.enabled',
          ],
        },
      );
    }
    this.started = true;
  }

  async stop(): Promise<void> {
    this.stopping.abort(new KubeletError('the kubelet is stopping', { code: 'cancelled' }));
    await Promise.all([this.caFile?.stop(), this.tokens?.ended(), this.access?.ended()]);
  }

  // An unavailable API server is no fault of the node; a broken CA file leaves the previous authorities in use.
  healthy(): Health {
    return this.started ? { ok: true } : { ok: false, reason: 'server-auth is not started' };
  }

  async authenticate(credentials: RequestCredentials, signal: AbortSignal): Promise<UserInfo | undefined> {
    this.mustRun();
    const faults: unknown[] = [];
    for (const attempt of this.attempts(credentials, signal)) {
      try {
        const user = await attempt();
        if (user !== undefined) return withAuthenticatedGroup(user);
      } catch (error) {
        faults.push(error);
      }
    }
    if (faults.length === 0) return this.config.anonymous ? anonymousUser : undefined;
    const messages = [...new Set(faults.map(messageOf))];
    const message = messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]`;
    // Of these parts only the tokens' says so itself; an overloaded API server is the cause of another code.
    const exhausted = faults.some((fault) => KubeletError.from(fault).code === 'resource-exhausted');
    throw new KubeletError(message, { code: exhausted ? 'resource-exhausted' : 'unauthenticated', cause: faults[0] });
  }

  async authorize(user: UserInfo, attributes: AccessAttributes, signal: AbortSignal): Promise<AccessDecision> {
    this.mustRun();
    if (this.config.authorizationMode === 'AlwaysAllow') return { allowed: true };
    // start() has checked that there is one.
    return (this.access as AccessAuthorizer).authorize(user, attributes, signal);
  }

  /** In upstream's order; ignores credentials of a kind that is not configured. */
  private attempts(
    { clientCertificate, bearerToken = '', remoteAddress = '' }: RequestCredentials,
    signal: AbortSignal,
  ): readonly (() => Promise<UserInfo | undefined>)[] {
    const { certificates, tokens } = this;
    const chain = clientCertificate?.chain ?? [];
    return [
      ...(certificates === undefined || chain.length === 0 ? [] : [async () => certificates.authenticate(chain)]),
      ...(tokens === undefined || bearerToken === ''
        ? []
        : [() => tokens.authenticate(bearerToken, remoteAddress, signal)]),
    ];
  }

  // Otherwise a server whose start failed, or that outlives this object, would let everyone in when the API server is
  // not asked.
  private mustRun(): void {
    if (this.started && !this.stopping.signal.aborted) return;
    throw new KubeletError('server-auth does not run', { code: 'unavailable' });
  }
}
