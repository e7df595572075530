import { KubeletError, messageOf } from '@podwright/errors';
import { secrets, type KubeClient } from '@podwright/kube-client-interface';
import type { IscsiSource } from './iscsi-disk.js';

/** Credentials by the names that open-iscsi has for them, such as `node.session.auth.username`. */
export type ChapSecret = Readonly<Record<string, string>>;

/**
 * The credentials of a volume that uses CHAP; none without a secret. Asks the API server each time: they may have
 * changed. Source: kubernetes v1.36 pkg/volume/iscsi/iscsi.go createSecretMap.
 */
export async function readChapSecret(
  { chapDiscovery, chapSession, secret }: IscsiSource,
  client: Pick<KubeClient, 'get'> | undefined,
  signal: AbortSignal,
): Promise<ChapSecret> {
  if (!(chapDiscovery || chapSession) || secret === undefined) return {};
  if (client === undefined) throw new KubeletError('cannot get kube client', { code: 'failed-precondition' });
  const { name, namespace } = secret;
  const found = await client.get(secrets, secret, { signal }).catch((error: unknown) => {
    const { code } = KubeletError.from(error);
    const message = `couldn't get secret ${namespace}/${name} error: ${messageOf(error)}`;
    throw new KubeletError(message, { code, cause: error });
  });
  const decoded = Object.entries(found.data ?? {}).map(
    ([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')] as const,
  );
  return Object.fromEntries(decoded);
}
