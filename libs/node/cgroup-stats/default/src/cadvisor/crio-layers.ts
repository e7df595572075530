import type { ImageService, RuntimeService } from '@podwright/cri-client-interface';
import type { FileSystems, FileSystemSample } from './file-systems.js';

const callTimeoutMs = 10_000;

export interface CrioLayersDeps {
  readonly runtime: Pick<RuntimeService, 'listContainerStats'>;
  readonly images: Pick<ImageService, 'imageFsInfo'>;
  readonly fileSystems: Pick<FileSystems, 'of'>;
}

/** By the id of a container or sandbox; undefined where nobody knows the file system. */
export type LayerOf = (id: string) => FileSystemSample | undefined;

/**
 * What each container has written, as a file system that ends where the file system of all containers does. Only with CRI-O,
 * as upstream; it walks the layers, here the runtime tells their sizes. Source: google/cadvisor v0.56
 * container/crio/handler.go.
 */
export async function readCrioLayers({ runtime, images, fileSystems }: CrioLayersDeps): Promise<LayerOf> {
  const options = { timeoutMs: callTimeoutMs };
  const [{ containerFilesystems }, { stats }] = await Promise.all([
    images.imageFsInfo({}, options),
    runtime.listContainerStats({}, options),
  ]);
  const folder = containerFilesystems[0]?.fsId?.mountpoint;
  const all = folder === undefined ? undefined : await fileSystems.of(folder);
  const layers = new Map(stats.map(({ attributes, writableLayer }) => [attributes?.id, writableLayer]));
  return (id) => {
    if (all === undefined) return undefined;
    const { device, capacityBytes } = all;
    const layer = layers.get(id);
    const usedBytes = Number(layer?.usedBytes?.value ?? 0n);
    return {
      ...{ device, capacityBytes, freeBytes: capacityBytes - usedBytes },
      ...{ inodes: Number(layer?.inodesUsed?.value ?? 0n), inodesFree: 0 },
    };
  };
}
