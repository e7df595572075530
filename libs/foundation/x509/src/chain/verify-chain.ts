import { KubeletError } from '@podwright/errors';
import { formatRfc3339 } from '@podwright/time';
import type { ChainCertificate } from './chain-certificate.js';
import { commonName } from './name-of.js';
import { signatureFault } from './signature-fault.js';

/** The most signature checks, as in Go's x509; it bounds the work for a hostile chain. */
export const maxSignatureChecks = 100;
const anyUsageOid = '2.5.29.37.0';

export interface VerifyChainOptions {
  /** Trusted certificates, usually of authorities. */
  readonly roots: readonly ChainCertificate[];
  /** Certificates from the peer that may be between leaf and root; they are not trusted. */
  readonly intermediates: readonly ChainCertificate[];
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Object identifier of the extended usage that the leaf and every authority above it must allow. */
  readonly usageOid: string;
}

/**
 * Finds a valid chain from the leaf to one of the roots, both included. Throws `unauthenticated` with Go's message when
 * there is none: unknown authority, expired, wrong usage, too many intermediates, unknown critical extension. Stricter
 * than Go in two ways: it rejects an authority with name constraints above a leaf with alternative names, and critical
 * policy constraints.
 * Source: Go 1.26 crypto/x509/verify.go, as kubernetes v1.36
 * staging/src/k8s.io/apiserver/pkg/authentication/request/x509/x509.go calls it.
 */
export function verifyChain(leaf: ChainCertificate, options: VerifyChainOptions): readonly ChainCertificate[] {
  const fault = faultOf(leaf, 'leaf', [], options);
  if (fault !== undefined) throw refused(fault);
  const chains = options.roots.some((root) => root.der.equals(leaf.der)) ? [[leaf]] : chainsOf(leaf, options);
  const compatible = chains.filter((chain) => chain.every((certificate) => allows(certificate, options.usageOid)));
  if (compatible.length === 0) throw refused('certificate specifies an incompatible key usage');
  const [usable] = compatible.filter(namesUnconstrained);
  if (usable === undefined) {
    throw refused(
      'a root or intermediate certificate is not authorized to sign for this name: name constraints are not supported',
    );
  }
  return usable;
}

type Place = 'leaf' | 'intermediate' | 'root';
type Chain = readonly ChainCertificate[];

function chainsOf(leaf: ChainCertificate, options: VerifyChainOptions): readonly Chain[] {
  const budget = { checks: maxSignatureChecks };
  const found: Chain[] = [];
  const fault = extend([leaf], options, budget, found);
  if (found.length === 0) throw refused(fault);
  return found;
}

/**
 * Adds every chain that begins with these certificates to `found`. Returns the fault that best explains why there is
 * none.
 */
function extend(chain: Chain, options: VerifyChainOptions, budget: { checks: number }, found: Chain[]): string {
  const child = chain.at(-1) as ChainCertificate;
  let hint: string | undefined;
  let last: string | undefined;
  for (const place of ['root', 'intermediate'] as const) {
    for (const parent of parentsOf(child, place === 'root' ? options.roots : options.intermediates)) {
      if (budget.checks-- <= 0) return 'signature check attempts limit reached while verifying certificate chain';
      if (chain.includes(parent)) continue;
      const signature = signatureFault(child, parent);
      const fault = signature ?? faultOf(parent, place, chain, options);
      if (fault !== undefined) {
        hint ??= ` (possibly because of ${JSON.stringify(`x509: ${fault}`)} while trying to verify candidate authority certificate ${JSON.stringify(commonName(parent))})`;
        if (signature === undefined) last = fault;
      } else if (place === 'root') {
        found.push([...chain, parent]);
      } else {
        last = extend([...chain, parent], options, budget, found);
      }
    }
  }
  return last ?? `certificate signed by unknown authority${hint ?? ''}`;
}

/** The candidates whose subject is the child's issuer; those with the right key id come first. */
function parentsOf(child: ChainCertificate, candidates: readonly ChainCertificate[]): readonly ChainCertificate[] {
  const { issuerDer, authorityKeyId } = child;
  const named = candidates.filter(({ subjectDer }) => subjectDer.equals(issuerDer));
  const rank = ({ subjectKeyId }: ChainCertificate): number => {
    if (subjectKeyId === undefined || authorityKeyId === undefined) return subjectKeyId === authorityKeyId ? 0 : 1;
    return subjectKeyId.equals(authorityKeyId) ? 0 : 2;
  };
  return [...named].sort((a, b) => rank(a) - rank(b));
}

function faultOf(
  certificate: ChainCertificate,
  place: Place,
  chain: Chain,
  { nowMs }: VerifyChainOptions,
): string | undefined {
  if (certificate.unhandledCritical) return 'unhandled critical extension';
  const expired = 'certificate has expired or is not yet valid: current time';
  if (nowMs < certificate.notBeforeMs)
    return `${expired} ${formatRfc3339(nowMs)} is before ${formatRfc3339(certificate.notBeforeMs)}`;
  if (nowMs > certificate.notAfterMs)
    return `${expired} ${formatRfc3339(nowMs)} is after ${formatRfc3339(certificate.notAfterMs)}`;
  if (place === 'intermediate' && certificate.authority !== true) {
    return 'certificate is not authorized to sign other certificates';
  }
  const { maxPathLength } = certificate;
  if (maxPathLength !== undefined && chain.length - 1 > maxPathLength) {
    return 'too many intermediates for path length constraint';
  }
  return undefined;
}

function allows({ extendedUsages }: ChainCertificate, usageOid: string): boolean {
  return extendedUsages === undefined || extendedUsages.some((oid) => oid === anyUsageOid || oid === usageOid);
}

function namesUnconstrained(chain: Chain): boolean {
  return (
    !chain.slice(1).some(({ hasNameConstraints }) => hasNameConstraints) || !chain.some((c) => c.hasAlternativeNames)
  );
}

function refused(fault: string): KubeletError {
  return new KubeletError(`x509: ${fault}`, { code: 'unauthenticated' });
}
