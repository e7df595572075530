import { KubeletError } from '@podwright/errors';
import { copiedFields, formerPlugin, type CsiSource } from '../former-plugin.js';
import { zonedAffinity } from '../topology.js';

const driver = 'ebs.csi.aws.com';

interface EbsSource {
  readonly volumeID: string;
  readonly partition?: number;
  readonly fsType?: string;
  readonly readOnly?: boolean;
}

/** Source: kubernetes v1.36 staging/src/k8s.io/csi-translation-lib/plugins/aws_ebs.go. */
export const awsEbs = formerPlugin(
  'awsElasticBlockStore',
  (source) => {
    const csi = csiOf(source);
    return { name: `${driver}-${csi.volumeHandle}`, accessMode: 'ReadWriteOnce', csi };
  },
  (source, volume) => ({ csi: csiOf(source), ...zonedAffinity(volume, `topology.${driver}/zone`) }),
);

function csiOf(source: EbsSource): CsiSource {
  const volumeAttributes = { partition: String(source.partition ?? 0) };
  return { driver, volumeHandle: handleOf(source.volumeID), ...copiedFields(source), volumeAttributes };
}

// `aws://<zone>/vol-...`; the zone may be empty. Other ids are used as they are.
function handleOf(id: string): string {
  if (!id.startsWith('aws://')) return id;
  const path = /^aws:\/\/[^/?#]*([^?#]*)/.exec(id)?.[1] ?? '';
  const handle = path.replace(/^\/+|\/+$/g, '');
  if (/^vol-[^/]*$/.test(handle)) return handle;
  const message = `failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (${id})`;
  throw new KubeletError(message, { code: 'invalid-argument' });
}
