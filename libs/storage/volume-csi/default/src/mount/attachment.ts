import { KubeletError, messageOf } from '@podwright/errors';
import { volumeAttachments, type KubeClient } from '@podwright/kube-client-interface';
import type { VolumeAttachment } from '@podwright/kube-types';
import { attachmentName } from '../csi-node/attachment-name.js';

/** Which attachment is meant: that of a volume to a node. */
export interface AttachedVolume {
  readonly driver: string;
  readonly handle: string;
  readonly nodeName: string;
}

/** The name of the VolumeAttachment. */
export function attachmentNameOf({ handle, driver, nodeName }: AttachedVolume): string {
  return attachmentName(handle, driver, nodeName);
}

/** Asks the API server, never a cache. Rejects with its error. */
export async function getAttachment(
  api: Pick<KubeClient, 'get'>,
  volume: AttachedVolume,
  signal: AbortSignal,
): Promise<VolumeAttachment> {
  return api.get(volumeAttachments, { name: attachmentNameOf(volume) }, { signal });
}

/**
 * Checks once that the volume is attached; resolves with the attachment's name, which is its device path for CSI.
 * Source: kubernetes v1.36 pkg/volume/csi/csi_attacher.go waitForVolumeAttachment, verifyAttachmentStatus.
 */
export async function requireAttached(
  api: Pick<KubeClient, 'get'>,
  volume: AttachedVolume,
  signal: AbortSignal,
): Promise<string> {
  const name = attachmentNameOf(volume);
  const found = await getAttachment(api, volume, signal).catch((cause: unknown) => {
    const message = `volume ${volume.handle} has GET error for volume attachment ${name}: ${messageOf(cause)}`;
    throw new KubeletError(message, { code: 'unavailable', cause });
  });
  if (found.metadata?.deletionTimestamp !== undefined) throw notAttached('volume attachment is being deleted');
  if (found.status?.attached === true) return name;
  throw notAttached(
    found.status?.attachError === undefined
      ? `volume ${volume.handle} is not attached for volume attachment ${name}`
      : (found.status.attachError.message ?? ''),
  );
}

function notAttached(message: string): KubeletError {
  return new KubeletError(message, { code: 'failed-precondition' });
}
