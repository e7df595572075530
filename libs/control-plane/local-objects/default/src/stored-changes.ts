import { localObjectPlurals, type LocalObjectChange } from '@podwright/local-objects-interface';
import path from 'node:path';
import { objectFileName } from './disk/object-file-name.js';
import { encodeObject } from './disk/object-file-format.js';
import type { FileChange } from './disk/transaction-log.js';
import { keyOfObject } from './object-key.js';

/** A change, and the text of its object. */
export interface EncodedChange {
  readonly change: LocalObjectChange;
  readonly text: string;
  readonly bytes: number;
}

export function encodeChange(change: LocalObjectChange): EncodedChange {
  const text = encodeObject(change.object);
  return { change, text, bytes: Buffer.byteLength(text) };
}

/** What changes make of the files: one change per file, however often its object changes. */
export function fileChanges(changes: readonly EncodedChange[]): readonly FileChange[] {
  const files = new Map<string, FileChange>();
  for (const { change, text } of changes) {
    const { type, kind, object, previous } = change;
    const key = keyOfObject(kind, object);
    const { namespace = '', name = '' } = object.metadata ?? {};
    const file = path.join(localObjectPlurals[kind], objectFileName(namespace, name));
    const before = files.get(key)?.before ?? ((): string | undefined => previous && encodeObject(previous));
    files.set(key, { file, before, after: type === 'DELETED' ? undefined : text });
  }
  return [...files.values()];
}
