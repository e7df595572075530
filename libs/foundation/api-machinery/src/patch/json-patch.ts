import { ApiError } from '../status/api-error.js';
import { setField } from './set-field.js';
import { deepEqual, isJsonObject } from '@podwright/kube-types';

interface Operation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

type Container = Record<string, unknown> | unknown[];

/** Applies a JSON patch (RFC 6902). @throws ApiError 422 in the real server's words when an operation fails. */
export function applyJsonPatch(target: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) throw refused('json: cannot unmarshal object into Go value of type jsonpatch.Patch');
  return patch.map(operationOf).reduce(applyOperation, structuredClone(target));
}

function operationOf(value: unknown): Operation {
  if (!isJsonObject(value)) throw refused('json: cannot unmarshal into Go value of type jsonpatch.Operation');
  const { op, path, from } = value;
  const isText = (text: unknown): boolean => text === undefined || typeof text === 'string';
  if (typeof op !== 'string' || typeof path !== 'string' || !isText(from))
    throw refused('op, path and from of an operation must be strings, and op and path must be set');
  return value as unknown as Operation;
}

function applyOperation(document: unknown, { op, path, from = '', value }: Operation): unknown {
  switch (op) {
    case 'add':
      return add(document, path, structuredClone(value ?? null));
    case 'remove':
      return remove(document, path);
    case 'replace':
      read(document, path, 'replace');
      return path === '' ? structuredClone(value) : add(remove(document, path), path, structuredClone(value));
    case 'copy':
      return add(document, path, structuredClone(read(document, from, 'copy')));
    case 'move': {
      const moved = read(document, from, 'move');
      return add(remove(document, from), path, moved);
    }
    case 'test':
      if (deepEqual(read(document, path, 'test'), value)) return document;
      throw refused(`testing value ${path} failed`);
    default:
      throw refused(`Unexpected kind: ${op}`);
  }
}

function add(document: unknown, path: string, value: unknown): unknown {
  if (path === '') return value;
  const { parent, key } = locate(document, path, 'add');
  if (Array.isArray(parent)) {
    const index = key === '-' ? parent.length : Number(key);
    if (!Number.isInteger(index) || index < 0 || index > parent.length) throw missing('add', path);
    parent.splice(index, 0, value);
  } else setField(parent, key, value);
  return document;
}

function remove(document: unknown, path: string): unknown {
  read(document, path, 'remove');
  const { parent, key } = locate(document, path, 'remove');
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
  return document;
}

function read(document: unknown, path: string, operation: string): unknown {
  if (path === '') return document;
  const { parent, key } = locate(document, path, operation);
  const known = Array.isArray(parent) ? /^\d+$/.test(key) && Number(key) < parent.length : Object.hasOwn(parent, key);
  if (!known) throw missing(operation, path);
  return Array.isArray(parent) ? parent[Number(key)] : parent[key];
}

function locate(
  document: unknown,
  path: string,
  operation: string,
): { readonly parent: Container; readonly key: string } {
  if (!path.startsWith('/')) throw missing(operation, path);
  const keys = path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop() ?? '';
  let parent: unknown = document;
  for (const key of keys) {
    if (Array.isArray(parent)) parent = parent[Number(key)];
    // Not what every object has, such as `__proto__`: an operation would change all of them.
    else parent = isJsonObject(parent) && Object.hasOwn(parent, key) ? parent[key] : undefined;
  }
  if (!isJsonObject(parent) && !Array.isArray(parent)) throw missing(operation, path);
  return { parent: parent as Container, key: last };
}

function missing(operation: string, path: string): ApiError {
  return refused(`${operation} operation does not apply: doc is missing path: "${path}": missing value`);
}

function refused(message: string): ApiError {
  return new ApiError(422, 'Invalid', 'the server rejected our request due to an error in our request', {
    causes: [{ reason: 'UnexpectedServerResponse', message }],
  });
}
