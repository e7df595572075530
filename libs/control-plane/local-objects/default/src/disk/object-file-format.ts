import type { LocalObject, LocalObjectKind } from '@podwright/local-objects-interface';
import { manifestSchemas, decodeWithSchema, formatFault, type SourceValue } from '@podwright/pod-manifest';
import { objectFileName } from './object-file-name.js';

export const encodeObject = (object: LocalObject): string => `${JSON.stringify(object)}\n`;

/**
 * Reads the content of an object's file. Fields that are not known are kept: a newer kubelet may have written them.
 * @throws Error that says why it cannot be used; no message has its content.
 */
export function decodeObject(kind: LocalObjectKind, fileName: string, text: string): LocalObject {
  const value = parsed(text);
  const { faults } = decodeWithSchema(manifestSchemas[kind], value);
  const fault = faults.find((candidate) => candidate.kind !== 'unknown-field');
  if (fault !== undefined) throw new Error(formatFault(fault).replace(/, got .*$/s, ''));
  const object = value as unknown as LocalObject;
  const { namespace, name, uid, creationTimestamp, resourceVersion } = object.metadata ?? {};
  if (object.kind !== kind || object.apiVersion !== 'v1') throw new Error(`it is no v1 ${kind}`);
  if (!namespace || !name || !uid || !creationTimestamp) throw new Error('its metadata are not complete');
  if (!/^[1-9]\d{0,15}$/.test(resourceVersion ?? '')) throw new Error('its resourceVersion is no number');
  if (objectFileName(namespace, name) !== fileName) throw new Error('it is about another object');
  if (kind === 'Pod' && !('spec' in object)) throw new Error('it has no spec');
  return object;
}

function parsed(text: string): SourceValue {
  try {
    return JSON.parse(text) as SourceValue;
  } catch {
    throw new Error('it is no JSON'); // the parser's words may show a part of a secret
  }
}
