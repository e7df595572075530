import type { ConfigMapManager, SecretManager } from '@podwright/referenced-objects-interface';
import { hasCode, KubeletError } from '@podwright/errors';
import type { ConfigMap, Secret } from '@podwright/kube-types';

export interface ObjectSources {
  readonly secrets: Pick<SecretManager, 'get'>;
  readonly configMaps: Pick<ConfigMapManager, 'get'>;
}

/** Reads a Secret; returns an empty one if it is missing and optional. */
export async function readSecret(
  { secrets }: ObjectSources,
  namespace: string,
  name: string,
  optional: boolean,
): Promise<Secret> {
  return secrets.get(namespace, name).catch((error: unknown) => emptyIf(optional, error));
}

/** Reads a ConfigMap; see {@link readSecret}. */
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
  // Without an API server even an optional object fails: it is unknown whether it exists.
  const message = 'not supported due to running kubelet in standalone mode';
  throw new KubeletError(message, { code: 'failed-precondition', cause: error });
}
