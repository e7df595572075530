import type { TrackedCredential } from '@podwright/image-credentials-interface';

/** The credential of the pull secret `name`; equal contents have equal hashes. */
export function secretCredential(name: string, content = name): TrackedCredential {
  const source = { kind: 'secret', uid: `uid-of-${name}`, namespace: 'prod', name } as const;
  return { auth: { username: name, password: content }, source, hash: `hash-of-${content}` };
}

/** A plugin's credential for the service account `name`. */
export function accountCredential(name: string): TrackedCredential {
  const source = { kind: 'service-account', uid: `uid-of-${name}`, namespace: 'prod', name } as const;
  return { auth: { username: name }, source, hash: '' };
}

/** A credential of the node. */
export const nodeCredential: TrackedCredential = { auth: { username: 'node' }, source: { kind: 'node' }, hash: '' };
