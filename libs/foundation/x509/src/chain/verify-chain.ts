import { KubeletError } from '@podwright/errors';
import type { ChainCertificate } from './chain-certificate.js';
import { commonName } from './name-of.js';
import { signatureFault } from './signature-fault.js';

/** What Go's x509 allows: it bounds the work for a chain that somebody made to be expensive. */
export const maxSignatureChecks = 100;
const anyUsageOid = '2.5.29.37.0';

export interface VerifyChainOptions {
  /** Certificates that are trusted as they are; usually those of authorities. */
  readonly roots: readonly ChainCertificate[];
  /** Certificates that may stand between leaf and root, sent by the peer: nothing of them is trusted. */
  readonly intermediates: readonly ChainCertificate[];
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Object identifier that the extended usages of the leaf and of each authority above it must allow. */
  readonly usageOid: string;
}

/**
 * The chain from the leaf to one of the roots, both included. Throws `unauthenticated` with Go's words when there is none:
 * unknown authority, expired, a usage that does not fit, too many intermediates, a critical extension that is not
 * understood. Stricter than Go in two things: an authority with name constraints signs for no certificate with alternative
 * names, and critical policy constraints are not understood.
 * Source: Go 1.26 crypto/x509/verify.go, as kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/authentication/request/x509/x509.go calls it.
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

/** Adds every chain that begins with these certificates to `found`; the fault that tells best why there was none. */
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

/** Those whose name is the issuer's, the ones with the right key id first. */
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
  if (nowMs < certificate.notBeforeMs) return `${expired} ${stamp(nowMs)} is before ${stamp(certificate.notBeforeMs)}`;
  if (nowMs > certificate.notAfterMs) return `${expired} ${stamp(nowMs)} is after ${stamp(certificate.notAfterMs)}`;
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

const stamp = (timeMs: number): string => new Date(timeMs).toISOString().replace(/\.\d+Z$/, 'Z');

function refused(fault: string): KubeletError {
  return new KubeletError(`x509: ${fault}`, { code: 'unauthenticated' });
}
