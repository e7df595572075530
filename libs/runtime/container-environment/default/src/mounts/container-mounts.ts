import { join } from 'node:path';
import { MountPropagation } from '@podwright/cri-client-interface';
import type { DeepPartial, Mount } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { Container, Pod, VolumeMount } from '@podwright/kube-types';
import type { MountedVolume } from '@podwright/volume-interface';
import { recursiveReadOnly } from './recursive-read-only.js';
import { requestedSubPath } from './requested-sub-path.js';

export interface MountsInput {
  readonly pod: Pod;
  readonly container: Container;
  readonly volumes: readonly MountedVolume[];
  readonly envs: readonly { readonly name: string; readonly value: string }[];
  /** The runtime handler of the pod can make mounts read-only all the way down. */
  readonly recursiveReadOnlySupported: boolean;
  /** Gives the path to mount in place of a part of a volume. */
  readonly prepareSubPath: (volume: MountedVolume, subPath: string, mountIndex: number) => Promise<string>;
}

/** Volume mounts in the order of the spec. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go makeMounts. */
export async function makeMounts(input: MountsInput): Promise<DeepPartial<Mount>[]> {
  refuseBlockDevices(input);
  const volumes = new Map(input.volumes.map((volume) => [volume.name, volume]));
  const fromImages = new Set(
    (input.pod.spec.volumes ?? []).filter(({ image }) => image !== undefined).map(({ name }) => name),
  );
  const mounts: DeepPartial<Mount>[] = [];
  for (const [index, mount] of (input.container.volumeMounts ?? []).entries()) {
    // The container runtime pulls and mounts images itself.
    if (fromImages.has(mount.name)) continue;
    const volume = volumes.get(mount.name);
    if (volume === undefined) throw missing(input, mount.name, 'mount');
    mounts.push(await makeMount(input, mount, volume, index));
  }
  return mounts;
}

async function makeMount(
  input: MountsInput,
  mount: VolumeMount,
  volume: MountedVolume,
  index: number,
): Promise<DeepPartial<Mount>> {
  const subPath = requestedSubPath(mount, input.envs);
  return {
    hostPath: subPath === '' ? volume.hostPath : await input.prepareSubPath(volume, subPath, index),
    containerPath: mount.mountPath.startsWith('/') ? mount.mountPath : join('/', mount.mountPath),
    propagation: propagationOf(mount),
    recursiveReadOnly: recursiveReadOnly(mount, input.recursiveReadOnlySupported),
    readonly: mount.readOnly === true || volume.readOnly,
    selinuxRelabel: volume.managed && volume.selinuxRelabel,
  };
}

function propagationOf({ mountPropagation }: VolumeMount): MountPropagation {
  switch (mountPropagation ?? 'None') {
    case 'None':
      return MountPropagation.PROPAGATION_PRIVATE;
    case 'HostToContainer':
      return MountPropagation.PROPAGATION_HOST_TO_CONTAINER;
    case 'Bidirectional':
      return MountPropagation.PROPAGATION_BIDIRECTIONAL;
    default:
      throw new KubeletError(`invalid MountPropagation mode: ${JSON.stringify(mountPropagation)}`, {
        code: 'invalid-argument',
      });
  }
}

function refuseBlockDevices(input: MountsInput): void {
  const [device] = input.container.volumeDevices ?? [];
  if (device === undefined) return;
  if (!device.devicePath.startsWith('/')) {
    throw new KubeletError(`error DevicePath \`${device.devicePath}\` must be an absolute path`, {
      code: 'invalid-argument',
    });
  }
  if (!input.volumes.some(({ name }) => name === device.name)) throw missing(input, device.name, 'pass');
  throw new KubeletError(`volume ${JSON.stringify(device.name)} cannot be passed as a block device: not supported`, {
    code: 'unimplemented',
  });
}

function missing({ container }: MountsInput, volume: string, verb: 'mount' | 'pass'): KubeletError {
  const message = `cannot find volume ${JSON.stringify(volume)} to ${verb} into container ${JSON.stringify(container.name)}`;
  return new KubeletError(message, { code: 'not-found' });
}
