import type { PodCertificateRequest } from '@podwright/kube-types';
import { formatRfc3339, type Clock, type Random } from '@podwright/time';
import { formatPem, readCertificateRequest } from '@podwright/x509';
import { ClusterAuthority } from './cluster-authority.js';

/** How a signer answers a request for a pod's certificate. */
export type PodSignerAnswer =
  /** The lifetime is the longest that the request allows, unless given; the renewal begins after half of it. */
  | { readonly type: 'issue'; readonly lifetimeMs?: number; readonly refreshAfterMs?: number }
  | { readonly type: 'deny' | 'fail'; readonly reason: string; readonly message: string }
  /** Not yet. */
  | { readonly type: 'wait' };

/** Decides about a request. A server in memory asks again at each write of a request that is not decided. */
export type PodSigner = (request: PodCertificateRequest) => PodSignerAnswer;

const conditions = { issue: 'Issued', deny: 'Denied', fail: 'Failed' } as const;
const secondMs = 1_000;

/** Signs certificates of pods with an authority of its own. Works for a real API server too. */
export class PodCertificateSigner {
  private readonly authority: ClusterAuthority;

  constructor(
    private readonly clock: Clock,
    random: Random,
  ) {
    this.authority = new ClusterAuthority(clock, random, 'pod-certificates-ca');
  }

  /** The certificate of its authority, PEM. */
  get certificate(): string {
    return this.authority.certificate;
  }

  /** The status to write for the answer; undefined for none yet. */
  statusFor({ metadata, spec }: PodCertificateRequest, answer: PodSignerAnswer): PodCertificateRequest['status'] {
    if (answer.type === 'wait') return undefined;
    const nowMs = Math.floor(this.clock.now() / secondMs) * secondMs;
    const lastTransitionTime = formatRfc3339(nowMs);
    const type = conditions[answer.type];
    const { reason, message } = answer.type === 'issue' ? { reason: 'Signed', message: 'signed' } : answer;
    const status = { conditions: [{ type, status: 'True', reason, message, lastTransitionTime }] };
    if (answer.type !== 'issue') return status;
    const { lifetimeMs = (spec.maxExpirationSeconds ?? 0) * secondMs } = answer;
    const { refreshAfterMs = lifetimeMs / 2 } = answer;
    const request = formatPem('CERTIFICATE REQUEST', Buffer.from(spec.stubPKCS10Request ?? '', 'base64'));
    const namespace = metadata?.namespace ?? '';
    const certificate = this.authority.sign({
      publicKey: readCertificateRequest(request).publicKey,
      subject: { commonName: `system:serviceaccount:${namespace}:${spec.serviceAccountName}` },
      dnsNames: [`${spec.podName}.${namespace}.pod`],
      usages: ['digital signature', 'client auth', 'server auth'],
      notBeforeMs: nowMs,
      notAfterMs: nowMs + lifetimeMs,
    });
    return {
      ...status,
      certificateChain: certificate,
      notBefore: formatRfc3339(nowMs),
      beginRefreshAt: formatRfc3339(nowMs + refreshAfterMs),
      notAfter: formatRfc3339(nowMs + lifetimeMs),
    };
  }
}
