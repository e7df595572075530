import { KubeletError } from '@podwright/errors';
import type { ServiceAccountToken, ServiceAccountTokens } from '@podwright/service-account-token-interface';
import { injectable } from 'tsyringe';

/** {@link ServiceAccountTokens} of a node without an API server: nobody could issue one, and it says so. */
@injectable()
export class StandaloneServiceAccountTokens implements ServiceAccountTokens {
  async start(): Promise<void> {
    // Nothing goes on.
  }

  async stop(): Promise<void> {
    // Nothing goes on.
  }

  async get(): Promise<ServiceAccountToken> {
    throw new KubeletError('failed to fetch token: cannot use TokenManager when kubelet is in standalone mode', {
      code: 'failed-precondition',
    });
  }

  deletePod(): void {
    // There is none to forget.
  }
}

/** Without DI. */
export function createStandaloneServiceAccountTokens(): ServiceAccountTokens {
  return new StandaloneServiceAccountTokens();
}
