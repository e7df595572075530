import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { KubeletError, messageOf } from '@podwright/errors';
import { visitContainers } from '@podwright/kube-types';
import type { Pod } from '@podwright/kube-types';
import { cleanPath } from './payload.js';

/**
 * Creates directories with mode 0755 for mounts inside a volume, because the runtime cannot create them in a read-only
 * volume. Creates only the topmost of nested mount points; the others lie in that mount.
 * Source: kubernetes v1.36 pkg/volume/util/nested_volumes.go.
 */
export async function makeNestedMountPoints(volumeName: string, volumePath: string, pod: Pod): Promise<void> {
  for (const path of nestedMountPoints(volumeName, pod)) {
    await mkdir(join(volumePath, path), { recursive: true, mode: 0o755 }).catch((cause: unknown) => {
      const message = `unable to create nested volume mountpoints: ${messageOf(cause)}`;
      throw new KubeletError(message, { code: 'failed-precondition', cause });
    });
  }
}

/** Paths relative to the volume, container by container. */
export function nestedMountPoints(volumeName: string, pod: Pod): readonly string[] {
  const nested: string[] = [];
  for (const { container } of visitContainers(pod.spec)) {
    const mounts = (container.volumeMounts ?? []).map(({ name, mountPath }) => ({ name, path: cleanPath(mountPath) }));
    const paths = mounts.map(({ path }) => path).sort();
    for (const { path } of mounts.filter(({ name }) => name === volumeName)) nested.push(...topmostBelow(path, paths));
  }
  return nested;
}

function topmostBelow(mountPath: string, sorted: readonly string[]): readonly string[] {
  if (mountPath.startsWith('../')) {
    throw new KubeletError(`invalid container mount point ${mountPath}`, { code: 'invalid-argument' });
  }
  const prefix = `${mountPath}/`;
  const found: string[] = [];
  let last: string | undefined;
  for (const path of sorted) {
    if (!path.startsWith(prefix) || (last !== undefined && path.startsWith(last))) continue;
    last = `${path}/`;
    found.push(path.slice(prefix.length));
  }
  return found;
}
