import path from 'node:path';
import type { RecordedCall } from '@podwright/flight-recorder-interface';

type Fields = Readonly<Record<string, unknown>>;

const usual = { image: 'root', container: 'root' } as const;

/** Which of the recorded file systems was the one of the kubelet's own folder. */
interface ImageDisks {
  readonly image: 'root' | 'other';
  readonly container: 'root' | 'other' | 'third';
}

/** The recording has no devices: file systems of one size were one. */
function disksIn(summaries: readonly RecordedCall[]): ImageDisks {
  for (const { answer } of summaries) {
    const node = ((answer ?? {}) as Fields)['node'] as Fields | undefined;
    const { imageFs, containerFs } = (node?.['runtime'] ?? {}) as Fields;
    const sizes = [node?.['fs'], imageFs, containerFs].map((fs) => ((fs ?? {}) as Fields)['capacityBytes']);
    const [root, image, container = image] = sizes;
    if (root === undefined || image === undefined) continue;
    const isOther = image !== root;
    return {
      image: isOther ? 'other' : 'root',
      container: container === image ? (isOther ? 'other' : 'root') : container === root ? 'root' : 'third',
    };
  }
  return usual;
}

/**
 * The recorded answer to `imageFsInfo` with paths of this machine, on as many devices as there were: the kubelet asks for
 * the device of each, to know what an eviction may free.
 */
export function onOwnDisks(answer: unknown, summaries: readonly RecordedCall[], root: string): unknown {
  const disks = disksIn(summaries);
  // These are devices of their own on every Linux, and nothing is ever written there.
  const places = { root: path.dirname(root), other: '/proc', third: '/sys' };
  const at = (usages: unknown, place: string): unknown =>
    ((usages ?? []) as readonly Fields[]).map((usage) => ({ ...usage, fsId: { mountpoint: place } }));
  const { imageFilesystems, containerFilesystems } = (answer ?? {}) as Fields;
  return {
    imageFilesystems: at(imageFilesystems, places[disks.image]),
    containerFilesystems: at(containerFilesystems, places[disks.container]),
  };
}
