import { badRequest } from '@podwright/api-machinery';

/** Where a list continues: after a key, at a resource version (undefined: the newest). */
export interface ListPosition {
  readonly resourceVersion: number | undefined;
  readonly after: string;
}

/** The continue token of a position, with the content of kubernetes v1.36 apiserver/pkg/storage/continue.go. */
export function encodeContinue({ resourceVersion, after }: ListPosition): string {
  const content = JSON.stringify({ v: 'meta.k8s.io/v1', rv: resourceVersion ?? -1, start: `${after}\u0000` });
  return Buffer.from(content).toString('base64url');
}

/** The position of a continue token. @throws ApiError 400 for a malformed token. */
export function decodeContinue(token: string): ListPosition {
  try {
    const { rv, start } = JSON.parse(Buffer.from(token, 'base64url').toString()) as { rv: number; start: string };
    if (typeof rv !== 'number' || typeof start !== 'string') throw new Error('incomplete');
    return { resourceVersion: rv < 0 ? undefined : rv, after: start.replace(/\0$/, '') };
  } catch {
    throw badRequest('continue key is not valid: illegal base64 data');
  }
}
