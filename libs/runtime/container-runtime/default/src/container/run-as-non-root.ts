import { KubeletError } from '@podwright/errors';
import type { Pod, SecurityContext } from '@podwright/kube-types';
import { podRef } from '@podwright/kube-types';

/** The user of an image; with neither field, root. */
export interface ImageUser {
  readonly uid?: bigint;
  readonly username?: string;
}

const highestUserId = 2_147_483_647n;

/**
 * Enforces runAsNonRoot. Throws for a container that would run as root, or whose user is only known once it runs.
 * Source: kubernetes v1.36 pkg/kubelet/kuberuntime/security_context_others.go.
 */
export function verifyRunAsNonRoot(pod: Pod, containerName: string, security: SecurityContext, image: ImageUser): void {
  if (security.runAsNonRoot !== true) return;
  const where = `(pod: ${JSON.stringify(podRef(pod))}, container: ${containerName})`;
  const refuse = (message: string): never => {
    throw new KubeletError(message, { code: 'failed-precondition' });
  };
  if (security.runAsUser !== undefined) {
    if (security.runAsUser === 0) refuse(`container's runAsUser breaks non-root policy ${where}`);
    return;
  }
  const { uid, username } = image;
  if (uid === undefined && username !== undefined) {
    refuse(
      `container has runAsNonRoot and image has non-numeric user (${username}), cannot verify user is non-root ${where}`,
    );
  }
  if (uid === 0n || uid === undefined) refuse(`container has runAsNonRoot and image will run as root ${where}`);
  else if (uid < 0n || uid > highestUserId) {
    refuse(
      `container has runAsNonRoot and image has an invalid user id (${uid}). (Must be 1-(${highestUserId})): must be between 0 and ${highestUserId}, inclusive ${where}`,
    );
  }
}
