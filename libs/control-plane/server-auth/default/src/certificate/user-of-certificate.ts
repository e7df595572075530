import { createHash } from 'node:crypto';
import { KubeletError } from '@podwright/errors';
import type { UserInfo } from '@podwright/server-auth-interface';
import { nameOids, type ChainCertificate } from '@podwright/x509';

/** Subject attribute with the user's UID. Source: kubernetes v1.36 apimachinery/pkg/apis/asn1/oid.go. */
const uidOid = '1.3.6.1.4.1.57683.2';
const credentialId = 'authentication.kubernetes.io/credential-id';

export interface CertificateUserOptions {
  /** Whether the UID in the subject counts. Feature gate AllowParsingUserUIDFromCertAuth. */
  readonly certificateUid: boolean;
}

/**
 * The user of a certificate: the common name is the name, each organization a group; undefined without a common name.
 * Throws `unauthenticated` for an empty UID or several. Source: kubernetes v1.36
 * apiserver/pkg/authentication/request/x509/x509.go CommonNameUserConversion.
 */
export function userOfCertificate(
  { subject, der }: Pick<ChainCertificate, 'subject' | 'der'>,
  { certificateUid }: CertificateUserOptions,
): UserInfo | undefined {
  const values = (wanted: string): readonly string[] =>
    subject.filter(({ oid }) => oid === wanted).map(({ value }) => value);
  const name = values(nameOids.commonName).at(-1) ?? '';
  if (name === '') return undefined;
  const uids = certificateUid ? values(uidOid) : [];
  const [uid] = uids;
  if (uids.length > 1) throw unauthenticated(`expected 1 UID, but found multiple: [${uids.join(' ')}]`);
  if (uid === '') throw unauthenticated('UID cannot be an empty string');
  return {
    name,
    ...(uid !== undefined && { uid }),
    groups: values(nameOids.organization),
    extra: { [credentialId]: [`X509SHA256=${createHash('sha256').update(der).digest('hex')}`] },
  };
}

function unauthenticated(message: string): KubeletError {
  return new KubeletError(message, { code: 'unauthenticated' });
}
