import { deepEqual } from '@podwright/kube-types';
import type { Certificate } from '@podwright/x509';

/** What a certificate must contain. */
export interface CertificateTemplate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

/** The template of a node's client certificate. */
export function nodeTemplate(nodeName: string): CertificateTemplate {
  return { commonName: `system:node:${nodeName}`, organizations: ['system:nodes'], dnsNames: [], ipAddresses: [] };
}

/** What the certificate lacks, in words; undefined when it satisfies the template. It may contain more. */
export function unsatisfied(template: CertificateTemplate, certificate: Certificate): string | undefined {
  const { commonName, organizations } = certificate.subject;
  if (template.commonName !== commonName) return `its name is ${commonName}, not ${template.commonName}`;
  for (const [what, wanted, given] of [
    ['DNS names', template.dnsNames, certificate.dnsNames],
    ['IP addresses', template.ipAddresses, certificate.ipAddresses],
    ['organizations', template.organizations, organizations],
  ] as const) {
    const missing = wanted.filter((name) => !given.includes(name));
    if (missing.length > 0) return `it lacks the ${what} ${missing.join(', ')}`;
  }
  return undefined;
}

/** Two absent templates are equal. */
export function sameTemplate(left: CertificateTemplate | undefined, right: CertificateTemplate | undefined): boolean {
  return deepEqual(left, right);
}
