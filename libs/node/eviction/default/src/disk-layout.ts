import { withDeadline } from '@podwright/concurrency';
import type { FilesystemUsage } from '@podwright/cri-client-interface';
import { KubeletError } from '@podwright/errors';
import { stat } from 'node:fs/promises';
import type { EvictionNeeds } from './eviction-needs.js';

/**
 * Where the runtime keeps images and containers' writable layers: both on the kubelet's file system (`single`), both on
 * another one (`dedicated`), or only the images on another one (`split`).
 */
export type DiskLayout = 'single' | 'dedicated' | 'split';

/** Detects the layout; rejects when the runtime or a file system does not answer. */
export type DetectDiskLayout = (signal: AbortSignal) => Promise<DiskLayout>;

type DiskLayoutDeps = Pick<EvictionNeeds, 'images' | 'clock'> & {
  readonly device?: (path: string) => Promise<number>;
};

export interface DiskLayoutOptions {
  readonly rootDir: string;
  /** Whether the runtime reports the two file systems separately: only CRI-O, as in upstream. */
  readonly tellsContainerFs: boolean;
  /** Feature gate; without it a split layout is an error. */
  readonly separateDiskGc: boolean;
}

const timeoutMs = 10_000;

/**
 * Creates a function that detects the layout by comparing the devices of the node's, image and container file systems.
 * Source: kubernetes v1.36 pkg/kubelet/stats/provider.go HasDedicatedImageFs, HasDedicatedContainerFs.
 */
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
