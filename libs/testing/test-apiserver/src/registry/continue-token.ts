import { badRequest } from '../api-error.js';

/** Where a list goes on: after which key, as of which version (undefined: as of now). */
export interface ListPosition {
  readonly resourceVersion: number | undefined;
  readonly after: string;
}

/** Opaque to clients; the content is that of kubernetes v1.36 apiserver/pkg/storage/continue.go. */
export function encodeContinue({ resourceVersion, after }: ListPosition): string {
  const content = JSON.stringify({ v: 'meta.k8s.io/v1', rv: resourceVersion ?? -1, start: `${after}\u0000` });
  return Buffer.from(content).toString('base64url');
}

/** @throws ApiError 400 for text that is no such token. */
export function decodeContinue(token: string): ListPosition {
  try {
    const { rv, start } = JSON.parse(Buffer.from(token, 'base64url').toString()) as { rv: number; start: string };
    if (typeof rv !== 'number' || typeof start !== 'string') throw new Error('incomplete');
    return { resourceVersion: rv < 0 ? undefined : rv, after: start.replace(/\0$/, '') };
  } catch {
    throw badRequest('continue key is not valid: illegal base64 data');
  }
}
