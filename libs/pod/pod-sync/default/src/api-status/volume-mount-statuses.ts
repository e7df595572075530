import type { Container, ContainerStatus, VolumeMount } from '@podwright/kube-types';

/**
 * What a status says of the mounts of a container; `supported`: the runtime of the pod can mount read-only all the way
 * down. What cannot be had is shown as Disabled, the container does not start then. Undefined without mounts.
 * Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go convertToAPIContainerStatuses.
 */
export function volumeMountStatuses(container: Container, supported: boolean): ContainerStatus['volumeMounts'] {
  const mounts = container.volumeMounts ?? [];
  if (mounts.length === 0) return undefined;
  return mounts.map((mount) => ({
    name: mount.name,
    mountPath: mount.mountPath,
    ...(mount.readOnly === true && {
      readOnly: true,
      recursiveReadOnly: supported && isRecursive(mount) ? 'Enabled' : 'Disabled',
    }),
  }));
}

function isRecursive({ recursiveReadOnly: mode, mountPropagation = 'None' }: VolumeMount): boolean {
  return (mode === 'Enabled' || mode === 'IfPossible') && mountPropagation === 'None';
}
