import { nameOids } from '../subject.js';
import type { ChainCertificate } from './chain-certificate.js';

/** The certificate's name in messages: its common name, else its first organization, else its serial number. */
export function commonName({ subject, serial }: Pick<ChainCertificate, 'subject' | 'serial'>): string {
  const common = subject.findLast(({ oid }) => oid === nameOids.commonName)?.value ?? '';
  if (common !== '') return common;
  return subject.find(({ oid }) => oid === nameOids.organization)?.value ?? `serial:${serial}`;
}
