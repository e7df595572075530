import type { KubeClient } from '@podwright/kube-client-interface';
import { getAttachment, type AttachedVolume } from './attachment.js';
import type { DriverRules } from './driver-rules.js';

/**
 * What the driver's controller says about the attached volume; undefined for drivers that do not attach. Source:
 * kubernetes v1.36 pkg/volume/csi/csi_plugin.go getPublishContext.
 */
export async function publishContext(
  api: Pick<KubeClient, 'get'>,
  rules: Pick<DriverRules, 'attachRequired'>,
  volume: AttachedVolume,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>> | undefined> {
  if (!rules.attachRequired(volume.driver)) return undefined;
  return (await getAttachment(api, volume, signal)).status?.attachmentMetadata ?? {};
}
