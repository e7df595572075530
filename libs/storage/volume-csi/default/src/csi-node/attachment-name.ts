import { createHash } from 'node:crypto';

/** Name of the VolumeAttachment of a volume and a node. Source: kubernetes v1.36 pkg/volume/csi/csi_attacher.go. */
export function attachmentName(volumeHandle: string, driver: string, nodeName: string): string {
  return `csi-${createHash('sha256').update(`${volumeHandle}${driver}${nodeName}`).digest('hex')}`;
}
