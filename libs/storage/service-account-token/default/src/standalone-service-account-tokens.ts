import { KubeletError } from '@podwright/errors';
import type { ServiceAccountToken, ServiceAccountTokens } from '@podwright/service-account-token-interface';

/** {@link ServiceAccountTokens} of a node without an API server: rejects every request. */
export class StandaloneServiceAccountTokens implements ServiceAccountTokens {
  async start(): Promise<void> {
    // Nothing to start.
  }

  async stop(): Promise<void> {
    // Nothing to stop.
  }

  async get(): Promise<ServiceAccountToken> {
    throw new KubeletError('failed to fetch token: cannot use TokenManager when kubelet is in standalone mode', {
      code: 'failed-precondition',
    });
  }

  deletePod(): void {
    // Nothing to forget.
  }
}
