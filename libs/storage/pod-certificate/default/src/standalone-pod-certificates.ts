import type { CredentialBundle, PodCertificates } from '@podwright/pod-certificate-interface';
import { unimplemented } from './no-credentials.js';

/** {@link PodCertificates} of a node without an API server: there is nobody to request a certificate from. */
export class StandalonePodCertificates implements PodCertificates {
  async start(): Promise<void> {
    // Nothing to start.
  }

  async stop(): Promise<void> {
    // Nothing to stop.
  }

  trackPod(): void {
    // Nothing to request.
  }

  forgetPod(): void {
    // Nothing to forget.
  }

  credentialBundle(): CredentialBundle {
    throw unimplemented();
  }
}
