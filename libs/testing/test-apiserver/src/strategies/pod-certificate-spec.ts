import type { ApiObject } from '@podwright/api-machinery';
import type { KeyObject } from 'node:crypto';
import { hasCode } from '@podwright/errors';
import type { PodCertificateRequest } from '@podwright/kube-types';
import { FieldErrors, type FieldError } from '@podwright/pod-manifest';
import { formatPem, readCertificateRequest } from '@podwright/x509';

const hourSeconds = 3_600;
const dayMost = 24 * hourSeconds;
const most = 91 * dayMost;
const maxStubBytes = 10 * 1024;
const stubPath = 'spec.stubPKCS10Request';

/** Faults of a new request, in upstream's words. Source: kubernetes v1.36 pkg/apis/certificates/validation/validation.go. */
export function podCertificateSpecFaults(object: ApiObject): readonly FieldError[] {
  const spec = object.spec as PodCertificateRequest['spec'];
  const errors = new FieldErrors();
  validateSigner(spec.signerName, errors);
  for (const name of ['podUID', 'serviceAccountUID', 'nodeUID'] as const) {
    if (!spec[name]) errors.invalid(`spec.${name}`, '', 'must not be empty');
    else if (spec[name].length > 128) errors.tooLong(`spec.${name}`, 128);
  }
  const seconds = spec.maxExpirationSeconds ?? 0;
  const limit = isKubernetesSigner(spec.signerName) ? dayMost : most;
  if (seconds < hourSeconds || seconds > limit) {
    errors.invalid('spec.maxExpirationSeconds', seconds, `must be in the range [${hourSeconds}, ${limit}]`);
  }
  if (!spec.stubPKCS10Request) {
    const detail = 'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set';
    errors.invalid('spec', undefined, detail);
  } else validateStub(spec.stubPKCS10Request, errors);
  return errors.list;
}

/** The key of a stored request. */
export function requestedKey({ stubPKCS10Request = '' }: PodCertificateRequest['spec']): KeyObject {
  return readCertificateRequest(formatPem('CERTIFICATE REQUEST', Buffer.from(stubPKCS10Request, 'base64'))).publicKey;
}

function isKubernetesSigner(signer: string): boolean {
  const [domain = ''] = signer.split('/');
  return domain === 'kubernetes.io' || domain.endsWith('.kubernetes.io');
}

function validateSigner(signer: string, errors: FieldErrors): void {
  const field = 'spec.signerName';
  if (!signer) return errors.required(field);
  const [domain = '', ...rest] = signer.split('/');
  if (rest.length !== 1) {
    const detail = "must be a fully qualified domain and path of the form 'example.com/signer-name'";
    errors.invalid(field, signer, detail);
  } else if (!domain.includes('.')) {
    errors.invalid(field, domain, 'should be a domain with at least two segments separated by dots');
  }
}

/** Whoever made the request has the key: the signature of the request proves it. */
function validateStub(stub: string, errors: FieldErrors): void {
  if (Buffer.from(stub, 'base64').length > maxStubBytes) return errors.tooLong(stubPath, maxStubBytes);
  try {
    validateKey(requestedKey({ stubPKCS10Request: stub } as PodCertificateRequest['spec']), errors);
  } catch (error) {
    const isForged = hasCode(error, 'unauthenticated');
    errors.invalid(stubPath, undefined, isForged ? 'invalid signature' : 'must be a valid PKCS#10 CSR');
  }
}

function validateKey(
  { asymmetricKeyType: type, asymmetricKeyDetails: details = {} }: KeyObject,
  errors: FieldErrors,
): void {
  const { namedCurve = '', modulusLength = 0 } = details;
  if (type === 'ec' && !['prime256v1', 'secp384r1', 'secp521r1'].includes(namedCurve)) {
    errors.invalid(stubPath, `curve ${namedCurve}`, 'elliptic public keys must use curve P256, P384, or P521');
  } else if (type === 'rsa' && ![3072, 4096].includes(modulusLength)) {
    errors.invalid(stubPath, `${modulusLength}-bit modulus`, 'RSA keys must have modulus size 3072 or 4096');
  } else if (!['ec', 'rsa', 'ed25519'].includes(type ?? '')) {
    errors.invalid(stubPath, undefined, 'unknown public key type; supported types are Ed25519, ECDSA, and RSA');
  }
}
