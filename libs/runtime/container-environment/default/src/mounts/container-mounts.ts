import { join } from 'node:path';
import type { ContainerSurroundings } from '@podwright/container-environment-interface';
import { MountPropagation } from '@podwright/cri-client-interface';
import type { DeepPartial, Mount } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { Container, Pod, VolumeMount } from '@podwright/kube-types';
import type { MountedVolume } from '@podwright/volume-interface';
import { missingVolume } from './missing-volume.js';
import { recursiveReadOnly } from './recursive-read-only.js';
import { requestedSubPath } from './requested-sub-path.js';

export interface MountsInput {
  readonly pod: Pod;
  readonly container: Container;
  readonly volumes: readonly MountedVolume[];
  readonly envs: readonly { readonly name: string; readonly value: string }[];
  /** True when the pod's runtime handler can make a mount and everything below it read-only. */
  readonly recursiveReadOnlySupported: boolean;
  /** Resolves to the path to mount for a part of a volume. */
  readonly prepareSubPath: (volume: MountedVolume, subPath: string, mountIndex: number) => Promise<string>;
}

/** Volume mounts in the order of the spec. Source: kubernetes v1.36 pkg/kubelet/kubelet_pods.go makeMounts. */
export async function makeMounts(input: MountsInput): Promise<DeepPartial<Mount>[]> {
  const volumes = new Map(input.volumes.map((volume) => [volume.name, volume]));
  const fromImages = new Set(
    (input.pod.spec.volumes ?? []).filter(({ image }) => image !== undefined).map(({ name }) => name),
  );
  const mounts: DeepPartial<Mount>[] = [];
  for (const [index, mount] of (input.container.volumeMounts ?? []).entries()) {
    // The container runtime pulls and mounts images itself.
    if (fromImages.has(mount.name)) continue;
    const volume = volumes.get(mount.name);
    if (volume === undefined || volume.isBlockDevice === true)
      throw missingVolume(mount.name, 'mount', input.container);
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
    ...mountTarget(mount, input),
    readonly: mount.readOnly === true || volume.readOnly,
    selinuxRelabel: volume.managed && volume.selinuxRelabel,
  };
}

/**
 * Mounts of image volumes, in which the container runtime puts the images. The runtime also finds the part of an image
 * that a sub path asks for.
 */
export function makeImageMounts(
  input: Omit<MountsInput, 'volumes' | 'prepareSubPath'>,
): NonNullable<ContainerSurroundings['imageMounts']> {
  const images = new Set(input.pod.spec.volumes?.flatMap(({ name, image }) => (image === undefined ? [] : [name])));
  const ofImages = input.container.volumeMounts?.filter(({ name }) => images.has(name)) ?? [];
  return ofImages.map((mount) => {
    const imageSubPath = requestedSubPath(mount, input.envs);
    return { volumeName: mount.name, mount: { ...mountTarget(mount, input), imageSubPath, readonly: true } };
  });
}

function mountTarget(
  mount: VolumeMount,
  { recursiveReadOnlySupported }: Pick<MountsInput, 'recursiveReadOnlySupported'>,
): DeepPartial<Mount> {
  return {
    containerPath: mount.mountPath.startsWith('/') ? mount.mountPath : join('/', mount.mountPath),
    propagation: propagationOf(mount),
    recursiveReadOnly: recursiveReadOnly(mount, recursiveReadOnlySupported),
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
