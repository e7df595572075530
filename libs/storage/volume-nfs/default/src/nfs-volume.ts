import { mkdir } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { KubeletError } from '@podwright/errors';
import { forceCleanMountPoint, isMountPoint, type MountTools } from '@podwright/filesystem';
import type { PersistentVolume, Volume } from '@podwright/kube-types';
import type { Logger } from '@podwright/logging';
import type { Clock } from '@podwright/time';
import {
  isReadOnlySpec,
  joinMountOptions,
  mountOptionsOf,
  specName,
  type VolumeMounter,
  type VolumePlugin,
  type VolumeSpec,
} from '@podwright/volume-interface';

export interface NfsVolumeDeps {
  readonly mounts: MountTools;
  readonly clock: Clock;
  readonly logger: Logger;
}

const pluginName = 'kubernetes.io/nfs';
// mount.nfs gives up after two minutes by itself; this is for one that hangs in the kernel.
const mountTimeoutMs = 150_000;

/**
 * Directories of an NFS server. Nothing here touches a mounted volume: a call on the files of a server that does not
 * answer would block a thread of this process for ever. Source: kubernetes v1.36 pkg/volume/nfs.
 */
export function createNfsVolumePlugin(deps: NfsVolumeDeps): VolumePlugin {
  return {
    name: pluginName,
    supportsMountOptions: true,
    canSupport: (volume, persistentVolume) => sourceOf({ volume, persistentVolume }) !== undefined,
    newMounter: (spec) => new NfsMounter(deps, spec),
    tearDown: (podDir, name, signal) => forceCleanMountPoint(deps.mounts, volumePath(podDir, name), deps.clock, signal),
  };
}

function volumePath(podDir: string, name: string): string {
  return join(podDir, 'volumes', pluginName.replace('/', '~'), name);
}

interface NfsSource {
  readonly server: string;
  readonly path: string;
}

function sourceOf(spec: {
  readonly volume: Volume;
  readonly persistentVolume?: PersistentVolume | undefined;
}): NfsSource | undefined {
  return spec.persistentVolume === undefined ? spec.volume.nfs : spec.persistentVolume.spec?.nfs;
}

class NfsMounter implements VolumeMounter {
  readonly hostPath: string;
  readonly readOnly: boolean;
  readonly managed = false;
  readonly selinuxRelabel = false;
  readonly usage = 'file-system';
  private readonly source: NfsSource;

  constructor(
    private readonly deps: NfsVolumeDeps,
    private readonly spec: VolumeSpec,
  ) {
    const source = sourceOf(spec);
    if (source === undefined) {
      throw new KubeletError('Spec does not reference a NFS volume type', { code: 'invalid-argument' });
    }
    this.source = source;
    this.hostPath = volumePath(spec.podDir, specName(spec));
    this.readOnly = isReadOnlySpec(spec);
  }

  async setUp(signal: AbortSignal): Promise<void> {
    const { mounts, clock, logger } = this.deps;
    if (await isMountPoint(mounts, this.hostPath)) return;
    await mkdir(this.hostPath, { recursive: true, mode: 0o750 });
    const { server, path } = this.source;
    const { persistentVolume } = this.spec;
    const ofVolume = persistentVolume === undefined ? [] : mountOptionsOf(persistentVolume);
    const deadline = clock.deadline(mountTimeoutMs, signal);
    try {
      await mounts.mount({
        source: `${isIPv6(server) ? `[${server}]` : server}:${path}`,
        target: this.hostPath,
        fsType: 'nfs',
        options: joinMountOptions(ofVolume, this.readOnly ? ['ro'] : []),
        signal: deadline.signal,
      });
    } catch (error) {
      // Not with the signal: it may be what ended the mount.
      await forceCleanMountPoint(mounts, this.hostPath, clock).catch((cleaning: unknown) => {
        logger.error('Failed to clean up after a failed mount', { path: this.hostPath, error: cleaning });
      });
      throw error;
    } finally {
      deadline.dispose();
    }
  }
}
