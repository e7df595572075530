import { visitContainers, type Pod } from '@podwright/kube-types';

/** Owner and mode of a file with a credential of the pod. */
export interface CredentialOwner {
  readonly mode: number;
  readonly ownerUid?: number;
}

/**
 * With a known user or group only that one can read the file (applying the fsGroup turns the mode into 0640); otherwise
 * every process of the pod must be able to read it. Source: kubernetes v1.36 pkg/volume/projected/projected.go
 * collectData.
 */
export function credentialOwner(pod: Pod, defaultMode: number): CredentialOwner {
  const ownerUid = onlyUser(pod);
  const isPrivate = ownerUid !== undefined || pod.spec.securityContext?.fsGroup !== undefined;
  return { mode: isPrivate ? 0o600 : defaultMode, ...(ownerUid !== undefined && { ownerUid }) };
}

/**
 * The user of all containers except ephemeral ones; undefined when a container names none or they differ.
 * Source: kubernetes v1.36 pkg/volume/util/util.go FsUserFrom.
 */
export function onlyUser({ spec }: Pod): number | undefined {
  const users = new Set<number | undefined>();
  for (const { container, kind } of visitContainers(spec)) {
    if (kind === 'ephemeral') continue;
    users.add(container.securityContext?.runAsUser ?? spec.securityContext?.runAsUser);
  }
  return users.size === 1 ? [...users][0] : undefined;
}
