import { KubeletError } from '@podwright/errors';
import type { ConfigMap, Secret } from '@podwright/kube-types';
import {
  decodeConfigMap,
  decodeSecret,
  describeValue,
  isSourceObject,
  namingSource,
  readDocuments,
  validateConfigMap,
  validateSecret,
  type FieldError,
  type SourceDocument,
} from '@podwright/pod-manifest';

/** An object of a manifest, decoded, with a namespace and valid. */
export type FolderObject = { readonly origin: string } & (
  | { readonly kind: 'ConfigMap'; readonly object: ConfigMap }
  | { readonly kind: 'Secret'; readonly object: Secret }
);

/**
 * Reads the config maps and secrets of a manifest, one per document. One bad document refuses the whole file, because a
 * missing object would look removed.
 * @throws KubeletError `invalid-argument` that names the file, and the document if there are several.
 */
export function readManifestObjects(text: string, origin: string): readonly FolderObject[] {
  const documents = namingSource(origin, () => readDocuments(text));
  return documents.map((document, index) =>
    namingSource(documents.length === 1 ? origin : `${origin}: document ${index + 1}`, () => read(document, origin)),
  );
}

function read(document: SourceDocument, origin: string): FolderObject {
  const kind = isSourceObject(document.value) ? (document.value['kind'] ?? null) : null;
  switch (kind) {
    case 'ConfigMap': {
      const object = withNamespace(decodeConfigMap(document));
      requireValid(validateConfigMap(object));
      return { kind, object, origin };
    }
    case 'Secret': {
      const object = withNamespace(decodeSecret(document));
      requireValid(validateSecret(object));
      return { kind, object, origin };
    }
    default:
      throw new KubeletError(`kind: expected ConfigMap or Secret, got ${describeValue(kind)}`, {
        code: 'invalid-argument',
      });
  }
}

function withNamespace<T extends ConfigMap | Secret>(object: T): T {
  return { ...object, metadata: { ...object.metadata, namespace: object.metadata?.namespace ?? 'default' } };
}

function requireValid(faults: readonly FieldError[]): void {
  if (faults.length === 0) return;
  throw new KubeletError(faults.map(({ message }) => message).join('; '), { code: 'invalid-argument' });
}
