import { qualifiedName, tryParseQuantity } from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';

/** The fields of the pod that an environment variable may refer to. */
export const envFieldPaths: readonly string[] = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
/** The fields of the pod that a downward API file may contain. */
export const volumeFieldPaths: readonly string[] = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

const sizes = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

export function validateFieldRef(
  ref: { readonly apiVersion?: string; readonly fieldPath: string },
  supported: readonly string[],
  field: string,
  errors: FieldErrors,
): void {
  if (!ref.apiVersion) return errors.required(`${field}.apiVersion`);
  if (!ref.fieldPath) return errors.required(`${field}.fieldPath`);
  if (ref.apiVersion !== 'v1') {
    return errors.invalid(`${field}.fieldPath`, ref.fieldPath, `unsupported pod version: ${ref.apiVersion}`);
  }
  const subscript = /^(metadata\.(?:annotations|labels))\['(.*)'\]$/s.exec(ref.fieldPath);
  if (subscript !== null) {
    const [, base, key = ''] = subscript;
    const name = base === 'metadata.annotations' ? key.toLowerCase() : key;
    return errors.rule(field, key, qualifiedName(name));
  }
  return errors.oneOf(`${field}.fieldPath`, ref.fieldPath, supported);
}

export function validateResourceFieldRef(
  ref: { readonly containerName?: string; readonly resource: string; readonly divisor?: string },
  needsContainer: boolean,
  field: string,
  errors: FieldErrors,
): void {
  if (needsContainer && !ref.containerName) return errors.required(`${field}.containerName`);
  if (!ref.resource) return errors.required(`${field}.resource`);
  const match = /^(?:limits|requests)\.(cpu|memory|ephemeral-storage|hugepages-.+)$/.exec(ref.resource);
  if (match === null) {
    const kinds = ['cpu', 'ephemeral-storage', 'memory'];
    return errors.unsupported(`${field}.resource`, ref.resource, [
      ...kinds.map((kind) => `limits.${kind}`),
      ...kinds.map((kind) => `requests.${kind}`),
    ]);
  }
  const resource = match[1] ?? '';
  const divisor = tryParseQuantity(ref.divisor ?? '0');
  if (divisor === undefined || divisor.nano === 0n) return undefined;
  const allowed = resource === 'cpu' ? ['1m', '1'] : sizes;
  if (allowed.some((text) => tryParseQuantity(text)?.nano === divisor.nano)) return undefined;
  const listed = resource === 'cpu' ? '1m and 1' : allowed.join(', ');
  return errors.invalid(
    `${field}.divisor`,
    ref.resource,
    `only divisor's values ${listed} are supported with the ${resource} resource`,
  );
}
