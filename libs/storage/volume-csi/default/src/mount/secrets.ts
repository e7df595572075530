import { isUtf8 } from 'node:buffer';
import { KubeletError, messageOf } from '@podwright/errors';
import { secrets, type KubeClient } from '@podwright/kube-client-interface';
import { csiText } from '../csi-text.js';
import type { SecretName } from './csi-source.js';

/**
 * The data of a secret for a driver, asked of the API server each time: drivers must get new credentials at once. Empty
 * without a name. Source: kubernetes v1.36 pkg/volume/csi/csi_util.go getCredentialsFromSecret.
 */
export async function readCredentials(
  api: Pick<KubeClient, 'get'>,
  secret: SecretName | undefined,
  signal: AbortSignal,
): Promise<Readonly<Record<string, string>>> {
  if (secret === undefined) return {};
  const { namespace, name } = secret;
  const found = await api.get(secrets, { namespace, name }, { signal }).catch((cause: unknown) => {
    const text = `failed to find the secret ${name} in the namespace ${namespace} with error: ${messageOf(cause)}`;
    throw new KubeletError(csiText(text), { code: KubeletError.from(cause).code, cause });
  });
  return Object.fromEntries(Object.entries(found.data ?? {}).map(([key, value]) => [key, textOf(key, value)]));
}

/** What failed, in upstream's words; `field` is that of the volume's source. */
export function fetchingSecret(field: string, secret: SecretName | undefined): string {
  return `fetching ${field} ${secret?.namespace ?? ''}/${secret?.name ?? ''} failed`;
}

/** Go's gRPC refuses other bytes in a string, too. */
function textOf(key: string, base64: string): string {
  const bytes = Buffer.from(base64, 'base64');
  if (isUtf8(bytes)) return bytes.toString('utf8');
  throw new KubeletError(`the value of key ${key} contains invalid UTF-8`, { code: 'invalid-argument' });
}
