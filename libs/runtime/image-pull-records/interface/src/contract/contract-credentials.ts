import type { TrackedCredential } from '@podwright/image-credentials-interface';

/** The credential of a pull secret of that name; equal contents have equal hashes. */
export function secretCredential(name: string, content = name): TrackedCredential {
  const source = { kind: 'secret', uid: `uid-of-${name}`, namespace: 'prod', name } as const;
  return { auth: { username: name, password: content }, source, hash: `hash-of-${content}` };
}

/** What a plugin has given for a service account of that name. */
export function accountCredential(name: string): TrackedCredential {
  const source = { kind: 'service-account', uid: `uid-of-${name}`, namespace: 'prod', name } as const;
  return { auth: { username: name }, source, hash: '' };
}

/** One of the node's own. */
export const nodeCredential: TrackedCredential = { auth: { username: 'node' }, source: { kind: 'node' }, hash: '' };
