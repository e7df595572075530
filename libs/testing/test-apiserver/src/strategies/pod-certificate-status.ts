import type { ApiObject } from '@podwright/api-machinery';
import { deepEqual, type PodCertificateRequest } from '@podwright/kube-types';
import { FieldErrors, type FieldError } from '@podwright/pod-manifest';
import { pemBlocks, readCertificate, readCertificates, type Certificate } from '@podwright/x509';
import { requestedKey } from './pod-certificate-spec.js';

type Status = NonNullable<PodCertificateRequest['status']>;

const minuteMs = 60_000;
const maxChainBytes = 100 * 1024;
const endings = ['Issued', 'Denied', 'Failed'];
const chainPath = 'status.certificateChain';

/**
 * Faults of a status that a signer writes, in upstream's words. Source: kubernetes v1.36
 * pkg/apis/certificates/validation/validation.go ValidatePodCertificateRequestStatusUpdate.
 */
export function podCertificateStatusFaults(next: ApiObject, old: ApiObject, nowMs: number): readonly FieldError[] {
  const errors = new FieldErrors();
  const status = (next.status ?? {}) as Status;
  const before = (old.status ?? {}) as Status;
  validateConditions(status, errors);
  if (errors.list.length > 0) return errors.list;
  const ending = endingOf(status);
  if (endingOf(before) !== undefined) {
    requireSame(status, before, 'immutable after PodCertificateRequest is issued, denied, or failed', errors);
  } else if (ending === 'Issued') {
    validateIssued(status, (old as unknown as PodCertificateRequest).spec, nowMs, errors);
  } else if (ending !== undefined) {
    const { conditions = [] } = status;
    const detail = 'non-condition status fields must be empty when denying or failing the PodCertificateRequest';
    requireSame(status, { conditions }, detail, errors);
  } else {
    const detail = 'status is immutable unless transitioning to "Issued", "Denied", or "Failed"';
    requireSame(status, before, detail, errors);
  }
  return errors.list;
}

function endingOf({ conditions = [] }: Status): string | undefined {
  return conditions.find(({ type, status }) => endings.includes(type) && status === 'True')?.type;
}

function requireSame(status: Status, wanted: Status, detail: string, errors: FieldErrors): void {
  if (!deepEqual(status, wanted)) errors.invalid('status', undefined, detail);
}

function validateConditions({ conditions = [] }: Status, errors: FieldErrors): void {
  let known = 0;
  conditions.forEach(({ type, status }, index) => {
    const field = `status.conditions.[${index}]`;
    if (!endings.includes(type)) return errors.unsupported(`${field}.type`, type, endings);
    known += 1;
    if (known > 1) {
      const detail = 'There may be at most one condition with type "Issued", "Denied", or "Failed"';
      errors.invalid(`${field}.type`, type, detail);
    }
    if (status !== 'True') errors.unsupported(`${field}.status`, status, ['True']);
  });
  conditions.forEach(({ lastTransitionTime, reason }, index) => {
    const field = `status.conditions[${index}]`;
    if (!lastTransitionTime) errors.required(`${field}.lastTransitionTime`);
    if (!reason) errors.required(`${field}.reason`);
  });
}

function validateIssued(status: Status, spec: PodCertificateRequest['spec'], nowMs: number, errors: FieldErrors): void {
  const { certificateChain: chain = '' } = status;
  if (chain.length > maxChainBytes) return errors.tooLong(chainPath, maxChainBytes);
  const [block] = pemBlocks(chain);
  if (block === undefined) {
    return errors.invalid(chainPath, chain, 'issued certificate chain must contain at least one certificate');
  }
  if (pemBlocks(chain).some(({ label }) => label !== 'CERTIFICATE')) {
    return errors.invalid(chainPath, chain, 'issued certificate chain must consist entirely of CERTIFICATE PEM blocks');
  }
  const leaf = readable(() => readCertificate(chain));
  if (leaf === undefined) return errors.invalid(chainPath, chain, 'leaf certificate does not parse as valid X.509');
  if (!leaf.publicKey.equals(requestedKey(spec))) {
    return errors.invalid(chainPath, chain, 'leaf certificate was not issued to the requested public key');
  }
  validateTimes(status, leaf, spec.maxExpirationSeconds ?? 0, nowMs, errors);
  if (errors.list.length === 0 && readable(() => readCertificates(chain)) === undefined) {
    errors.invalid(chainPath, chain, 'intermediate certificate does not parse as valid X.509');
  }
}

/** Stops at the first fault, as upstream. */
function validateTimes(
  { notBefore, notAfter, beginRefreshAt }: Status,
  leaf: Certificate,
  maxSeconds: number,
  nowMs: number,
  errors: FieldErrors,
): void {
  const field = (name: string): string => `status.${name}`;
  const consistent = 'must be present and consistent with the issued certificate';
  if (!notBefore) errors.required(field('notBefore'), consistent);
  if (!notAfter) errors.required(field('notAfter'), consistent);
  if (!beginRefreshAt) {
    errors.required(field('beginRefreshAt'), 'must be present and in the range [notbefore+10min, notafter-10min]');
  }
  if (!notBefore || !notAfter || !beginRefreshAt) return;
  const [from, to, refresh] = [Date.parse(notBefore), Date.parse(notAfter), Date.parse(beginRefreshAt)];
  const lifetimeMs = leaf.notAfterMs - leaf.notBeforeMs;
  if (from !== leaf.notBeforeMs) {
    errors.invalid(field('notBefore'), notBefore, 'must be set to the NotBefore time encoded in the leaf certificate');
  } else if (Math.abs(from - nowMs) >= 5 * minuteMs) {
    const detail = "must be set to within 5 minutes of kube-apiserver's current time";
    errors.invalid(field('notBefore'), notBefore, detail);
  } else if (to !== leaf.notAfterMs) {
    errors.invalid(field('notAfter'), notAfter, 'must be set to the NotAfter time encoded in the leaf certificate');
  } else if (lifetimeMs < 60 * minuteMs) {
    errors.invalid(chainPath, lifetimeMs * 1e6, 'leaf certificate lifetime must be >= 1 hour');
  } else if (lifetimeMs > maxSeconds * 1_000) {
    const detail = `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${maxSeconds})`;
    errors.invalid(chainPath, lifetimeMs * 1e6, detail);
  } else if (refresh < from + 10 * minuteMs) {
    errors.invalid(field('beginRefreshAt'), beginRefreshAt, 'must be at least 10 minutes after status.notBefore');
  } else if (refresh > to - 10 * minuteMs) {
    errors.invalid(field('beginRefreshAt'), beginRefreshAt, 'must be at least 10 minutes before status.notAfter');
  }
}

/** Undefined for what cannot be read. */
function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
