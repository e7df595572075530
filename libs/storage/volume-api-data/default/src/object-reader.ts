import type { ConfigMapManager } from '@podwright/configmap-interface';
import { hasCode, KubeletError } from '@podwright/errors';
import type { ConfigMap, Secret } from '@podwright/kube-types';
import type { SecretManager } from '@podwright/secret-interface';

export interface ObjectSources {
  readonly secrets: Pick<SecretManager, 'get'>;
  readonly configMaps: Pick<ConfigMapManager, 'get'>;
}

/** An object that may be missing is an empty one then. */
export async function readSecret(
  { secrets }: ObjectSources,
  namespace: string,
  name: string,
  optional: boolean,
): Promise<Secret> {
  return secrets.get(namespace, name).catch((error: unknown) => emptyIf(optional, error));
}

/** See {@link readSecret}. */
export async function readConfigMap(
  { configMaps }: ObjectSources,
  namespace: string,
  name: string,
  optional: boolean,
): Promise<ConfigMap> {
  return configMaps.get(namespace, name).catch((error: unknown) => emptyIf(optional, error));
}

function emptyIf(optional: boolean, error: unknown): Readonly<Record<string, never>> {
  if (optional && hasCode(error, 'not-found')) return {};
  if (!hasCode(error, 'failed-precondition')) throw error;
  // Without an API server even an optional object fails: nobody can tell whether it exists.
  const message = 'not supported due to running kubelet in standalone mode';
  throw new KubeletError(message, { code: 'failed-precondition', cause: error });
}
