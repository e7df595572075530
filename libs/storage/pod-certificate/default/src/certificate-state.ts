import { KubeletError } from '@podwright/errors';
import { goQuote } from '@podwright/kube-types';
import type { CredentialBundle } from '@podwright/pod-certificate-interface';

/** How long after the start of the renewal a certificate counts as overdue; upstream's value. */
export const overdueAfterMs = 10 * 60_000;

/** A request on the API server, and the key that it is about. */
export interface SentRequest {
  readonly name: string;
  readonly privateKey: string;
  /** Monotonic. Still not seen at this time, the request counts as deleted. */
  readonly abandonAtMs: number;
}

/** A certificate in use. Times are wall-clock milliseconds since 1970. */
export interface IssuedCertificate extends CredentialBundle {
  readonly beginRefreshAtMs: number;
  readonly notAfterMs: number;
}

export type CertificateState =
  | { readonly type: 'initial' }
  | { readonly type: 'waiting'; readonly request: SentRequest }
  /** With `refresh` while a new certificate is awaited. */
  | { readonly type: 'issued'; readonly certificate: IssuedCertificate; readonly refresh?: SentRequest }
  /** For good. */
  | { readonly type: 'denied' | 'failed'; readonly reason: string; readonly message: string };

/** Throws in upstream's words while there is nothing to give. */
export function bundleOf(state: CertificateState): CredentialBundle {
  switch (state.type) {
    case 'initial':
    case 'waiting':
      throw new KubeletError('credential bundle is not issued yet', { code: 'unavailable' });
    case 'issued':
      return state.certificate;
    case 'denied':
    case 'failed': {
      const why = `reason=${goQuote(state.reason)} message=${goQuote(state.message)}`;
      const code = state.type === 'denied' ? 'permission-denied' : 'failed-precondition';
      throw new KubeletError(`PodCertificateRequest was permanently ${state.type}: ${why}`, { code });
    }
  }
}

/** The value of label `state` of metric `kubelet_podcertificate_states`. */
export function metricState(state: CertificateState, nowMs: number): string {
  switch (state.type) {
    case 'initial':
    case 'waiting':
      return 'not_yet_issued';
    case 'issued':
      if (nowMs > state.certificate.notAfterMs) return 'expired';
      return nowMs > state.certificate.beginRefreshAtMs + overdueAfterMs ? 'overdue_for_refresh' : 'fresh';
    case 'denied':
    case 'failed':
      return state.type;
  }
}
