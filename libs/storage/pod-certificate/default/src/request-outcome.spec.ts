import { describe, expect, it } from '@jest/globals';
import type { PodCertificateRequest } from '@podwright/kube-types';
import { outcomeOf } from './request-outcome.js';

const pem = (text: string): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(text).toString('base64')}\n-----END CERTIFICATE-----\n`;
const request = (status: PodCertificateRequest['status']): PodCertificateRequest =>
  ({ spec: {}, ...(status && { status }) }) as PodCertificateRequest;
const times = { beginRefreshAt: '2026-01-01T00:30:00Z', notAfter: '2026-01-01T01:00:00Z' };
const condition = (type: string): { type: string; status: string } => ({ type, status: 'True' });

describe('outcomeOf', () => {
  it.each([
    ['no status', undefined],
    ['no condition', { conditions: [] }],
    ['an unknown condition', { conditions: [condition('Odd')] }],
  ])('is pending with %s', (_what, status) => {
    expect(outcomeOf(request(status))).toEqual({ type: 'pending' });
  });

  it('drops what the signer writes around the certificates', () => {
    const headed = pem('b').replace('-----\n', '-----\nProc: 1\n\n');
    const certificateChain = `# leaf\n${pem('a')}\n# next\n${headed}# end`;
    expect(outcomeOf(request({ conditions: [condition('Issued')], certificateChain, ...times }))).toEqual({
      type: 'issued',
      certificateChain: pem('a') + pem('b'),
      beginRefreshAtMs: Date.UTC(2026, 0, 1, 0, 30),
      notAfterMs: Date.UTC(2026, 0, 1, 1),
    });
  });

  it.each(['beginRefreshAt', 'notAfter'] as const)('names the time that an issued request lacks: %s', (field) => {
    const { [field]: _missing, ...rest } = times;
    expect(() => outcomeOf(request({ conditions: [condition('Issued')], ...rest }))).toThrow(
      `status.${field} of the issued PodCertificateRequest is "", which is no time`,
    );
  });
});
