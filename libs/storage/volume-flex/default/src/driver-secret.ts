import { KubeletError, messageOf } from '@podwright/errors';
import { secrets, type KubeClient } from '@podwright/kube-client-interface';
import type { VolumeSpec } from '@podwright/volume-interface';
import { flexSourceOf } from './driver-options.js';

/**
 * The volume's secret as options for `mount`, in base64; none without a secret. Asks the API server each time, because
 * a volume is mounted rarely. Rejects when the secret is missing or not for this driver. Source: kubernetes v1.36
 * pkg/volume/flexvolume/util.go addSecretsToOptions.
 */
export async function secretOptions(
  spec: VolumeSpec,
  client: Pick<KubeClient, 'get'> | undefined,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  const { secret, driver } = flexSourceOf(spec);
  if (secret === undefined) return {};
  if (client === undefined) throw new KubeletError('cannot get kube client', { code: 'failed-precondition' });
  try {
    const { type, data = {} } = await client.get(secrets, secret, { signal });
    if (type !== driver) {
      throw new KubeletError(`cannot get secret of type ${driver}`, { code: 'permission-denied' });
    }
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [`kubernetes.io/secret/${key}`, value]));
  } catch (error) {
    const { code } = KubeletError.from(error);
    const message = `couldn't get secret ${secret.namespace}/${secret.name} err: ${messageOf(error)}`;
    throw new KubeletError(message, { code, cause: error });
  }
}
