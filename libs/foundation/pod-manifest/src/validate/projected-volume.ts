import type { Volume, VolumeProjection } from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';
import { validateFileMode, validateLocalNonReservedPath } from './paths.js';
import { validateDownwardFiles, validateKeys } from './projected-files.js';
import { validateLabelSelector } from './selectors.js';

/** A token's lifetime is at least ten minutes and at most 2^32 seconds. */
const minTokenSeconds = 600;
const maxTokenSeconds = 2 ** 32;
/** A certificate's lifetime is at least an hour and at most 91 days, from signers of Kubernetes at most one. */
const daySeconds = 86_400;

type Projected = NonNullable<Volume['projected']>;

/** Validates each source of a projected volume, and that no two sources write the same file. */
export function validateProjected(projected: Projected, field: string, errors: FieldErrors): void {
  validateFileMode(projected.defaultMode, `${field}.defaultMode`, errors);
  const paths = new Set<string>();
  (projected.sources ?? []).forEach((source, index) => {
    const place = `${field}.sources[${index}]`;
    const given = Object.keys(source);
    if (given.length === 0) errors.required(place, `must specify one of: ${names.join(', ')}`);
    for (const other of given.slice(1))
      errors.forbidden(`${place}.${other}`, 'may not specify more than 1 volume type');
    validateProjection(source, place, errors);
    for (const path of pathsOf(source)) {
      if (paths.has(path)) errors.invalid(field, path, 'conflicting duplicate paths');
      paths.add(path);
    }
  });
}

const names = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken', 'clusterTrustBundle', 'podCertificate'];

function pathsOf(source: VolumeProjection): readonly string[] {
  const items = [source.secret?.items, source.configMap?.items, source.downwardAPI?.items];
  const { podCertificate: certificate } = source;
  return [
    ...items.flatMap((list) => (list ?? []).map(({ path }) => path)),
    source.serviceAccountToken?.path,
    source.clusterTrustBundle?.path,
    certificate?.credentialBundlePath,
    certificate?.keyPath,
    certificate?.certificateChainPath,
  ].filter((path): path is string => path !== undefined && path !== '');
}

function validateProjection(source: VolumeProjection, place: string, errors: FieldErrors): void {
  const { secret, configMap, downwardAPI } = source;
  if (secret) {
    if (!secret.name) errors.required(`${place}.secret.name`);
    validateKeys(secret.items, `${place}.secret.items`, errors);
  }
  if (configMap) {
    if (!configMap.name) errors.required(`${place}.configMap.name`);
    validateKeys(configMap.items, `${place}.configMap.items`, errors);
  }
  if (downwardAPI) validateDownwardFiles(downwardAPI.items, `${place}.downwardAPI`, errors);
  validateToken(source, `${place}.serviceAccountToken`, errors);
  validateTrustBundle(source, `${place}.clusterTrustBundle`, errors);
  validateCertificate(source, `${place}.podCertificate`, errors);
}

function validateToken({ serviceAccountToken: token }: VolumeProjection, field: string, errors: FieldErrors): void {
  if (token === undefined) return;
  const seconds = token.expirationSeconds ?? 0;
  if (seconds < minTokenSeconds) {
    errors.invalid(`${field}.expirationSeconds`, seconds, 'may not specify a duration less than 10 minutes');
  }
  if (seconds > maxTokenSeconds) {
    errors.invalid(`${field}.expirationSeconds`, seconds, 'may not specify a duration larger than 2^32 seconds');
  }
  validateFile(token.path, `${field}.path`, errors);
}

function validateTrustBundle(
  { clusterTrustBundle: bundle }: VolumeProjection,
  field: string,
  errors: FieldErrors,
): void {
  if (bundle === undefined) return;
  if (bundle.name !== undefined && bundle.signerName !== undefined) {
    errors.invalid(field, bundle, 'only one of name and signerName may be used');
  } else if (bundle.name === undefined && bundle.signerName === undefined) {
    errors.required(field, 'either name or signerName must be specified');
  }
  validateLabelSelector(bundle.labelSelector, `${field}.labelSelector`, errors);
  validateFile(bundle.path, `${field}.path`, errors);
}

function validateCertificate(
  { podCertificate: certificate }: VolumeProjection,
  field: string,
  errors: FieldErrors,
): void {
  if (certificate === undefined) return;
  if (!certificate.signerName) errors.required(`${field}.signerName`);
  const keyTypes = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];
  errors.oneOf(`${field}.keyType`, certificate.keyType, keyTypes);
  const { maxExpirationSeconds: seconds } = certificate;
  const mostSeconds = /^([^/]*\.)?kubernetes\.io\//.test(certificate.signerName) ? daySeconds : 91 * daySeconds;
  if (seconds !== undefined && seconds < 3_600) {
    errors.invalid(`${field}.maxExpirationSeconds`, seconds, 'if provided, maxExpirationSeconds must be >= 3600');
  }
  if (seconds !== undefined && seconds > mostSeconds) {
    const detail = `if provided, maxExpirationSeconds must be <= ${mostSeconds}`;
    errors.invalid(`${field}.maxExpirationSeconds`, seconds, detail);
  }
  const paths = ['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const;
  if (paths.every((name) => !certificate[name]))
    errors.required(field, 'specify at least one of credentialBundlePath, keyPath, and certificateChainPath');
  for (const name of paths) {
    const path = certificate[name];
    if (path) validateLocalNonReservedPath(path, `${field}.${name}`, errors);
  }
}

function validateFile(path: string, field: string, errors: FieldErrors): void {
  if (!path) errors.required(field);
  else validateLocalNonReservedPath(path, field, errors);
}
