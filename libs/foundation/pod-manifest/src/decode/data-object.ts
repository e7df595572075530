import { KubeletError } from '@podwright/errors';
import type { ConfigMap, Secret } from '@podwright/kube-types';
import { refuseFaults, requireKind } from './pod-manifest.js';
import { decodeWithSchema } from './schema-decoder.js';
import type { ObjectSchema } from './schema.js';
import { configMap, secret } from './schemas/data-objects.js';
import { describeDocument, isSourceObject, type DecodeFault, type SourceDocument } from './source-value.js';

/**
 * Decodes a v1 ConfigMap as strictly as a pod, with canonical base64. It is not validated.
 * @throws KubeletError `invalid-argument` that lists the first ten faults.
 */
export function decodeConfigMap(document: SourceDocument): ConfigMap {
  return decode(document, 'ConfigMap', configMap) as ConfigMap;
}

/**
 * Decodes and defaults a v1 Secret as the API server stores it: `stringData` has become part of `data`, and the type is
 * `Opaque` if there is none. It is not validated.
 * Source: kubernetes v1.36 pkg/apis/core/v1/conversion.go, defaults.go.
 * @throws KubeletError `invalid-argument` that lists the first ten faults; no message has a secret's content.
 */
export function decodeSecret(document: SourceDocument): Secret {
  const { stringData, ...rest } = decode(document, 'Secret', secret) as Secret;
  const texts = Object.entries(stringData ?? {}).map(([key, text]) => [key, Buffer.from(text).toString('base64')]);
  const data = { ...rest.data, ...(Object.fromEntries(texts) as Record<string, string>) };
  return { ...rest, ...(Object.keys(data).length > 0 && { data }), type: rest.type ?? 'Opaque' };
}

function decode({ value, faults }: SourceDocument, kind: string, schema: ObjectSchema): unknown {
  if (!isSourceObject(value)) {
    const message = `expected an object with apiVersion and kind, got ${describeDocument(value)}`;
    throw new KubeletError(message, { code: 'invalid-argument' });
  }
  requireKind(value, kind);
  const decoded = decodeWithSchema(schema, value);
  refuseFaults([...faults, ...(kind === 'Secret' ? decoded.faults.map(withoutContent) : decoded.faults)]);
  return decoded.value;
}

function withoutContent(fault: DecodeFault): DecodeFault {
  return /^(data|stringData)\b/.test(fault.path)
    ? { ...fault, message: fault.message.replace(/, got .*$/s, '') }
    : fault;
}
