import { PodSandboxState } from '@podwright/cri-client-interface';
import type { PodSandbox } from '@podwright/cri-client-interface';

/**
 * Selects the sandboxes to remove: those that are not ready and have no container, except the newest one of a pod that
 * is still wanted. Source: kubernetes v1.36 pkg/kubelet/kuberuntime/kuberuntime_gc.go evictSandboxes.
 */
export function selectDeadSandboxes(
  sandboxes: readonly PodSandbox[],
  inUse: ReadonlySet<string>,
  isRemoved: (podUid: string) => boolean,
): PodSandbox[] {
  const newest = new Map<string, PodSandbox>();
  for (const sandbox of sandboxes) {
    const uid = podUidOfSandbox(sandbox);
    const known = newest.get(uid);
    if (known === undefined || sandbox.createdAt > known.createdAt) newest.set(uid, sandbox);
  }
  return sandboxes.filter((sandbox) => {
    if (sandbox.state === PodSandboxState.SANDBOX_READY || inUse.has(sandbox.id)) return false;
    const uid = podUidOfSandbox(sandbox);
    return newest.get(uid) !== sandbox || isRemoved(uid);
  });
}

function podUidOfSandbox({ metadata }: PodSandbox): string {
  return metadata?.uid ?? '';
}
