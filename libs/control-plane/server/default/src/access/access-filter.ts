import type { IncomingMessage } from 'node:http';
import { KubeletError } from '@podwright/errors';
import type { Logger } from '@podwright/logging';
import type { ServerAuth, UserInfo } from '@podwright/server-auth-interface';
import type { Clock } from '@podwright/time';
import { text, tooManyRequests, type Answer } from '@podwright/http-answer';
import type { RequestTarget } from '@podwright/http-router';
import { accessAttributes } from './access-attributes.js';
import { shownCredentials, type ShownCredentials } from './request-credentials.js';

export interface AccessFilterOptions {
  readonly verbByMethod: boolean;
}

/** An admitted request: its user, if one was asked for, and its headers without credentials. Or the refusal. */
export type Admission =
  | (Pick<ShownCredentials, 'headers' | 'rawHeaders'> & { readonly user: UserInfo | undefined })
  | Refusal;

export interface Refusal {
  readonly refusal: Answer;
}

type GuardedRequest = Pick<IncomingMessage, 'method' | 'headers' | 'rawHeaders' | 'socket'>;

// Longer than an authorizer needs with all its retries. Without a limit, an API server that hangs would hold
// connections.
const decisionTimeoutMs = 60_000;
const unauthorized: Refusal = { refusal: text(401, 'Unauthorized') };
const anonymousUser = 'system:anonymous';

/** Decides whether a request may reach its route. */
export interface RequestAccess {
  admit(request: IncomingMessage, target: RequestTarget, signal: AbortSignal): Promise<Admission>;
}

/** Authenticates and authorizes requests. Source: kubernetes v1.36 pkg/kubelet/server/server.go InstallAuthFilter. */
export class AccessFilter {
  constructor(
    private readonly auth: Pick<ServerAuth, 'authenticate' | 'authorize'>,
    private readonly clock: Clock,
    private readonly logger: Logger,
    private readonly options: AccessFilterOptions,
  ) {}

  async admit(request: GuardedRequest, target: RequestTarget, signal: AbortSignal): Promise<Admission> {
    const deadline = this.clock.deadline(decisionTimeoutMs, signal);
    try {
      const shown = shownCredentials(request);
      const user = await this.sender(shown, deadline.signal);
      if ('refusal' in user) return user;
      const refusal = await this.refusal(user, request.method ?? 'GET', target, deadline.signal);
      return refusal ?? { user, headers: shown.headers, rawHeaders: shown.rawHeaders };
    } finally {
      deadline.dispose();
    }
  }

  private async sender(shown: ShownCredentials, signal: AbortSignal): Promise<UserInfo | Refusal> {
    const { credentials, malformed } = shown;
    try {
      const user = await this.auth.authenticate(credentials, signal);
      if (user === undefined) return unauthorized;
      if (malformed === undefined || user.name !== anonymousUser) return user;
      this.logger.debug(2, 'Unable to authenticate the request due to an error', { error: malformed });
      return unauthorized;
    } catch (error) {
      // Only at debug level: any client can cause this as often as it likes.
      this.logger.debug(2, 'Unable to authenticate the request due to an error', { error });
      return KubeletError.from(error).code === 'resource-exhausted' ? { refusal: tooManyRequests } : unauthorized;
    }
  }

  private async refusal(
    user: UserInfo,
    method: string,
    target: RequestTarget,
    signal: AbortSignal,
  ): Promise<Refusal | undefined> {
    const questions = accessAttributes(method, target, this.options.verbByMethod);
    for (const attributes of questions) {
      const { verb, subresource } = attributes;
      try {
        const { allowed } = await this.auth.authorize(user, attributes, signal);
        if (allowed) return undefined;
      } catch (error) {
        this.logger.error('Authorization error', { error, user: user.name, verb, resource: 'nodes', subresource });
        const about = `user=${user.name}, verb=${verb}, resource=nodes, subresource=${subresource}`;
        return { refusal: text(500, `Authorization error (${about})`) };
      }
    }
    const verb = questions[0]?.verb ?? '';
    const all = questions.map(({ subresource }) => subresource).join(' ');
    this.logger.debug(2, 'Forbidden', { user: user.name, verb, resource: 'nodes', 'subresource(s)': all });
    const about = `user=${user.name}, verb=${verb}, resource=nodes, subresource(s)=[${all}]`;
    return { refusal: text(403, `Forbidden (${about})\n`) };
  }
}
