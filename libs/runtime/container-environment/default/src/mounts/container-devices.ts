import { lstat } from 'node:fs/promises';
import type { DeepPartial, Device } from '@podwright/cri-client-interface';
import { isMissing, KubeletError } from '@podwright/errors';
import type { Container } from '@podwright/kube-types';
import type { MountedVolume } from '@podwright/volume-interface';
import { missingVolume } from './missing-volume.js';

/**
 * Block devices of a container, in the order of the spec: the pod's links to them, which the container runtime resolves.
 * As upstream, a device whose link is missing is left out. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go
 * makeBlockVolumes.
 */
export async function makeDevices(
  container: Container,
  volumes: readonly MountedVolume[],
): Promise<DeepPartial<Device>[]> {
  const devices: DeepPartial<Device>[] = [];
  for (const { name, devicePath } of container.volumeDevices ?? []) {
    if (!devicePath.startsWith('/')) {
      const message = `error DevicePath \`${devicePath}\` must be an absolute path`;
      throw new KubeletError(message, { code: 'invalid-argument' });
    }
    const volume = volumes.find((candidate) => candidate.name === name && candidate.isBlockDevice === true);
    if (volume === undefined) throw missingVolume(name, 'pass', container);
    if (!(await isLink(volume.hostPath))) continue;
    const permissions = volume.readOnly ? 'r' : 'mrw';
    devices.push({ hostPath: volume.hostPath, containerPath: devicePath, permissions });
  }
  return devices;
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
