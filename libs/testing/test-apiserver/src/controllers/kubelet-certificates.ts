import { deepEqual } from '@podwright/kube-types';
import type { CertificateRequest } from '@podwright/x509';

export const clientSigner = 'kubernetes.io/kube-apiserver-client-kubelet';
export const servingSigner = 'kubernetes.io/kubelet-serving';

/**
 * Why the signer refuses the request; undefined when it signs. Source: kubernetes v1.36
 * pkg/apis/certificates/helpers.go.
 */
export function kubeletRequestFault(
  signer: string,
  { subject, dnsNames, ipAddresses }: CertificateRequest,
  usages: readonly string[],
): string | undefined {
  if (!deepEqual(subject.organizations, ['system:nodes'])) return 'subject organization is not system:nodes';
  if (signer === servingSigner) {
    if (dnsNames.length === 0 && ipAddresses.length === 0) return 'DNS or IP subjectAltName is required';
  } else {
    if (dnsNames.length > 0) return 'DNS subjectAltNames are not allowed';
    if (ipAddresses.length > 0) return 'IP subjectAltNames are not allowed';
  }
  const auth = signer === servingSigner ? 'server auth' : 'client auth';
  const wanted = ['digital signature', auth, 'key encipherment'].sort();
  const given = [...new Set(usages)].sort();
  // An ECDSA key cannot encipher, so its request may omit `key encipherment`.
  const usagesMatch = deepEqual(given, wanted) || deepEqual(given, ['digital signature', auth].sort());
  const named = subject.commonName.startsWith('system:node:');
  const nameFault = named ? undefined : 'subject common name does not begin with system:node:';
  const usageText = usagesMatch ? undefined : `usages did not match [${wanted.join(' ')}]`;
  // The two signers check in different orders.
  return signer === servingSigner ? (usageText ?? nameFault) : (nameFault ?? usageText);
}
