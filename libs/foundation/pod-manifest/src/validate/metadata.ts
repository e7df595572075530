import type { ObjectMeta } from '@podwright/kube-types';
import { dns1123Label, dns1123Subdomain, labelValue, qualifiedName } from '@podwright/kube-types';
import type { FieldErrors } from './field-errors.js';

/** The most bytes in all annotations together, keys and values. */
const maxAnnotationBytes = 256 * 1024;
const standardFinalizers = ['kubernetes', 'orphan', 'foregroundDeletion'];

/** Validates a pod's metadata. Source: kubernetes v1.36 apimachinery pkg/api/validation/objectmeta.go. */
export function validateObjectMeta(metadata: ObjectMeta, errors: FieldErrors): void {
  const { name, generateName, namespace } = metadata;
  if (generateName)
    errors.rule('metadata.generateName', generateName, dns1123Subdomain(generateName.replace(/-$/, 'a')));
  if (name) errors.rule('metadata.name', name, dns1123Subdomain(name));
  else errors.required('metadata.name', 'name or generateName is required');
  if (namespace) errors.rule('metadata.namespace', namespace, dns1123Label(namespace));
  else errors.required('metadata.namespace');
  if ((metadata.generation ?? 0) < 0) {
    errors.invalid('metadata.generation', metadata.generation, 'must be greater than or equal to 0');
  }
  validateLabels(metadata.labels, 'metadata.labels', errors);
  validateAnnotations(metadata.annotations, errors);
  validateOwners(metadata, errors);
  (metadata.finalizers ?? []).forEach((finalizer, index) => {
    const faults = qualifiedName(finalizer);
    const isKnown = finalizer.includes('/') || standardFinalizers.includes(finalizer);
    const unknown = 'name is neither a standard finalizer name nor is it fully qualified';
    errors.rule(`metadata.finalizers[${index}]`, finalizer, isKnown || faults.length > 0 ? faults : [unknown]);
  });
}

/** Validates the labels of an object, or a node selector. */
export function validateLabels(
  labels: Readonly<Record<string, string>> | undefined,
  field: string,
  errors: FieldErrors,
): void {
  for (const [key, value] of Object.entries(labels ?? {})) {
    errors.rule(field, key, qualifiedName(key));
    errors.rule(field, value, labelValue(value));
  }
}

function validateAnnotations(annotations: ObjectMeta['annotations'], errors: FieldErrors): void {
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations ?? {})) {
    // Keys may have upper-case prefixes, so the syntax is checked on the lower-case form.
    errors.rule('metadata.annotations', key, qualifiedName(key.toLowerCase()));
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (bytes > maxAnnotationBytes) errors.tooLong('metadata.annotations', maxAnnotationBytes);
}

function validateOwners(metadata: ObjectMeta, errors: FieldErrors): void {
  const owners = metadata.ownerReferences ?? [];
  owners.forEach((owner, index) => {
    const field = `metadata.ownerReferences[${index}]`;
    const { apiVersion } = owner;
    // An API version that cannot be read has no version.
    if (!apiVersion || apiVersion.split('/').length > 2) {
      errors.invalid(`${field}.apiVersion`, apiVersion ?? '', 'version must not be empty');
    }
    for (const key of ['kind', 'name', 'uid'] as const) {
      if (!owner[key]) errors.invalid(`${field}.${key}`, '', 'must not be empty');
    }
  });
  if (owners.filter((owner) => owner.controller === true).length > 1) {
    errors.invalid(
      'metadata.ownerReferences',
      owners.map((owner) => owner.name),
      'Only one reference can have Controller set to true',
    );
  }
}
