import { withDeadline } from '@podwright/concurrency';
import type { FilesystemUsage, ImageService } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import type { Clock } from '@podwright/time';
import { stat } from 'node:fs/promises';

/**
 * Where the runtime keeps images and the layers that containers write: with the kubelet's own files, both on another file
 * system, or only the images on another one.
 */
export type DiskLayout = 'single' | 'dedicated' | 'split';

/** Finds the layout; rejects when the runtime or a file system does not answer. */
export type DetectDiskLayout = (signal: AbortSignal) => Promise<DiskLayout>;

export interface DiskLayoutDeps {
  readonly images: Pick<ImageService, 'imageFsInfo'>;
  readonly clock: Clock;
  readonly device?: (path: string) => Promise<number>;
}

export interface DiskLayoutOptions {
  readonly rootDir: string;
  /** The runtime tells the two file systems apart: CRI-O alone, as for upstream. */
  readonly tellsContainerFs: boolean;
  /** Feature gate; without it a split layout is a fault. */
  readonly separateDiskGc: boolean;
}

const timeoutMs = 10_000;

/** Source: kubernetes v1.36 pkg/kubelet/stats/provider.go HasDedicatedImageFs, HasDedicatedContainerFs. */
export function createDetectDiskLayout(
  { images, clock, device = deviceOf }: DiskLayoutDeps,
  { rootDir, tellsContainerFs, separateDiskGc }: DiskLayoutOptions,
): DetectDiskLayout {
  const deviceUnder = (usage: FilesystemUsage | undefined): Promise<number> => {
    const mountPoint = usage?.fsId?.mountpoint ?? '';
    if (mountPoint !== '') return device(mountPoint);
    throw new KubeletError('imageFs information is unavailable', { code: 'unavailable' });
  };
  const detect = async (signal: AbortSignal): Promise<DiskLayout> => {
    const { imageFilesystems, containerFilesystems } = await images.imageFsInfo({}, { signal });
    const [root, image] = await Promise.all([device(rootDir), deviceUnder(imageFilesystems[0])]);
    const container = tellsContainerFs ? await deviceUnder(containerFilesystems[0]) : image;
    if (container !== image) {
      if (separateDiskGc) return 'split';
      const message = 'KubeletSeparateDiskGC is turned off but we still have a split filesystem';
      throw new KubeletError(message, { code: 'failed-precondition' });
    }
    return image === root ? 'single' : 'dedicated';
  };
  return (signal) => withDeadline(clock, timeoutMs, detect, signal);
}

async function deviceOf(path: string): Promise<number> {
  return (await stat(path)).dev;
}
