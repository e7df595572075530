import type { Container, ContainerStatus, VolumeMount } from '@podwright/kube-types';

/**
 * The volume mounts in a container's status; undefined without mounts. `supported`: the pod's runtime supports
 * recursive read-only mounts. An unsupported one is shown as Disabled; the container then does not start.
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
