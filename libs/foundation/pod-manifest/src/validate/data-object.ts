import { configMapKey, isJsonObject, type ConfigMap, type Secret } from '@podwright/kube-types';
import { FieldErrors, type FieldError } from './field-errors.js';
import { validateObjectMeta } from './metadata.js';

/** The most bytes of all values of a config map or secret. */
const maxDataBytes = 1024 * 1024;

/**
 * All faults of a config map with a namespace, as the API server finds them; none if it is valid. Source: kubernetes
 * v1.36 pkg/apis/core/validation/validation.go ValidateConfigMap.
 */
export function validateConfigMap({ metadata = {}, data = {}, binaryData = {} }: ConfigMap): readonly FieldError[] {
  const errors = new FieldErrors();
  validateObjectMeta(metadata, errors);
  for (const key of Object.keys(data)) {
    errors.rule(`data[${key}]`, key, configMapKey(key));
    if (Object.hasOwn(binaryData, key)) errors.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData');
  }
  for (const key of Object.keys(binaryData)) errors.rule(`binaryData[${key}]`, key, configMapKey(key));
  if (bytesOf(data, 'utf8') + bytesOf(binaryData, 'base64') > maxDataBytes) errors.tooLong('', maxDataBytes);
  return errors.list;
}

/**
 * All faults of a secret with a namespace, as the API server finds them; none if it is valid. No message has its
 * content. Source: kubernetes v1.36 pkg/apis/core/validation/validation.go ValidateSecret.
 */
export function validateSecret({ metadata = {}, data = {}, type = '' }: Secret): readonly FieldError[] {
  const errors = new FieldErrors();
  validateObjectMeta(metadata, errors);
  for (const key of Object.keys(data)) errors.rule(`data[${key}]`, key, configMapKey(key));
  if (bytesOf(data, 'base64') > maxDataBytes) errors.tooLong('data', maxDataBytes);
  const has = (key: string): boolean => Object.hasOwn(data, key);
  const mustHave = (key: string, there = has(key)): void => {
    if (!there) errors.required(`data[${key}]`);
  };
  switch (type) {
    case 'kubernetes.io/service-account-token': {
      const annotation = 'kubernetes.io/service-account.name';
      if (!metadata.annotations?.[annotation]) errors.required(`metadata.annotations[${annotation}]`);
      break;
    }
    case 'kubernetes.io/dockercfg':
      validateJson(data, '.dockercfg', errors);
      break;
    case 'kubernetes.io/dockerconfigjson':
      validateJson(data, '.dockerconfigjson', errors);
      break;
    case 'kubernetes.io/basic-auth':
      if (!has('username') && !has('password')) ['username', 'password'].forEach((key) => mustHave(key));
      break;
    case 'kubernetes.io/ssh-auth':
      mustHave('ssh-privatekey', Boolean(data['ssh-privatekey']));
      break;
    case 'kubernetes.io/tls':
      ['tls.crt', 'tls.key'].forEach((key) => mustHave(key));
  }
  return errors.list;
}

/**
 * The faults of an update of a config map or secret: the type of a secret stays, and an immutable object stays as it is.
 * Source: kubernetes v1.36 pkg/apis/core/validation/validation.go ValidateConfigMapUpdate, ValidateSecretUpdate.
 */
export function validateDataUpdate<T extends ConfigMap | Secret>(next: T, stored: T): readonly FieldError[] {
  const errors = new FieldErrors();
  const [after, before]: readonly Partial<ConfigMap & Secret>[] = [next, stored];
  if (after?.type !== before?.type) errors.invalid('type', after?.type ?? '', 'field is immutable');
  if (before?.immutable !== true) return errors.list;
  const detail = 'field is immutable when `immutable` is set';
  if (after?.immutable !== true) errors.forbidden('immutable', detail);
  for (const field of ['data', 'binaryData'] as const) {
    if (!sameData(after?.[field], before[field])) errors.forbidden(field, detail);
  }
  return errors.list;
}

type Data = Readonly<Record<string, string>>;

// Not `deepEqual`, which would compare a value of some key as a quantity.
function sameData(a: Data = {}, b: Data = {}): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && a[key] === b[key]);
}

function bytesOf(data: Data, encoding: 'utf8' | 'base64'): number {
  return Object.values(data).reduce((sum, value) => sum + Buffer.byteLength(value, encoding), 0);
}

function validateJson(data: Data, key: string, errors: FieldErrors): void {
  const value = data[key];
  if (value === undefined) return errors.required(`data[${key}]`);
  try {
    const parsed: unknown = JSON.parse(Buffer.from(value, 'base64').toString());
    if (parsed === null || isJsonObject(parsed)) return;
  } catch {
    // The parser's message would show a part of the secret.
  }
  errors.invalid(`data[${key}]`, '<secret contents redacted>', 'must be a JSON object');
}
