import type { FilesystemIdentifier, FilesystemUsage, ImageService } from '@podwright/cri-client-interface';
import { KubeletError, rethrowAsRpc, rethrowWith } from '@podwright/errors';
import type { FailureLog } from '@podwright/logging';
import type { FsStats } from '@podwright/stats-interface';
import type { FileSystemNumbers } from '../disk-usage/disk-usage.js';
import type { FileSystems } from '../file-systems/file-systems.js';
import { numberOf } from '../readings/from-cri.js';
import { wireTimeOfNs } from '../readings/wire-time.js';
import { freeOf } from './storage-stats.js';

interface RuntimeFs {
  readonly imageFs: FsStats;
  readonly containerFs: FsStats;
}

/** File systems on which the runtime keeps images and writable layers. */
export class RuntimeFileSystems {
  constructor(
    private readonly images: Pick<ImageService, 'imageFsInfo' | 'listImages'>,
    private readonly fileSystems: FileSystems,
    private readonly failureLog: FailureLog,
    private readonly options: { readonly separateDiskGc: boolean },
  ) {}

  /** Undefined, and logged, when the kubelet cannot see the runtime's mount point: then only the usage is known. */
  async numbers(id: FilesystemIdentifier | undefined, signal: AbortSignal): Promise<FileSystemNumbers | undefined> {
    if (id === undefined || id.mountpoint === '') return undefined;
    try {
      return await this.fileSystems.numbers(id.mountpoint, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      const { mountpoint } = id;
      const message = 'Failed to get the info of the filesystem with mountpoint';
      this.failureLog.failed(mountpoint, message, { mountpoint, error });
      return undefined;
    }
  }

  /**
   * Images and containers together: the first image file system. Source: kubernetes v1.36 cri_stats_provider.go
   * ImageFsStats.
   */
  async joined(signal: AbortSignal): Promise<RuntimeFs> {
    const { imageFilesystems } = await this.images.imageFsInfo({}, { signal }).catch(rethrowAsRpc);
    const first = imageFilesystems[0];
    if (first === undefined) throw new KubeletError('imageFs information is unavailable', { code: 'unavailable' });
    const imageFs = fsStats(first, await this.numbers(first.fsId, signal));
    return { imageFs, containerFs: imageFs };
  }

  /**
   * Reported separately when they are on different devices; the used inodes are those of the whole file system. With
   * the gate KubeletSeparateDiskGC off, one file system whose usage is the sizes of all images.
   * Source: kubernetes v1.36 pkg/kubelet/stats/cadvisor_stats_provider.go ImageFsStats.
   */
  async split(signal: AbortSignal): Promise<RuntimeFs> {
    const { imageFilesystems, containerFilesystems } = await this.images
      .imageFsInfo({}, { signal })
      .catch(rethrowAsRpc)
      .catch(rethrowWith('failed to get image stats'));
    const [image, container] = [imageFilesystems[0], containerFilesystems[0]];
    if (image === undefined || container === undefined) {
      throw new KubeletError('missing image stats', { code: 'unavailable' });
    }
    const imageFs = await this.whole(image, signal);
    if (!this.options.separateDiskGc) {
      const whole = { ...imageFs, usedBytes: await this.imageBytes(signal) };
      return { imageFs: whole, containerFs: whole };
    }
    if (image.fsId?.mountpoint === container.fsId?.mountpoint) return { imageFs, containerFs: imageFs };
    const [imageDevice, containerDevice] = await Promise.all([
      this.fileSystems.device(image.fsId?.mountpoint ?? '/', signal),
      this.fileSystems.device(container.fsId?.mountpoint ?? '/', signal),
    ]);
    if (imageDevice === containerDevice) return { imageFs, containerFs: imageFs };
    return { imageFs, containerFs: await this.whole(container, signal) };
  }

  private async imageBytes(signal: AbortSignal): Promise<number> {
    const { images } = await this.images
      .listImages({}, { signal })
      .catch(rethrowAsRpc)
      .catch(rethrowWith('failed to get image stats'));
    return Number(images.reduce((sum, { size }) => sum + size, 0n));
  }

  private async whole(usage: FilesystemUsage, signal: AbortSignal): Promise<FsStats> {
    const numbers = await this.numbers(usage.fsId, signal);
    const stats = { usedBytes: 0, ...fsStats(usage, numbers) };
    return numbers === undefined ? stats : { ...stats, inodesUsed: numbers.inodes - numbers.inodesFree };
  }
}

/** Usage as the runtime reports it, capacity and free space from the file system. */
export function fsStats(
  { timestamp, usedBytes, inodesUsed }: Pick<FilesystemUsage, 'timestamp' | 'usedBytes' | 'inodesUsed'>,
  numbers: FileSystemNumbers | undefined,
): FsStats {
  const bytes = numberOf(usedBytes);
  const inodes = numberOf(inodesUsed);
  return {
    time: wireTimeOfNs(timestamp),
    ...(numbers !== undefined && freeOf(numbers)),
    ...(bytes !== undefined && { usedBytes: bytes }),
    ...(inodes !== undefined && { inodesUsed: inodes }),
  };
}
