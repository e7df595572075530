import { KubeletError } from '@podwright/errors';
import type { VolumeMount } from '@podwright/kube-types';

/**
 * Whether the mount and everything below it is read-only. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go
 * resolveRecursiveReadOnly.
 */
export function recursiveReadOnly(mount: VolumeMount, supported: boolean): boolean {
  const mode = mount.recursiveReadOnly ?? 'Disabled';
  if (mode === 'Disabled') return false;
  const asked = `volume ${JSON.stringify(mount.name)} requested recursive read-only mode, but it is not`;
  if (mount.readOnly !== true) throw refused(`${asked} read-only`);
  const propagation = mount.mountPropagation ?? 'None';
  if (propagation !== 'None') throw refused(`${asked} compatible with propagation ${JSON.stringify(propagation)}`);
  if (mode === 'IfPossible') return supported;
  if (mode !== 'Enabled') throw refused(`unknown recursive read-only mode ${JSON.stringify(mode)}`);
  if (!supported) throw refused(`${asked} supported by the runtime`);
  return true;
}

function refused(problem: string): KubeletError {
  return new KubeletError(`failed to resolve recursive read-only mode: ${problem}`, { code: 'failed-precondition' });
}
