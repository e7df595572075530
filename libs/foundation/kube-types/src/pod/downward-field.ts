import { KubeletError } from '@podwright/errors';
import { qualifiedName } from '../names/name-rules.js';
import type { Pod } from '../objects.js';
import { goQuote } from '../go-text/go-quote.js';

const subscripted = /^(.+?)\['(.*)'\]$/s;

/**
 * Splits `metadata.labels['x']` into `{ path, key }`; undefined for a path without a subscript.
 * Source: kubernetes v1.36 pkg/fieldpath.
 */
export function splitSubscript(fieldPath: string): { readonly path: string; readonly key: string } | undefined {
  const [, path, key] = subscripted.exec(fieldPath) ?? [];
  return path === undefined || key === undefined ? undefined : { path, key };
}

/**
 * A field of the pod's metadata as the downward API shows it. Labels and annotations are lines `name="value"`, sorted
 * by name. A missing label or annotation is the empty text.
 * @throws KubeletError `invalid-argument` for any other path.
 * Source: kubernetes v1.36 pkg/fieldpath/fieldpath.go ExtractFieldPathAsString.
 */
export function podMetadataField({ metadata }: Pod, fieldPath: string): string {
  const subscript = splitSubscript(fieldPath);
  if (subscript !== undefined) return entryOf(metadata, fieldPath, subscript);
  switch (fieldPath) {
    case 'metadata.annotations':
      return lines(metadata.annotations);
    case 'metadata.labels':
      return lines(metadata.labels);
    case 'metadata.name':
      return metadata.name ?? '';
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid ?? '';
    default:
      throw new KubeletError(`unsupported fieldPath: ${fieldPath}`, { code: 'invalid-argument' });
  }
}

function entryOf(
  metadata: Pod['metadata'],
  fieldPath: string,
  { path, key }: { readonly path: string; readonly key: string },
): string {
  if (path !== 'metadata.annotations' && path !== 'metadata.labels') {
    throw new KubeletError(`fieldPath ${goQuote(fieldPath)} does not support subscript`, { code: 'invalid-argument' });
  }
  const isAnnotation = path === 'metadata.annotations';
  const faults = qualifiedName(isAnnotation ? key.toLowerCase() : key);
  if (faults.length > 0) {
    const message = `invalid key subscript in ${fieldPath}: ${faults.join(';')}`;
    throw new KubeletError(message, { code: 'invalid-argument' });
  }
  const values = isAnnotation ? metadata.annotations : metadata.labels;
  return values !== undefined && Object.hasOwn(values, key) ? (values[key] ?? '') : '';
}

function lines(values: Readonly<Record<string, string>> = {}): string {
  return Object.entries(values)
    .sort(([first], [second]) => (first < second ? -1 : 1))
    .map(([name, value]) => `${name}=${goQuote(value)}`)
    .join('\n');
}
